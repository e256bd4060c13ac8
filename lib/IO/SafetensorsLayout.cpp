//===- SafetensorsLayout.cpp ----------------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reads the layout of safetensors files and checks it against their sizes.
//
//===----------------------------------------------------------------------===//

#include "frit/IO/SafetensorsLayout.h"

#include "MessageText.h"
#include "SafetensorsHeader.h"

#include <algorithm>
#include <tuple>

using namespace mlir::frit;

unsigned mlir::frit::getSafetensorsBits(std::string_view dtype) {
  struct Bits {
    std::string_view dtype;
    unsigned bits;
  };
  constexpr Bits kAll[] = {
      {"F4", 4},      {"F6_E2M3", 6},     {"F6_E3M2", 6},     {"BOOL", 8},
      {"U8", 8},      {"I8", 8},          {"F8_E5M2", 8},     {"F8_E4M3", 8},
      {"F8_E8M0", 8}, {"F8_E4M3FNUZ", 8}, {"F8_E5M2FNUZ", 8}, {"I16", 16},
      {"U16", 16},    {"F16", 16},        {"BF16", 16},       {"I32", 32},
      {"U32", 32},    {"F32", 32},        {"I64", 64},        {"U64", 64},
      {"F64", 64},    {"C64", 64},
  };
  for (const Bits &known : kAll)
    if (known.dtype == dtype)
      return known.bits;
  return 0;
}

/// The bits of all elements; false where they are 2^64 or more.
static bool countBits(const SafetensorsEntry &entry, uint64_t &bits) {
  bits = getSafetensorsBits(entry.dtype);
  if (std::find(entry.shape.begin(), entry.shape.end(), 0) !=
      entry.shape.end()) {
    bits = 0;
    return true;
  }
  // The bits fit too if the count does: checked one factor at a time.
  for (int64_t size : entry.shape) {
    if (bits > UINT64_MAX / static_cast<uint64_t>(size))
      return false;
    bits *= static_cast<uint64_t>(size);
  }
  return true;
}

static std::string checkSize(const SafetensorsEntry &entry,
                             uint64_t dataBytes) {
  const std::string tensor = "tensor " + quoteText(entry.name);
  if (entry.begin > entry.end || entry.end > dataBytes)
    return joinText(
        tensor, ", field 'data_offsets': expected begin <= end <= ", dataBytes,
        " (the data's bytes), found [", entry.begin, ", ", entry.end, "]");
  uint64_t total = 0;
  if (!countBits(entry, total))
    return joinText(tensor, ", field 'shape': has 2^64 bits or more");
  if (total % 8 != 0)
    return joinText(tensor, ": expected whole bytes, found ", total,
                    " bits of ", entry.dtype);
  const uint64_t found = entry.end - entry.begin;
  if (total / 8 != found)
    return joinText(tensor, ", field 'data_offsets': expected ", total / 8,
                    " bytes for its shape and ", entry.dtype, ", found ",
                    found);
  return "";
}

static std::string checkCoverage(const std::vector<SafetensorsEntry> &entries,
                                 uint64_t dataBytes) {
  uint64_t covered = 0;
  for (const SafetensorsEntry &entry : entries) {
    if (entry.begin != covered)
      return joinText(
          "tensor ", quoteText(entry.name), ", field 'data_offsets': ",
          entry.begin < covered ? "overlaps the tensor before"
                                : "leaves a hole",
          ": expected ", covered, " as the begin, found ", entry.begin);
    covered = entry.end;
  }
  if (covered != dataBytes)
    return joinText("data after the last tensor: expected ", covered,
                    " bytes, found ", dataBytes);
  return "";
}

std::string SafetensorsLayout::parse(std::string_view file) {
  if (file.size() < safetensorsLengthBytes)
    return joinText("not a safetensors file: expected ", safetensorsLengthBytes,
                    " bytes of header length, found ", file.size());
  uint64_t headerBytes = 0;
  for (size_t byte = safetensorsLengthBytes; byte-- > 0;)
    headerBytes = headerBytes << 8 | static_cast<unsigned char>(file[byte]);
  const uint64_t rest = file.size() - safetensorsLengthBytes;
  if (headerBytes > safetensorsMaxHeaderBytes)
    return joinText("header length: expected at most ",
                    safetensorsMaxHeaderBytes, " bytes, found ", headerBytes);
  if (headerBytes > rest)
    return joinText("truncated header: expected ", headerBytes,
                    " bytes, found ", rest);
  std::string_view json = file.substr(safetensorsLengthBytes, headerBytes);
  if (json.empty() || json.front() != '{')
    return joinText("header: expected '{' as its first byte, found ",
                    json.empty() ? "the end" : quoteText(json.substr(0, 1)));
  if (std::string message = parseSafetensorsHeader(json, *this);
      !message.empty())
    return message;
  dataBegin = safetensorsLengthBytes + headerBytes;
  const uint64_t dataBytes = file.size() - dataBegin;
  for (const SafetensorsEntry &entry : entries)
    if (std::string message = checkSize(entry, dataBytes); !message.empty())
      return message;

  // Empty tensors share their offset with a neighbour; the end tells which
  // comes first, and the name makes the order unique.
  std::sort(entries.begin(), entries.end(),
            [](const SafetensorsEntry &left, const SafetensorsEntry &right) {
              return std::tie(left.begin, left.end, left.name) <
                     std::tie(right.begin, right.end, right.name);
            });
  return checkCoverage(entries, dataBytes);
}

//===- SafetensorsReader.cpp ----------------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Opens safetensors files: checks the header against the data section, and
// hands out tensors over the mapping.
//
//===----------------------------------------------------------------------===//

#include "frit/IO/Safetensors.h"

#include "FileError.h"
#include "MappedFile.h"
#include "SafetensorsHeader.h"

#include "llvm/Support/CheckedArithmetic.h"
#include "llvm/Support/Endian.h"

#include <tuple>

using namespace mlir::frit;

namespace mlir::frit {
/// Builds a SafetensorsFile from bytes.
class SafetensorsParser {
public:
  static llvm::Expected<SafetensorsFile> parse(MappedFile source,
                                               llvm::StringRef path);

private:
  static llvm::Error checkSizes(const SafetensorsFile &file);
  static llvm::Error checkCoverage(const SafetensorsFile &file);
};
} // namespace mlir::frit

llvm::Expected<SafetensorsFile> SafetensorsParser::parse(MappedFile source,
                                                         llvm::StringRef path) {
  llvm::StringRef text = source.getText();
  if (text.size() < safetensorsLengthBytes)
    return makeFileError(path, "not a safetensors file: expected ",
                         safetensorsLengthBytes,
                         " bytes of header length, found ", text.size());
  const uint64_t headerBytes = llvm::support::endian::read64le(text.data());
  const uint64_t rest = text.size() - safetensorsLengthBytes;
  if (headerBytes > safetensorsMaxHeaderBytes)
    return makeFileError(path, "header length: expected at most ",
                         safetensorsMaxHeaderBytes, " bytes, found ",
                         headerBytes);
  if (headerBytes > rest)
    return makeFileError(path, "truncated header: expected ", headerBytes,
                         " bytes, found ", rest);
  llvm::StringRef json = text.substr(safetensorsLengthBytes, headerBytes);
  if (!json.starts_with("{"))
    return makeFileError(path, "header: expected '{' as its first byte, found ",
                         json.empty() ? "the end"
                                      : quoteText(json.take_front(1)));

  SafetensorsFile file;
  file.path = path.str();
  file.data = source.bytes.drop_front(safetensorsLengthBytes + headerBytes);
  file.owner = std::move(source.owner);
  if (llvm::Error error =
          parseSafetensorsHeader(json, path, file.entries, file.metadata))
    return std::move(error);
  if (llvm::Error error = checkSizes(file))
    return std::move(error);

  // Empty tensors share their offset with a neighbour; the end tells which
  // comes first, and the name makes the order unique.
  llvm::sort(file.entries,
             [](const SafetensorsEntry &left, const SafetensorsEntry &right) {
               return std::tie(left.begin, left.end, left.name) <
                      std::tie(right.begin, right.end, right.name);
             });
  if (llvm::Error error = checkCoverage(file))
    return std::move(error);
  for (auto [position, entry] : llvm::enumerate(file.entries))
    file.index.try_emplace(entry.name, position);
  return std::move(file);
}

llvm::Error SafetensorsParser::checkSizes(const SafetensorsFile &file) {
  for (const SafetensorsEntry &entry : file.entries) {
    const std::string tensor = "tensor " + quoteText(entry.name);
    if (entry.begin > entry.end || entry.end > file.data.size())
      return makeFileError(
          file.path, tensor, ", field 'data_offsets': expected ",
          "begin <= end <= ", file.data.size(), " (the data's bytes), found [",
          entry.begin, ", ", entry.end, "]");
    // The bits fit too if the count does: checked one factor at a time.
    std::optional<uint64_t> bits = getSafetensorsBits(entry.dtype);
    const bool isEmpty = llvm::is_contained(entry.shape, 0);
    for (int64_t size : entry.shape)
      if (bits && !isEmpty)
        bits = llvm::checkedMulUnsigned(*bits, static_cast<uint64_t>(size));
    if (!bits)
      return makeFileError(file.path, tensor,
                           ", field 'shape': has 2^64 bits or more");
    const uint64_t total = isEmpty ? 0 : *bits;
    const uint64_t found = entry.end - entry.begin;
    if (total % 8 != 0)
      return makeFileError(file.path, tensor, ": expected whole bytes, found ",
                           total, " bits of ", entry.dtype);
    if (total / 8 != found)
      return makeFileError(
          file.path, tensor, ", field 'data_offsets': expected ", total / 8,
          " bytes for its shape and ", entry.dtype, ", found ", found);
  }
  return llvm::Error::success();
}

llvm::Error SafetensorsParser::checkCoverage(const SafetensorsFile &file) {
  uint64_t covered = 0;
  for (const SafetensorsEntry &entry : file.entries) {
    if (entry.begin != covered)
      return makeFileError(file.path, "tensor ", quoteText(entry.name),
                           ", field 'data_offsets': ",
                           entry.begin < covered ? "overlaps the tensor before"
                                                 : "leaves a hole",
                           ": expected ", covered, " as the begin, found ",
                           entry.begin);
    covered = entry.end;
  }
  if (covered != file.data.size())
    return makeFileError(file.path, "data after the last tensor: expected ",
                         covered, " bytes, found ", file.data.size());
  return llvm::Error::success();
}

llvm::Expected<SafetensorsFile> SafetensorsFile::open(llvm::StringRef path) {
  llvm::Expected<MappedFile> file = mapFile(path);
  if (!file)
    return file.takeError();
  return SafetensorsParser::parse(std::move(*file), path);
}

llvm::Expected<SafetensorsFile> SafetensorsFile::parse(llvm::StringRef bytes,
                                                       llvm::StringRef name) {
  return SafetensorsParser::parse(copyToMappedFile(bytes), name);
}

const SafetensorsEntry *
SafetensorsFile::find(llvm::StringRef tensorName) const {
  auto found = index.find(tensorName);
  return found == index.end() ? nullptr : &entries[found->second];
}

std::vector<std::string> SafetensorsFile::getNames() const {
  std::vector<std::string> names;
  names.reserve(entries.size());
  for (const SafetensorsEntry &entry : entries)
    names.push_back(entry.name);
  return names;
}

llvm::Expected<HostTensor>
SafetensorsFile::read(llvm::StringRef tensorName) const {
  const SafetensorsEntry *entry = find(tensorName);
  if (!entry)
    return makeFileError(path,
                         describeAbsent("tensor", tensorName, getNames()));
  std::optional<ElementType> type = parseSafetensorsType(entry->dtype);
  if (!type)
    return makeFileError(
        path, "tensor ", quoteText(entry->name),
        ", field 'dtype': expected BOOL, I8 to I64, U8 to U64, ",
        "F16, BF16, F32 or F64, found ", entry->dtype);
  return HostTensor::borrow(TensorSpec{*type, entry->shape},
                            data.slice(entry->begin, entry->end - entry->begin),
                            owner);
}

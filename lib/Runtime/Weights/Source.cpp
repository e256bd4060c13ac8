//===- Source.cpp ---------------------------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Maps a safetensors file and compares its tensors with what code wants.
//
//===----------------------------------------------------------------------===//

#include "Weights/Source.h"

#include "../IO/MessageText.h"

#include "frit/IO/SafetensorsLayout.h"
#include "frit/Support/ContentHash.h"

#include <cerrno>
#include <cinttypes>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace mlir::frit;

namespace frit::runtime {

std::string checkContent(const FritWeight &weight, const void *data) {
  uint64_t hash = hashContent(data, weight.bytes);
  if (hash == weight.hash)
    return "";
  char text[96];
  snprintf(text, sizeof(text),
           "has other contents (hash %016" PRIx64
           ") than the code was compiled "
           "with (%016" PRIx64 ")",
           hash, weight.hash);
  return text;
}

std::string describeTensor(const int64_t *sizes, int32_t rank,
                           const char *type) {
  std::string text = "[";
  for (int32_t dim = 0; dim < rank; ++dim)
    text += joinText(dim ? ", " : "", sizes[dim]);
  return text + "] " + (type ? type : "?");
}

/// MLIR's name of a dtype of the format; the format's where code has no such
/// type.
static std::string getTypeName(const std::string &dtype) {
  struct Name {
    const char *dtype;
    int32_t type;
  };
  constexpr Name kNames[] = {
      {"I8", FRIT_TYPE_I8},   {"I16", FRIT_TYPE_I16}, {"I32", FRIT_TYPE_I32},
      {"I64", FRIT_TYPE_I64}, {"F16", FRIT_TYPE_F16}, {"BF16", FRIT_TYPE_BF16},
      {"F32", FRIT_TYPE_F32}, {"F64", FRIT_TYPE_F64},
  };
  for (const Name &name : kNames)
    if (dtype == name.dtype)
      return fritTypeName(name.type);
  return dtype;
}

WeightsFile::~WeightsFile() {
  if (mapping)
    munmap(mapping, size);
}

FritStatus WeightsFile::map(const char *path, std::string &message) {
  auto fail = [&](const char *reason) {
    message = joinText(path, ": cannot read: ", reason);
    return FRIT_STATUS_INVALID_ARGUMENT;
  };
  // A pipe would keep the caller waiting.
  int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (file < 0)
    return fail(strerror(errno));
  struct stat status;
  FritStatus result = FRIT_STATUS_OK;
  if (fstat(file, &status) != 0) {
    result = fail(strerror(errno));
  } else if (!S_ISREG(status.st_mode)) {
    result = fail("not a regular file");
  } else if (status.st_size > 0) {
    size = static_cast<size_t>(status.st_size);
    void *memory = mmap(nullptr, size, PROT_READ, MAP_PRIVATE, file, 0);
    if (memory == MAP_FAILED)
      result = fail(strerror(errno));
    else
      mapping = memory;
  }
  close(file);
  return result;
}

FritStatus WeightsFile::load(const char *path, const FritWeights &weights,
                             std::vector<const void *> &addresses,
                             std::string &message) {
  if (FritStatus status = map(path, message))
    return status;
  std::string_view bytes(static_cast<const char *>(mapping),
                         mapping ? size : 0);
  SafetensorsLayout layout;
  message = layout.parse(bytes);
  if (!message.empty()) {
    message = joinText(path, ": ", message);
    return FRIT_STATUS_INVALID_ARGUMENT;
  }
  for (int32_t index = 0; index < weights.numWeights; ++index) {
    const FritWeight &weight = weights.weights[index];
    std::string wanted =
        describeTensor(weight.sizes, weight.rank, fritTypeName(weight.type));
    const SafetensorsEntry *found = nullptr;
    for (const SafetensorsEntry &entry : layout.entries)
      if (entry.name == weight.name)
        found = &entry;
    auto fail = [&](const auto &...parts) {
      message =
          joinText(path, ": tensor ", quoteText(weight.name), " ", parts...);
      return FRIT_STATUS_INVALID_ARGUMENT;
    };
    if (!found)
      return fail("is not there, expected ", wanted);
    std::string given = describeTensor(
        found->shape.data(), static_cast<int32_t>(found->shape.size()),
        getTypeName(found->dtype).c_str());
    if (given != wanted)
      return fail("is ", given, ", expected ", wanted);
    const char *data = bytes.data() + layout.dataBegin + found->begin;
    if (std::string wrong = checkContent(weight, data); !wrong.empty())
      return fail(wrong);
    addresses.push_back(data);
    if (reinterpret_cast<uintptr_t>(data) % FRIT_WEIGHT_ALIGNMENT == 0)
      continue;
    size_t whole = (weight.bytes + FRIT_WEIGHT_ALIGNMENT - 1) /
                   FRIT_WEIGHT_ALIGNMENT * FRIT_WEIGHT_ALIGNMENT;
    copies.emplace_back(std::aligned_alloc(FRIT_WEIGHT_ALIGNMENT, whole));
    if (!copies.back()) {
      fail("needs ", weight.bytes, " bytes of memory, which there are not");
      return FRIT_STATUS_OUT_OF_MEMORY;
    }
    memcpy(copies.back().get(), data, weight.bytes);
    addresses.back() = copies.back().get();
  }
  return FRIT_STATUS_OK;
}

} // namespace frit::runtime

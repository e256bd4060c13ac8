//===- CheckpointIndex.cpp ------------------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reads the index of a checkpoint in several files.
//
//===----------------------------------------------------------------------===//

#include "frit/IO/Checkpoint.h"

#include "FileError.h"
#include "Json.h"

#include "llvm/ADT/StringExtras.h"

#include <cmath>

using namespace mlir::frit;
using nlohmann::json;

/// True for the name of a file that can only be beside the index: one that
/// leads elsewhere would make a checkpoint read any file of its user.
static bool isPlainFileName(llvm::StringRef name) {
  return !name.empty() && name != "." && name != ".." &&
         llvm::all_of(name, [](char c) {
           return c != '/' && c != '\\' && static_cast<unsigned char>(c) >= ' ';
         });
}

/// Some writers have the number as 1.0e10.
static std::optional<uint64_t> getWholeNumber(const json &value) {
  if (value.is_number_unsigned())
    return value.get<uint64_t>();
  if (!value.is_number_float())
    return std::nullopt;
  constexpr double exactBelow = 9007199254740992.0; // 2^53
  const double number = value.get<double>();
  if (number < 0 || number >= exactBelow || std::floor(number) != number)
    return std::nullopt;
  return static_cast<uint64_t>(number);
}

static llvm::Error readTotalSize(const json &index, llvm::StringRef path,
                                 std::optional<uint64_t> &totalSize) {
  auto metadata = index.find("metadata");
  if (metadata == index.end())
    return llvm::Error::success();
  if (!metadata->is_object())
    return makeFileError(path, "field 'metadata': expected an object, found ",
                         describeJson(*metadata));
  auto size = metadata->find("total_size");
  if (size == metadata->end())
    return llvm::Error::success();
  totalSize = getWholeNumber(*size);
  if (totalSize)
    return llvm::Error::success();
  return makeFileError(path, "field 'metadata.total_size': expected a number ",
                       "of bytes, found ", describeJson(*size));
}

llvm::Expected<CheckpointIndex> CheckpointIndex::parse(llvm::StringRef text,
                                                       llvm::StringRef name) {
  llvm::Expected<json> object = parseJsonObject<json>(text, name);
  if (!object)
    return object.takeError();
  CheckpointIndex index;
  if (llvm::Error error = readTotalSize(*object, name, index.totalSize))
    return std::move(error);
  auto map = object->find("weight_map");
  if (map == object->end())
    return makeFileError(name, "expected the field 'weight_map', found none");
  if (!map->is_object())
    return makeFileError(name, "field 'weight_map': expected an object, found ",
                         describeJson(*map));
  for (auto entry = map->begin(); entry != map->end(); ++entry) {
    const auto *shard = entry->get_ptr<const std::string *>();
    if (!shard || !isPlainFileName(*shard))
      return makeFileError(name, "weight_map entry ", quoteText(entry.key()),
                           ": expected the name of a file beside the index, ",
                           "found ", describeJson(*entry));
    index.shards.try_emplace(entry.key(), *shard);
  }
  return index;
}

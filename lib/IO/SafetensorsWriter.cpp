//===- SafetensorsWriter.cpp ----------------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Writes safetensors files.
//
//===----------------------------------------------------------------------===//

#include "FileError.h"
#include "SafetensorsTypes.h"
#include "frit/IO/Safetensors.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/JSON.h"

using namespace mlir::frit;

/// The header's JSON for tensors in the order of their data.
static std::string
formatHeader(llvm::ArrayRef<NamedTensor> tensors,
             const std::map<std::string, std::string> &metadata) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  llvm::json::OStream json(stream);
  json.object([&] {
    if (!metadata.empty())
      json.attributeObject(llvm::StringRef(safetensorsMetadataKey), [&] {
        for (const auto &[key, value] : metadata)
          json.attribute(key, value);
      });
    uint64_t offset = 0;
    for (const NamedTensor &named : tensors) {
      const uint64_t end = offset + named.tensor->getNumBytes();
      json.attributeObject(named.name, [&] {
        json.attribute("dtype", getSafetensorsType(named.tensor->getType()));
        json.attributeArray("shape", [&] {
          for (int64_t size : named.tensor->getShape())
            json.value(size);
        });
        json.attributeArray("data_offsets", [&] {
          json.value(offset);
          json.value(end);
        });
      });
      offset = end;
    }
  });
  return text;
}

/// Checks what the format demands of names and strings.
static llvm::Error
checkNames(llvm::StringRef path, llvm::ArrayRef<NamedTensor> tensors,
           const std::map<std::string, std::string> &metadata) {
  llvm::StringSet<> names;
  for (const NamedTensor &named : tensors) {
    if (named.name == llvm::StringRef(safetensorsMetadataKey))
      return makeFileError(path, "cannot write: the name ",
                           quoteText(named.name), " is reserved");
    if (!llvm::json::isUTF8(named.name))
      return makeFileError(path, "cannot write: the name ",
                           quoteText(named.name), " is not UTF-8");
    if (!names.insert(named.name).second)
      return makeFileError(path, "cannot write: two tensors are named ",
                           quoteText(named.name));
  }
  for (const auto &[key, value] : metadata)
    if (!llvm::json::isUTF8(key) || !llvm::json::isUTF8(value))
      return makeFileError(path, "cannot write: the metadata entry ",
                           quoteText(key), " is not UTF-8");
  return llvm::Error::success();
}

llvm::Expected<StagedFile> mlir::frit::stageSafetensors(
    llvm::StringRef path, llvm::ArrayRef<NamedTensor> tensors,
    const std::map<std::string, std::string> &metadata) {
  if (llvm::Error error = checkNames(path, tensors, metadata))
    return std::move(error);
  llvm::SmallVector<NamedTensor> sorted(tensors);
  llvm::sort(sorted, [](const NamedTensor &left, const NamedTensor &right) {
    const unsigned leftBytes = getElementBytes(left.tensor->getType());
    const unsigned rightBytes = getElementBytes(right.tensor->getType());
    return leftBytes != rightBytes ? leftBytes > rightBytes
                                   : left.name < right.name;
  });
  std::string header = formatHeader(sorted, metadata);
  // The data begins where a page, which is mapped, has vectors of any width.
  header.resize(llvm::alignTo(safetensorsLengthBytes + header.size(),
                              HostTensor::alignment) -
                    safetensorsLengthBytes,
                ' ');
  if (header.size() > safetensorsMaxHeaderBytes)
    return makeFileError(path, "cannot write: header length: expected at most ",
                         safetensorsMaxHeaderBytes, " bytes, found ",
                         header.size());

  llvm::SmallVector<HostTensor> contiguous;
  for (const NamedTensor &named : sorted) {
    llvm::Expected<HostTensor> copy = named.tensor->toContiguous();
    if (!copy)
      return copy.takeError();
    contiguous.push_back(std::move(*copy));
  }
  return StagedFile::write(path, [&](llvm::raw_ostream &stream) {
    char length[safetensorsLengthBytes];
    llvm::support::endian::write64le(length, header.size());
    stream.write(length, sizeof(length));
    stream << header;
    for (const HostTensor &tensor : contiguous) {
      llvm::ArrayRef<char> bytes = tensor.getContiguousBytes();
      stream.write(bytes.data(), bytes.size());
    }
  });
}

llvm::Error mlir::frit::writeSafetensors(
    llvm::StringRef path, llvm::ArrayRef<NamedTensor> tensors,
    const std::map<std::string, std::string> &metadata) {
  llvm::Expected<StagedFile> file = stageSafetensors(path, tensors, metadata);
  return file ? file->keep() : file.takeError();
}

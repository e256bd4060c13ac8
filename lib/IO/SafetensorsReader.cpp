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
#include "SafetensorsTypes.h"

#include "llvm/ADT/STLExtras.h"

using namespace mlir::frit;

namespace mlir::frit {
/// Builds a SafetensorsFile from bytes.
class SafetensorsParser {
public:
  static llvm::Expected<SafetensorsFile> parse(MappedFile source,
                                               llvm::StringRef path);
};
} // namespace mlir::frit

llvm::Expected<SafetensorsFile> SafetensorsParser::parse(MappedFile source,
                                                         llvm::StringRef path) {
  SafetensorsFile file;
  if (std::string message = file.layout.parse(source.getText());
      !message.empty())
    return makeFileError(path, message);
  file.path = path.str();
  file.data = source.bytes.drop_front(file.layout.dataBegin);
  file.owner = std::move(source.owner);
  for (auto [position, entry] : llvm::enumerate(file.layout.entries))
    file.index.try_emplace(entry.name, position);
  return std::move(file);
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
  return found == index.end() ? nullptr : &layout.entries[found->second];
}

std::vector<std::string> SafetensorsFile::getNames() const {
  std::vector<std::string> names;
  names.reserve(layout.entries.size());
  for (const SafetensorsEntry &entry : layout.entries)
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
  return HostTensor::borrow(
      TensorSpec{*type,
                 llvm::SmallVector<int64_t, 4>(llvm::ArrayRef(entry->shape))},
      data.slice(entry->begin, entry->end - entry->begin), owner);
}

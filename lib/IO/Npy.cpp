//===- Npy.cpp ------------------------------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reads and writes .npy files.
//
//===----------------------------------------------------------------------===//

#include "frit/IO/Npy.h"

#include "FileError.h"
#include "MappedFile.h"
#include "NpyHeader.h"
#include "frit/IO/OutputFile.h"

using namespace mlir::frit;

static llvm::Expected<HostTensor> read(MappedFile file, llvm::StringRef name) {
  llvm::Expected<NpyHeader> header = parseNpyHeader(file.getText(), name);
  if (!header)
    return header.takeError();
  llvm::Expected<int64_t> expected = header->spec.getNumBytes();
  if (!expected)
    return makeFileError(
        name, "field 'shape': ", llvm::toString(expected.takeError()));
  llvm::MutableArrayRef<char> data = file.bytes.drop_front(header->dataOffset);
  if (data.size() != static_cast<uint64_t>(*expected))
    return makeFileError(name, "data of ", header->spec.str(), ": expected ",
                         *expected, " bytes, found ", data.size());
  return withFile(name, HostTensor::borrow(std::move(header->spec), data,
                                           std::move(file.owner)));
}

llvm::Expected<HostTensor> mlir::frit::readNpy(llvm::StringRef path) {
  llvm::Expected<MappedFile> file = mapFile(path);
  if (!file)
    return file.takeError();
  return read(std::move(*file), path);
}

llvm::Expected<HostTensor> mlir::frit::parseNpy(llvm::StringRef bytes,
                                                llvm::StringRef name) {
  return read(copyToMappedFile(bytes), name);
}

llvm::Expected<StagedFile> mlir::frit::stageNpy(llvm::StringRef path,
                                                const HostTensor &tensor) {
  llvm::Expected<HostTensor> copy = tensor.toContiguous();
  if (!copy)
    return copy.takeError();
  return StagedFile::write(path, [&](llvm::raw_ostream &stream) {
    stream << formatNpyHeader(tensor.getSpec());
    llvm::ArrayRef<char> bytes = copy->getContiguousBytes();
    stream.write(bytes.data(), bytes.size());
  });
}

llvm::Error mlir::frit::writeNpy(llvm::StringRef path,
                                 const HostTensor &tensor) {
  llvm::Expected<StagedFile> file = stageNpy(path, tensor);
  return file ? file->keep() : file.takeError();
}

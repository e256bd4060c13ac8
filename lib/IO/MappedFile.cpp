//===- MappedFile.cpp -----------------------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Opening an input file as memory.
//
//===----------------------------------------------------------------------===//

#include "MappedFile.h"

#include "FileError.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace mlir::frit;

static MappedFile own(std::unique_ptr<llvm::WritableMemoryBuffer> buffer) {
  MappedFile file;
  file.bytes = buffer->getBuffer();
  file.owner = std::shared_ptr<llvm::WritableMemoryBuffer>(std::move(buffer));
  return file;
}

llvm::Expected<MappedFile> mlir::frit::mapFile(llvm::StringRef path) {
  llvm::sys::fs::file_status status;
  if (std::error_code code = llvm::sys::fs::status(path, status))
    return makeFileError(path, "cannot read: ", code.message());
  // A device or a pipe may never end, and cannot be mapped.
  if (status.type() != llvm::sys::fs::file_type::regular_file)
    return makeFileError(path, "cannot read: not a regular file");
  auto buffer = llvm::WritableMemoryBuffer::getFile(path);
  if (!buffer)
    return makeFileError(path, "cannot read: ", buffer.getError().message());
  return own(std::move(*buffer));
}

MappedFile mlir::frit::copyToMappedFile(llvm::StringRef bytes) {
  auto buffer = llvm::WritableMemoryBuffer::getNewUninitMemBuffer(bytes.size());
  llvm::copy(bytes, buffer->getBufferStart());
  return own(std::move(buffer));
}

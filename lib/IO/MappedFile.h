//===- MappedFile.h ---------------------------------------------*- C++ -*-===//
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

#ifndef FRIT_LIB_IO_MAPPEDFILE_H
#define FRIT_LIB_IO_MAPPEDFILE_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <memory>

namespace mlir::frit {

/// The bytes of a file, and what keeps them alive.
struct MappedFile {
  llvm::MutableArrayRef<char> bytes;
  std::shared_ptr<void> owner;

  llvm::StringRef getText() const { return {bytes.data(), bytes.size()}; }
};

/// Maps a regular file copy-on-write: pages are read when they are touched,
/// and a compiled function that writes to an argument never changes the file.
/// A file that another process truncates while it is mapped is out of reach of
/// error handling, as with any mapping.
llvm::Expected<MappedFile> mapFile(llvm::StringRef path);

/// The same for bytes that are already in memory; they are copied.
MappedFile copyToMappedFile(llvm::StringRef bytes);

} // namespace mlir::frit

#endif // FRIT_LIB_IO_MAPPEDFILE_H

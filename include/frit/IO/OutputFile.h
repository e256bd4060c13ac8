//===- OutputFile.h ---------------------------------------------*- C++ -*-===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Writing a file so that it appears whole or not at all.
//
//===----------------------------------------------------------------------===//

#ifndef FRIT_IO_OUTPUTFILE_H
#define FRIT_IO_OUTPUTFILE_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"

#include <optional>
#include <string>

namespace mlir::frit {

/// Writes what `write` streams to a temporary file beside `path`, flushes it
/// to the disk and renames it to `path`. On any error (directory not writable,
/// disk full, ...) the result is one message that names the path and the
/// system's reason; an earlier file at `path` is as it was, and the temporary
/// is gone (also after a signal that LLVM's handlers see).
///
/// A symbolic link keeps pointing to the file, which is replaced, or created if
/// it is not there; an existing file's permissions are kept. What is not a
/// regular file (a pipe, /dev/stdout) cannot be replaced and is written to
/// directly.
llvm::Error
writeFileAtomically(llvm::StringRef path,
                    llvm::function_ref<void(llvm::raw_ostream &)> write);

/// The first half of writeFileAtomically, for several files that belong
/// together: all are written beside their places before the first appears.
class StagedFile {
public:
  /// Writes the temporary file. What is not a regular file is written to here.
  static llvm::Expected<StagedFile>
  write(llvm::StringRef path,
        llvm::function_ref<void(llvm::raw_ostream &)> write);

  StagedFile(StagedFile &&) = default;
  StagedFile &operator=(StagedFile &&) = delete;
  /// Removes the temporary file unless it was kept.
  ~StagedFile();

  /// Renames the temporary file to its place.
  llvm::Error keep();

private:
  StagedFile(llvm::StringRef path, std::string target)
      : path(path), target(std::move(target)) {}

  std::string path;
  /// The file itself, where `path` is a symbolic link.
  std::string target;
  std::optional<llvm::sys::fs::TempFile> temporary;
};

/// Says before the work on what is to be written that it could not be written:
/// most errors of writeFileAtomically, which show here too.
llvm::Error checkWritable(llvm::StringRef path);

/// One text for all paths to a file, which need not exist: the real path.
std::string getFileIdentity(llvm::StringRef path);

/// True where both paths lead to one file, which need not exist; also where its
/// names are hard links.
bool isSameFile(llvm::StringRef left, llvm::StringRef right);

} // namespace mlir::frit

#endif // FRIT_IO_OUTPUTFILE_H

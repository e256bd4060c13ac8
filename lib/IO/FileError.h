//===- FileError.h ----------------------------------------------*- C++ -*-===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// How the readers and writers word their errors.
//
//===----------------------------------------------------------------------===//

#ifndef FRIT_LIB_IO_FILEERROR_H
#define FRIT_LIB_IO_FILEERROR_H

#include "MessageText.h"

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/raw_ostream.h"

#include <string>

namespace mlir::frit {

/// An error whose message is the parts, streamed one after the other.
template <typename... Parts> llvm::Error makeError(const Parts &...parts) {
  std::string message;
  llvm::raw_string_ostream stream(message);
  (stream << ... << parts);
  return llvm::createStringError(message);
}

/// An error about a file: "path: parts...".
template <typename... Parts>
llvm::Error makeFileError(llvm::StringRef path, const Parts &...parts) {
  return makeError(path, ": ", parts...);
}

/// The value, or its error as one about a file.
template <typename T>
llvm::Expected<T> withFile(llvm::StringRef path, llvm::Expected<T> value) {
  if (value)
    return value;
  return makeFileError(path, llvm::toString(value.takeError()));
}

} // namespace mlir::frit

#endif // FRIT_LIB_IO_FILEERROR_H

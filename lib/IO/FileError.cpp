//===- FileError.cpp ------------------------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Quoting of text that comes from files.
//
//===----------------------------------------------------------------------===//

#include "FileError.h"

#include "llvm/ADT/StringExtras.h"

std::string mlir::frit::quoteText(llvm::StringRef text) {
  constexpr size_t maxShown = 80;
  std::string result = "'";
  llvm::raw_string_ostream stream(result);
  llvm::printEscapedString(text.take_front(maxShown), stream);
  if (text.size() > maxShown)
    stream << "...";
  stream << "'";
  return result;
}

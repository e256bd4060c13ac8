//===- ExportedName.h - Names of exported functions -------------*- C++ -*-===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The names that the functions of a module have in an object file.
//
//===----------------------------------------------------------------------===//

#ifndef FRIT_EXECUTION_EXPORTEDNAME_H
#define FRIT_EXECUTION_EXPORTEDNAME_H

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringRef.h"

#include <string>

namespace mlir::frit {

/// `text` with an underscore for each character that C's names cannot have.
inline std::string makeIdentifier(llvm::StringRef text) {
  std::string name = text.str();
  for (char &character : name)
    if (!llvm::isAlnum(character))
      character = '_';
  return name;
}

/// True for what may begin exported names: a name of C that begins with a
/// letter.
inline bool isExportPrefix(llvm::StringRef prefix) {
  return !prefix.empty() && llvm::isAlpha(prefix.front()) &&
         makeIdentifier(prefix) == prefix;
}

/// The C function of `@function`: "PREFIX_function".
inline std::string getExportedName(llvm::StringRef prefix,
                                   llvm::StringRef function) {
  return (prefix + "_" + makeIdentifier(function)).str();
}

/// Its FritEntry: "PREFIX_function_entry".
inline std::string getExportedMetadataName(llvm::StringRef prefix,
                                           llvm::StringRef function) {
  return getExportedName(prefix, function) + "_entry";
}

/// The FritWeights of all functions: "PREFIX_weights".
inline std::string getExportedWeightsName(llvm::StringRef prefix) {
  return getExportedName(prefix, "weights");
}

} // namespace mlir::frit

#endif // FRIT_EXECUTION_EXPORTEDNAME_H

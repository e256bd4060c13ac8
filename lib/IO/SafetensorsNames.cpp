//===- SafetensorsNames.cpp -----------------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What is said of a name that a file lacks: the nearest one that it has, or
// what it has at all.
//
//===----------------------------------------------------------------------===//

#include "frit/IO/Safetensors.h"

#include "FileError.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir::frit;

/// The name that is fewest edits away, or null where none is near: half of the
/// letters may differ.
static const std::string *findNearest(llvm::StringRef name,
                                      llvm::ArrayRef<std::string> names) {
  const std::string *nearest = nullptr;
  unsigned nearestDistance = name.size() / 2 + 1;
  for (const std::string &candidate : names) {
    const unsigned distance = name.edit_distance(
        candidate, /*AllowReplacements=*/true, nearestDistance);
    if (distance >= nearestDistance)
      continue;
    nearest = &candidate;
    nearestDistance = distance;
  }
  return nearest;
}

std::string mlir::frit::describeAbsent(llvm::StringRef what,
                                       llvm::StringRef name,
                                       llvm::ArrayRef<std::string> names) {
  constexpr size_t maxListed = 8;
  std::string text;
  llvm::raw_string_ostream os(text);
  os << "no " << what << " " << quoteText(name) << " among " << names.size();
  if (const std::string *nearest = findNearest(name, names)) {
    os << "; did you mean " << quoteText(*nearest) << "?";
    return text;
  }
  if (names.empty())
    return text;
  os << ": ";
  llvm::interleaveComma(
      names.take_front(maxListed), os,
      [&](const std::string &each) { os << quoteText(each); });
  if (names.size() > maxListed)
    os << " and " << names.size() - maxListed << " more";
  return text;
}

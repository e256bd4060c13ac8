//===- CommandLine.cpp - Command lines of tools ---------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reads command lines, and says what is wrong with them.
//
//===----------------------------------------------------------------------===//

#include "CommandLine.h"

#include "frit-c/Version.h"

#include "llvm/Config/llvm-config.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace mlir::frit {

/// The option library gives these to every table.
enum { kInput = 1, kUnknown = 2 };

CommandLine::CommandLine(const opt::OptTable &table, int argc, char **argv)
    : table(table), args(table.ParseArgs(ArrayRef(argv, argc).drop_front(),
                                         missingIndex, missingCount)) {}

Error CommandLine::check() const {
  if (missingCount != 0)
    return createStringError(Twine(args.getArgString(missingIndex)) +
                             ": a value is missing");
  for (const opt::Arg *arg : args.filtered(kUnknown)) {
    std::string text = arg->getAsString(args);
    std::string nearest;
    if (table.findNearest(text, nearest) <= 2)
      return createStringError("unknown option '" + Twine(text) +
                               "'; did you mean '" + nearest + "'?");
    return createStringError("unknown option '" + Twine(text) +
                             "' (see --help)");
  }
  size_t numFiles = args.getAllArgValues(kInput).size();
  if (numFiles != 1)
    return createStringError("expected one FILE (- for standard input), got " +
                             Twine(numFiles) + " (see --help)");
  return Error::success();
}

void printVersion(StringRef tool, raw_ostream &stream) {
  stream << tool << " " FRIT_VERSION_STRING ", LLVM " LLVM_VERSION_STRING "\n";
}

} // namespace mlir::frit

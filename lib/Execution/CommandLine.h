//===- CommandLine.h - Command lines of tools -------------------*- C++ -*-===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the command lines of frit-run and frit-compile have in common.
//
//===----------------------------------------------------------------------===//

#ifndef FRIT_LIB_EXECUTION_COMMANDLINE_H
#define FRIT_LIB_EXECUTION_COMMANDLINE_H

#include "llvm/Option/ArgList.h"
#include "llvm/Option/OptTable.h"
#include "llvm/Support/Error.h"

namespace mlir::frit {

/// A command line as the option library reads it.
struct CommandLine {
  CommandLine(const llvm::opt::OptTable &table, int argc, char **argv);

  /// Errors: a value that is missing, an option that does not exist (the
  /// message names the nearest one), or not one input file.
  llvm::Error check() const;

  const llvm::opt::OptTable &table;
  unsigned missingIndex = 0;
  unsigned missingCount = 0;
  llvm::opt::InputArgList args;
};

/// The first lines of a tool's --version: "frit-run 0.1.0, LLVM 22.1.8".
void printVersion(llvm::StringRef tool, llvm::raw_ostream &stream);

} // namespace mlir::frit

#endif // FRIT_LIB_EXECUTION_COMMANDLINE_H

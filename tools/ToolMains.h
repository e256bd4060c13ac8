//===- ToolMains.h ----------------------------------------------*- C++ -*-===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The main functions of the tools, each of which is a program of its own and
// part of the multi-call binary `frit`.
//
//===----------------------------------------------------------------------===//

#ifndef FRIT_TOOLS_TOOLMAINS_H
#define FRIT_TOOLS_TOOLMAINS_H

namespace mlir::frit {

/// Each takes what `main` takes and returns the exit code.
int fritCompileToolMain(int argc, char **argv);
int fritOptToolMain(int argc, char **argv);
int fritRunToolMain(int argc, char **argv);

} // namespace mlir::frit

#endif // FRIT_TOOLS_TOOLMAINS_H

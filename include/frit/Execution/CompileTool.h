//===- CompileTool.h - The program behind frit-compile ----------*- C++ -*-===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The program behind frit-compile: compiles a module to files that a program
// links.
//
//===----------------------------------------------------------------------===//

#ifndef FRIT_EXECUTION_COMPILETOOL_H
#define FRIT_EXECUTION_COMPILETOOL_H

namespace mlir {
class DialectRegistry;
} // namespace mlir

namespace mlir::frit {

/// Runs frit-compile with the command line and returns its exit code: 0; 1 for
/// usage and unreadable files; 2 for what does not compile; 3 for what cannot
/// be written. Documented in docs/frit-compile.md.
int fritCompileMain(int argc, char **argv, DialectRegistry &registry);

} // namespace mlir::frit

#endif // FRIT_EXECUTION_COMPILETOOL_H

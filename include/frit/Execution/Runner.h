//===- Runner.h -------------------------------------------------*- C++ -*-===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The program behind frit-run: compiles a function over tensors, executes it on
// given or made inputs, checks, prints and times its results.
//
//===----------------------------------------------------------------------===//

#ifndef FRIT_EXECUTION_RUNNER_H
#define FRIT_EXECUTION_RUNNER_H

namespace mlir {
class DialectRegistry;
} // namespace mlir

namespace mlir::frit {

/// What frit-run's process returns.
enum class RunnerExit : int {
  Success = 0,
  /// Bad options, unreadable or unsuitable inputs.
  Usage = 1,
  /// The text cannot be parsed or compiled for the target.
  Compile = 2,
  /// The function reported an error, or its results could not be written.
  Run = 3,
  /// A result differs from what was expected.
  Mismatch = 4,
};

/// Runs frit-run with the command line and returns its exit code. Documented in
/// docs/frit-run.md.
int fritRunMain(int argc, char **argv, DialectRegistry &registry);

} // namespace mlir::frit

#endif // FRIT_EXECUTION_RUNNER_H

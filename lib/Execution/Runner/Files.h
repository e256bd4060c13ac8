//===- Files.h --------------------------------------------------*- C++ -*-===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The files that a command line of frit-run names.
//
//===----------------------------------------------------------------------===//

#ifndef FRIT_LIB_EXECUTION_RUNNER_FILES_H
#define FRIT_LIB_EXECUTION_RUNNER_FILES_H

#include "Options.h"

namespace mlir::frit {

/// Errors, which name both: a file to write that is also read (the source, an
/// input, weights, an adapter, an expectation), and two outputs in one place.
/// Links lead to what they point to.
llvm::Error checkFiles(const RunnerOptions &options);

} // namespace mlir::frit

#endif // FRIT_LIB_EXECUTION_RUNNER_FILES_H

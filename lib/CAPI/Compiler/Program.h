//===- Program.h ------------------------------------------------*- C++ -*-===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Functions that were compiled together.
//
//===----------------------------------------------------------------------===//

#ifndef FRIT_LIB_CAPI_COMPILER_PROGRAM_H
#define FRIT_LIB_CAPI_COMPILER_PROGRAM_H

#include "Choices.h"

#include "frit/Execution/Executable.h"

/// Refers to no context of MLIR, so it outlives the compiler.
struct FritProgram {
  std::string target;
  int32_t device = FRIT_NO_DEVICE;
  mlir::frit::Choices choices;
  /// Null where only choices were asked for.
  std::unique_ptr<mlir::frit::Executable> executable;
  /// Constant data of the executable.
  std::vector<const FritEntry *> entries;
};

#endif // FRIT_LIB_CAPI_COMPILER_PROGRAM_H

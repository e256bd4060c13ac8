//===- Inputs.h -------------------------------------------------*- C++ -*-===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Finds the source of each argument and makes the tensors.
//
//===----------------------------------------------------------------------===//

#ifndef FRIT_LIB_EXECUTION_RUNNER_INPUTS_H
#define FRIT_LIB_EXECUTION_RUNNER_INPUTS_H

#include "Options.h"
#include "Signature.h"

#include "frit/IO/AdapterStack.h"

namespace mlir::frit {

/// The tensors of all arguments, in order. An argument gets, in this order: the
/// `--input` that names it; the operand of frit.lora_matmul that it names, of
/// `adapters`; the tensor of a `--weights` file; the next `--input` without a
/// name; `--fill`. Errors name the option and the argument with both types,
/// sizes that disagree, arguments without a source and options that bind
/// nothing. What is odd in a file of weights goes to `warnings`, a line each.
llvm::Expected<std::vector<HostTensor>> makeInputs(const Signature &signature,
                                                   const RunnerOptions &options,
                                                   const AdapterStack &adapters,
                                                   llvm::raw_ostream &warnings);

} // namespace mlir::frit

#endif // FRIT_LIB_EXECUTION_RUNNER_INPUTS_H

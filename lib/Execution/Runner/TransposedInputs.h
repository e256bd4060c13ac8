//===- TransposedInputs.h ---------------------------------------*- C++ -*-===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Inputs of a function that takes weights with exchanged axes.
//
//===----------------------------------------------------------------------===//

#ifndef FRIT_LIB_EXECUTION_RUNNER_TRANSPOSEDINPUTS_H
#define FRIT_LIB_EXECUTION_RUNNER_TRANSPOSEDINPUTS_H

#include "Signature.h"

#include "llvm/Support/raw_ostream.h"

#include <vector>

namespace mlir::frit {

/// Exchanges the axes of the inputs whose arguments the function takes
/// transposed now and did not before, once, and prints a line for each. There
/// may be no inputs, where the function is only written.
llvm::Error transposeInputs(const Signature &before, const Signature &now,
                            std::vector<HostTensor> &inputs,
                            llvm::raw_ostream &os);

} // namespace mlir::frit

#endif // FRIT_LIB_EXECUTION_RUNNER_TRANSPOSEDINPUTS_H

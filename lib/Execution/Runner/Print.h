//===- Print.h --------------------------------------------------*- C++ -*-===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Tensors as text for a reader.
//
//===----------------------------------------------------------------------===//

#ifndef FRIT_LIB_EXECUTION_RUNNER_PRINT_H
#define FRIT_LIB_EXECUTION_RUNNER_PRINT_H

#include "frit/IO/HostTensor.h"

#include "llvm/Support/raw_ostream.h"

namespace mlir::frit {

/// Prints the elements in nested brackets, rows on lines of their own. Of a
/// dimension in a tensor of more than 1000 elements only the first and the last
/// three are shown. Floats have enough digits to tell their type's values
/// apart.
void printTensor(llvm::raw_ostream &stream, const HostTensor &tensor);

} // namespace mlir::frit

#endif // FRIT_LIB_EXECUTION_RUNNER_PRINT_H

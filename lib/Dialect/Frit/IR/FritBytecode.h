//===- FritBytecode.h -------------------------------------------*- C++ -*-===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// How the dialect gets its bytecode.
//
//===----------------------------------------------------------------------===//

#ifndef FRIT_LIB_DIALECT_FRIT_IR_FRITBYTECODE_H
#define FRIT_LIB_DIALECT_FRIT_IR_FRITBYTECODE_H

namespace mlir::frit {

class FritDialect;

/// Called once, while the dialect initializes.
void addBytecodeInterface(FritDialect &dialect);

} // namespace mlir::frit

#endif // FRIT_LIB_DIALECT_FRIT_IR_FRITBYTECODE_H

//===- StackBuffer.h - Stack memory of calls, reused ------------*- C++ -*-===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Stack memory for the structs that a function passes to others by address.
//
//===----------------------------------------------------------------------===//

#ifndef FRIT_LIB_CONVERSION_UTILS_STACKBUFFER_H
#define FRIT_LIB_CONVERSION_UTILS_STACKBUFFER_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

namespace mlir::frit {

/// The block of a function's stack that such structs take turns in: as large as
/// the largest, aligned as the strictest.
class StackBuffer {
public:
  explicit StackBuffer(func::FuncOp function) : function(function) {}

  /// The address of the block, which is made to hold a `type`.
  Value getAddress(LLVM::LLVMStructType type);

private:
  func::FuncOp function;
  LLVM::AllocaOp alloca;
  uint64_t bytes = 0;
};

} // namespace mlir::frit

#endif // FRIT_LIB_CONVERSION_UTILS_STACKBUFFER_H

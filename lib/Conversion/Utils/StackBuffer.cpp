//===- StackBuffer.cpp - Stack memory of calls, reused --------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One block of a function's stack for the structs that it passes to others.
//
//===----------------------------------------------------------------------===//

#include "StackBuffer.h"

#include "mlir/Interfaces/DataLayoutInterfaces.h"

using namespace mlir;
using namespace mlir::frit;

Value StackBuffer::getAddress(LLVM::LLVMStructType type) {
  OpBuilder builder = OpBuilder::atBlockBegin(&function.front());
  Location loc = function.getLoc();
  if (type.getBody().empty())
    return LLVM::ZeroOp::create(
        builder, loc, LLVM::LLVMPointerType::get(function.getContext()));
  DataLayout layout = DataLayout::closest(function);
  uint64_t alignment = layout.getTypeABIAlignment(type);
  bytes = std::max(bytes, layout.getTypeSize(type).getFixedValue());
  if (!alloca) {
    Value size = LLVM::ConstantOp::create(builder, loc,
                                          builder.getI64IntegerAttr(bytes));
    alloca = LLVM::AllocaOp::create(
        builder, loc, LLVM::LLVMPointerType::get(function.getContext()),
        builder.getI8Type(), size, alignment);
    return alloca;
  }
  alloca.getArraySize().getDefiningOp<LLVM::ConstantOp>().setValueAttr(
      builder.getI64IntegerAttr(bytes));
  alloca.setAlignment(std::max(alloca.getAlignment().value_or(1), alignment));
  return alloca;
}

//===- LoraOperands.cpp - The three LoRA ops as one -----------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The parameters of the LoRA kernels, in the order of
// kernels/Lora/Arguments.cuh.
//
//===----------------------------------------------------------------------===//

#include "LoraOperands.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::frit;

static constexpr size_t kMaxSlices = 8;

/// The bits of Flag in kernels/Lora/Arguments.cuh.
enum Flag : int32_t {
  kAccumulate = 1,
  kRoundSum = 2,
  kStepwise = 4,
  kRoundHidden = 8,
  kShrinkOnly = 16,
  kExpandOnly = 32,
  kElementHidden = 64,
  kBesideKernel = 128,
};

static Type getElementType(Value value) {
  return cast<ShapedType>(value.getType()).getElementType();
}

template <typename ExpandingOp> static int32_t getOutputFlags(ExpandingOp op) {
  int32_t flags = op.getAccumulate() ? kAccumulate : 0;
  switch (op.getRounding()) {
  case LoraRounding::Final:
    return flags;
  case LoraRounding::Sum:
    return flags | kRoundSum;
  case LoraRounding::Stepwise:
    return flags | kStepwise;
  }
  llvm_unreachable("unknown rounding");
}

static int32_t getHiddenFlags(Value h) {
  return getElementType(h).isF32() ? 0 : kElementHidden;
}

static void collect(LoraMatmulOp op, LoraOperands &operands) {
  for (unsigned slice = 0; slice < op.getNumSlices(); ++slice) {
    operands.a.push_back(op.getA(slice));
    operands.b.push_back(op.getB(slice));
  }
  operands.x = op.getX();
  operands.y = op.getOut();
  operands.offset = op.getOffset();
  operands.flags = getOutputFlags(op);
  if (op.getIntermediate() == Intermediate::Element)
    operands.flags |= kRoundHidden;
}

static void collect(LoraShrinkOp op, LoraOperands &operands) {
  llvm::append_range(operands.a, op.getWeights());
  operands.x = op.getX();
  operands.h = op.getOut();
  operands.flags = kShrinkOnly | getHiddenFlags(op.getOut());
}

static void collect(LoraExpandOp op, LoraOperands &operands) {
  llvm::append_range(operands.b, op.getWeights());
  operands.h = op.getH();
  operands.y = op.getOut();
  operands.offset = op.getOffset();
  operands.flags = kExpandOnly | getOutputFlags(op) | getHiddenFlags(op.getH());
}

LoraOperands LoraOperands::of(Operation *op) {
  LoraOperands operands;
  llvm::TypeSwitch<Operation *>(op)
      .Case<LoraMatmulOp, LoraShrinkOp, LoraExpandOp>([&](auto op) {
        operands.ids = op.getIds();
        operands.scales = op.getScales();
        operands.ranks = op.getRanks();
        operands.order = op.getOrder();
        operands.starts = op.getStarts();
        operands.active = op.getActive();
        operands.scale = op.getScaleAttr();
        collect(op, operands);
      });
  return operands;
}

Type LoraOperands::getWeightType() const {
  return getElementType((a.empty() ? b : a).front());
}

SmallVector<unsigned> frit::getLoraWeights(KernelOpInterface op) {
  LoraOperands operands = LoraOperands::of(op);
  SmallVector<unsigned> positions;
  for (OpOperand &operand : op->getOpOperands())
    if (llvm::is_contained(operands.a, operand.get()) ||
        llvm::is_contained(operands.b, operand.get()))
      positions.push_back(operand.getOperandNumber());
  return positions;
}

static std::vector<KernelArgument> planArguments(KernelOpInterface op,
                                                 const LoraOperands &operands,
                                                 const KernelPlanSizes &sizes) {
  Builder builder(op.getContext());
  // A null pointer has the bits of the number.
  KernelArgument zero = KernelArgument::number(builder.getI64IntegerAttr(0));
  // A value that is two operands is one address.
  auto find = [&](Value value) -> unsigned {
    return llvm::find(op->getOperands(), value) - op->operand_begin();
  };
  std::vector<KernelArgument> arguments;
  auto addPointer = [&](Value value) {
    arguments.push_back(value ? KernelArgument::pointer(find(value)) : zero);
  };
  auto addPointers = [&](ArrayRef<Value> values) {
    for (size_t slice = 0; slice < kMaxSlices; ++slice)
      addPointer(slice < values.size() ? values[slice] : Value());
  };
  auto addStride = [&](Value value, int64_t dim) {
    arguments.push_back(value ? KernelArgument::stride(find(value), dim)
                              : zero);
  };
  auto addSize = [&](AffineExpr size) {
    arguments.push_back(KernelArgument::size(size));
  };

  addPointer(operands.x);
  addPointer(operands.ids);
  addPointers(operands.a);
  addPointers(operands.b);
  for (Value value : {operands.scales, operands.ranks, operands.order,
                      operands.starts, operands.active, operands.h, operands.y})
    addPointer(value);
  for (size_t slice = 0; slice < kMaxSlices; ++slice)
    addSize(slice < operands.b.size() ? sizes("N" + std::to_string(slice))
                                      : sizes.getConstant(0));
  addSize(sizes("T"));
  addSize(operands.x ? sizes("K") : sizes.getConstant(0));
  addSize(sizes("R"));
  addSize(sizes("L"));
  addSize(operands.isGrouped() ? sizes("G") : sizes.getConstant(0));
  bool hasRanksOfSlices =
      operands.ranks &&
      cast<ShapedType>(operands.ranks.getType()).getRank() == 2;
  addStride(hasRanksOfSlices ? operands.ranks : Value(), 0);
  addStride(operands.x, 0);
  addStride(operands.h, 0);
  addStride(operands.h, 1);
  addStride(operands.y, 0);
  addSize(sizes.getConstant(operands.offset));
  arguments.push_back(KernelArgument::number(operands.scale));
  int32_t flags = operands.flags | (isBeside(op) ? kBesideKernel : 0);
  arguments.push_back(KernelArgument::number(builder.getI32IntegerAttr(flags)));
  return arguments;
}

std::vector<KernelArgument>
frit::planLoraArguments(KernelOpInterface op, const KernelPlanSizes &sizes) {
  return planArguments(op, LoraOperands::of(op), sizes);
}

std::vector<KernelArgument>
frit::planLoraArgumentsOfIds(KernelOpInterface op,
                             const KernelPlanSizes &sizes) {
  LoraOperands operands = LoraOperands::of(op);
  operands.order = operands.starts = operands.active = Value();
  return planArguments(op, operands, sizes);
}

//===- Sizes.cpp ----------------------------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Simplifies, judges and hoists the sizes of buffers.
//
//===----------------------------------------------------------------------===//

#include "Sizes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace mlir::frit;

/// The memref without casts, also through an scf.if whose branches yield the
/// same one.
static Value getSource(Value memref) {
  while (true) {
    if (auto cast = memref.getDefiningOp<memref::CastOp>()) {
      memref = cast.getSource();
      continue;
    }
    auto branch = memref.getDefiningOp<scf::IfOp>();
    if (!branch)
      return memref;
    unsigned number = cast<OpResult>(memref).getResultNumber();
    Value source = getSource(branch.thenYield().getOperand(number));
    if (source != getSource(branch.elseYield().getOperand(number)))
      return memref;
    memref = source;
  }
}

void mlir::frit::simplifyDims(FunctionOpInterface function) {
  function.walk([](memref::DimOp dim) {
    dim.getSourceMutable().assign(getSource(dim.getSource()));
    auto alloc = dim.getSource().getDefiningOp<memref::AllocOp>();
    std::optional<int64_t> index = dim.getConstantIndex();
    if (!alloc || !index || *index < 0 || *index >= alloc.getType().getRank())
      return;
    MemRefType type = alloc.getType();
    OpBuilder builder(dim);
    Value size = type.isDynamicDim(*index)
                     ? alloc.getDynamicSizes()[type.getDynamicDimIndex(*index)]
                     : arith::ConstantIndexOp::create(builder, dim.getLoc(),
                                                      type.getDimSize(*index))
                           .getResult();
    dim.replaceAllUsesWith(size);
    dim.erase();
  });
}

bool mlir::frit::isSize(Value value) {
  if (std::optional<int64_t> constant = getConstantIntValue(value))
    return *constant >= 0;
  Operation *op = value.getDefiningOp();
  if (isa_and_nonnull<memref::DimOp>(op))
    return true;
  return isa_and_nonnull<arith::AddIOp, arith::MulIOp, arith::MaxSIOp>(op) &&
         llvm::all_of(op->getOperands(), isSize);
}

bool Hoister::canHoist(Value value) {
  if (dominance.properlyDominates(value, point))
    return true;
  auto [known, isNew] = decided.try_emplace(value, false);
  if (!isNew)
    return known->second;
  Operation *op = value.getDefiningOp();
  bool result = op && op->getNumRegions() == 0 && isPure(op) &&
                llvm::all_of(op->getOperands(),
                             [&](Value operand) { return canHoist(operand); });
  decided[value] = result;
  return result;
}

Value Hoister::hoist(Value value, OpBuilder &builder) {
  if (dominance.properlyDominates(value, point))
    return value;
  if (Value copy = copies.lookupOrNull(value))
    return copy;
  Operation *op = value.getDefiningOp();
  for (Value operand : op->getOperands())
    copies.map(operand, hoist(operand, builder));
  builder.clone(*op, copies);
  return copies.lookup(value);
}

//===- SizeChecks.cpp -----------------------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Checks of the sizes of the gated ops and of the grouping at run time, and how
// a size is found.
//
//===----------------------------------------------------------------------===//

#include "RuntimeChecks.h"

#include <limits>

using namespace mlir;
using namespace mlir::frit;

Value CheckBuilder::sizeOf(Value value, int64_t dim) {
  // A result has the sizes of its destination. Following them makes sizes of
  // the same origin one value, and what compares them folds away.
  while (Operation *producer = value.getDefiningOp()) {
    if (auto destination = dyn_cast<DestinationStyleOpInterface>(producer))
      value = destination.getTiedOpOperand(cast<OpResult>(value))->get();
    else if (auto cast = dyn_cast<tensor::CastOp>(producer);
             cast && isa<RankedTensorType>(cast.getSource().getType()))
      value = cast.getSource();
    else
      break;
  }
  return linalg::createOrFoldDimOp(b, loc, value, dim);
}

template <typename GatedOp>
static void checkGatedSizes(GatedOp op, CheckBuilder &checks) {
  int64_t last = cast<ShapedType>(op.getOut().getType()).getRank() - 1;
  SmallVector<std::pair<StringRef, Value>, 2> inputs;
  inputs.emplace_back(op.isPacked() ? "x" : "gate", op.getX());
  if (!op.isPacked())
    inputs.emplace_back("up", op.getUp());
  for (auto [name, value] : inputs)
    for (int64_t dim = 0; dim < last + (op.isPacked() ? 0 : 1); ++dim)
      checks.checkSame({name.str(), value, dim}, {"out", op.getOut(), dim});
  NamedDim packed{"x", op.getX(), last}, out{"out", op.getOut(), last};
  if (!op.isPacked() || (!packed.isDynamic() && !out.isDynamic()))
    return;
  Value columns = checks.sizeOf(out);
  Value twice = arith::AddIOp::create(checks.b, checks.loc, columns, columns);
  checks.check(checks.isEqual(checks.sizeOf(packed), twice),
               packed.str() + " and twice " + out.str() + " differ");
}

void frit::generateSizeChecks(ActAndMulOp op, CheckBuilder &checks) {
  checkGatedSizes(op, checks);
}

void frit::generateSizeChecks(GeluAndMulSparseOp op, CheckBuilder &checks) {
  checkGatedSizes(op, checks);
}

void frit::generateSizeChecks(MatmulOp op, CheckBuilder &checks) {
  auto getNamed = [&](MatmulOp::Dim dim) -> NamedDim {
    StringRef name = dim.first == &op.getAMutable()   ? "a"
                     : dim.first == &op.getBMutable() ? "b"
                                                      : "out";
    return {name.str(), dim.first->get(), dim.second};
  };
  for (const SmallVector<MatmulOp::Dim, 3> &dims :
       {op.getTokens(), op.getTerms(), op.getColumns(), op.getMatrices()})
    for (size_t i = 1; i < dims.size(); ++i)
      checks.checkSame(getNamed(dims[0]), getNamed(dims[i]));
  if (op.getBias())
    checks.checkSame({"bias", op.getBias(), 0},
                     getNamed(op.getColumns().back()));
}

void frit::generateSizeChecks(LoraGroupOp op, CheckBuilder &checks) {
  NamedDim ids{"ids", op.getIds(), 0}, starts{"starts", op.getStarts(), 0};
  checks.checkSame(ids, {"order", op.getOrder(), 0});
  if (starts.isDynamic())
    checks.check(checks.compare(arith::CmpIPredicate::sge,
                                checks.sizeOf(starts), checks.constant(1)),
                 starts.str() + " is less than 1");
  if (ids.isDynamic())
    checks.check(
        checks.isAtMost(checks.sizeOf(ids),
                        checks.constant(std::numeric_limits<int32_t>::max())),
        ids.str() + " exceeds the range of i32");
}

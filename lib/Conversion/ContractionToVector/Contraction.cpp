//===- Contraction.cpp ----------------------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Recognizes contractions by their maps and bodies, not by the names of ops.
//
//===----------------------------------------------------------------------===//

#include "Contraction.h"

#include "frit/Dialect/Frit/Transforms/Origin.h"

#include "mlir/Dialect/Linalg/IR/LinalgInterfaces.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace mlir::frit;

Type ContractionOperand::getElementType() const {
  return cast<MemRefType>(memref.getType()).getElementType();
}

SmallVector<Value> ContractionOperand::at(ArrayRef<Value> loops) const {
  SmallVector<Value> indices;
  for (unsigned i = 0; i < map.getNumResults(); ++i)
    indices.push_back(loops[map.getDimPosition(i)]);
  return indices;
}

bool ContractionOperand::isContiguousAlong(int64_t loop) const {
  unsigned rank = map.getNumResults();
  return rank > 0 && map.getDimPosition(rank - 1) == loop &&
         cast<MemRefType>(memref.getType()).isLastDimUnitStride();
}

Value Contraction::getSize(VectorEmitter &e, int64_t loop) const {
  for (const ContractionOperand *operand : {&lhs, &rhs, &out})
    for (unsigned i = 0; i < operand->map.getNumResults(); ++i)
      if (operand->map.getDimPosition(i) == loop)
        return e.dim(operand->memref, i);
  return e.index(1);
}

Value Contraction::getNumOuter(VectorEmitter &e) const {
  Value count = e.index(1);
  for (int64_t loop : outer)
    count = e.mul(count, getSize(e, loop));
  return count;
}

SmallVector<Value> Contraction::getOuterLoops(VectorEmitter &e,
                                              Value linear) const {
  SmallVector<Value> loops(numLoops, e.index(0));
  for (int64_t loop : llvm::reverse(outer)) {
    Value size = getSize(e, loop);
    loops[loop] = e.rem(linear, size);
    linear = e.div(linear, size);
  }
  return loops;
}

/// The block argument that a value is, or is the exact conversion of.
static BlockArgument getSource(Value value, Block &body) {
  if (auto extend = value.getDefiningOp<arith::ExtFOp>())
    value = extend.getIn();
  auto argument = dyn_cast<BlockArgument>(value);
  return argument && argument.getOwner() == &body ? argument : BlockArgument();
}

/// The addition of a body that computes `out + lhs * rhs` and nothing else, in
/// f32 or f64.
static arith::AddFOp matchBody(Block &body) {
  auto yield = cast<linalg::YieldOp>(body.getTerminator());
  if (body.getNumArguments() != 3 || yield.getNumOperands() != 1)
    return {};
  auto sum = yield.getOperand(0).getDefiningOp<arith::AddFOp>();
  if (!sum || !(sum.getType().isF32() || sum.getType().isF64()))
    return {};
  Value previous = sum.getLhs(), term = sum.getRhs();
  if (previous != body.getArgument(2))
    std::swap(previous, term);
  auto product = term.getDefiningOp<arith::MulFOp>();
  if (previous != body.getArgument(2) || !product)
    return {};
  BlockArgument lhs = getSource(product.getLhs(), body);
  BlockArgument rhs = getSource(product.getRhs(), body);
  if (!lhs || !rhs || lhs.getArgNumber() + rhs.getArgNumber() != 1)
    return {};
  return sum;
}

/// Whether the order and the roundings of a sum are part of its meaning.
static bool isStrict(Operation *op) {
  OriginAttr origin = getOrigin(op->getLoc());
  return origin && origin.getMode() == FpMode::Strict;
}

std::optional<Contraction> Contraction::match(linalg::LinalgOp op) {
  if (!op.hasPureBufferSemantics() || op.getNumDpsInputs() != 2 ||
      op.getNumDpsInits() != 1)
    return std::nullopt;
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  if (!llvm::all_of(maps,
                    [](AffineMap map) { return map.isProjectedPermutation(); }))
    return std::nullopt;
  arith::AddFOp sum = matchBody(*op.getBlock());
  if (!sum || isStrict(sum))
    return std::nullopt;
  FailureOr<linalg::ContractionDimensions> dims =
      linalg::inferContractionDims(op);
  if (failed(dims) || dims->k.size() != 1 ||
      dims->batch.size() + dims->m.size() + dims->n.size() + 1 !=
          op.getNumLoops())
    return std::nullopt;

  Contraction result{{op.getDpsInputs()[0], maps[0]},
                     {op.getDpsInputs()[1], maps[1]},
                     {op.getDpsInits()[0], maps[2]},
                     /*m=*/-1,
                     /*n=*/-1,
                     dims->k.front(),
                     {},
                     op.getNumLoops(),
                     sum.getLoc()};
  // The two inputs are alike: n is what runs along the rows of the output.
  SmallVector<unsigned, 2> rows = dims->m, columns = dims->n;
  auto isAlongRows = [&](unsigned loop) {
    return result.out.isContiguousAlong(loop);
  };
  if (llvm::none_of(columns, isAlongRows)) {
    std::swap(rows, columns);
    std::swap(result.lhs, result.rhs);
  }
  auto *along = llvm::find_if(columns, isAlongRows);
  if (along == columns.end())
    return std::nullopt;
  result.n = *along;
  columns.erase(along);
  if (!rows.empty())
    result.m = rows.pop_back_val();
  llvm::append_range(result.outer, dims->batch);
  llvm::append_range(result.outer, rows);
  llvm::append_range(result.outer, columns);
  llvm::sort(result.outer);
  if (!result.isDotForm() && !result.rhs.isContiguousAlong(result.n))
    return std::nullopt;
  return result;
}

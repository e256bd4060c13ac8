//===- FlattenTokens.cpp - Leading dimensions as one ----------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A kernel takes rows at one stride. Brings ops whose tokens have several
// dimensions, or none, to that form.
//
//===----------------------------------------------------------------------===//

#include "FritToGpu.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace mlir::frit;

namespace {
/// An operand with its sizes and strides as values.
struct Rows {
  OpOperand *operand;
  memref::ExtractStridedMetadataOp metadata;
  /// Tokens are the first dimensions.
  int64_t numTokenDims;

  Rows(OpOperand &operand, int64_t numTokenDims, OpBuilder &builder)
      : operand(&operand), metadata(memref::ExtractStridedMetadataOp::create(
                               builder, operand.get().getLoc(), operand.get())),
        numTokenDims(numTokenDims) {}

  OpFoldResult getSize(int64_t dim) {
    return metadata.getConstifiedMixedSizes()[dim];
  }
  OpFoldResult getStride(int64_t dim) {
    return metadata.getConstifiedMixedStrides()[dim];
  }
};

class Flattener {
public:
  Flattener(KernelOpInterface op, RewriterBase &rewriter)
      : op(op), rewriter(rewriter), loc(op.getLoc()) {}

  SmallVector<KernelOpInterface> run();

private:
  Value toValue(OpFoldResult number) {
    return getValueOrCreateConstantIndexOp(rewriter, loc, number);
  }
  Value isCollapsible();
  KernelOpInterface cloneWith(ArrayRef<Value> operands);
  /// The op with its tokens as one dimension.
  KernelOpInterface createCollapsed();
  /// A loop over the first dimension of the tokens.
  KernelOpInterface createLoop();

  KernelOpInterface op;
  RewriterBase &rewriter;
  Location loc;
  SmallVector<Rows> rows;
};
} // namespace

/// Whether each dimension of the tokens starts where the next one ends, in all
/// operands.
Value Flattener::isCollapsible() {
  Value result = arith::ConstantIntOp::create(rewriter, loc, 1, /*width=*/1);
  Value one = arith::ConstantIndexOp::create(rewriter, loc, 1);
  for (Rows &row : rows)
    for (int64_t dim = 0; dim + 1 < row.numTokenDims; ++dim) {
      Value next = rewriter.createOrFold<arith::MulIOp>(
          loc, toValue(row.getStride(dim + 1)), toValue(row.getSize(dim + 1)));
      Value fits = rewriter.createOrFold<arith::CmpIOp>(
          loc, arith::CmpIPredicate::eq, toValue(row.getStride(dim)), next);
      // The stride of a dimension of one element is never used.
      Value single = rewriter.createOrFold<arith::CmpIOp>(
          loc, arith::CmpIPredicate::eq, toValue(row.getSize(dim)), one);
      fits = rewriter.createOrFold<arith::OrIOp>(loc, fits, single);
      result = rewriter.createOrFold<arith::AndIOp>(loc, result, fits);
    }
  return result;
}

KernelOpInterface Flattener::cloneWith(ArrayRef<Value> operands) {
  Operation *clone = rewriter.clone(*op);
  for (auto [row, value] : llvm::zip_equal(rows, operands))
    clone->setOperand(row.operand->getOperandNumber(), value);
  return cast<KernelOpInterface>(clone);
}

KernelOpInterface Flattener::createCollapsed() {
  SmallVector<Value> operands;
  for (Rows &row : rows) {
    int64_t rank = cast<MemRefType>(row.operand->get().getType()).getRank();
    OpFoldResult count = rewriter.getIndexAttr(1);
    for (int64_t dim = 0; dim < row.numTokenDims; ++dim) {
      std::optional<int64_t> lhs = getConstantIntValue(count);
      std::optional<int64_t> rhs = getConstantIntValue(row.getSize(dim));
      if (lhs && rhs)
        count = rewriter.getIndexAttr(*lhs * *rhs);
      else
        count = rewriter.createOrFold<arith::MulIOp>(loc, toValue(count),
                                                     toValue(row.getSize(dim)));
    }
    SmallVector<OpFoldResult> sizes = {count};
    SmallVector<OpFoldResult> strides = {
        row.numTokenDims > 0 ? row.getStride(row.numTokenDims - 1)
                             : row.getSize(rank - 1)};
    for (int64_t dim = row.numTokenDims; dim < rank; ++dim) {
      sizes.push_back(row.getSize(dim));
      strides.push_back(row.getStride(dim));
    }
    operands.push_back(memref::ReinterpretCastOp::create(
        rewriter, loc, row.metadata.getBaseBuffer(),
        row.metadata.getConstifiedMixedOffset(), sizes, strides));
  }
  return cloneWith(operands);
}

KernelOpInterface Flattener::createLoop() {
  OpBuilder::InsertionGuard guard(rewriter);
  Value zero = arith::ConstantIndexOp::create(rewriter, loc, 0);
  Value one = arith::ConstantIndexOp::create(rewriter, loc, 1);
  auto loop = scf::ForOp::create(rewriter, loc, zero,
                                 toValue(rows.front().getSize(0)), one);
  rewriter.setInsertionPointToStart(loop.getBody());
  SmallVector<Value> operands;
  for (Rows &row : rows) {
    Value memref = row.operand->get();
    auto type = cast<MemRefType>(memref.getType());
    int64_t rank = type.getRank();
    SmallVector<OpFoldResult> offsets(rank, rewriter.getIndexAttr(0));
    SmallVector<OpFoldResult> sizes(rank),
        strides(rank, rewriter.getIndexAttr(1));
    offsets[0] = loop.getInductionVar();
    sizes[0] = rewriter.getIndexAttr(1);
    for (int64_t dim = 1; dim < rank; ++dim)
      sizes[dim] = row.getSize(dim);
    MemRefType part = memref::SubViewOp::inferRankReducedResultType(
        type.getShape().drop_front(), type, offsets, sizes, strides);
    operands.push_back(memref::SubViewOp::create(rewriter, loc, part, memref,
                                                 offsets, sizes, strides));
  }
  return cloneWith(operands);
}

SmallVector<KernelOpInterface> Flattener::run() {
  auto tokens = dyn_cast<TokenOpInterface>(op.getOperation());
  if (!tokens)
    return {op};
  rewriter.setInsertionPoint(op);
  bool isFlat = true;
  for (OpOperand &operand : op->getOpOperands()) {
    if (!isa<MemRefType>(operand.get().getType()))
      continue;
    int64_t numTokenDims = tokens.getTokenDims(operand).size();
    isFlat &= numTokenDims == 1;
    rows.emplace_back(operand, numTokenDims, rewriter);
  }
  // Ops whose operands have other dimensions beside the tokens take one token
  // dimension only.
  if (isFlat || llvm::any_of(rows, [&](Rows &row) {
        return row.numTokenDims != rows.front().numTokenDims;
      })) {
    for (Rows &row : rows)
      rewriter.eraseOp(row.metadata);
    return {op};
  }

  SmallVector<KernelOpInterface> done;
  Value condition = isCollapsible();
  if (matchPattern(condition, m_NonZero())) {
    done.push_back(createCollapsed());
  } else {
    SmallVector<KernelOpInterface> parts;
    if (matchPattern(condition, m_Zero())) {
      parts.push_back(createLoop());
    } else {
      auto ifOp = scf::IfOp::create(rewriter, loc, condition,
                                    /*withElseRegion=*/true);
      rewriter.setInsertionPointToStart(ifOp.thenBlock());
      done.push_back(createCollapsed());
      rewriter.setInsertionPointToStart(ifOp.elseBlock());
      parts.push_back(createLoop());
    }
    for (KernelOpInterface part : parts)
      llvm::append_range(done, flattenTokens(part, rewriter));
  }
  rewriter.eraseOp(op);
  return done;
}

SmallVector<KernelOpInterface> frit::flattenTokens(KernelOpInterface op,
                                                   RewriterBase &rewriter) {
  return Flattener(op, rewriter).run();
}

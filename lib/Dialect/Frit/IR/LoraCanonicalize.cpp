//===- LoraCanonicalize.cpp -----------------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Canonicalization of the LoRA ops. Every rewrite here keeps each bit of the
// result: a scale of 0, an empty K and an empty rank still add to the
// destination (0 * inf is NaN, -0 + 0 is 0), so they are not folded away. Where
// a kernel has been chosen, the op keeps the form that it was chosen for.
//
//===----------------------------------------------------------------------===//

#include "Canonicalize.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace mlir::frit;

namespace {

/// The number of adapters, possibly dynamic.
template <typename LoraOp> int64_t getNumAdapters(LoraOp op) {
  return cast<ShapedType>(op.getWeights().front().getType()).getDimSize(0);
}

/// The constant ids; null where they are not constant.
template <typename LoraOp> DenseIntElementsAttr getConstantIds(LoraOp op) {
  DenseIntElementsAttr ids;
  matchPattern(op.getIds(), m_Constant(&ids));
  return ids;
}

/// The distinct values among constant ids. A splat is looked at once.
SmallVector<int64_t> getDistinct(DenseIntElementsAttr ids) {
  if (ids.empty())
    return {};
  if (ids.isSplat())
    return {ids.getSplatValue<APInt>().getSExtValue()};
  SmallVector<int64_t> values =
      llvm::map_to_vector(ids.getValues<APInt>(),
                          [](const APInt &id) { return id.getSExtValue(); });
  llvm::sort(values);
  values.erase(llvm::unique(values), values.end());
  return values;
}

/// True where the slices are known to cover no column of the destination.
bool hasEmptySlices(LoraShrinkOp) { return false; }
template <typename ExpandingOp> bool hasEmptySlices(ExpandingOp op) {
  for (unsigned slice = 0; slice < op.getNumSlices(); ++slice)
    if (cast<ShapedType>(op.getB(slice).getType()).getDimSize(1) != 0)
      return false;
  return true;
}

/// Removes an op of which no row has an adapter, or no column is covered.
template <typename LoraOp>
struct RemoveOpWithoutWork : OpRewritePattern<LoraOp> {
  using OpRewritePattern<LoraOp>::OpRewritePattern;

  static bool hasNoAdapter(LoraOp op) {
    int64_t adapters = getNumAdapters(op);
    if (adapters == 0)
      return true;
    DenseIntElementsAttr ids = getConstantIds(op);
    return ids && llvm::all_of(getDistinct(ids), [&](int64_t id) {
             return id < 0 ||
                    (!ShapedType::isDynamic(adapters) && id >= adapters);
           });
  }

  LogicalResult matchAndRewrite(LoraOp op,
                                PatternRewriter &rewriter) const override {
    if (!hasNoAdapter(op) && !hasEmptySlices(op))
      return failure();
    replaceByDestinations(rewriter, op);
    return success();
  }
};

/// Narrows an op whose constant ids name one adapter to that adapter's weights.
template <typename LoraOp> struct SelectOnlyAdapter : OpRewritePattern<LoraOp> {
  using OpRewritePattern<LoraOp>::OpRewritePattern;

  /// The part of `value` at index `adapter` of dimension `dim`.
  static Value slice(PatternRewriter &rewriter, Location loc, Value value,
                     int64_t dim, int64_t adapter) {
    SmallVector<OpFoldResult> sizes =
        tensor::getMixedSizes(rewriter, loc, value);
    SmallVector<OpFoldResult> offsets(sizes.size(), rewriter.getIndexAttr(0));
    SmallVector<OpFoldResult> strides(sizes.size(), rewriter.getIndexAttr(1));
    sizes[dim] = rewriter.getIndexAttr(1);
    // No slice can be taken of a tensor that is known to be empty.
    auto type = cast<RankedTensorType>(value.getType());
    if (llvm::is_contained(type.getShape(), 0))
      return tensor::EmptyOp::create(rewriter, loc, sizes,
                                     type.getElementType());
    offsets[dim] = rewriter.getIndexAttr(adapter);
    return tensor::ExtractSliceOp::create(rewriter, loc, value, offsets, sizes,
                                          strides);
  }

  LogicalResult matchAndRewrite(LoraOp op,
                                PatternRewriter &rewriter) const override {
    int64_t adapters = getNumAdapters(op);
    DenseIntElementsAttr ids = getConstantIds(op);
    if (ShapedType::isDynamic(adapters) || adapters < 2 || !ids ||
        op.getKernel() || !op.hasPureTensorSemantics())
      return failure();
    SmallVector<int64_t> used = getDistinct(ids);
    llvm::erase_if(used, [&](int64_t id) { return id < 0 || id >= adapters; });
    if (used.size() != 1)
      return failure();
    int64_t adapter = used.front();

    Location loc = op.getLoc();
    DenseElementsAttr newIds =
        ids.mapValues(rewriter.getI32Type(), [&](const APInt &id) {
          return APInt(32, id.getSExtValue() == adapter ? 0 : -1,
                       /*isSigned=*/true);
        });
    Value idsConstant = arith::ConstantOp::create(rewriter, loc, newIds);
    SmallVector<Value> weights =
        llvm::map_to_vector(op.getWeights(), [&](Value weight) {
          return slice(rewriter, loc, weight, 0, adapter);
        });
    Value scales, ranks;
    if (op.getScales())
      scales = slice(rewriter, loc, op.getScales(), 0, adapter);
    if (op.getRanks()) {
      int64_t rank = cast<ShapedType>(op.getRanks().getType()).getRank();
      ranks = slice(rewriter, loc, op.getRanks(), rank - 1, adapter);
    }
    rewriter.modifyOpInPlace(op, [&] {
      op.getIdsMutable().assign(idsConstant);
      op.getWeightsMutable().assign(weights);
      if (scales)
        op.getScalesMutable().assign(scales);
      if (ranks)
        op.getRanksMutable().assign(ranks);
      op.dropGrouping();
    });
    return success();
  }
};

/// Multiplies constant scales that are all the same into `scale`: the product
/// is the f32 product that the op forms anyway.
template <typename LoraOp> struct FoldUniformScales : OpRewritePattern<LoraOp> {
  using OpRewritePattern<LoraOp>::OpRewritePattern;

  LogicalResult matchAndRewrite(LoraOp op,
                                PatternRewriter &rewriter) const override {
    DenseFPElementsAttr scales;
    if (!op.getScales() || op.getKernel() ||
        !matchPattern(op.getScales(), m_Constant(&scales)) || !scales.isSplat())
      return failure();
    APFloat product = op.getScale();
    product.multiply(scales.getSplatValue<APFloat>(),
                     APFloat::rmNearestTiesToEven);
    if (!product.isFinite())
      return failure();
    rewriter.modifyOpInPlace(op, [&] {
      op.setScale(product);
      op.getScalesMutable().clear();
    });
    return success();
  }
};

/// Drops constant true ranks that are all the full rank.
template <typename LoraOp> struct DropFullRanks : OpRewritePattern<LoraOp> {
  using OpRewritePattern<LoraOp>::OpRewritePattern;

  LogicalResult matchAndRewrite(LoraOp op,
                                PatternRewriter &rewriter) const override {
    DenseIntElementsAttr ranks;
    if (!op.getRanks() || op.getKernel() ||
        !matchPattern(op.getRanks(), m_Constant(&ranks)) || !ranks.isSplat() ||
        ranks.getSplatValue<APInt>().getSExtValue() != op.getMaxRank())
      return failure();
    rewriter.modifyOpInPlace(op, [&] { op.getRanksMutable().clear(); });
    return success();
  }
};

template <typename LoraOp>
void addLoraPatterns(RewritePatternSet &patterns, MLIRContext *context) {
  patterns.add<RemoveOpOnEmptyDestinations<LoraOp>, RemoveOpWithoutWork<LoraOp>,
               SelectOnlyAdapter<LoraOp>, FoldUniformScales<LoraOp>,
               DropFullRanks<LoraOp>>(context);
}

} // namespace

LogicalResult LoraMatmulOp::fold(FoldAdaptor, SmallVectorImpl<OpFoldResult> &) {
  return foldMemRefCastOperands(*this);
}

void LoraMatmulOp::getCanonicalizationPatterns(RewritePatternSet &patterns,
                                               MLIRContext *context) {
  addLoraPatterns<LoraMatmulOp>(patterns, context);
}

LogicalResult LoraShrinkOp::fold(FoldAdaptor, SmallVectorImpl<OpFoldResult> &) {
  return foldMemRefCastOperands(*this);
}

void LoraShrinkOp::getCanonicalizationPatterns(RewritePatternSet &patterns,
                                               MLIRContext *context) {
  addLoraPatterns<LoraShrinkOp>(patterns, context);
}

LogicalResult LoraExpandOp::fold(FoldAdaptor, SmallVectorImpl<OpFoldResult> &) {
  return foldMemRefCastOperands(*this);
}

void LoraExpandOp::getCanonicalizationPatterns(RewritePatternSet &patterns,
                                               MLIRContext *context) {
  addLoraPatterns<LoraExpandOp>(patterns, context);
}

LogicalResult LoraGeluAndMulSparseOp::fold(FoldAdaptor,
                                           SmallVectorImpl<OpFoldResult> &) {
  return foldMemRefCastOperands(*this);
}

void LoraGeluAndMulSparseOp::getCanonicalizationPatterns(
    RewritePatternSet &patterns, MLIRContext *context) {
  patterns.add<RemoveOpOnEmptyDestinations<LoraGeluAndMulSparseOp>,
               DropFullRanks<LoraGeluAndMulSparseOp>>(context);
}

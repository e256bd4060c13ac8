//===- TilingInterfaceImpl.cpp --------------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Tiling over tokens: one parallel loop for each leading dimension of a gated
// op, and one for the tokens of a LoRA op. Rows are never split, since a row
// statistic needs the whole of it, and fusion with a tile that splits them is
// refused rather than recomputed. A tile of a LoRA op has no grouping: the
// grouping of all tokens says nothing about where those of the tile are.
//
//===----------------------------------------------------------------------===//

#include "ExternalModelsImpl.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Dialect/Utils/StructuredOpsUtils.h"
#include "mlir/Interfaces/TilingInterface.h"
#include "mlir/Interfaces/ValueBoundsOpInterface.h"

using namespace mlir;
using namespace mlir::frit;

using Sizes = SmallVector<OpFoldResult>;

/// The part of a value that belongs to a tile of the loops.
static void getTile(OpBuilder &b, Location loc, Value value,
                    ArrayRef<int64_t> dims, ArrayRef<OpFoldResult> offsets,
                    ArrayRef<OpFoldResult> sizes, Sizes &tileOffsets,
                    Sizes &tileSizes) {
  int64_t rank = cast<ShapedType>(value.getType()).getRank();
  tileOffsets.assign(rank, b.getIndexAttr(0));
  tileSizes.clear();
  for (int64_t dim = 0; dim < rank; ++dim) {
    const auto *loop = llvm::find(dims, dim);
    if (loop == dims.end()) {
      tileSizes.push_back(linalg::createFoldedDimOp(b, loc, value, dim));
      continue;
    }
    tileOffsets[dim] = offsets[loop - dims.begin()];
    tileSizes.push_back(sizes[loop - dims.begin()]);
  }
}

static Operation *createSlice(OpBuilder &b, Location loc, Value value,
                              ArrayRef<OpFoldResult> offsets,
                              ArrayRef<OpFoldResult> sizes) {
  Sizes strides(offsets.size(), b.getIndexAttr(1));
  if (isa<TensorType>(value.getType()))
    return tensor::ExtractSliceOp::create(b, loc, value, offsets, sizes,
                                          strides);
  return memref::SubViewOp::create(b, loc, value, offsets, sizes, strides);
}

/// True where a tile of a value takes all of every dimension but `dims`.
static bool hasWholeRows(Value value, ArrayRef<int64_t> dims,
                         ArrayRef<OpFoldResult> offsets,
                         ArrayRef<OpFoldResult> sizes) {
  int64_t rank = cast<ShapedType>(value.getType()).getRank();
  for (int64_t dim = 0; dim < rank; ++dim) {
    if (llvm::is_contained(dims, dim))
      continue;
    FailureOr<bool> whole = ValueBoundsConstraintSet::areEqual(
        sizes[dim], ValueBoundsConstraintSet::Variable(value, dim));
    if (!isZeroInteger(offsets[dim]) || failed(whole) || !*whole)
      return false;
  }
  return true;
}

/// The tile of the loops that a tile of a result or of an operand belongs to.
static LogicalResult getLoopTile(Value value, ArrayRef<int64_t> dims,
                                 ArrayRef<OpFoldResult> offsets,
                                 ArrayRef<OpFoldResult> sizes,
                                 SmallVectorImpl<OpFoldResult> &loopOffsets,
                                 SmallVectorImpl<OpFoldResult> &loopSizes) {
  if (dims.empty() || !hasWholeRows(value, dims, offsets, sizes))
    return failure();
  loopOffsets.clear();
  loopSizes.clear();
  for (int64_t dim : dims) {
    loopOffsets.push_back(offsets[dim]);
    loopSizes.push_back(sizes[dim]);
  }
  return success();
}

/// The tile of the loops that all of the given operands' tiles belong to.
static LogicalResult getLoopTile(Operation *op,
                                 ArrayRef<unsigned> operandNumbers,
                                 ArrayRef<Sizes> allOffsets,
                                 ArrayRef<Sizes> allSizes,
                                 SmallVectorImpl<OpFoldResult> &loopOffsets,
                                 SmallVectorImpl<OpFoldResult> &loopSizes) {
  auto tokenOp = cast<TokenOpInterface>(op);
  for (auto [index, number] : llvm::enumerate(operandNumbers)) {
    OpOperand &operand = op->getOpOperand(number);
    Sizes offsets, sizes;
    if (tokenOp.isGroupingOperand(operand) ||
        failed(getLoopTile(operand.get(), tokenOp.getTokenDims(operand),
                           allOffsets[index], allSizes[index], offsets, sizes)))
      return failure();
    if (index != 0 && (!isEqualConstantIntOrValueArray(offsets, loopOffsets) ||
                       !isEqualConstantIntOrValueArray(sizes, loopSizes)))
      return failure();
    loopOffsets.assign(offsets);
    loopSizes.assign(sizes);
  }
  return success(!operandNumbers.empty());
}

namespace {

template <typename OpTy>
struct FritTiling : TilingInterface::ExternalModel<FritTiling<OpTy>, OpTy> {
  static OpOperand &getDestination(Operation *op) {
    return *cast<OpTy>(op).getDpsInitOperand(0);
  }
  static SmallVector<int64_t> getTokenDims(Operation *op) {
    return cast<TokenOpInterface>(op).getTokenDims(getDestination(op));
  }

  SmallVector<utils::IteratorType> getLoopIteratorTypes(Operation *op) const {
    return SmallVector<utils::IteratorType>(getTokenDims(op).size(),
                                            utils::IteratorType::parallel);
  }

  SmallVector<Range> getIterationDomain(Operation *op, OpBuilder &b) const {
    Value out = getDestination(op).get();
    return llvm::map_to_vector(getTokenDims(op), [&](int64_t dim) {
      return Range{b.getIndexAttr(0),
                   linalg::createFoldedDimOp(b, op->getLoc(), out, dim),
                   b.getIndexAttr(1)};
    });
  }

  FailureOr<TilingResult>
  getTiledImplementation(Operation *op, OpBuilder &b,
                         ArrayRef<OpFoldResult> offsets,
                         ArrayRef<OpFoldResult> sizes) const {
    auto tokenOp = cast<TokenOpInterface>(op);
    TilingResult result;
    SmallVector<Value> operands;
    for (OpOperand &operand : op->getOpOperands()) {
      SmallVector<int64_t> dims = tokenOp.getTokenDims(operand);
      operands.push_back(operand.get());
      if (dims.empty() || tokenOp.isGroupingOperand(operand))
        continue;
      Sizes tileOffsets, tileSizes;
      getTile(b, op->getLoc(), operand.get(), dims, offsets, sizes, tileOffsets,
              tileSizes);
      Operation *slice =
          createSlice(b, op->getLoc(), operand.get(), tileOffsets, tileSizes);
      result.generatedSlices.push_back(slice);
      operands.back() = slice->getResult(0);
    }
    SmallVector<Type> resultTypes;
    if (op->getNumResults() != 0)
      resultTypes.push_back(
          operands[getDestination(op).getOperandNumber()].getType());
    Operation *tiled = clone(b, op, resultTypes, operands);
    cast<TokenOpInterface>(tiled).dropGrouping();
    result.tiledOps.push_back(tiled);
    llvm::append_range(result.tiledValues, tiled->getResults());
    return result;
  }

  LogicalResult getResultTilePosition(Operation *op, OpBuilder &b,
                                      unsigned resultNumber,
                                      ArrayRef<OpFoldResult> offsets,
                                      ArrayRef<OpFoldResult> sizes,
                                      Sizes &resultOffsets,
                                      Sizes &resultSizes) const {
    getTile(b, op->getLoc(), getDestination(op).get(), getTokenDims(op),
            offsets, sizes, resultOffsets, resultSizes);
    return success();
  }

  bool isOpFusableWithConsumerSlice(Operation *op, unsigned resultNumber,
                                    ArrayRef<OpFoldResult> offsets,
                                    ArrayRef<OpFoldResult> sizes) const {
    return hasWholeRows(op->getResult(resultNumber), getTokenDims(op), offsets,
                        sizes);
  }

  LogicalResult getIterationDomainTileFromResultTile(
      Operation *op, OpBuilder &, unsigned resultNumber,
      ArrayRef<OpFoldResult> offsets, ArrayRef<OpFoldResult> sizes,
      SmallVectorImpl<OpFoldResult> &loopOffsets,
      SmallVectorImpl<OpFoldResult> &loopSizes) const {
    return getLoopTile(op->getResult(resultNumber), getTokenDims(op), offsets,
                       sizes, loopOffsets, loopSizes);
  }

  FailureOr<TilingResult>
  generateResultTileValue(Operation *op, OpBuilder &b, unsigned resultNumber,
                          ArrayRef<OpFoldResult> offsets,
                          ArrayRef<OpFoldResult> sizes) const {
    Sizes loopOffsets, loopSizes;
    if (failed(getLoopTile(op->getResult(resultNumber), getTokenDims(op),
                           offsets, sizes, loopOffsets, loopSizes)))
      return failure();
    return getTiledImplementation(op, b, loopOffsets, loopSizes);
  }

  bool isOpFusableWithProducerSlices(Operation *op,
                                     ArrayRef<unsigned> operandNumbers,
                                     ArrayRef<Sizes> allOffsets,
                                     ArrayRef<Sizes> allSizes) const {
    Sizes loopOffsets, loopSizes;
    return succeeded(getLoopTile(op, operandNumbers, allOffsets, allSizes,
                                 loopOffsets, loopSizes));
  }

  LogicalResult getIterationDomainTileFromOperandTiles(
      Operation *op, OpBuilder &, ArrayRef<unsigned> operandNumbers,
      ArrayRef<Sizes> allOffsets, ArrayRef<Sizes> allSizes,
      SmallVectorImpl<OpFoldResult> &loopOffsets,
      SmallVectorImpl<OpFoldResult> &loopSizes) const {
    return getLoopTile(op, operandNumbers, allOffsets, allSizes, loopOffsets,
                       loopSizes);
  }

  FailureOr<TilingResult> getTiledImplementationFromOperandTiles(
      Operation *op, OpBuilder &b, ArrayRef<unsigned> operandNumbers,
      ArrayRef<Sizes> allOffsets, ArrayRef<Sizes> allSizes) const {
    Sizes loopOffsets, loopSizes;
    if (failed(getLoopTile(op, operandNumbers, allOffsets, allSizes,
                           loopOffsets, loopSizes)))
      return failure();
    return getTiledImplementation(op, b, loopOffsets, loopSizes);
  }
};

} // namespace

void frit::registerTilingInterfaceModels(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, FritDialect *) {
    attachToOps<FritTiling, GeluAndMulSparseOp, ActAndMulOp, LoraMatmulOp,
                LoraShrinkOp, LoraExpandOp, LoraGeluAndMulSparseOp, MatmulOp,
                SparseFfnOp>(context);
    context->loadDialect<memref::MemRefDialect>();
  });
}

//===- LoraExpand.cpp -----------------------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The expanding half of a LoRA matmul on a GPU.
//
//===----------------------------------------------------------------------===//

#include "LoraKernels.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

namespace mlir::frit {

namespace {

/// Columns of a block, a thread each.
constexpr int64_t blockColumns = 256;

/// The code of a thread for one slice.
class ExpandThread {
public:
  /// `column` counts from the slice's first, which is `columnOffset` in `out`.
  ExpandThread(const LoraExpandCode &code, NumericsBuilder &numerics,
               VectorEmitter &emit, bool isWide, Value slice, Value b,
               Value column, Value columnOffset)
      : code(code), numerics(numerics), emit(emit), isWide(isWide),
        slice(slice), b(b), column(column), columnOffset(columnOffset) {}

  /// y of some tokens of one adapter, from its first `rank` ranks.
  void buildTile(Value adapter, Value rank, Value coefficient,
                 ArrayRef<Value> tokens) {
    ImplicitLocOpBuilder &builder = emit.getBuilder();
    SmallVector<Value> sums = buildSums(adapter, rank, tokens);
    Value outColumn = emit.add(columnOffset, column);
    Type weightType = cast<MemRefType>(b.getType()).getElementType();
    Type outType = cast<MemRefType>(code.out.getType()).getElementType();
    // All loads come before the stores, for the sake of repeated tokens.
    SmallVector<Value> results;
    for (auto [token, sum] : llvm::zip_equal(tokens, sums)) {
      Value previous;
      if (code.accumulate)
        previous = memref::LoadOp::create(builder, code.out,
                                          ValueRange{token, outColumn});
      results.push_back(numerics.loraResult(
          sum, coefficient, previous, code.rounding, weightType, outType));
    }
    for (auto [token, result] : llvm::zip_equal(tokens, results))
      memref::StoreOp::create(builder, result, code.out,
                              ValueRange{token, outColumn});
  }

private:
  /// The sums over ranks: in pieces, and those that fill none one by one.
  SmallVector<Value> buildSums(Value adapter, Value rank,
                               ArrayRef<Value> tokens) {
    ImplicitLocOpBuilder &builder = emit.getBuilder();
    int64_t piece = emit.getLanes();
    Value piecesEnd = emit.roundDown(rank, piece);
    SmallVector<Value> zeros(tokens.size(), emit.zero());
    SmallVector<Value> sums = emit.loop(
        emit.index(0), piecesEnd, piece, zeros, [&](Value r, ValueRange sums) {
          Value weights = numerics.extend(
              loadPiece(emit, b, {adapter, column, r}, piece, isWide));
          return llvm::map_to_vector(
              llvm::zip_equal(tokens, sums), [&](auto pair) {
                Value h = loadPiece(emit, code.h, {slice, std::get<0>(pair), r},
                                    piece, isWide);
                return numerics.multiplyAdd(weights, numerics.extend(h),
                                            std::get<1>(pair));
              });
        });
    for (Value &sum : sums)
      sum = sumElements(numerics, emit, sum);
    return emit.loop(piecesEnd, rank, 1, sums, [&](Value r, ValueRange sums) {
      Value weight = numerics.extend(
          memref::LoadOp::create(builder, b, ValueRange{adapter, column, r}));
      return llvm::map_to_vector(llvm::zip_equal(tokens, sums), [&](auto pair) {
        Value h = memref::LoadOp::create(
            builder, code.h, ValueRange{slice, std::get<0>(pair), r});
        return numerics.multiplyAdd(weight, numerics.extend(h),
                                    std::get<1>(pair));
      });
    });
  }

  const LoraExpandCode &code;
  NumericsBuilder &numerics;
  VectorEmitter &emit;
  bool isWide;
  Value slice, b, column, columnOffset;
};

} // namespace

void buildKernel(const LoraExpandCode &code, NumericsBuilder &numerics,
                 ImplicitLocOpBuilder &builder) {
  auto elementType = [](Value memref) {
    return cast<MemRefType>(memref.getType()).getElementType();
  };
  VectorEmitter emit(builder,
                     std::max(getPieceLength(elementType(code.h)),
                              getPieceLength(elementType(code.b.front()))));
  Value numAdapters = emit.dim(code.b.front(), 0);
  Value maxRank = emit.dim(code.b.front(), 2);
  Value one = emit.index(1);
  // The widest slice decides how many blocks there are.
  SmallVector<Value> columnOffsets;
  Value columns = emit.index(code.offset), widest = emit.index(0);
  for (Value b : code.b) {
    columnOffsets.push_back(columns);
    Value numColumns = emit.dim(b, 1);
    columns = emit.add(columns, numColumns);
    widest = emit.max(widest, numColumns);
  }
  auto buildLaunch = [&](bool isWide) {
    auto launch = gpu::LaunchOp::create(
        builder,
        emit.ceilDiv(getNumPositions(emit, code.tokens), blockPositions),
        emit.ceilDiv(widest, blockColumns), emit.index(code.b.size()),
        emit.index(blockColumns), one, one);
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(&launch.getBody().front());
    gpu::KernelDim3 block = launch.getBlockIds();
    Value column =
        emit.add(emit.mul(block.y, blockColumns), launch.getThreadIds().x);
    LoraTokens tokens(emit, code.tokens, numAdapters);
    Value begin = emit.mul(block.x, blockPositions);
    Value end = emit.min(emit.add(begin, blockPositions), tokens.getCount());
    Value slice = block.z;
    Value b = selectSlice(emit, slice, code.b);
    ExpandThread thread(code, numerics, emit, isWide, slice, b, column,
                        selectSlice(emit, slice, columnOffsets));
    auto buildRun = [&](Value begin, Value end, Value adapter) {
      Value rank = code.adapters.getRank(emit, slice, adapter, maxRank);
      Value coefficient =
          code.isScaled ? code.adapters.getCoefficient(emit, numerics, adapter)
                        : Value();
      tokens.forEachTile(begin, end, [&](Value, ArrayRef<Value> tile) {
        thread.buildTile(adapter, rank, coefficient, tile);
      });
    };
    emit.ifThen(emit.less(column, emit.dim(b, 1)),
                [&] { tokens.forEachRun(begin, end, buildRun); });
    gpu::TerminatorOp::create(builder);
  };
  SmallVector<Value> areAligned{
      buildIsAligned(emit, code.h, builder.getIndexAttr(0))};
  for (Value b : code.b)
    areAligned.push_back(buildIsAligned(emit, b, builder.getIndexAttr(0)));
  buildWideOrNot(emit, areAligned, buildLaunch);
}

} // namespace mlir::frit

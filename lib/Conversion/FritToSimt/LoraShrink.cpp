//===- LoraShrink.cpp -----------------------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The shrinking half of a LoRA matmul on a GPU.
//
//===----------------------------------------------------------------------===//

#include "LoraKernels.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace mlir::frit {

namespace {

/// Ranks of a block, a warp each.
constexpr int64_t blockRanks = 8;

/// The code of a warp for one slice.
class ShrinkWarp {
public:
  ShrinkWarp(const LoraShrinkCode &code, NumericsBuilder &numerics,
             VectorEmitter &emit, bool isWide, Value slice, Value a, Value lane,
             Value rank)
      : code(code), numerics(numerics), emit(emit), isWide(isWide),
        slice(slice), a(a), lane(lane), rank(rank),
        length(emit.dim(code.x, 1)) {}

  /// h of some tokens of one adapter.
  void buildTile(Value adapter, Value coefficient, ArrayRef<Value> tokens) {
    SmallVector<Value> sums =
        buildRest(adapter, tokens, buildPieces(adapter, tokens));
    for (Value &sum : sums)
      sum = sumLanes(numerics, emit, sum, warpSize);
    ImplicitLocOpBuilder &builder = emit.getBuilder();
    emit.ifThen(
        emit.compare(arith::CmpIPredicate::eq, lane, emit.index(0)), [&] {
          for (auto [token, sum] : llvm::zip_equal(tokens, sums))
            memref::StoreOp::create(builder, code.finish(sum, coefficient),
                                    code.out, ValueRange{slice, token, rank});
        });
  }

private:
  /// The sums over the lane's pieces: every 32nd.
  SmallVector<Value> buildPieces(Value adapter, ArrayRef<Value> tokens) {
    int64_t piece = emit.getLanes();
    SmallVector<Value> zeros(tokens.size(), emit.zero());
    SmallVector<Value> sums = emit.loop(
        emit.mul(lane, piece), emit.roundDown(length, piece), warpSize * piece,
        zeros, [&](Value column, ValueRange sums) {
          Value weights = numerics.extend(
              loadPiece(emit, a, {adapter, rank, column}, piece, isWide));
          auto inputs = llvm::map_to_vector(tokens, [&](Value token) {
            return numerics.extend(
                loadPiece(emit, code.x, {token, column}, piece, isWide));
          });
          return llvm::map_to_vector(
              llvm::zip_equal(inputs, sums), [&](auto pair) {
                return numerics.multiplyAdd(weights, std::get<0>(pair),
                                            std::get<1>(pair));
              });
        });
    for (Value &sum : sums)
      sum = sumElements(numerics, emit, sum);
    return sums;
  }

  /// Adds the columns that fill no piece, one in a lane.
  SmallVector<Value> buildRest(Value adapter, ArrayRef<Value> tokens,
                               SmallVector<Value> sums) {
    ImplicitLocOpBuilder &builder = emit.getBuilder();
    int64_t piece = emit.getLanes();
    if (getConstantIntValue(emit.rem(length, emit.index(piece))) == 0)
      return sums;
    Value column = emit.add(emit.roundDown(length, piece), lane);
    auto load = [&](Value memref, ValueRange indices) {
      return numerics.extend(memref::LoadOp::create(builder, memref, indices));
    };
    auto branch = scf::IfOp::create(
        builder, emit.less(column, length),
        [&](OpBuilder &, Location) {
          Value weight = load(a, {adapter, rank, column});
          auto results = llvm::map_to_vector(
              llvm::zip_equal(tokens, sums), [&](auto pair) {
                return numerics.multiplyAdd(
                    weight, load(code.x, {std::get<0>(pair), column}),
                    std::get<1>(pair));
              });
          scf::YieldOp::create(builder, results);
        },
        [&](OpBuilder &, Location) { scf::YieldOp::create(builder, sums); });
    return SmallVector<Value>(branch.getResults());
  }

  const LoraShrinkCode &code;
  NumericsBuilder &numerics;
  VectorEmitter &emit;
  bool isWide;
  Value slice, a, lane, rank, length;
};

} // namespace

void buildKernel(const LoraShrinkCode &code, NumericsBuilder &numerics,
                 ImplicitLocOpBuilder &builder) {
  auto elementType = [](Value memref) {
    return cast<MemRefType>(memref.getType()).getElementType();
  };
  VectorEmitter emit(builder,
                     std::max(getPieceLength(elementType(code.x)),
                              getPieceLength(elementType(code.a.front()))));
  Value maxRank = emit.dim(code.a.front(), 1);
  Value numAdapters = emit.dim(code.a.front(), 0);
  Value one = emit.index(1);
  auto buildLaunch = [&](bool isWide) {
    auto launch = gpu::LaunchOp::create(
        builder,
        emit.ceilDiv(getNumPositions(emit, code.tokens), blockPositions),
        emit.ceilDiv(maxRank, blockRanks), emit.index(code.a.size()),
        emit.index(warpSize), emit.index(blockRanks), one);
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(&launch.getBody().front());
    gpu::KernelDim3 block = launch.getBlockIds();
    Value lane = launch.getThreadIds().x;
    Value rank =
        emit.add(emit.mul(block.y, blockRanks), launch.getThreadIds().y);
    LoraTokens tokens(emit, code.tokens, numAdapters);
    Value begin = emit.mul(block.x, blockPositions);
    Value end = emit.min(emit.add(begin, blockPositions), tokens.getCount());
    Value slice = block.z;
    Value a = selectSlice(emit, slice, code.a);
    ShrinkWarp warp(code, numerics, emit, isWide, slice, a, lane, rank);
    tokens.forEachRun(begin, end, [&](Value begin, Value end, Value adapter) {
      Value numRanks = code.adapters.getRank(emit, slice, adapter, maxRank);
      emit.ifThen(emit.less(rank, numRanks), [&] {
        Value coefficient =
            code.isScaled
                ? code.adapters.getCoefficient(emit, numerics, adapter)
                : Value();
        tokens.forEachTile(begin, end, [&](Value, ArrayRef<Value> tile) {
          warp.buildTile(adapter, coefficient, tile);
        });
      });
    });
    gpu::TerminatorOp::create(builder);
  };
  SmallVector<Value> areAligned{
      buildIsAligned(emit, code.x, builder.getIndexAttr(0))};
  for (Value a : code.a)
    areAligned.push_back(buildIsAligned(emit, a, builder.getIndexAttr(0)));
  buildWideOrNot(emit, areAligned, buildLaunch);
}

} // namespace mlir::frit

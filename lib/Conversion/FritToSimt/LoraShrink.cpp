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

/// Warps of a block.
constexpr int64_t blockWarps = 8;

/// The code of a thread for one slice and some ranks.
class ShrinkThread {
public:
  /// `lane` is the thread's number in `warp`; the block computes `blockRanks`
  /// ranks from `firstRank` on. Its warps exchange sums in `exchange`.
  ShrinkThread(const LoraShrinkCode &code, NumericsBuilder &numerics,
               VectorEmitter &emit, bool isWide, Value slice, Value a,
               Value warp, Value lane, Value firstRank, int64_t blockRanks,
               Value exchange)
      : code(code), numerics(numerics), emit(emit), isWide(isWide),
        slice(slice), a(a), warp(warp), lane(lane),
        thread(emit.add(emit.mul(warp, warpSize), lane)), firstRank(firstRank),
        blockRanks(blockRanks), exchange(exchange),
        length(emit.dim(code.x, 1)) {}

  /// h of some tokens of one adapter, whose true rank is `numRanks`.
  void buildTile(Value adapter, Value numRanks, Value coefficient,
                 ArrayRef<Value> tokens) {
    Value lastRank = emit.sub(numRanks, emit.index(1));
    SmallVector<Value> ranks;
    for (int64_t i = 0; i < blockRanks; ++i)
      ranks.push_back(emit.min(emit.add(firstRank, i), lastRank));
    SmallVector<Value> sums = buildPieces(adapter, tokens, ranks);
    buildRest(adapter, tokens, ranks, sums);
    buildExchange(sumLanesOfEach(numerics, emit, sums, lane, warpSize),
                  sums.size());

    ImplicitLocOpBuilder &builder = emit.getBuilder();
    gpu::BarrierOp::create(builder);
    Value rank = emit.add(firstRank, emit.rem(thread, emit.index(blockRanks)));
    Value isMine = arith::AndIOp::create(
        builder, emit.less(thread, emit.index(sums.size())),
        emit.less(rank, numRanks));
    emit.ifThen(isMine, [&] {
      Value sum = loadExchange(0);
      for (int64_t i = 1; i < blockWarps; ++i)
        sum = numerics.addTerm(loadExchange(i), sum);
      Value token =
          selectSlice(emit, emit.div(thread, emit.index(blockRanks)), tokens);
      memref::StoreOp::create(builder, code.finish(sum, coefficient), code.out,
                              ValueRange{slice, token, rank});
    });
    // The next tile is exchanged in the same place.
    gpu::BarrierOp::create(builder);
  }

private:
  /// The sums over the thread's pieces, for each token and each rank.
  SmallVector<Value> buildPieces(Value adapter, ArrayRef<Value> tokens,
                                 ArrayRef<Value> ranks) {
    int64_t piece = emit.getLanes();
    Value zero = numerics.constant(0, emit.getSumType());
    SmallVector<Value> zeros(tokens.size() * ranks.size(), zero);
    return emit.loop(
        emit.mul(thread, piece), emit.roundDown(length, piece),
        blockWarps * warpSize * piece, zeros,
        [&](Value column, ValueRange sums) {
          auto load = [&](Value memref, ValueRange indices) {
            return loadElements(numerics, emit, memref, indices, piece, isWide);
          };
          auto inputs = llvm::map_to_vector(tokens, [&](Value token) {
            return load(code.x, {token, column});
          });
          auto weights = llvm::map_to_vector(ranks, [&](Value rank) {
            return load(a, {adapter, rank, column});
          });
          SmallVector<Value> results(sums);
          for (int64_t i = 0; i < piece; ++i)
            addProducts(getElements(inputs, i), getElements(weights, i),
                        results);
          return results;
        });
  }

  /// Adds the columns that fill no piece, one in a thread.
  void buildRest(Value adapter, ArrayRef<Value> tokens, ArrayRef<Value> ranks,
                 SmallVector<Value> &sums) {
    ImplicitLocOpBuilder &builder = emit.getBuilder();
    int64_t piece = emit.getLanes();
    if (getConstantIntValue(emit.rem(length, emit.index(piece))) == 0)
      return;
    Value column = emit.add(emit.roundDown(length, piece), thread);
    auto load = [&](Value memref, ValueRange indices) {
      return numerics.extend(memref::LoadOp::create(builder, memref, indices));
    };
    auto branch = scf::IfOp::create(
        builder, emit.less(column, length),
        [&](OpBuilder &, Location) {
          auto inputs = llvm::map_to_vector(tokens, [&](Value token) {
            return load(code.x, {token, column});
          });
          auto weights = llvm::map_to_vector(ranks, [&](Value rank) {
            return load(a, {adapter, rank, column});
          });
          SmallVector<Value> results(sums);
          addProducts(inputs, weights, results);
          scf::YieldOp::create(builder, results);
        },
        [&](OpBuilder &, Location) { scf::YieldOp::create(builder, sums); });
    sums.assign(branch->result_begin(), branch->result_end());
  }

  /// The elements at `i` of some pieces.
  static SmallVector<Value> getElements(ArrayRef<SmallVector<Value>> pieces,
                                        int64_t i) {
    return llvm::map_to_vector(pieces,
                               [&](ArrayRef<Value> piece) { return piece[i]; });
  }

  void addProducts(ArrayRef<Value> inputs, ArrayRef<Value> weights,
                   MutableArrayRef<Value> sums) {
    for (auto [i, input] : llvm::enumerate(inputs))
      for (auto [j, weight] : llvm::enumerate(weights)) {
        Value &sum = sums[i * weights.size() + j];
        sum = numerics.multiplyAdd(weight, input, sum);
      }
  }

  /// Stores the warp's sums, of which the lane has `sums`, for the block.
  void buildExchange(ArrayRef<Value> sums, int64_t numSums) {
    ImplicitLocOpBuilder &builder = emit.getBuilder();
    // So many lanes have the same sums.
    int64_t numLanes = std::max<int64_t>(warpSize / numSums, 1);
    Value first = emit.mul(emit.div(lane, emit.index(numLanes)), sums.size());
    Value isFirst =
        emit.compare(arith::CmpIPredicate::eq,
                     emit.rem(lane, emit.index(numLanes)), emit.index(0));
    emit.ifThen(isFirst, [&] {
      for (auto [i, sum] : llvm::enumerate(sums))
        memref::StoreOp::create(builder, sum, exchange,
                                ValueRange{warp, emit.add(first, i)});
    });
  }

  /// A warp's part of the sum whose number is that of the thread.
  Value loadExchange(int64_t warp) {
    return memref::LoadOp::create(emit.getBuilder(), exchange,
                                  ValueRange{emit.index(warp), thread});
  }

  const LoraShrinkCode &code;
  NumericsBuilder &numerics;
  VectorEmitter &emit;
  bool isWide;
  Value slice, a, warp, lane, thread, firstRank;
  int64_t blockRanks;
  Value exchange, length;
};

} // namespace

void buildKernel(const LoraShrinkCode &code, NumericsBuilder &numerics,
                 ImplicitLocOpBuilder &builder) {
  /// Ranks of a block, powers of two: of one that computes several tokens at
  /// once, which share the weights, and where there are so few tokens that they
  /// are computed one by one, and more blocks help.
  constexpr int64_t manyRanks = 8, fewRanks = 4;

  auto elementType = [](Value memref) {
    return cast<MemRefType>(memref.getType()).getElementType();
  };
  VectorEmitter emit(builder,
                     std::max(getPieceLength(elementType(code.x)),
                              getPieceLength(elementType(code.a.front()))));
  Value maxRank = emit.dim(code.a.front(), 1);
  Value numAdapters = emit.dim(code.a.front(), 0);
  Value one = emit.index(1);
  auto getRankBlocks = [&](int64_t ranks) {
    return emit.ceilDiv(maxRank, ranks);
  };
  auto getParts = [&](int64_t ranks) {
    return emit.mul(getRankBlocks(ranks), code.a.size());
  };
  LoraWindows windows(emit, code.tokens, getParts(manyRanks),
                      blockWarps * warpSize);
  int64_t blockRanks = windows.tile == 1 ? fewRanks : manyRanks;
  Value rankBlocks = getRankBlocks(blockRanks), parts = getParts(blockRanks);
  auto exchangeType =
      MemRefType::get({blockWarps, windows.tile * blockRanks},
                      builder.getF32Type(), MemRefLayoutAttrInterface(),
                      gpu::AddressSpaceAttr::get(builder.getContext(),
                                                 gpu::AddressSpace::Workgroup));
  auto buildLaunch = [&](bool isWide) {
    auto launch = gpu::LaunchOp::create(
        builder, emit.mul(windows.count, parts), one, one, emit.index(warpSize),
        emit.index(blockWarps), one, /*dynamicSharedMemorySize=*/Value(),
        /*asyncTokenType=*/Type(), /*asyncDependencies=*/ValueRange(),
        TypeRange(exchangeType));
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(&launch.getBody().front());
    // Blocks of the same tokens are neighbors, so that they find x in the
    // cache.
    Value block = launch.getBlockIds().x;
    Value part = emit.rem(block, parts);
    Value slice = emit.div(part, rankBlocks);
    Value firstRank = emit.mul(emit.rem(part, rankBlocks), blockRanks);
    LoraTokens tokens(emit, code.tokens, numAdapters);
    Value a = selectSlice(emit, slice, code.a);
    gpu::KernelDim3 thread = launch.getThreadIds();
    ShrinkThread shrink(code, numerics, emit, isWide, slice, a, thread.y,
                        thread.x, firstRank, blockRanks,
                        launch.getWorkgroupAttributions().front());
    windows.forEachRun(
        emit, tokens, emit.div(block, parts),
        [&](Value adapter, ArrayRef<Value> run) {
          Value numRanks = code.adapters.getRank(emit, slice, adapter, maxRank);
          emit.ifThen(emit.less(firstRank, numRanks), [&] {
            Value coefficient =
                code.isScaled
                    ? code.adapters.getCoefficient(emit, numerics, adapter)
                    : Value();
            shrink.buildTile(adapter, numRanks, coefficient, run);
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

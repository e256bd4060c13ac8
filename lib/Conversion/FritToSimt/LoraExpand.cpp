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

constexpr int64_t blockThreads = 128;
/// Neighboring lanes that share the sums over r: they read the weights of a
/// column side by side, 32 bytes, which is what memory is read by.
constexpr int64_t sharingLanes = 2;
/// The code of a thread for one slice.
class ExpandThread {
public:
  /// A lane gets the complete sums of `laneColumns` columns, a warp's size
  /// apart. `firstColumn` is the warp's. It counts from the slice's first,
  /// which is `columnOffset` in `out`.
  ExpandThread(const LoraExpandCode &code, NumericsBuilder &numerics,
               VectorEmitter &emit, bool isWide, Value slice, Value b,
               Value firstColumn, Value lane, Value columnOffset,
               int64_t laneColumns)
      : code(code), numerics(numerics), emit(emit), isWide(isWide),
        slice(slice), b(b), lane(lane),
        share(emit.rem(lane, emit.index(sharingLanes))) {
    Value numColumns = emit.dim(b, 1);
    Value last = emit.sub(numColumns, emit.index(1));
    for (int64_t i = 0; i < laneColumns; ++i) {
      Value column = emit.add(emit.add(firstColumn, lane), i * warpSize);
      isInside.push_back(emit.less(column, numColumns));
      outColumns.push_back(emit.add(columnOffset, emit.min(column, last)));
    }
    // In the order in which sumLanesOfEach deals them out.
    Value shared = emit.add(firstColumn, emit.sub(lane, share));
    for (int64_t i = 0; i < sharingLanes * laneColumns; ++i) {
      Value column =
          emit.add(shared, i / laneColumns + i % laneColumns * warpSize);
      // What is outside is computed for the last column, and not stored.
      columns.push_back(emit.min(column, last));
    }
  }

  /// y of some tokens of one adapter, from its first `rank` ranks.
  void buildTile(Value adapter, Value rank, Value coefficient,
                 ArrayRef<Value> tokens) {
    ImplicitLocOpBuilder &builder = emit.getBuilder();
    // All loads come before the stores, for the sake of repeated tokens, and
    // before the sums, which hide how long they take.
    SmallVector<Value> previous;
    for (Value column : outColumns)
      for (Value token : tokens)
        previous.push_back(
            code.accumulate
                ? memref::LoadOp::create(builder, code.out, {token, column})
                      .getResult()
                : Value());
    SmallVector<Value> sums = sumLanesOfEach(
        numerics, emit, buildSums(adapter, rank, tokens), lane, sharingLanes);
    Type weightType = cast<MemRefType>(b.getType()).getElementType();
    Type outType = cast<MemRefType>(code.out.getType()).getElementType();
    for (size_t i = 0; i < outColumns.size(); ++i)
      emit.ifThen(isInside[i], [&] {
        for (auto [j, token] : llvm::enumerate(tokens)) {
          size_t at = i * tokens.size() + j;
          Value result =
              numerics.loraResult(sums[at], coefficient, previous[at],
                                  code.rounding, weightType, outType);
          memref::StoreOp::create(builder, result, code.out,
                                  ValueRange{token, outColumns[i]});
        }
      });
  }

private:
  /// The lane's part of the sums over ranks, for each column and each token:
  /// those of pieces added up, and then what fills no piece one by one.
  SmallVector<Value> buildSums(Value adapter, Value rank,
                               ArrayRef<Value> tokens) {
    ImplicitLocOpBuilder &builder = emit.getBuilder();
    int64_t piece = emit.getLanes();
    Value piecesEnd = emit.roundDown(rank, piece);
    Value zero = numerics.constant(0, emit.getSumType());
    SmallVector<Value> zeros(columns.size() * tokens.size(), zero);
    auto addRanks = [&](Value r, ValueRange sums, auto load, auto add) {
      auto hidden = llvm::map_to_vector(tokens, [&](Value token) {
        return load(code.h, ValueRange{slice, token, r});
      });
      SmallVector<Value> results;
      for (Value column : columns) {
        auto weights = load(b, ValueRange{adapter, column, r});
        for (const auto &h : hidden)
          results.push_back(add(weights, h, sums[results.size()]));
      }
      return results;
    };
    SmallVector<Value> sums = emit.loop(
        emit.mul(share, piece), piecesEnd, sharingLanes * piece, zeros,
        [&](Value r, ValueRange sums) {
          auto load = [&](Value memref, ValueRange indices) {
            return loadElements(numerics, emit, memref, indices, piece, isWide);
          };
          auto add = [&](ArrayRef<Value> weights, ArrayRef<Value> hidden,
                         Value sum) {
            Value products = zero;
            for (auto [weight, h] : llvm::zip_equal(weights, hidden))
              products = numerics.multiplyAdd(weight, h, products);
            return numerics.addTerm(products, sum);
          };
          return addRanks(r, sums, load, add);
        });
    return emit.loop(emit.add(piecesEnd, share), rank, sharingLanes, sums,
                     [&](Value r, ValueRange sums) {
                       auto load = [&](Value memref, ValueRange indices) {
                         return numerics.extend(
                             memref::LoadOp::create(builder, memref, indices));
                       };
                       auto add = [&](Value weight, Value hidden, Value sum) {
                         return numerics.multiplyAdd(weight, hidden, sum);
                       };
                       return addRanks(r, sums, load, add);
                     });
  }

  const LoraExpandCode &code;
  NumericsBuilder &numerics;
  VectorEmitter &emit;
  bool isWide;
  Value slice, b, lane;
  /// The lane's number among those that share its sums.
  Value share;
  /// Those that it has a part in the sums of, and its own.
  SmallVector<Value> columns, outColumns;
  /// Which of its own there are.
  SmallVector<Value> isInside;
};

} // namespace

void buildKernel(const LoraExpandCode &code, NumericsBuilder &numerics,
                 ImplicitLocOpBuilder &builder) {
  /// Columns of a lane's own: more of them share what it loads of h, and fewer
  /// make more blocks. The latter is for tiles of few tokens.
  constexpr int64_t manyColumns = 2, fewColumns = 1, fewTokens = 2;

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
  int64_t laneColumns = manyColumns;
  auto getColumnBlocks = [&] {
    return emit.ceilDiv(widest, blockThreads * laneColumns);
  };
  auto getWindows = [&] {
    return LoraWindows(emit, code.tokens,
                       emit.mul(getColumnBlocks(), code.b.size()),
                       blockThreads);
  };
  LoraWindows windows = getWindows();
  if (windows.tile <= fewTokens) {
    laneColumns = fewColumns;
    windows = getWindows();
  }
  auto buildLaunch = [&](bool isWide) {
    auto launch = gpu::LaunchOp::create(
        builder, windows.count, getColumnBlocks(), emit.index(code.b.size()),
        emit.index(warpSize), emit.index(blockThreads / warpSize), one);
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(&launch.getBody().front());
    gpu::KernelDim3 block = launch.getBlockIds();
    gpu::KernelDim3 thread = launch.getThreadIds();
    Value firstColumn = emit.add(emit.mul(block.y, blockThreads * laneColumns),
                                 emit.mul(thread.y, warpSize * laneColumns));
    LoraTokens tokens(emit, code.tokens, numAdapters);
    Value slice = block.z;
    Value b = selectSlice(emit, slice, code.b);
    ExpandThread expand(code, numerics, emit, isWide, slice, b, firstColumn,
                        thread.x, selectSlice(emit, slice, columnOffsets),
                        laneColumns);
    auto buildRun = [&](Value adapter, ArrayRef<Value> run) {
      Value rank = code.adapters.getRank(emit, slice, adapter, maxRank);
      Value coefficient =
          code.isScaled ? code.adapters.getCoefficient(emit, numerics, adapter)
                        : Value();
      expand.buildTile(adapter, rank, coefficient, run);
    };
    // The same for all lanes of a warp, which exchange sums.
    emit.ifThen(emit.less(firstColumn, emit.dim(b, 1)),
                [&] { windows.forEachRun(emit, tokens, block.x, buildRun); });
    gpu::TerminatorOp::create(builder);
  };
  SmallVector<Value> areAligned{
      buildIsAligned(emit, code.h, builder.getIndexAttr(0))};
  for (Value b : code.b)
    areAligned.push_back(buildIsAligned(emit, b, builder.getIndexAttr(0)));
  buildWideOrNot(emit, areAligned, buildLaunch);
}

} // namespace mlir::frit

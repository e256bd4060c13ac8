//===- FlowFeed.cuh -------------------------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The copies of Flow.cuh into its ring. A thread copies the same pieces of
// every step, so that its addresses are worked out once, and then advance: at
// 256 tokens and more the instructions of the copies are what the kernel takes.
//
//===----------------------------------------------------------------------===//

#ifndef FRIT_KERNELS_LORA_FLOWFEED_CUH
#define FRIT_KERNELS_LORA_FLOWFEED_CUH

#include "FlowShape.cuh"

namespace frit::lora {

/// The k's and the columns of a block, and its steps: those of k's come first.
template <class Shape> struct FlowSpan {
  int firstK, lastK, firstColumn, lastColumn;
  int shrinkSteps, steps;

  __device__ __forceinline__ FlowSpan(int k, int n, int block, int blocks)
      : firstK(part(k, block, blocks)), lastK(part(k, block + 1, blocks)),
        firstColumn(part(n, block, blocks)),
        lastColumn(part(n, block + 1, blocks)),
        shrinkSteps(Shape::kShrinks ? stepsOf(lastK - firstK) : 0),
        steps(shrinkSteps +
              (Shape::kExpands ? stepsOf(lastColumn - firstColumn) : 0)) {}

private:
  /// Where the part of block `index` begins.
  __device__ __forceinline__ static int part(int size, int index, int blocks) {
    const unsigned units = (size + Shape::kUnit - 1) / Shape::kUnit;
    return min(static_cast<int>(units * index / blocks * Shape::kUnit), size);
  }
  __device__ __forceinline__ static int stepsOf(int size) {
    return (size + Shape::kDepth - 1) / Shape::kDepth;
  }
};

/// `RowVectors`, `WeightVectors`: whether every access of neighbouring elements
/// of x and y, of A and B, is one vector. Then a piece is there or not, but for
/// the last one of a row of B.
template <class E, class Shape, bool RowVectors, bool WeightVectors>
class FlowFeed {
public:
  using TokenTile = Tile<E, E, Shape::kTokens>;

  __device__ __forceinline__ FlowFeed(const Arguments<E, E> &args,
                                      const FlowSpan<Shape> &span, char *shared,
                                      int firstRank)
      : args(args), span(span), base(sharedOffset(shared)),
        thread(static_cast<int>(threadIdx.x)), piece(thread % Shape::kPieces),
        row(thread / Shape::kPieces), firstRank(firstRank) {}

  /// Begins, perhaps again, with a tile. Works out what does not change from
  /// step to step: the first steps are copied when a block may read at last,
  /// and then every instruction is waited for.
  __device__ __forceinline__ void start(const TokenTile &tile) {
    step = 0;
    count = tile.count;
    ranks =
        Shape::kExpands ? tile.rank : min(tile.rank - firstRank, Shape::kRanks);
    ownRow = static_cast<int>(base + Shape::rowPiece(row, piece));
    ownWeight = static_cast<int>(
        base +
        Shape::weightPiece(Shape::columnRow(thread / kEach), thread % kEach));
    left = span.lastK - span.firstK - kPiece * piece;
    columns = span.lastColumn - span.firstColumn;
    if constexpr (Shape::kShrinks) {
      const int column = span.firstK + kPiece * piece;
#pragma unroll
      for (int i = 0; i < kOwnRows; ++i)
        rows[i] = tile.x[row + Shape::kRowStep * i] + column;
      weights =
          tile.a + static_cast<int64_t>(firstRank + row) * args.k + column;
      weightStep = Shape::kRowStep * args.k;
#pragma unroll
      for (int i = 0; i < kOwnRows; ++i)
        keepBehind(rows[i]);
      keepBehind(weights);
      keepBehind(left);
    }
    keepBehind(count);
    keepBehind(ranks);
    keepBehind(ownRow);
    keepBehind(ownWeight);
    keepBehind(columns);
  }

  /// Issues the copies of the first step, which is one of k's, into the first
  /// slot: little stands before them.
  __device__ __forceinline__ void first(const TokenTile &tile) {
    loadFactors(tile, 0);
    ++step;
  }

  /// Issues the copies of the next step, of which there may be none, into a
  /// slot. `MayShrink`: it may be one of k's, or the first of columns.
  template <bool MayShrink>
  __device__ __forceinline__ void next(const TokenTile &tile, int slot) {
    const uint32_t to = slot * Shape::kSlotBytes;
    if (MayShrink && Shape::kShrinks && step < span.shrinkSteps) {
      loadFactors(tile, to);
    } else if (Shape::kExpands && step < span.steps) {
      if (MayShrink && step == span.shrinkSteps)
        startColumns(tile);
      loadColumns(tile, to);
    }
    ++step;
  }

  /// Where an element of a row of x, A or y lies.
  __device__ __forceinline__ static uint32_t rowElement(int row, int column) {
    return Shape::rowPiece(row, column / kPiece) + column % kPiece * 2;
  }

private:
  static constexpr int kOwnRows = Shape::kTokens / Shape::kRowStep;
  static constexpr int kRowsBytes = Shape::kRowStep * Shape::kRowBytes;
  static_assert(Shape::kRowStep % 8 == 0, "rowPiece of a thread's rows");
  /// Pieces of a row of B, and rows between two that a thread copies.
  static constexpr int kEach = Shape::kRanks / kPiece;
  static constexpr int kWeightRows = kThreads / kEach;

  __device__ __forceinline__ void startColumns(const TokenTile &tile) {
    const int column = span.firstColumn + kPiece * piece;
#pragma unroll
    for (int i = 0; i < kOwnRows; ++i)
      rows[i] = tile.y[row + Shape::kRowStep * i] + column;
    weights =
        tile.b +
        static_cast<int64_t>(span.firstColumn + thread / kEach) * args.rank +
        kPiece * (thread % kEach);
    weightStep = kWeightRows * args.rank;
  }

  /// x and A to a slot, `to` bytes behind the first one. Rows of tokens and
  /// ranks that do not exist hold anything: their sums are never looked at.
  __device__ __forceinline__ void loadFactors(const TokenTile &tile,
                                              uint32_t to) {
    const int first = span.firstK + step * Shape::kDepth;
    const uint32_t own = to + static_cast<uint32_t>(ownRow);
    if constexpr (RowVectors) {
#pragma unroll
      for (int i = 0; i < kOwnRows; ++i) {
        if (row + Shape::kRowStep * i < count)
          copyWhole(own + kRowsBytes * i, rows[i], left);
        rows[i] += Shape::kDepth;
      }
    } else {
      copyElements<Shape::kTokens, Shape::kDepth>(
          [&](int token, int at) {
            return token < count && first + at < span.lastK
                       ? loadBits(tile.x[token] + first + at)
                       : 0;
          },
          [&](int token, int at) { return base + to + rowElement(token, at); });
    }
    if constexpr (WeightVectors) {
      const E *from = weights;
#pragma unroll
      for (int i = 0; i < Shape::kRanks / Shape::kRowStep; ++i) {
        if (row + Shape::kRowStep * i < ranks)
          copyWhole(own + Shape::kTokenBytes + kRowsBytes * i, from, left);
        from += weightStep;
      }
      weights += Shape::kDepth;
    } else {
      const E *const a = tile.a + firstRank * args.k + first;
      copyElements<Shape::kRanks, Shape::kDepth>(
          [&](int r, int at) {
            return r < ranks && first + at < span.lastK
                       ? loadBits(a + r * args.k + at)
                       : 0;
          },
          [&](int r, int at) {
            return base + to + Shape::kTokenBytes + rowElement(r, at);
          });
    }
    left -= Shape::kDepth;
  }

  /// The same of y, and of B with zeros beyond the true rank.
  __device__ __forceinline__ void loadColumns(const TokenTile &tile,
                                              uint32_t to) {
    const int first = span.lastColumn - columns;
    if constexpr (RowVectors) {
      if ((args.flags & kAccumulate) && kPiece * piece < columns)
#pragma unroll
        for (int i = 0; i < kOwnRows; ++i)
          if (row + Shape::kRowStep * i < count)
            copyBytes(to + static_cast<uint32_t>(ownRow) + kRowsBytes * i,
                      rows[i]);
#pragma unroll
      for (int i = 0; i < kOwnRows; ++i)
        rows[i] += Shape::kDepth;
    } else if (args.flags & kAccumulate) {
      copyElements<Shape::kTokens, Shape::kDepth>(
          [&](int token, int at) {
            return token < count && at < columns
                       ? loadWrittenBits(tile.y[token] + first + at)
                       : 0;
          },
          [&](int token, int at) { return base + to + rowElement(token, at); });
    }
    if constexpr (!WeightVectors) {
      const E *const b = tile.b + first * args.rank;
      copyElements<Shape::kDepth, Shape::kRanks>(
          [&](int at, int r) {
            return r < ranks && at < columns ? loadBits(b + at * args.rank + r)
                                             : 0;
          },
          [&](int at, int r) {
            return base + to +
                   Shape::weightPiece(Shape::columnRow(at), r / kPiece) +
                   r % kPiece * 2;
          });
    } else if (__builtin_expect(ranks % kPiece == 0, 1)) {
      loadWeights(to, [](uint32_t at, const E *from, int left) {
        copyWhole(at, from, left);
      });
    } else {
      loadWeights(to, [](uint32_t at, const E *from, int left) {
        copyPiece<true>(at, from, left);
      });
    }
    columns -= Shape::kDepth;
  }

  /// This thread's pieces of B by `copy`, which is told how many ranks are
  /// left.
  template <class Copy>
  __device__ __forceinline__ void loadWeights(uint32_t to, Copy copy) {
    // Rows so far apart that they are exchanged alike.
    constexpr bool kAlike = kWeightRows % Shape::kColumns == 0;
    const int p = thread % kEach, at = thread / kEach;
    const uint32_t own = to + static_cast<uint32_t>(ownWeight);
#pragma unroll
    for (int i = 0; i < Shape::kDepth / kWeightRows; ++i) {
      const int column = at + kWeightRows * i;
      if (column < columns)
        copy(kAlike
                 ? own + 2 * Shape::kRanks * kWeightRows * i
                 : base + to + Shape::weightPiece(Shape::columnRow(column), p),
             weights, ranks - kPiece * p);
      weights += weightStep;
    }
  }

  const Arguments<E, E> &args;
  const FlowSpan<Shape> &span;
  const uint32_t base;
  const int thread, piece, row; ///< `piece` and `row` of x, A and y.
  const int firstRank;
  int step, count, ranks;
  int left, columns;     ///< Elements from this thread's k on, or columns.
  int ownRow, ownWeight; ///< Where this thread's pieces of the first slot lie.
  const E *rows[kOwnRows]; ///< Of x, and then of y.
  const E *weights;        ///< Of A, and then of B.
  int64_t weightStep;      ///< Between two of a thread's rows of them.
};

} // namespace frit::lora

#endif // FRIT_KERNELS_LORA_FLOWFEED_CUH

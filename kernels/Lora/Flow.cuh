//===- Flow.cuh -----------------------------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The kernel whose operands flow through one ring of shared memory: x and A,
// then y and B, so that the second half's are on their way while the first
// multiplies and while blocks exchange sums. Where all that a block reads fits
// the ring, it is asked for at once, and one trip to memory is all there is.
//
// A cluster takes a tile of tokens of one adapter in one slice. Its blocks
// split K, exchange their sums, and split N. Tokens are along the 16 rows of
// the matrix unit's tiles, ranks and then columns along their 8 columns. A rank
// vector is the three terms of Terms.cuh.
//
// The halves alone: where the sums go no further than to the block that
// finishes them, ranks beyond the kernel's are other clusters' (the grid's z);
// without sums no cluster is needed, and the columns of a tile are divided by
// as many blocks as there is room for.
//
// A block looks for its tile, and asks for what it needs, before earlier
// kernels have ended (Tile.cuh). Once they have, it starts to copy by what it
// has found, and looks again meanwhile; where that is something else, what was
// copied is dropped.
//
//===----------------------------------------------------------------------===//

#ifndef FRIT_KERNELS_LORA_FLOW_CUH
#define FRIT_KERNELS_LORA_FLOW_CUH

#include "Common/Launch.cuh"
#include "Exchange.cuh"
#include "FlowFeed.cuh"

namespace frit::lora {

/// `RowVectors`, `WeightVectors`: see FlowFeed.
template <class E, class Shape, bool RowVectors, bool WeightVectors>
class FlowTile {
public:
  using TokenTile = Tile<E, E, Shape::kTokens>;
  using Feed = FlowFeed<E, Shape, RowVectors, WeightVectors>;

  __device__ __forceinline__ FlowTile(const Arguments<E, E> &args, char *shared,
                                      ExchangeMail &mail,
                                      const TilePlace &place,
                                      const FlowSpan<Shape> &span)
      : args(args), shared(shared), mail(mail), base(sharedOffset(shared)),
        thread(static_cast<int>(threadIdx.x)), lane(thread % 32),
        warp(thread / 32), blocks(place.blocks), block(place.block),
        firstRank(Shape::kRanks * place.rankPart),
        rowsEach((Shape::kTokens + blocks - 1) / blocks), span(span) {}

  /// The first copies for what may be the tile, which `feed` has begun with:
  /// rank vectors, and steps.
  __device__ __forceinline__ void begin(const TokenTile &tile,
                                        Feed &feed) const {
    if constexpr (!kShrinks) {
      if (args.flags & kElementHidden)
        copyHidden<E>(tile);
      else
        copyHidden<float>(tile);
      commitCopies();
    }
    int slot = 0;
    if (kShrinks && span.shrinkSteps > 0) {
      feed.first(tile);
      commitCopies();
      slot = 1;
    }
#pragma unroll 1
    for (; slot < Shape::kSlots; ++slot) {
      feed.template next<true>(tile, slot);
      commitCopies();
    }
  }

  /// The rest, once the tile is certain.
  __device__ __forceinline__ void run(const TokenTile &tile, Feed &feed) {
    const int terms = hiddenTerms<E>(args.flags);
    if constexpr (!kShrinks) {
      awaitCopies<Shape::kSlots>(); // All but the steps.
      __syncthreads();
      keepHidden(tile, terms);
      expand(tile, feed, terms, 0);
      return;
    }
    if (thread == 0)
      expectMail(tile.count, terms);
    __syncwarp();
    if (blocks > 1)
      clusterArrive();
    Sums sums;
    int slot = 0;
    shrink(tile, feed, sums, slot);
    keepSums(sums);
    __syncthreads();
    if (blocks > 1)
      clusterWait(); // All blocks run, so their shared memory is there.
    sendSums(tile.count);
    mail.sums.wait();
    if constexpr (!kExpands) {
      writeHidden(tile);
      return;
    } else if constexpr (Shape::kOneStep) {
      takeHidden(tile, terms, 0, tile.count, Shape::kTokens);
    } else {
      shareHidden(tile, terms);
    }
    expand(tile, feed, terms, slot);
  }

private:
  static constexpr bool kShrinks = Shape::kShrinks;
  static constexpr bool kExpands = Shape::kExpands;
  using Sums = float[Shape::kOwnTokenTiles][Shape::kOwnRankTiles][4];
  using Outputs = float[Shape::kTokenTiles][Shape::kColumnTiles][4];

  //===--------------------------------------------------------------------===//
  // Copies
  //===--------------------------------------------------------------------===//

  /// The rank vectors as they lie in memory; the early tile's rows may be none.
  template <class H>
  __device__ __forceinline__ void copyHidden(const TokenTile &tile) const {
    constexpr int kSize = sizeof(H), kEach = 16 / kSize;
    constexpr int kPieces = Shape::kRanks / kEach;
    const auto *const h = static_cast<const H *>(args.h);
    const bool aligned = isAligned<kEach>(h, args.hStride);
#pragma unroll 1
    for (int i = thread; i < tile.count * kPieces; i += kThreads) {
      const int token = i / kPieces, r = i % kPieces * kEach;
      const int count = max(min(tile.rank - r, kEach), 0);
      const int from =
          max(min(tile.row[token], static_cast<int>(args.tokens) - 1), 0);
      const H *const values = h + from * args.hStride + r;
      const uint32_t to =
          base + Shape::kInbox + kSize * (token * Shape::kRanks + r);
      if (aligned) {
        copyBytes(to, count > 0 ? values : h, count * kSize);
      } else {
        const auto piece = loadSome<H, kEach>(values, count);
        storePiece(to, piece.words);
      }
    }
  }

  /// Waits for the oldest step's copies.
  __device__ __forceinline__ void awaitStep() const {
    awaitCopies<Shape::kSlots - 1>();
    __syncthreads();
  }

  /// After a step in `slot`: fills it again and goes on to the next.
  template <bool MayShrink>
  __device__ __forceinline__ void finishStep(const TokenTile &tile, Feed &feed,
                                             int step, int &slot) const {
    if (step + Shape::kSlots < span.steps)
      __syncthreads(); // Nobody reads the slot any more.
    feed.template next<MayShrink>(tile, slot);
    commitCopies(); // A group of its own, even where it is empty.
    slot = slot + 1 == Shape::kSlots ? 0 : slot + 1;
  }

  //===--------------------------------------------------------------------===//
  // The first half
  //===--------------------------------------------------------------------===//

  __device__ __forceinline__ int rankWarp() const {
    return warp % Shape::kRankWarps;
  }
  __device__ __forceinline__ int tokenWarp() const {
    return warp / Shape::kRankWarps % Shape::kTokenWarps;
  }
  __device__ __forceinline__ int depthWarp() const {
    return warp / (Shape::kRankWarps * Shape::kTokenWarps);
  }

  __device__ __forceinline__ void shrink(const TokenTile &tile, Feed &feed,
                                         Sums &sums, int &slot) const {
#pragma unroll
    for (int i = 0; i < Shape::kOwnTokenTiles; ++i)
#pragma unroll
      for (int j = 0; j < Shape::kOwnRankTiles; ++j)
#pragma unroll
        for (int e = 0; e < 4; ++e)
          sums[i][j][e] = 0.0f;
#pragma unroll 1
    for (int step = 0; step < span.shrinkSteps; ++step) {
      awaitStep();
      multiplyFactors(base + slot * Shape::kSlotBytes, sums);
      finishStep<true>(tile, feed, step, slot);
    }
  }

  __device__ __forceinline__ void multiplyFactors(uint32_t at,
                                                  Sums &sums) const {
    constexpr bool kHalf = std::is_same_v<E, __half>;
    const uint32_t weights = at + Shape::kTokenBytes;
    const int first = depthWarp() * (Shape::kWarpDepth / kPiece);
    const int token = 16 * Shape::kOwnTokenTiles * tokenWarp() + lane % 16;
    const int rank = 8 * Shape::kOwnRankTiles * rankWarp() + lane % 8;
#pragma unroll
    for (int d = 0; d < Shape::kWarpDepth / kPiece; d += 4) {
      uint32_t as[Shape::kOwnRankTiles][4];
#pragma unroll
      for (int j = 0; j < Shape::kOwnRankTiles; ++j)
        loadTiles(as[j], weights + Shape::rowPiece(rank + 8 * j,
                                                   first + d + lane / 8));
#pragma unroll
      for (int i = 0; i < Shape::kOwnTokenTiles; ++i)
#pragma unroll
        for (int h = 0; h < 2; ++h) {
          uint32_t xs[4];
          loadTiles(xs, at + Shape::rowPiece(token + 16 * i,
                                             first + d + 2 * h + lane / 16));
#pragma unroll
          for (int j = 0; j < Shape::kOwnRankTiles; ++j)
            multiply<kHalf>(sums[i][j], xs[0], xs[1], xs[2], xs[3],
                            as[j][2 * h], as[j][2 * h + 1]);
        }
    }
  }

  //===--------------------------------------------------------------------===//
  // The exchange
  //===--------------------------------------------------------------------===//

  __device__ __forceinline__ float *shares() const {
    return reinterpret_cast<float *>(shared + Shape::kShares);
  }
  /// [blocks][tokens or rowsEach][ranks]
  __device__ __forceinline__ float *inbox() const {
    return reinterpret_cast<float *>(shared + Shape::kInbox);
  }
  /// A term of a token's ranks from `r` on.
  __device__ __forceinline__ char *termAt(int term, int token, int r) const {
    return shared + Shape::kTerms + term * Shape::kTermBytes +
           token * Shape::kTermPitch + 2 * r;
  }

  /// How many of `count` tokens this block finishes.
  __device__ __forceinline__ int ownCount(int count) const {
    return max(min(count - block * rowsEach, rowsEach), 0);
  }

  /// Called by one thread.
  __device__ __forceinline__ void expectMail(int count, int terms) const {
    constexpr int kRowBytes = 4 * Shape::kRanks;
    if constexpr (Shape::kOneStep) {
      mail.sums.expect(blocks * count * kRowBytes);
    } else {
      mail.expect(blocks, ownCount(count), kRowBytes, count,
                  terms * 2 * Shape::kRanks);
    }
  }

  __device__ __forceinline__ void keepSums(const Sums &sums) const {
    const int token = 16 * Shape::kOwnTokenTiles * tokenWarp() + lane / 4;
    const int rank = 8 * Shape::kOwnRankTiles * rankWarp() + lane % 4 * 2;
    float *to = shares() +
                (depthWarp() * Shape::kTokens + token) * Shape::kSharePitch +
                rank;
#pragma unroll
    for (int i = 0; i < Shape::kOwnTokenTiles; ++i)
#pragma unroll
      for (int h = 0; h < 2; ++h)
#pragma unroll
        for (int j = 0; j < Shape::kOwnRankTiles; ++j)
          *reinterpret_cast<float2 *>(
              to + (16 * i + 8 * h) * Shape::kSharePitch + 8 * j) =
              make_float2(sums[i][j][2 * h], sums[i][j][2 * h + 1]);
  }

  /// Four ranks of a token over this block's warps.
  __device__ __forceinline__ float4 blockSum(int token, int r) const {
    const float *from = shares() + token * Shape::kSharePitch + r;
    float4 sum = *reinterpret_cast<const float4 *>(from);
#pragma unroll
    for (int w = 1; w < Shape::kDepthWarps; ++w)
      sum = addFour(sum, *reinterpret_cast<const float4 *>(
                             from + w * Shape::kTokens * Shape::kSharePitch));
    return sum;
  }

  __device__ __forceinline__ void sendSums(int count) const {
    constexpr int kEach = Shape::kRanks / 4;
    if constexpr (Shape::kOneStep) {
      // A thread takes four ranks of a token for some receivers.
      constexpr int kItems = Shape::kTokens * kEach;
      const int token = thread % kItems / kEach, r = thread % kEach * 4;
      if (token >= count)
        return;
      const float4 sum = blockSum(token, r);
      float *to =
          inbox() + (block * Shape::kTokens + token) * Shape::kRanks + r;
      // Blocks begin with different ones.
      for (int other = thread / kItems; other < blocks;
           other += kThreads / kItems)
        mail.sums.send(
            to, block + other < blocks ? block + other : block + other - blocks,
            sum);
    } else {
#pragma unroll 1
      for (int i = thread; i < count * kEach; i += kThreads) {
        const int token = i / kEach, r = i % kEach * 4;
        const int owner = token / rowsEach;
        const int place = block * rowsEach + token - owner * rowsEach;
        mail.sums.send(inbox() + place * Shape::kRanks + r, owner,
                       blockSum(token, r));
      }
    }
  }

  /// The terms of the rank vectors of `count` tokens from `first` on, whose
  /// sums lie in the inbox `pitch` tokens a block; zero beyond the true rank,
  /// whatever those hold.
  __device__ __forceinline__ void takeHidden(const TokenTile &tile, int terms,
                                             int first, int count,
                                             int pitch) const {
    addBlockSums<Shape::kRanks>(
        inbox(), pitch, count, blocks, [&](int token, int r, float2 sum) {
          const float v[2] = {sum.x, sum.y};
          float parts[2][3];
#pragma unroll
          for (int e = 0; e < 2; ++e)
            splitTerms(r + e < tile.rank
                           ? hiddenValue<E>(args.flags, tile.scale, v[e])
                           : 0.0f,
                       parts[e]);
#pragma unroll
          for (int t = 0; t < 3; ++t)
            if (t < terms)
              storeWord(sharedOffset(termAt(t, first + token, r)),
                        packTerms(parts[0][t], parts[1][t]));
        });
  }

  /// The terms of what copyHidden left.
  __device__ __forceinline__ void keepHidden(const TokenTile &tile,
                                             int terms) const {
    constexpr int kEach = Shape::kRanks / 4;
#pragma unroll
    for (int i = 0; i < Shape::kTokens * kEach; i += kThreads) {
      const int token = (thread + i) / kEach, r = thread % kEach * 4;
      if (token >= tile.count)
        return;
      const float4 four = hiddenFour(token * Shape::kRanks + r);
      const float v[4] = {four.x, four.y, four.z, four.w};
      float parts[4][3];
#pragma unroll
      for (int e = 0; e < 4; ++e)
        splitTerms(r + e < tile.rank ? v[e] : 0.0f, parts[e]);
#pragma unroll
      for (int t = 0; t < 3; ++t)
        if (t < terms)
          *reinterpret_cast<uint2 *>(termAt(t, token, r)) =
              make_uint2(packTerms(parts[0][t], parts[1][t]),
                         packTerms(parts[2][t], parts[3][t]));
    }
  }

  /// Four ranks of what copyHidden left.
  __device__ __forceinline__ float4 hiddenFour(int at) const {
    if (!(args.flags & kElementHidden))
      return *reinterpret_cast<const float4 *>(inbox() + at);
    const auto &four = *reinterpret_cast<const Fragment<E, 4> *>(
        shared + Shape::kInbox + static_cast<int>(sizeof(E)) * at);
    return make_float4(four.get(0), four.get(1), four.get(2), four.get(3));
  }

  /// Finishes this block's tokens, and is done.
  __device__ __forceinline__ void writeHidden(const TokenTile &tile) const {
    writeRows<Shape::kRanks>(args, tile, inbox(), rowsEach, block, blocks,
                             firstRank);
  }

  /// Finishes this block's tokens for all blocks.
  __device__ __forceinline__ void shareHidden(const TokenTile &tile,
                                              int terms) const {
    constexpr int kEach = Shape::kRanks / kPiece;
    const int first = block * rowsEach;
    const int count = ownCount(tile.count);
    takeHidden(tile, terms, first, count, rowsEach);
    __syncthreads();
    sendToOthers(mail.terms, block, blocks, count * kEach, terms,
                 Shape::kTermBytes, [&](int item) {
                   return sharedOffset(
                       termAt(0, first + item / kEach, item % kEach * kPiece));
                 });
    mail.terms.wait();
  }

  //===--------------------------------------------------------------------===//
  // The second half
  //===--------------------------------------------------------------------===//

  __device__ __forceinline__ void expand(const TokenTile &tile, Feed &feed,
                                         int terms, int slot) const {
#pragma unroll 1
    for (int step = span.shrinkSteps; step < span.steps; ++step) {
      awaitStep();
      Outputs sums;
#pragma unroll
      for (int i = 0; i < Shape::kTokenTiles; ++i)
#pragma unroll
        for (int j = 0; j < Shape::kColumnTiles; ++j)
#pragma unroll
          for (int e = 0; e < 4; ++e)
            sums[i][j][e] = 0.0f;
      const int first = span.firstColumn +
                        (step - span.shrinkSteps) * Shape::kDepth +
                        Shape::kColumns * warp;
      if (first < span.lastColumn) {
        multiplyColumns(base + slot * Shape::kSlotBytes, terms, sums);
        store(tile, shared + slot * Shape::kSlotBytes, first, sums);
      }
      if constexpr (!RowVectors) {
        __syncthreads(); // All columns of a row are in the slot.
        storeElements(tile, shared + slot * Shape::kSlotBytes,
                      span.firstColumn +
                          (step - span.shrinkSteps) * Shape::kDepth);
      }
      finishStep<false>(tile, feed, step, slot);
    }
  }

  __device__ __forceinline__ void multiplyColumns(uint32_t at, int terms,
                                                  Outputs &sums) const {
    const int column = Shape::kColumns * warp + lane % 8 + lane / 16 * 8;
    const uint32_t hidden =
        base + Shape::kTerms + lane % 16 * Shape::kTermPitch + lane / 16 * 16;
#pragma unroll
    for (int d = 0; d < Shape::kRanks / 16; ++d) {
      uint32_t bs[Shape::kColumnTiles / 2][4];
#pragma unroll
      for (int j = 0; j < Shape::kColumnTiles / 2; ++j)
        loadTiles(bs[j], at + Shape::weightPiece(column + 16 * j,
                                                 2 * d + lane / 8 % 2));
#pragma unroll
      for (int t = 0; t < 3; ++t) {
        if (t >= terms)
          break;
#pragma unroll
        for (int i = 0; i < Shape::kTokenTiles; ++i) {
          uint32_t hs[4];
          loadTiles(hs, hidden + t * Shape::kTermBytes +
                            16 * i * Shape::kTermPitch + 32 * d);
#pragma unroll
          for (int j = 0; j < Shape::kColumnTiles; ++j)
            multiply<false>(sums[i][j], hs[0], hs[1], hs[2], hs[3],
                            bs[j / 2][j % 2 * 2], bs[j / 2][j % 2 * 2 + 1]);
        }
      }
    }
  }

  /// A warp's columns from `first` on; `at` is the slot, which holds y. Rows
  /// without vectors stay there.
  __device__ __forceinline__ void store(const TokenTile &tile, char *at,
                                        int first, const Outputs &sums) const {
    const int own = Shape::kOwnColumns * (lane % 4);
    const int column = first + own;
    if (column >= span.lastColumn)
      return;
    const int in = Shape::kColumns * warp + own;
    const bool plain = isPlain(args.flags);
#pragma unroll
    for (int i = 0; i < Shape::kTokenTiles; ++i)
#pragma unroll
      for (int h = 0; h < 2; ++h) {
        const int token = 16 * i + 8 * h + lane / 4;
        if (token >= tile.count)
          continue;
        auto &old = *reinterpret_cast<Fragment<E, Shape::kOwnColumns> *>(
            at + Feed::rowElement(token, in));
        float v[Shape::kOwnColumns];
#pragma unroll
        for (int c = 0; c < Shape::kOwnColumns; ++c)
          v[c] = sums[i][c / 2][2 * h + c % 2];
        if (__builtin_expect(plain, 1)) {
#pragma unroll
          for (int c = 0; c < Shape::kOwnColumns; ++c)
            v[c] = __fadd_rn(old.get(c), v[c]);
        } else {
#pragma unroll
          for (int c = 0; c < Shape::kOwnColumns; ++c)
            v[c] = finishOutput<E, E>(args.flags, tile.scale, v[c],
                                      args.flags & kAccumulate ? old.get(c)
                                                               : 0.0f);
        }
        E *const to = RowVectors ? tile.y[token] + column
                                 : reinterpret_cast<E *>(old.words);
        storeColumns<true>(to, v, Shape::kOwnColumns);
      }
  }

  /// The rows in the slot, from column `first` on.
  __device__ __forceinline__ void
  storeElements(const TokenTile &tile, const char *at, int first) const {
    constexpr int kAtOnce = kThreads / Shape::kDepth;
    const int column = thread % Shape::kDepth;
    if (first + column >= span.lastColumn)
      return;
#pragma unroll 4
    for (int token = thread / Shape::kDepth; token < tile.count;
         token += kAtOnce)
      tile.y[token][first + column] =
          *reinterpret_cast<const E *>(at + Feed::rowElement(token, column));
  }

  const Arguments<E, E> &args;
  char *const shared;
  ExchangeMail &mail;
  const uint32_t base;
  const int thread, lane, warp;
  const int blocks, block;
  const int firstRank;
  const int rowsEach; ///< Tokens that a block finishes.
  const FlowSpan<Shape> &span;
};

/// Starts with the tile that was found early, and goes on with the one that
/// there is.
template <class Shape, bool RowVectors, bool WeightVectors, class E>
__device__ __forceinline__ void
flow(const Arguments<E, E> &args, const TilePlace &place,
     const FlowSpan<Shape> &span, int guess, char *shared, ExchangeMail &mail,
     const Tile<E, E, Shape::kTokens> &early,
     Tile<E, E, Shape::kTokens> &tile) {
  __shared__ bool same;
  using Work = FlowTile<E, Shape, RowVectors, WeightVectors>;
  Work work(args, shared, mail, place, span);
  typename Work::Feed feed(args, span, shared, Shape::kRanks * place.rankPart);
  TileCheck<Shape::kTokens> check;
  if (threadIdx.x < 32)
    check.prepare(args, place.tile, early);
  if (early.count > 0)
    feed.start(early);
  waitForEarlierKernels();
  if (threadIdx.x < 32)
    check.load(args);
  if (early.count > 0)
    work.begin(early, feed);
  if (threadIdx.x < 32) {
    const bool still = check.holds(args, early);
    if (!still)
      fillTile<Shape::kTokens>(args, place.tile, guess, tile);
    if (threadIdx.x == 0)
      same = still;
  }
  __syncthreads();
  const bool kept = same && early.count > 0;
  if (!kept) {
    awaitCopies<0>();
    if (same || tile.count == 0)
      return;
    __syncthreads(); // Before the copies are overwritten.
    feed.start(tile);
    work.begin(tile, feed);
  }
  work.run(kept ? early : tile, feed);
}

template <class Shape, class E>
__device__ __forceinline__ void runFlow(const Arguments<E, E> &args) {
  extern __shared__ __align__(128) char dynamicShared[];
  __shared__ Tile<E, E, Shape::kTokens> early, tile;
  __shared__ ExchangeMail mail;
  const auto place = TilePlace::find<Shape::kHalves>();
  const FlowSpan<Shape> span(static_cast<int>(args.k), static_cast<int>(args.n),
                             place.block, place.blocks);
  int guess = 0;
  findEarlyTile(
      args, place.tile, guess, early,
      [&] {
        if (startsEarly())
          askTile(args, early, place.block, place.blocks);
      },
      /*certain=*/true);
  __syncthreads();
  // The second half alone often has aligned weights beside rows that are not.
  constexpr bool kApart = Shape::kHalves == Halves::Expand;
  if (__builtin_expect(early.vectors, 1))
    flow<Shape, true, true>(args, place, span, guess, dynamicShared, mail,
                            early, tile);
  else if (kApart && args.rank % kPiece == 0 &&
           isAligned<kPiece>(args.b, args.rank))
    flow<Shape, false, kApart>(args, place, span, guess, dynamicShared, mail,
                               early, tile);
  else
    flow<Shape, false, false>(args, place, span, guess, dynamicShared, mail,
                              early, tile);
}

} // namespace frit::lora

/// Defines kernel `NAME`: see FlowShape.
#define FRIT_LORA_FLOW_KERNEL(NAME, E, TOKENS, RANKS, SLOTS)                   \
  extern "C" __global__ void __launch_bounds__(frit::lora::kThreads,           \
                                               FRIT_LORA_RESIDENT)             \
      NAME(FRIT_LORA_PARAMETERS(E, E)) {                                       \
    FRIT_LORA_SLICE(E, E);                                                     \
    frit::lora::runFlow<frit::lora::FlowShape<TOKENS, RANKS, SLOTS>>(          \
        arguments);                                                            \
  }

/// The same of HALF (or Both), with steps of DEPTH and RESIDENT blocks a
/// multiprocessor.
#define FRIT_LORA_FLOW_HALF_KERNEL(NAME, E, HALF, TOKENS, RANKS, SLOTS, DEPTH, \
                                   RESIDENT)                                   \
  extern "C" __global__ void __launch_bounds__(frit::lora::kThreads, RESIDENT) \
      NAME(FRIT_LORA_PARAMETERS(E, E)) {                                       \
    FRIT_LORA_SLICE(E, E);                                                     \
    frit::lora::runFlow<frit::lora::FlowShape<                                 \
        TOKENS, RANKS, SLOTS, frit::lora::Halves::HALF, DEPTH>>(arguments);    \
  }

#endif // FRIT_KERNELS_LORA_FLOW_CUH

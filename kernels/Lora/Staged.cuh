//===- Staged.cuh ---------------------------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The kernel for few tokens and high ranks: operands come through shared
// memory, so that what a tile of 16 tokens reads of A and B is read once a
// block and not once a warp.
//
// A cluster takes a tile of tokens of one adapter in one slice. Its blocks
// split K, exchange their sums, each block finishing the rank vectors of some
// tokens, and then split N. A rank vector is kept as two bf16 terms, each
// rounded to nearest: together they are off by at most 2^-18 of it, less than
// what sums of 144 products may be.
//
//===----------------------------------------------------------------------===//

#ifndef FRIT_KERNELS_LORA_STAGED_CUH
#define FRIT_KERNELS_LORA_STAGED_CUH

#include "Common/Launch.cuh"
#include "Exchange.cuh"

namespace frit::lora {

inline constexpr int kStagedTokens = 16;

/// Sizes that follow from the most ranks: 64, 128 or 256.
template <int Ranks> struct StagedShape {
  /// Ranks and k's of a step, and columns of y.
  static constexpr int kDepth = 64;
  static constexpr int kChunk = 64;
  static constexpr int kColumns = 128;
  /// A warp's tiles of 8 ranks and of 8 columns.
  static constexpr int kRankTiles = Ranks / 8 / kWarps;
  static constexpr int kColumnTiles = kColumns / 8 / kWarps;

  static constexpr int kTokenBytes = 2 * kDepth * kStagedTokens;
  static constexpr int kStageBytes = kTokenBytes + 2 * kDepth * Ranks;
  static constexpr int kStages = Ranks > 128 ? 3 : 4;
  /// Bytes between two tokens of one term: off by a piece, so that eight rows
  /// lie in different banks.
  static constexpr int kHiddenPitch = 2 * Ranks + 16;
  /// Of one term, and of both.
  static constexpr int kTermBytes = kStagedTokens * kHiddenPitch;
  static constexpr int kHiddenBytes = 2 * kTermBytes;
  static constexpr int kWeightBytes = 2 * kColumns * kChunk;
  /// What the first half leaves behind the rank vectors holds stages of B.
  static constexpr int kStagedBytes = kStages * kStageBytes;
  static constexpr int
      kWeightStages = (kStagedBytes - kHiddenBytes) / kWeightBytes < 2 ? 2
                      : (kStagedBytes - kHiddenBytes) / kWeightBytes > 4
                          ? 4
                          : (kStagedBytes - kHiddenBytes) / kWeightBytes;
  static constexpr int kFrontBytes =
      kHiddenBytes + kWeightStages * kWeightBytes > kStagedBytes
          ? kHiddenBytes + kWeightStages *kWeightBytes
          : kStagedBytes;
  /// The sums that a block receives: of 16 / blocks tokens, rounded up, from
  /// every block.
  static constexpr int kInboxBytes = 4 * Ranks * (kStagedTokens + 16);
  static constexpr int kSharedBytes = kFrontBytes + kInboxBytes;
};

template <class E, int Ranks, bool Vectors> class Stager {
public:
  using Shape = StagedShape<Ranks>;

  __device__ __forceinline__ Stager(const Arguments<E, E> &args,
                                    const Tile<E, E, kStagedTokens> &tile,
                                    char *shared, ExchangeMail &mail)
      : args(args), tile(tile), mail(mail), base(sharedOffset(shared)),
        inbox(reinterpret_cast<float *>(shared + Shape::kFrontBytes)),
        thread(static_cast<int>(threadIdx.x)), lane(thread % 32),
        warp(thread / 32), blocks(clusterBlocks()), block(clusterRank()),
        rowsEach((kStagedTokens + blocks - 1) / blocks),
        k(static_cast<int>(args.k)), n(static_cast<int>(args.n)),
        rankPitch(static_cast<int>(args.rank)) {}

  __device__ __forceinline__ void run() {
    if (thread == 0)
      mail.expect(blocks, ownCount(), 4 * Ranks, tile.count, 2 * 2 * Ranks);
    __syncwarp();
    if (blocks > 1)
      clusterArrive();
    Sums sums;
    shrink(sums);
    if (blocks > 1)
      clusterWait(); // All blocks run, so their shared memory is there.
    __syncthreads();
    const int columnBlocks = (n + Shape::kColumns - 1) / Shape::kColumns;
    const int own = (columnBlocks - block + blocks - 1) / blocks;
    const int steps = own * kChunks;
#pragma unroll
    for (int s = 0; s < Shape::kWeightStages - 1; ++s) {
      if (s < steps)
        loadWeights(s, s);
      commitCopies();
    }
    sendSums(sums);
    mail.sums.wait();
    shareHidden();
    expand(steps);
  }

private:
  static constexpr int kChunks = Ranks / Shape::kChunk;
  using Sums = float[Shape::kRankTiles][4];
  using Outputs = float[Shape::kColumnTiles][4];
  /// Neighbouring columns of one thread in a row of y.
  static constexpr int kOwnColumns = 2 * Shape::kColumnTiles;
  /// Of each of this thread's two tokens.
  using Pieces = Fragment<E, kOwnColumns>[2];

  //===--------------------------------------------------------------------===//
  // The first half
  //===--------------------------------------------------------------------===//

  /// Rows of 128 bytes, whose pieces are exchanged by the row's number: eight
  /// rows of one column of pieces lie in different banks.
  __device__ __forceinline__ static uint32_t stagedPiece(int row, int piece) {
    return static_cast<uint32_t>(128 * row + 16 * (piece ^ (row & 7)));
  }

  __device__ __forceinline__ void loadStage(int stage, int at) const {
    const uint32_t to = base + stage * Shape::kStageBytes;
    constexpr int kPieces = Shape::kDepth / kPiece;
    const int piece = thread % kPieces, column = at + kPiece * piece;
    const int token = thread / kPieces;
    if (token < kStagedTokens)
      copyPiece<Vectors>(to + stagedPiece(token, piece), tile.x[token] + column,
                         token < tile.count ? k - column : 0);
    const uint32_t weights = to + Shape::kTokenBytes;
    const E *from = tile.a + column;
#pragma unroll
    for (int i = 0; i < Ranks / 32; ++i) {
      const int row = 32 * i + thread / kPieces;
      const bool any = row < tile.rank;
      copyPiece<Vectors>(weights + stagedPiece(row, piece),
                         any ? from + static_cast<int64_t>(row) * k : tile.a,
                         any ? k - column : 0);
    }
  }

  __device__ __forceinline__ void shrink(Sums &sums) const {
#pragma unroll
    for (int j = 0; j < Shape::kRankTiles; ++j)
#pragma unroll
      for (int e = 0; e < 4; ++e)
        sums[j][e] = 0.0f;
    // This block's part of K, in steps.
    const int all = (k + Shape::kDepth - 1) / Shape::kDepth;
    const int begin =
        static_cast<int>(static_cast<int64_t>(all) * block / blocks);
    const int end =
        static_cast<int>(static_cast<int64_t>(all) * (block + 1) / blocks);
    constexpr int kAhead = Shape::kStages - 1;
#pragma unroll
    for (int s = 0; s < kAhead; ++s) {
      if (begin + s < end)
        loadStage(s, (begin + s) * Shape::kDepth);
      commitCopies();
    }
    int stage = 0, next = kAhead;
#pragma unroll 1
    for (int step = begin; step < end; ++step) {
      awaitCopies<kAhead - 1>();
      __syncthreads();
      if (step + kAhead < end)
        loadStage(next, (step + kAhead) * Shape::kDepth);
      commitCopies();
      multiplyStage(base + stage * Shape::kStageBytes, sums);
      stage = stage + 1 == Shape::kStages ? 0 : stage + 1;
      next = next + 1 == Shape::kStages ? 0 : next + 1;
    }
    awaitCopies<0>();
  }

  __device__ __forceinline__ void multiplyStage(uint32_t at, Sums &sums) const {
    constexpr bool kHalf = std::is_same_v<E, __half>;
    const uint32_t weights = at + Shape::kTokenBytes;
    const int rankRow = warp * 8 * Shape::kRankTiles;
#pragma unroll
    for (int d = 0; d < Shape::kDepth / 16; ++d) {
      uint32_t xs[4];
      loadTiles(xs, at + stagedPiece(lane % 16, 2 * d + lane / 16));
      if constexpr (Shape::kRankTiles == 1) {
        uint32_t as[2];
        loadTiles(as, weights + stagedPiece(rankRow + lane % 8,
                                            2 * d + lane / 8 % 2));
        multiply<kHalf>(sums[0], xs[0], xs[1], xs[2], xs[3], as[0], as[1]);
      } else {
#pragma unroll
        for (int j = 0; j < Shape::kRankTiles; j += 2) {
          uint32_t as[4];
          loadTiles(as, weights + stagedPiece(rankRow + 8 * (j + lane / 16) +
                                                  lane % 8,
                                              2 * d + lane / 8 % 2));
#pragma unroll
          for (int h = 0; h < 2; ++h)
            multiply<kHalf>(sums[j + h], xs[0], xs[1], xs[2], xs[3], as[2 * h],
                            as[2 * h + 1]);
        }
      }
    }
  }

  /// One of this thread's two tokens, eight apart.
  __device__ __forceinline__ int ownToken(int h) const {
    return 8 * h + lane / 4;
  }

  //===--------------------------------------------------------------------===//
  // The exchange
  //===--------------------------------------------------------------------===//

  /// How many tokens this block finishes.
  __device__ __forceinline__ int ownCount() const {
    return max(min(tile.count - block * rowsEach, rowsEach), 0);
  }

  __device__ __forceinline__ void sendSums(const Sums &sums) const {
    sendTiles<Ranks, Shape::kRankTiles>(
        mail.sums, inbox, block, rowsEach, ownToken(0),
        warp * 8 * Shape::kRankTiles, tile.count,
        [&](int j, int e) { return sums[j][e]; });
  }

  /// Finishes this block's tokens for all blocks.
  __device__ __forceinline__ void shareHidden() const {
    constexpr int kEach = Ranks / kPiece;
    const int first = block * rowsEach, count = ownCount();
    keepSums<Ranks>(
        args, tile, inbox, rowsEach, first, count, blocks, Shape::kTermBytes,
        [this](int token, int r) { return hiddenAt(token) + 2 * r; });
    __syncthreads();
    sendToOthers(mail.terms, block, blocks, count * kEach, 2, Shape::kTermBytes,
                 [&](int item) {
                   return hiddenAt(first + item / kEach) +
                          2 * (item % kEach * kPiece);
                 });
    mail.terms.wait();
  }

  /// Where the first terms of a token's ranks lie.
  __device__ __forceinline__ uint32_t hiddenAt(int token) const {
    return base + token * Shape::kHiddenPitch;
  }

  //===--------------------------------------------------------------------===//
  // The second half
  //===--------------------------------------------------------------------===//

  /// The first column of a step.
  __device__ __forceinline__ int columnOf(int step) const {
    return (block + step / kChunks * blocks) * Shape::kColumns;
  }

  /// Where a piece of a row of B lies. The rows of a tile of the matrix unit
  /// are not neighbours, so that each thread's columns are: kOwnColumns rows
  /// lie between two pairs.
  __device__ __forceinline__ static uint32_t weightPiece(int row, int piece) {
    const int key = 2 * (row / kOwnColumns % 4) + row % 2;
    return static_cast<uint32_t>(2 * Shape::kChunk * row + 16 * (piece ^ key));
  }

  __device__ __forceinline__ uint32_t weightStage(int stage) const {
    return base + Shape::kHiddenBytes + stage * Shape::kWeightBytes;
  }

  __device__ __forceinline__ void loadWeights(int stage, int step) const {
    constexpr int kPieces = Shape::kChunk / kPiece;
    constexpr int kRows = kThreads / kPieces;
    const int piece = thread % kPieces;
    const int r = step % kChunks * Shape::kChunk + kPiece * piece;
    const int first = columnOf(step);
#pragma unroll
    for (int i = 0; i < Shape::kColumns / kRows; ++i) {
      const int row = kRows * i + thread / kPieces;
      const bool any = first + row < n && r < tile.rank;
      copyPiece<Vectors>(
          weightStage(stage) + weightPiece(row, piece),
          any ? tile.b + static_cast<int64_t>(first + row) * rankPitch + r
              : tile.b,
          any ? tile.rank - r : 0);
    }
  }

  __device__ __forceinline__ void expand(int steps) const {
    const int terms = hiddenTerms<E>(args.flags) > 1 ? 2 : 1;
    constexpr int kAhead = Shape::kWeightStages - 1;
    Outputs sums;
    Pieces old;
    int stage = 0, next = kAhead, chunk = 0;
#pragma unroll 1
    for (int step = 0; step < steps; ++step) {
      awaitCopies<kAhead - 1>();
      __syncthreads();
      if (step + kAhead < steps)
        loadWeights(next, step + kAhead);
      commitCopies();
      if (chunk == 0) {
        loadOutputs(columnOf(step), old);
#pragma unroll
        for (int j = 0; j < Shape::kColumnTiles; ++j)
#pragma unroll
          for (int e = 0; e < 4; ++e)
            sums[j][e] = 0.0f;
      }
      for (int t = 0; t < terms; ++t)
        multiplyWeights(weightStage(stage), t, chunk, sums);
      if (++chunk == kChunks) {
        chunk = 0;
        store(columnOf(step), old, sums);
      }
      stage = stage + 1 == Shape::kWeightStages ? 0 : stage + 1;
      next = next + 1 == Shape::kWeightStages ? 0 : next + 1;
    }
  }

  __device__ __forceinline__ void
  multiplyWeights(uint32_t weights, int term, int chunk, Outputs &sums) const {
    const uint32_t hidden =
        base + term * Shape::kTermBytes + 2 * chunk * Shape::kChunk;
    const int warpRow = warp * 8 * Shape::kColumnTiles;
#pragma unroll
    for (int d = 0; d < Shape::kChunk / 16; ++d) {
      uint32_t hs[4];
      loadTiles(hs, hidden + lane % 16 * Shape::kHiddenPitch + 32 * d +
                        16 * (lane / 16));
#pragma unroll
      for (int j = 0; j < Shape::kColumnTiles; j += 2) {
        // Column c of tile j, of c = 2 * pair + odd.
        const int row = warpRow + kOwnColumns * (lane % 8 / 2) +
                        2 * (j + lane / 16) + lane % 2;
        uint32_t bs[4];
        loadTiles(bs, weights + weightPiece(row, 2 * d + lane / 8 % 2));
#pragma unroll
        for (int h = 0; h < 2; ++h)
          multiply<false>(sums[j + h], hs[0], hs[1], hs[2], hs[3], bs[2 * h],
                          bs[2 * h + 1]);
      }
    }
  }

  /// This thread's first column in the columns from `first` on.
  __device__ __forceinline__ int ownColumn(int first) const {
    return first + warp * 8 * Shape::kColumnTiles + kOwnColumns * (lane % 4);
  }

  __device__ __forceinline__ void loadOutputs(int first, Pieces &old) const {
    if (!(args.flags & kAccumulate))
      return;
    const int column = ownColumn(first);
#pragma unroll
    for (int h = 0; h < 2; ++h) {
      const int token = ownToken(h);
      if (token >= tile.count || column >= n)
        continue;
      if constexpr (Vectors)
        old[h] = loadWritten<E, kOwnColumns>(tile.y[token] + column);
      else
        old[h] =
            loadWrittenSome<E, kOwnColumns>(tile.y[token] + column, n - column);
    }
  }

  __device__ __forceinline__ void store(int first, const Pieces &old,
                                        const Outputs &sums) const {
    const int column = ownColumn(first);
#pragma unroll
    for (int h = 0; h < 2; ++h) {
      const int token = ownToken(h);
      if (token >= tile.count || column >= n)
        continue;
      float v[kOwnColumns];
#pragma unroll
      for (int c = 0; c < kOwnColumns; ++c)
        v[c] = sums[c / 2][2 * h + c % 2];
#pragma unroll
      for (int c = 0; c < kOwnColumns; ++c)
        if (__builtin_expect(isnan(v[c]), 0) && column + c < n)
          v[c] = repeatSum(
              hiddenAt(token),
              tile.b + static_cast<int64_t>(column + c) * rankPitch, tile.rank);
#pragma unroll
      for (int c = 0; c < kOwnColumns; ++c)
        v[c] =
            finishOutput<E, E>(args.flags, tile.scale, v[c],
                               args.flags & kAccumulate ? old[h].get(c) : 0.0f);
      storeColumns<Vectors>(tile.y[token] + column, v, n - column);
    }
  }

  /// A sum that is not a number. Two terms of different signs make that of an
  /// infinite weight; one value does not.
  __device__ __noinline__ static float repeatSum(uint32_t hidden, const E *row,
                                                 int rank) {
    float sum = 0.0f;
    for (int r = 0; r < rank; ++r)
      sum = __fmaf_rn(sharedBf16(hidden + 2 * r) +
                          sharedBf16(hidden + 2 * r + Shape::kTermBytes),
                      toFloat(row[r]), sum);
    return sum;
  }

  const Arguments<E, E> &args;
  const Tile<E, E, kStagedTokens> &tile;
  ExchangeMail &mail;
  const uint32_t base; ///< Of stages, and then of rank vectors and stages of B.
  float *const inbox;  ///< [blocks][rowsEach][Ranks]
  const int thread, lane, warp;
  const int blocks, block;
  const int rowsEach; ///< Tokens that a block finishes.
  const int k, n, rankPitch;
};

template <int Ranks, class E>
__device__ __forceinline__ void runStaged(Arguments<E, E> args) {
  extern __shared__ __align__(128) char dynamicShared[];
  __shared__ Tile<E, E, kStagedTokens> tile;
  __shared__ ExchangeMail mail;
  findTile(args, clusterIndex(), tile,
           [&] { askTile(args, tile, clusterRank(), clusterBlocks()); });
  if (tile.count == 0)
    return;
  if (__builtin_expect(tile.vectors, 1))
    Stager<E, Ranks, true>(args, tile, dynamicShared, mail).run();
  else
    Stager<E, Ranks, false>(args, tile, dynamicShared, mail).run();
}

} // namespace frit::lora

/// Defines kernel `NAME` for ranks up to RANKS, with RESIDENT blocks a
/// multiprocessor.
#define FRIT_LORA_STAGED_KERNEL(NAME, E, RANKS, RESIDENT)                      \
  extern "C" __global__ void __launch_bounds__(frit::lora::kThreads, RESIDENT) \
      NAME(FRIT_LORA_PARAMETERS(E, E)) {                                       \
    FRIT_LORA_SLICE(E, E);                                                     \
    frit::lora::runStaged<RANKS>(arguments);                                   \
  }

#endif // FRIT_KERNELS_LORA_STAGED_CUH

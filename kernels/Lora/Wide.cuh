//===- Wide.cuh -----------------------------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The kernel for tiles of 64 tokens on the wide matrix units, which read their
// operands from shared memory.
//
// A cluster takes a tile of tokens of one adapter in one slice. Its blocks
// split K, exchange their sums, each block finishing the rank vectors of some
// tokens, and then split N. Two warpgroups share a block: ranks in the first
// half, columns in the second. A rank vector is kept as two bf16 terms, see
// Matrix.cuh.
//
//===----------------------------------------------------------------------===//

#ifndef FRIT_KERNELS_LORA_WIDE_CUH
#define FRIT_KERNELS_LORA_WIDE_CUH

#include "Common/Launch.cuh"
#include "Exchange.cuh"
#include "WideProduct.cuh"

namespace frit::lora {

inline constexpr int kWideTokens = 64;

/// Sizes that follow from the most ranks: 32, 64, 128 or 256.
template <int Ranks, Halves Which> struct WideShape {
  /// k's, ranks and columns of a step.
  static constexpr int kDepth = 64;
  static constexpr int kChunk = Ranks < 64 ? Ranks : 64;
  static constexpr int kChunks = Ranks / kChunk;
  static constexpr int kColumns = 128;

  static constexpr int kTokenTile = 128 * kWideTokens;
  static constexpr int kStageBytes = kTokenTile + 128 * Ranks;
  static constexpr int kStages = Ranks > 128 ? 3 : 4;
  static constexpr int kStagedBytes = kStages * kStageBytes;
  /// Terms of a rank vector. Two are enough beside sums over many k's, or over
  /// many ranks.
  static constexpr int kTerms = Which == Halves::Expand && Ranks <= 128 ? 3 : 2;
  /// One term of the rank vectors, a tile a chunk.
  static constexpr int kTermBytes = kChunks * kTokenTile;
  static constexpr int kHiddenBytes = kTerms * kTermBytes;
  static constexpr int kWeightBytes = 128 * kColumns;
  /// What the first half leaves behind the rank vectors holds stages of B; the
  /// second half alone leaves room for another block.
  static constexpr int kLeft =
      ((Which == Halves::Expand ? 6 * kWeightBytes : kStagedBytes) -
       kHiddenBytes) /
      kWeightBytes;
  static constexpr int kLeast = Which == Halves::Expand ? 2 : 3;
  static constexpr int kWeightStages = kLeft < kLeast ? kLeast
                                       : kLeft > 4    ? 4
                                                      : kLeft;
  static constexpr int kSecondBytes =
      kHiddenBytes + kWeightStages * kWeightBytes;
  static constexpr int kFrontBytes =
      Which == Halves::Shrink ||
              (Which == Halves::Both && kStagedBytes > kSecondBytes)
          ? kStagedBytes
          : kSecondBytes;
  /// Sums of this block's tokens, at most 64 / blocks rounded up, from every
  /// block.
  static constexpr int kInboxBytes = 4 * Ranks * (kWideTokens + 16);
  static constexpr int kAlignment = 1024;
};

template <class E, int Ranks, bool Vectors, Halves Which> class WideTile {
public:
  using Shape = WideShape<Ranks, Which>;

  __device__ __forceinline__ WideTile(const Arguments<E, E> &args,
                                      const Tile<E, E, kWideTokens> &tile,
                                      char *shared, ExchangeMail &mail,
                                      const TilePlace &place)
      : args(args), tile(tile), mail(mail), base(sharedOffset(shared)),
        inbox(reinterpret_cast<float *>(shared + Shape::kFrontBytes)),
        thread(static_cast<int>(threadIdx.x)), lane(thread % 32),
        warpgroup(thread / 128), firstToken(thread % 128 / 32 * 16 + lane / 4),
        piece(thread % 8), row(thread / 8), blocks(place.blocks),
        block(place.block), firstRank(Ranks * place.rankPart),
        rowsEach((kWideTokens + blocks - 1) / blocks),
        k(static_cast<int>(args.k)), n(static_cast<int>(args.n)),
        rankPitch(static_cast<int>(args.rank)) {}

  __device__ __forceinline__ void run() {
    Sums sums;
    if constexpr (kShrinks) {
      if (thread == 0)
        mail.expect(blocks, ownCount(), 4 * Ranks, tile.count,
                    2 * Shape::kTerms * Ranks);
      __syncwarp();
      if (blocks > 1)
        clusterArrive();
      shrink(sums);
      if (blocks > 1)
        clusterWait(); // All blocks run, so their shared memory is there.
      __syncthreads();
    }
    if constexpr (!kExpands) {
      sendSums(sums);
      mail.sums.wait();
      writeHidden();
      return;
    }
    const int columnBlocks = (n + Shape::kColumns - 1) / Shape::kColumns;
    const int own = (columnBlocks - block + blocks - 1) / blocks;
    const int steps = own * Shape::kChunks;
    Rows rows;
#pragma unroll
    for (int s = 0; s < Shape::kWeightStages - 1; ++s) {
      if (s < steps)
        loadWeights(s, s, rows);
      commitCopies();
    }
    Pieces next;
    if constexpr (kOutputsAhead)
      loadOutputs(columnOf(0), next);
    if constexpr (kShrinks) {
      sendSums(sums);
      mail.sums.wait();
      shareHidden();
    } else {
      if (args.flags & kElementHidden)
        keepHidden<E>();
      else
        keepHidden<float>();
      showToMatrixUnits();
      __syncthreads();
    }
    showToMatrixUnits();
    expand(steps, rows, next);
  }

private:
  static constexpr bool kShrinks = Which != Halves::Expand;
  static constexpr bool kExpands = Which != Halves::Shrink;
  /// A thread's rows of a tile are `kRowStep` apart.
  static constexpr int kRowStep = kThreads / 8;
  static constexpr int kWeightRows = Shape::kColumns / kRowStep;
  /// Whether y is on its way one block of columns ahead: with more ranks there
  /// is other work meanwhile, and after the first half it measured slower.
  static constexpr bool kOutputsAhead = Ranks <= 32 || !kShrinks;
  using Sums = float[Ranks / 4];
  using Outputs = float[32];
  using Rows = const E *[kWeightRows];
  /// Of each of this thread's two tokens, two runs of eight columns.
  using Pieces = Fragment<E, kPiece>[2][2];

  //===--------------------------------------------------------------------===//
  // The first half
  //===--------------------------------------------------------------------===//

  /// Sums of tokens and ranks that do not exist come from other rows: they are
  /// never looked at.
  __device__ __forceinline__ void shrink(Sums &sums) const {
#pragma unroll
    for (float &sum : sums)
      sum = 0.0f;
    // This block's part of K, in steps.
    const int all = (k + Shape::kDepth - 1) / Shape::kDepth;
    const int begin = all * block / blocks;
    const int end = all * (block + 1) / blocks;

    const int column = begin * Shape::kDepth + kPiece * piece;
    const E *xs[kWideTokens / kRowStep], *as[Ranks / kRowStep];
#pragma unroll
    for (int i = 0; i < kWideTokens / kRowStep; ++i)
      xs[i] = tile.x[row + kRowStep * i] + column;
#pragma unroll
    for (int i = 0; i < Ranks / kRowStep; ++i) {
      const int rank = max(min(row + kRowStep * i, ranksHere() - 1), 0);
      as[i] = tile.a + static_cast<int64_t>(firstRank + rank) * k + column;
    }
    int left = k - column;
    auto load = [&](int stage) {
      const uint32_t to =
          base + stage * Shape::kStageBytes + tilePiece(row, piece);
#pragma unroll
      for (int i = 0; i < kWideTokens / kRowStep; ++i) {
        copyWholePiece<Vectors>(to + 128 * kRowStep * i, xs[i], left);
        xs[i] += Shape::kDepth;
      }
#pragma unroll
      for (int i = 0; i < Ranks / kRowStep; ++i) {
        copyWholePiece<Vectors>(to + Shape::kTokenTile + 128 * kRowStep * i,
                                as[i], left);
        as[i] += Shape::kDepth;
      }
      left -= Shape::kDepth;
    };

    constexpr int kAhead = Shape::kStages - 1;
#pragma unroll
    for (int s = 0; s < kAhead; ++s) {
      if (begin + s < end)
        load(s);
      commitCopies();
    }
    int stage = 0, next = kAhead;
#pragma unroll 1
    for (int step = begin; step < end; ++step) {
      awaitCopies<kAhead - 1>();
      showToMatrixUnits();
      __syncthreads();
      const uint32_t at = base + stage * Shape::kStageBytes;
      const uint64_t tokens = tileName(at);
      const uint64_t weights =
          tileName(at + Shape::kTokenTile + 64 * Ranks * warpgroup);
      beginProducts();
#pragma unroll
      for (int d = 0; d < Shape::kDepth / 16; ++d)
        WideProduct<Ranks / 2>::add(sums, tokens + d * kDepthStep,
                                    weights + d * kDepthStep);
      endProducts();
      // Into the stage whose products all threads have waited for.
      if (step + kAhead < end)
        load(next);
      commitCopies();
      awaitProducts();
      stage = stage + 1 == Shape::kStages ? 0 : stage + 1;
      next = next + 1 == Shape::kStages ? 0 : next + 1;
    }
    awaitCopies<0>();
  }

  //===--------------------------------------------------------------------===//
  // The exchange
  //===--------------------------------------------------------------------===//

  /// How many tokens this block finishes.
  __device__ __forceinline__ int ownCount() const {
    return max(min(tile.count - block * rowsEach, rowsEach), 0);
  }

  __device__ __forceinline__ void sendSums(const Sums &sums) const {
    sendTiles<Ranks, Ranks / 16>(mail.sums, inbox, block, rowsEach, firstToken,
                                 warpgroup * (Ranks / 2), tile.count,
                                 [&](int j, int e) { return sums[4 * j + e]; });
  }

  /// Finishes this block's tokens for all blocks.
  __device__ __forceinline__ void shareHidden() const {
    constexpr int kEach = Ranks / kPiece;
    const int first = block * rowsEach, count = ownCount();
    keepSums<Ranks>(args, tile, inbox, rowsEach, first, count, blocks,
                    Shape::kTermBytes, [this](int token, int r) {
                      return hiddenAt(token, r) + 2 * (r % kPiece);
                    });
    __syncthreads();
    sendToOthers(mail.terms, block, blocks, count * kEach, Shape::kTerms,
                 Shape::kTermBytes, [&](int item) {
                   return hiddenAt(first + item / kEach, item % kEach * kPiece);
                 });
    mail.terms.wait();
  }

  /// How many of the kernel's ranks there are; of other clusters' none or less.
  __device__ __forceinline__ int ranksHere() const {
    return kExpands ? tile.rank : min(tile.rank - firstRank, Ranks);
  }

  /// Finishes this block's tokens, and is done.
  __device__ __forceinline__ void writeHidden() const {
    writeRows<Ranks>(args, tile, inbox, rowsEach, block, blocks, firstRank);
  }

  /// The terms of the rank vectors in h, whose loads are issued together.
  template <class H> __device__ __forceinline__ void keepHidden() const {
    constexpr int kPieces = Ranks / kPiece, kBatch = 4;
    const int pieces = tile.count * kPieces;
#pragma unroll 1
    for (int first = thread; first < pieces; first += kBatch * kThreads) {
      Fragment<H, kPiece> v[kBatch];
#pragma unroll
      for (int u = 0; u < kBatch; ++u) {
        const int i = first + u * kThreads, r = i % kPieces * kPiece;
        if (i < pieces)
          v[u] = loadHiddenRun<H, kPiece>(
              args.h, tile.row[i / kPieces] * args.hStride + r, tile.rank - r);
      }
#pragma unroll
      for (int u = 0; u < kBatch; ++u) {
        const int i = first + u * kThreads, r = i % kPieces * kPiece;
        if (i >= pieces)
          break;
        HiddenPiece<Shape::kTerms> terms;
#pragma unroll
        for (int q = 0; q < kPiece; q += 4) {
          const float four[4] = {v[u].get(q), v[u].get(q + 1), v[u].get(q + 2),
                                 v[u].get(q + 3)};
          terms.set(q, four);
        }
#pragma unroll
        for (int t = 0; t < Shape::kTerms; ++t)
          storePiece(hiddenAt(i / kPieces, r) + t * Shape::kTermBytes,
                     terms.words[t]);
      }
    }
  }

  /// Where the first terms of a token's piece with rank r lie.
  __device__ __forceinline__ uint32_t hiddenAt(int token, int r) const {
    return base + r / Shape::kChunk * Shape::kTokenTile +
           tilePiece(token, r % Shape::kChunk / kPiece);
  }

  //===--------------------------------------------------------------------===//
  // The second half
  //===--------------------------------------------------------------------===//

  /// The first column of a step.
  __device__ __forceinline__ int columnOf(int step) const {
    return (block + step / Shape::kChunks * blocks) * Shape::kColumns;
  }

  __device__ __forceinline__ uint32_t weightStage(int stage) const {
    return base + Shape::kHiddenBytes + stage * Shape::kWeightBytes;
  }

  /// Column 8 t + 2 j + e of 32 takes row 8 j + 2 t + e of the tile: so a
  /// thread's columns are neighbours. Columns beyond the last are another one.
  __device__ __forceinline__ void loadWeights(int stage, int step,
                                              Rows &rows) const {
    const int chunk = step % Shape::kChunks;
    if (chunk == 0) {
      const int column =
          columnOf(step) + row / 2 % 4 * 8 + row / 8 * 2 + row % 2;
#pragma unroll
      for (int i = 0; i < kWeightRows; ++i)
        rows[i] = tile.b +
                  static_cast<int64_t>(min(column + kRowStep * i, n - 1)) *
                      rankPitch +
                  kPiece * piece;
    }
    if (kPiece * piece >= Shape::kChunk)
      return;
    const int r = chunk * Shape::kChunk + kPiece * piece;
    const int left = tile.rank - r;
    const uint32_t to = weightStage(stage) + tilePiece(row, piece);
    if (Vectors && __builtin_expect(tile.rank % kPiece == 0, 1)) {
#pragma unroll
      for (int i = 0; i < kWeightRows; ++i)
        copyWhole(to + 128 * kRowStep * i, rows[i] + chunk * Shape::kChunk,
                  left);
    } else {
#pragma unroll
      for (int i = 0; i < kWeightRows; ++i)
        copyPiece<Vectors>(to + 128 * kRowStep * i,
                           left > 0 ? rows[i] + chunk * Shape::kChunk : tile.b,
                           left);
    }
  }

  /// `following` holds y of the first columns where it is fetched ahead.
  __device__ __forceinline__ void expand(int steps, Rows &rows,
                                         Pieces &following) const {
    const bool plain = isPlain(args.flags);
    constexpr int kAhead = Shape::kWeightStages - 1;
    Outputs sums;
    Pieces old;
    int stage = 0, next = kAhead, chunk = 0;
#pragma unroll 1
    for (int step = 0; step < steps; ++step) {
      if (chunk == 0) {
        if constexpr (kOutputsAhead) {
#pragma unroll
          for (int h = 0; h < 2; ++h)
#pragma unroll
            for (int q = 0; q < 2; ++q)
              old[h][q] = following[h][q];
          loadOutputs(columnOf(step + Shape::kChunks), following);
        } else {
          loadOutputs(columnOf(step), old);
        }
#pragma unroll
        for (float &sum : sums)
          sum = 0.0f;
      }
      awaitCopies<kAhead - 1>();
      showToMatrixUnits();
      __syncthreads();
      const uint64_t weights =
          tileName(weightStage(stage) + 64 * 128 * warpgroup);
      beginProducts();
      // All terms even where others than the first are zero: at a branch the
      // sums would change registers, and wait for the products before it.
#pragma unroll
      for (int t = 0; t < Shape::kTerms; ++t) {
        const uint64_t hidden =
            tileName(base + t * Shape::kTermBytes + chunk * Shape::kTokenTile);
#pragma unroll
        for (int d = 0; d < Shape::kChunk / 16; ++d)
          WideProduct<64>::add(sums, hidden + d * kDepthStep,
                               weights + d * kDepthStep);
      }
      endProducts();
      if (step + kAhead < steps)
        loadWeights(next, step + kAhead, rows);
      commitCopies();
      awaitProducts();
      if (++chunk == Shape::kChunks) {
        chunk = 0;
        store(columnOf(step), plain, old, sums);
      }
      stage = stage + 1 == Shape::kWeightStages ? 0 : stage + 1;
      next = next + 1 == Shape::kWeightStages ? 0 : next + 1;
    }
  }

  /// The first of this thread's columns in run `q`, in the columns from `first`
  /// on.
  __device__ __forceinline__ int ownColumn(int first, int q) const {
    return first + 64 * warpgroup + 32 * q + kPiece * (lane % 4);
  }

  __device__ __forceinline__ void loadOutputs(int first, Pieces &old) const {
    if (!(args.flags & kAccumulate))
      return;
#pragma unroll
    for (int h = 0; h < 2; ++h) {
      const int token = firstToken + 8 * h;
      if (token >= tile.count)
        continue;
#pragma unroll
      for (int q = 0; q < 2; ++q) {
        const int column = ownColumn(first, q);
        if (column >= n)
          continue;
        if constexpr (Vectors)
          old[h][q] = loadWritten<E, kPiece>(tile.y[token] + column);
        else
          old[h][q] =
              loadWrittenSome<E, kPiece>(tile.y[token] + column, n - column);
      }
    }
  }

  __device__ __forceinline__ void
  store(int first, bool plain, const Pieces &old, const Outputs &sums) const {
#pragma unroll
    for (int h = 0; h < 2; ++h) {
      const int token = firstToken + 8 * h;
      if (token >= tile.count)
        continue;
#pragma unroll
      for (int q = 0; q < 2; ++q) {
        const int column = ownColumn(first, q);
        if (column >= n)
          continue;
        float v[kPiece];
        bool isNan = false;
#pragma unroll
        for (int c = 0; c < kPiece; ++c) {
          v[c] = sums[4 * (4 * q + c / 2) + 2 * h + c % 2];
          isNan |= isnan(v[c]);
        }
        if (__builtin_expect(isNan, 0))
#pragma unroll
          for (int c = 0; c < kPiece; ++c)
            if (isnan(v[c]) && column + c < n)
              v[c] = repeatSum(token, column + c);
        if (plain) {
#pragma unroll
          for (int c = 0; c < kPiece; ++c)
            v[c] = __fadd_rn(old[h][q].get(c), v[c]);
        } else {
#pragma unroll
          for (int c = 0; c < kPiece; ++c)
            v[c] = finishOutput<E, E>(
                args.flags, tile.scale, v[c],
                args.flags & kAccumulate ? old[h][q].get(c) : 0.0f);
        }
        storeColumns<Vectors>(tile.y[token] + column, v, n - column);
      }
    }
  }

  /// A sum that is not a number. Two terms of different signs make that of an
  /// infinite weight; one value does not.
  __device__ __forceinline__ float repeatSum(int token, int column) const {
    const E *weights = tile.b + static_cast<int64_t>(column) * rankPitch;
    float sum = 0.0f;
#pragma unroll 1
    for (int r = 0; r < tile.rank; ++r) {
      const uint32_t at = hiddenAt(token, r) + 2 * (r % kPiece);
      float v = 0.0f;
#pragma unroll
      for (int t = Shape::kTerms - 1; t >= 0; --t)
        v += sharedBf16(at + t * Shape::kTermBytes);
      sum = __fmaf_rn(v, toFloat(weights[r]), sum);
    }
    return sum;
  }

  const Arguments<E, E> &args;
  const Tile<E, E, kWideTokens> &tile;
  ExchangeMail &mail;
  const uint32_t base; ///< Of stages, and then of rank vectors and stages of B.
  float *const inbox;  ///< [blocks][rowsEach][Ranks]
  const int thread, lane, warpgroup;
  const int firstToken; ///< Of this thread's two, eight apart.
  const int piece, row; ///< Which it copies of a tile.
  const int blocks, block;
  const int firstRank;
  const int rowsEach; ///< Tokens that a block finishes.
  const int k, n, rankPitch;
};

template <int Ranks, Halves Which, class E>
__device__ __forceinline__ void runWide(Arguments<E, E> args) {
  extern __shared__ __align__(128) char dynamicShared[];
  __shared__ Tile<E, E, kWideTokens> tile;
  __shared__ ExchangeMail mail;
  const auto place = TilePlace::find<Which>();
  findTile(args, place.tile, tile,
           [&] { askTile(args, tile, place.block, place.blocks); });
  if (tile.count == 0)
    return;
  constexpr uint32_t kMask = WideShape<Ranks, Which>::kAlignment - 1;
  char *shared = dynamicShared + (-sharedOffset(dynamicShared) & kMask);
  if (__builtin_expect(tile.vectors, 1))
    WideTile<E, Ranks, true, Which>(args, tile, shared, mail, place).run();
  else
    WideTile<E, Ranks, false, Which>(args, tile, shared, mail, place).run();
}

} // namespace frit::lora

/// Defines kernel `NAME` for ranks up to RANKS (the first half alone: for RANKS
/// ranks a cluster), with RESIDENT blocks a multiprocessor.
#define FRIT_LORA_WIDE_KERNEL(NAME, E, HALVES, RANKS, RESIDENT)                \
  extern "C" __global__ void __launch_bounds__(frit::lora::kThreads, RESIDENT) \
      NAME(FRIT_LORA_PARAMETERS(E, E)) {                                       \
    FRIT_LORA_SLICE(E, E);                                                     \
    frit::lora::runWide<RANKS, frit::lora::Halves::HALVES>(arguments);         \
  }

#endif // FRIT_KERNELS_LORA_WIDE_CUH

//===- Rows.cuh ------------------------------------------------*- CUDA -*-===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The second kernel of the sparse FFN. A block has a fixed range of columns: it
// finds which of them are active for any token, and asks at once for those rows
// of up and of down, whose addresses are known together. A warp works for one
// token: it multiplies the token with the rows of up that are active for it,
// and then adds its products with rows of down into its columns of the output.
// The blocks' sums are added by a third kernel, in the order of the ranges.
// Products of a token's own zeros are never formed, so that the other tokens of
// the batch leave no trace in its sums.
//
// Grid: (any number of blocks, which is the number of ranges, ceildiv(tokens,
// Tokens)).
//
//===----------------------------------------------------------------------===//

#ifndef FRIT_KERNELS_SPARSEFFN_ROWS_CUH
#define FRIT_KERNELS_SPARSEFFN_ROWS_CUH

#include "SparseFfn/Lanes.cuh"
#include "SparseFfn/Select.cuh"

namespace frit::sparseffn {

/// Copies a row of `vectors` vectors into shared memory, zeros behind its end;
/// by `threads` threads, of which this is the `thread`-th. What is copied past
/// the registers must be awaited.
template <class E>
__device__ void copyRow(Vector *to, const E *from, int64_t length, int bytes,
                        int vectors, int thread, int threads) {
  constexpr int kPerVector = Element<E>::kPerVector;
  if (__builtin_expect(bytes == 16, 1)) {
#pragma unroll 4
    for (int v = thread; v < vectors; v += threads)
      copyToSharedPastL1(to + v, from + v * kPerVector);
    return;
  }
#pragma unroll 1
  for (int v = thread; v < vectors; v += threads)
    to[v] = loadOneByOne(
        from + v * kPerVector,
        static_cast<int>(min(length - v * kPerVector, int64_t(kPerVector))));
}

/// The widest access to rows of `length` elements; 16 where they are whole
/// vectors.
template <class E>
__device__ int rowBytes(const E *base, int64_t stride, int64_t length) {
  const int bytes = accessBytes(base, stride);
  return length % Element<E>::kPerVector == 0 ? bytes : min(bytes, 8);
}

template <class E, int Tokens, class Lora> class RowsBlock {
  /// Ranks whose weights a lane loads together; of several tokens the sums take
  /// the registers.
  static constexpr int kLoadedRanks = Tokens < 8 ? 16 : 4;
  static constexpr bool kHasLora = !std::is_same_v<Lora, NoExpansion>;
  static constexpr int kPerVector = Element<E>::kPerVector;
  static constexpr int kPerWord = Element<E>::kPerWord;
  static constexpr int kWarpsPerToken = kWarps / Tokens;
  /// Columns of the output that a lane has, in runs that lie side by side in
  /// memory; those that the warps of a token have.
  static constexpr int kOwn = 4 * Tokens;
  static constexpr int kRun = kOwn < kPerVector ? kOwn : kPerVector;
  static constexpr int kRuns = kOwn / kRun;
  static constexpr int kPiece = kWarpsPerToken * 32 * kOwn;

  struct alignas(kRun * sizeof(E)) Run {
    uint32_t words[kRun / kPerWord];
  };

public:
  /// `shared` has room for the tokens and for pairs of rows.
  __device__ RowsBlock(const Operands<E> &all, const Lora &lora,
                       TokenExpansion<E> *upLoras, Selection<Tokens> &selection,
                       Vector *shared, int sharedVectors)
      : all(all), lora(lora), upLoras(upLoras), selection(selection),
        width(static_cast<int>(all.h)),
        vectors((width + kPerVector - 1) / kPerVector),
        round(
            min(kRound,
                (sharedVectors / vectors - static_cast<int>(all.tokens)) / 2)),
        x(shared), ups(shared + all.tokens * vectors),
        downs(ups + round * vectors),
        upBytes(rowBytes(all.up, all.upStride, all.h)),
        downBytes(rowBytes(all.down, all.downStride, all.h)),
        warp(threadIdx.x / 32), lane(threadIdx.x % 32),
        token(warp / kWarpsPerToken), part(warp % kWarpsPerToken) {}

  /// Before the gate's kernel has ended: what is read is complete.
  __device__ void begin(int64_t first, int columns) {
    if (lane == 0 && part == 0) {
      if (token < all.tokens)
        upLoras[token] = TokenExpansion<E>(lora.up, token);
      else
        upLoras[token].drop();
    }
    const Adapters &adapters = lora.up.adapters;
    if (token >= all.tokens || !lora.downA.weights)
      return;
    const int adapter = adapters.find(token);
    if (adapter < 0)
      return;
    withWeights<E>(adapters.flags, [&](auto *type) {
      using W = std::remove_const_t<std::remove_pointer_t<decltype(type)>>;
      for (int r = part; r < adapters.rank; r += kWarpsPerToken)
        askLines(lora.downA.template row<W>(adapter, r) + first,
                 columns * sizeof(W), lane, 32);
    });
  }

  /// Starts to bring the tokens, which are there once all copies are.
  __device__ void copyTokens() {
    const int bytes = rowBytes(all.x, all.xStride, all.h);
    for (int t = 0; t < all.tokens; ++t)
      copyRow(x + t * vectors, all.x + t * all.xStride, all.h, bytes, vectors,
              threadIdx.x, kThreads);
  }

  /// Multiplies the tokens by the listed rows, `count` of the `columns` columns
  /// from `first` on, and adds the results to what the block has; `starts`
  /// where it has none yet.
  __device__ void multiply(int64_t first, int columns, int count, bool starts) {
    copyUp(first, 0, count);
    copyDown(first, 0, count);
    float sums[kOwn];
    const bool isWide = width > kPiece;
    if (!isWide)
      load(sums, 0, starts);
    for (int base = 0; base == 0 || base < count; base += round) {
      const int there = min(round, count - base);
      // Which of the rows that are there are active for the token.
      uint32_t active = __ballot_sync(
          ~0u, lane < there && selection.tokens[base + lane] >> token & 1);
      if constexpr (kHasLora)
        expandUp(first, base, active);
      asm volatile("cp.async.wait_group 1;" ::: "memory");
      if (Tokens == 1) // A warp multiplies the rows that itself brought.
        __syncwarp();
      else
        __syncthreads();
      multiplyUp(base, active);
      asm volatile("cp.async.wait_group 0;" ::: "memory");
      __syncthreads();
      copyUp(first, base + round, count);
      active &= __ballot_sync(~0u, (active >> lane & 1) &&
                                       selection.product[lane][token] != 0);
      if constexpr (kHasLora)
        if (base + round >= count)
          addHidden(first, columns, starts);
      if (!isWide)
        addDown(active, 0, sums);
      else // More columns than there are sums.
        for (int piece = 0; piece < width; piece += kPiece) {
          load(sums, piece, starts && base == 0);
          addDown(active, piece, sums);
          store(sums, piece);
        }
      __syncthreads();
      copyDown(first, base + round, count);
    }
    if (!isWide)
      store(sums, 0);
  }

private:
  /// Starts to bring the rows of up of the round that begins with entry `base`
  /// of the list, a warp a row.
  __device__ void copyUp(int64_t first, int base, int count) {
    copy(ups, all.up + first * all.upStride, all.upStride, upBytes, base,
         count);
  }
  __device__ void copyDown(int64_t first, int base, int count) {
    copy(downs, all.down + first * all.downStride, all.downStride, downBytes,
         base, count);
  }
  __device__ void copy(Vector *to, const E *from, int64_t stride, int bytes,
                       int base, int count) {
    const int there = min(round, count - base);
    for (int i = warp; i < there; i += kWarps)
      copyRow(to + i * vectors, from + selection.column[base + i] * stride,
              all.h, bytes, vectors, lane, 32);
    asm volatile("cp.async.commit_group;" ::: "memory");
  }

  /// Calls `body` with each of the active rows that this warp multiplies, and
  /// how many went before: the rows of up take turns with the token's warps.
  template <class Body>
  __device__ void forOwnRows(uint32_t active, Body body) const {
    for (int turn = 0; active; active &= active - 1, ++turn)
      if (turn % kWarpsPerToken == part)
        body(__ffs(active) - 1, turn / kWarpsPerToken);
  }

  __device__ void multiplyUp(int base, uint32_t active) {
    forOwnRows(active, [&](int row, int) {
      float up = Element<E>::round(addOverLanes(multiplyRows<E>(
          ups + row * vectors, x + token * vectors, vectors, lane)));
      float &activation =
          selection.activation[token][selection.column[base + row]];
      if (lane != 0)
        return;
      float &product = selection.product[row][token];
      if constexpr (kHasLora)
        if (upLoras[token].hasAdapter())
          up = upLoras[token].add(up, product);
      product = Element<E>::round(__fmul_rn(activation, up));
      if constexpr (kHasLora)
        activation = product;
    });
  }

  /// What the LoRA of up adds to this warp's rows of a round, a row a lane, in
  /// the place of their products.
  __device__ void expandUp(int64_t first, int base, uint32_t active) {
    if (!upLoras[token].hasAdapter())
      return;
    int own = -1;
    forOwnRows(active, [&](int row, int number) {
      if (lane == number)
        own = row;
    });
    if (own >= 0)
      selection.product[own][token] =
          upLoras[token].template expand<kLoadedRanks>(
              first + selection.column[base + own]);
    __syncwarp();
  }

  /// Adds the block's columns to the sums of the token's rank vector of down,
  /// whose activations times up are there. A warp a rank, four columns a lane.
  __device__ void addHidden(int64_t first, int columns, bool starts) const {
    const Adapters &adapters = lora.up.adapters;
    if (token >= all.tokens || !lora.downA.weights)
      return;
    const int adapter = adapters.find(token);
    if (adapter < 0)
      return;
    const int rank = adapters.trueRank(adapter, kDownProjection);
    const int column = 4 * lane;
    float *sums = lora.sums + blockIdx.x * lora.sumsStride +
                  token * paddedRank(adapters.rank);
    withWeights<E>(adapters.flags, [&](auto *type) {
      using W = std::remove_const_t<std::remove_pointer_t<decltype(type)>>;
      constexpr int kAtOnce = kLoadedRanks / 4;
      const W *from = lora.downA.template row<W>(adapter, 0) + first + column;
      const bool isVector =
          columns - column >= 4 &&
          accessBytes(from, lora.downA.rowStride) >= 4 * int(sizeof(W));
#pragma unroll 1
      for (int base = part; base < rank; base += kAtOnce * kWarpsPerToken) {
        Elements<W, 4> loaded[kAtOnce];
#pragma unroll
        for (int i = 0; i < kAtOnce; ++i)
          if (base + i * kWarpsPerToken < rank)
            loaded[i].load(from + (base + i * kWarpsPerToken) *
                                      lora.downA.rowStride,
                           columns - column, isVector);
#pragma unroll
        for (int i = 0; i < kAtOnce; ++i) {
          const int r = base + i * kWarpsPerToken;
          if (r >= rank)
            break;
          float weights[4], sum = 0;
          loaded[i].unpack(weights);
#pragma unroll
          for (int c = 0; c < 4; ++c) {
            const float product = selection.activation[token][column + c];
            if (column + c < columns && product != 0)
              sum = fmaf(weights[c], product, sum);
          }
          sum = addOverLanes(sum);
          if (lane == 0)
            sums[r] = starts ? sum : __fadd_rn(sums[r], sum);
        }
      }
    });
  }

  /// The first column of a run of this lane, of those from `piece` on.
  __device__ int columnOf(int piece, int run) const {
    return piece + ((run * kWarpsPerToken + part) * 32 + lane) * kRun;
  }

  /// Adds the token's products with the `active` rows of down.
  __device__ void addDown(uint32_t active, int piece,
                          float (&sums)[kOwn]) const {
    const E *from = reinterpret_cast<const E *>(downs) + columnOf(piece, 0);
    constexpr int kStride = kWarpsPerToken * 32 * kRun;
    const int left = width - columnOf(piece, 0);
#pragma unroll(Tokens == 1 ? 4 : 1)
    for (; active; active &= active - 1) {
      const int row = __ffs(active) - 1;
      const float product = selection.product[row][token];
#pragma unroll
      for (int r = 0; r < kRuns; ++r) {
        if (r * kStride >= left)
          break;
        const Run run = *reinterpret_cast<const Run *>(
            from + row * vectors * kPerVector + r * kStride);
        float values[kRun];
#pragma unroll
        for (int w = 0; w < kRun / kPerWord; ++w)
          Element<E>::unpack(run.words[w], values + w * kPerWord);
#pragma unroll
        for (int e = 0; e < kRun; ++e)
          sums[r * kRun + e] = fmaf(product, values[e], sums[r * kRun + e]);
      }
    }
  }

  /// Where the block's sums of this lane's columns are in memory.
  __device__ float4 *sumsAt(int column) const {
    return reinterpret_cast<float4 *>(all.sums + blockIdx.x * all.sumsStride +
                                      token * paddedWidth(all.h) + column);
  }

  /// Takes up the sums where they were left.
  __device__ void load(float (&sums)[kOwn], int piece, bool starts) const {
#pragma unroll
    for (int i = 0; i < kOwn; i += 4) {
      const int column = columnOf(piece, i / kRun) + i % kRun;
      float4 four = make_float4(0, 0, 0, 0);
      if (!starts && token < all.tokens && column < width)
        four = *sumsAt(column);
      sums[i] = four.x;
      sums[i + 1] = four.y;
      sums[i + 2] = four.z;
      sums[i + 3] = four.w;
    }
  }

  __device__ void store(const float (&sums)[kOwn], int piece) const {
#pragma unroll
    for (int i = 0; i < kOwn; i += 4) {
      const int column = columnOf(piece, i / kRun) + i % kRun;
      if (token < all.tokens && column < width)
        *sumsAt(column) =
            make_float4(sums[i], sums[i + 1], sums[i + 2], sums[i + 3]);
    }
  }

  const Operands<E> &all;
  const Lora &lora;
  TokenExpansion<E> *upLoras; ///< Of the tokens.
  Selection<Tokens> &selection;
  int width;   ///< Columns of the output.
  int vectors; ///< Of a row.
  int round;   ///< Rows of up, and of down, that are there at a time.
  Vector *x, *ups, *downs;
  int upBytes, downBytes;
  int warp, lane;
  int token, part; ///< What this warp works for, and which of its warps it is.
};

/// Dynamic shared memory: whole vectors of the tokens, and of pairs of rows: at
/// least one, and no more than kRound are used.
template <class E, int Tokens, class Lora = NoExpansion>
__device__ void rowsKernel(Operands<E> all, Lora lora = {}) {
  extern __shared__ Vector dynamicShared[];
  __shared__ Selection<Tokens> selection;
  uint32_t bytes;
  asm("mov.u32 %0, %%dynamic_smem_size;" : "=r"(bytes));
  const int64_t firstToken = int64_t(blockIdx.y) * Tokens;
  all.takeTokens(firstToken, Tokens);
  lora.takeTokens(firstToken);
  __shared__ TokenExpansion<E> upLoras[Tokens];
  RowsBlock<E, Tokens, Lora> block(all, lora, upLoras, selection, dynamicShared,
                                   static_cast<int>(bytes / 16));
  const int64_t share = (all.d + 8 * gridDim.x - 1) / (8 * gridDim.x) * 8;
  const int64_t begin = min(share * blockIdx.x, all.d);
  const int64_t end = min(begin + share, all.d);
  if constexpr (!std::is_same_v<Lora, NoExpansion>)
    block.begin(begin, static_cast<int>(min(end - begin, int64_t(kColumns))));
  waitForEarlierKernels(all.x, all.gate, all.parts);

  float cutoff = 0;
  int64_t first = begin;
  do {
    const int width = static_cast<int>(min(end - first, int64_t(kColumns)));
    const GateValues<E> gate(all, first, width);
    if (first == begin) {
      block.copyTokens();
      mergeParts(all, selection.parts);
      __syncthreads();
      cutoff = findCutoff(all, selection);
      awaitCopies();
    }
    gate.activate(all, width, cutoff, selection);
    __syncthreads();
    block.multiply(first, width, listColumns(selection), first == begin);
    first += kColumns;
  } while (first < end);
}

} // namespace frit::sparseffn

#endif // FRIT_KERNELS_SPARSEFFN_ROWS_CUH

//===- Gemv.cuh ------------------------------------------------*- CUDA -*-===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// out = x w^T, or out + x w^T, for up to 16 tokens at the speed of the weights'
// bytes. Blocks stream tiles of 16 rows of w through shared memory; a cluster
// shares the k of its tiles. A token's sums are of its own products alone and
// their order depends on k, the cluster and the type: its bits are the same in
// every batch.
//
// Grid: (blocks of a cluster * clusters, ceildiv(tokens, Tokens)).
//
//===----------------------------------------------------------------------===//

#ifndef FRIT_KERNELS_MATMUL_GEMV_CUH
#define FRIT_KERNELS_MATMUL_GEMV_CUH

#include "Common/Launch.cuh"
#include "Matmul/MatrixProduct.cuh"
#include "Matmul/ScalarProduct.cuh"
#include "Matmul/Split.cuh"

namespace frit::matmul {

/// Whether the weights may be asked for before the kernels ahead are complete:
/// only where none of them writes the weights.
enum class Start { Ordered, Early };

/// Sizes and strides are in elements.
template <class E> struct Operands {
  const E *x;
  const E *w;
  E *out;
  int64_t tokens, n, k;
  int64_t xStride, wStride, outStride;
  bool accumulate = false;
};

/// Rounds the sums, with what was there if they are to be added to it, and
/// stores them.
template <class E> class StoreSums {
public:
  __device__ explicit StoreSums(const Operands<E> &all)
      : out(all.out), stride(all.outStride), n(all.n),
        accumulate(all.accumulate) {}

  /// What a sum is added to, asked for ahead of it.
  __device__ float get(int64_t row, int token, int tokens) const {
    return accumulate && row < n && token < tokens
               ? loadElement(out + token * stride + row)
               : 0.0f;
  }

  /// By a half warp for 16 rows of one of the `tokens` tokens. `old` is what
  /// `get` returned.
  __device__ void put(float sum, float old, int64_t row, int token,
                      int tokens) {
    if (row < n && token < tokens)
      storeElement(out + token * stride + row,
                   accumulate ? __fadd_rn(old, sum) : sum);
  }

  /// After the last row.
  __device__ void finish(int, int) {}
  /// Makes `token` the first.
  __device__ void startAt(int64_t token) { out += token * stride; }

private:
  E *out;
  int64_t stride, n;
  bool accumulate;
};

#if FRIT_HAS_CLUSTERS

template <class E, int Tokens>
using TileProduct = std::conditional_t<sizeof(E) == 4, ScalarProduct<E, Tokens>,
                                       MatrixProduct<E, Tokens>>;

/// As many slots as let two blocks fit on a multiprocessor, which the clusters
/// of long rows need to run all at once, and the next kernel to start early.
template <class E, int Tokens>
using TileStream = Stream<E, Tokens <= 8 ? 6 : 5>;

template <class E, int Tokens, class Sums>
__device__ void multiplyTiles(const Weights<E> &weights, const Input<E> &input,
                              TileStream<E, Tokens> &stream,
                              uint32_t inputPlace, const Split<Tokens> &split,
                              int64_t firstRow, Sums &sums) {
  // Rows of 20: a warp's 32 sums go to different banks.
  __shared__ float shares[2][kWarps][Tokens][kTileRows + 4];
  const int stages = weights.stages();
  const int row = threadIdx.x % kTileRows, token = threadIdx.x / kTileRows;
  const auto rowOf = [&](int tile) {
    return firstRow + tile * kTileRows + row;
  };
  const bool adds = threadIdx.x < Tokens * kTileRows;
  const bool splits = split.blocks > 1;
  TileProduct<E, Tokens> product(inputPlace);
  int loaded = -1;
  const int tiles = weights.tiles();
  for (int tile = 0; tile < tiles; ++tile) {
    const int parity = tile % 2;
    float old = 0;
    if (adds && !splits)
      old = sums.get(rowOf(tile), token, input.tokens);
    product.clear();
    for (int kept = 0; kept < stages; kept += kKeptStages) {
      // Once, unless the rows are longer than what is kept.
      if (loaded != kept)
        product.load(input, (loaded = kept) * kStage<E>);
#pragma unroll
      for (int s = 0; s < kKeptStages; ++s) {
        if (kept + s >= stages)
          break;
        product.add(s, stream.next());
      }
    }
    product.store(shares[parity]);
    __syncthreads();
    if (!adds)
      continue;
    float sum = shares[parity][0][token][row];
#pragma unroll
    for (int warp = 1; warp < kWarps; ++warp)
      sum = __fadd_rn(sum, shares[parity][warp][token][row]);
    if (splits)
      split.send(tile, sum);
    else
      sums.put(sum, old, rowOf(tile), token, input.tokens);
  }
  if (adds && splits)
    for (int tile = split.rank, owned = 0; tile < tiles;
         tile += split.blocks, ++owned) {
      const float old = sums.get(rowOf(tile), token, input.tokens);
      sums.put(split.take(owned), old, rowOf(tile), token, input.tokens);
    }
  if (adds)
    sums.finish(token, input.tokens);
}

/// Dynamic shared memory: the stream's, then the input's, then the inbox where
/// k is split; there a cluster has at most kMostSplitTiles tiles.
template <class E, int Tokens, Start kStart, class Sums>
__device__ void gemvKernel(Operands<E> all, Sums sums) {
  extern __shared__ Vector dynamicShared[];
  __shared__ typename Split<Tokens>::Barriers barriers;
  constexpr int kUnit = 128 / static_cast<int>(sizeof(E));
  const int blocks = clusterSize(), rank = clusterRank();
  const uint32_t ring = sharedAddress(dynamicShared);
  const uint32_t inputPlace = ring + TileStream<E, Tokens>::kBytes;
  const Split<Tokens> split(barriers,
                            inputPlace + TileProduct<E, Tokens>::kInputBytes);
  if (blocks > 1) {
    // Before the copies: its release waits for what is in flight.
    if (threadIdx.x == 0)
      split.init();
    clusterArrive();
  }

  const int64_t unit = (all.k + blocks * kUnit - 1) / (blocks * kUnit) * kUnit;
  const int64_t begin = rank * unit, left = all.k - begin;
  const int64_t tiles = (all.n + kTileRows - 1) / kTileRows;
  const int64_t rows =
      (tiles + clusterCount() - 1) / clusterCount() * kTileRows;
  const int64_t firstRow = min(rows * clusterIndex(), all.n);
  Weights<E> weights;
  weights.rows = all.w + firstRow * all.wStride + begin;
  weights.stride = all.wStride;
  weights.count = static_cast<int>(min(rows, all.n - firstRow));
  weights.length = static_cast<int>(left < 0 ? 0 : min(left, unit));
  weights.bytes = accessBytes(all.w, all.wStride);
  if (all.k * static_cast<int64_t>(sizeof(E)) % 16 != 0)
    weights.bytes = min(weights.bytes, 8);
  if (weights.length == 0)
    weights.bytes = 0;
  TileStream<E, Tokens> stream(weights, ring);

  const int64_t firstToken = int64_t(blockIdx.y) * Tokens;
  if (kStart == Start::Early)
    stream.start();
  sums.startAt(firstToken);
  if (blocks > 1)
    clusterWait();
  waitForEarlierKernels(all.x, all.w);
  if (kStart == Start::Ordered)
    stream.start();
  Input<E> input;
  input.rows = all.x + firstToken * all.xStride + begin;
  input.bytes = accessBytes(all.x, all.xStride);
  input.stride = all.xStride;
  input.tokens =
      static_cast<int>(min(all.tokens - firstToken, int64_t(Tokens)));
  input.length = weights.length;
  multiplyTiles<E, Tokens>(weights, input, stream, inputPlace, split, firstRow,
                           sums);
}

#endif // FRIT_HAS_CLUSTERS

} // namespace frit::matmul

#endif // FRIT_KERNELS_MATMUL_GEMV_CUH

//===- Dealt.cuh -----------------------------------------------*- CUDA -*-===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The second kernel of the sparse FFN for tokens whose active columns differ:
// each token has blocks of its own, which take equal shares of its active
// columns. So the fullest block has no more rows than the others, and needs
// room for few: the next layer's gate is let in once the rows are on their way.
//
// Grid: (blocks of a token, tokens). A token's bits depend on the number of
// blocks along x.
//
//===----------------------------------------------------------------------===//

#ifndef FRIT_KERNELS_SPARSEFFN_DEALT_CUH
#define FRIT_KERNELS_SPARSEFFN_DEALT_CUH

#include "SparseFfn/DealtLora.cuh"
#include "SparseFfn/Lanes.cuh"
#include "SparseFfn/Rows.cuh"
#include "SparseFfn/Shares.cuh"

namespace frit::sparseffn {

/// What the warps of a block tell each other.
template <class Share> struct Deal {
  typename Share::Shared columns;
  float product[kRound]; ///< The activations times up of a round.
};

template <class E, class Lora, class Share> class DealtBlock {
  static constexpr int kPerVector = Element<E>::kPerVector;
  static constexpr int kPerWord = Element<E>::kPerWord;
  /// Columns of the output that a thread has at a time, and all threads.
  static constexpr int kOwn = 4;
  static constexpr int kPiece = kOwn * kThreads;

  struct alignas(kOwn * sizeof(E)) Run {
    uint32_t words[kOwn / kPerWord];
  };

public:
  __device__ DealtBlock(const Operands<E> &all, Lora &lora, Deal<Share> &deal,
                        Vector *shared, int sharedVectors)
      : all(all), lora(lora), deal(deal), width(static_cast<int>(all.h)),
        vectors((width + kPerVector - 1) / kPerVector),
        round(min(kRound, (sharedVectors / vectors - 1) / 2)), x(shared),
        ups(shared + vectors), downs(ups + round * vectors),
        warp(threadIdx.x / 32), lane(threadIdx.x % 32) {}

  /// Starts to bring the token, which no kernel writes since the one ahead
  /// began.
  __device__ void copyToken() const {
    copyRow(x, all.x, all.h, rowBytes(all.x, all.xStride, all.h), vectors,
            threadIdx.x, kThreads);
  }

  /// Multiplies the token by the rows of up and of down of a share.
  __device__ void multiply(const Share &share) {
    const int count = share.count;
    const bool isWide = width > kPiece;
    float sums[kOwn] = {};
    for (int base = 0; base == 0 || base < count; base += round) {
      const int there = min(round, count - base);
      // A warp has a row of each.
      const bool hasRow = warp < there;
      const int64_t column = hasRow ? deal.columns.column[base + warp] : 0;
      if (hasRow)
        copyRow(ups + warp * vectors, all.up + column * all.upStride, all.h,
                rowBytes(all.up, all.upStride, all.h), vectors, lane, 32);
      asm volatile("cp.async.commit_group;" ::: "memory");
      if (hasRow)
        copyRow(downs + warp * vectors, all.down + column * all.downStride,
                all.h, rowBytes(all.down, all.downStride, all.h), vectors, lane,
                32);
      asm volatile("cp.async.commit_group;" ::: "memory");
      if (base == 0)
        letNextKernelStart();
      float product = 0;
      if (hasRow) {
        lora.load(column);
        product = activate(column, share.cutoff);
      }
      asm volatile("cp.async.wait_group 1;" ::: "memory");
      __syncwarp(); // A warp multiplies the row that itself brought.
      if (hasRow) {
        const float up = lora.add(Element<E>::round(multiplyRow()));
        if (product != 0)
          product = Element<E>::round(__fmul_rn(product, up));
        lora.addDown(product);
        if (lane == 0)
          deal.product[warp] = product;
      }
      asm volatile("cp.async.wait_group 0;" ::: "memory");
      __syncthreads();
      for (int piece = 0; piece < width; piece += kPiece) {
        if (isWide)
          load(sums, piece, base == 0);
        addDown(there, piece, sums);
        if (isWide)
          store(sums, piece);
      }
      __syncthreads();
    }
    if (!isWide)
      store(sums, 0);
  }

private:
  /// The rounded activation of a column, the same in all lanes.
  __device__ float activate(int64_t column, float cutoff) const {
    float value = 0;
    withGate<E>(all.flags, [&](auto arithmetic) {
      const float gate = loadElement(all.gate + column);
      float both[2] = {gate, gate};
      const uint32_t word = Element<E>::pack(both);
      const uint32_t words[4] = {word, word, word, word};
      float values[4];
      arithmetic.activate(words, cutoff, values);
      value = arithmetic.step(values[0]);
    });
    return value;
  }

  /// This warp's row of up times the token, in all lanes.
  __device__ float multiplyRow() const {
    return addOverLanes(
        multiplyRows<E>(ups + warp * vectors, x, vectors, lane));
  }

  __device__ int columnOf(int piece) const {
    return piece + static_cast<int>(threadIdx.x) * kOwn;
  }

  /// Adds the products with `there` rows of down.
  __device__ void addDown(int there, int piece, float (&sums)[kOwn]) const {
    if (columnOf(piece) >= width)
      return;
    const E *from = reinterpret_cast<const E *>(downs) + columnOf(piece);
#pragma unroll 4
    for (int row = 0; row < there; ++row) {
      const float product = deal.product[row];
      const Run run =
          *reinterpret_cast<const Run *>(from + row * vectors * kPerVector);
      if (product == 0)
        continue;
      float values[kOwn];
#pragma unroll
      for (int w = 0; w < kOwn / kPerWord; ++w)
        Element<E>::unpack(run.words[w], values + w * kPerWord);
#pragma unroll
      for (int e = 0; e < kOwn; ++e)
        sums[e] = fmaf(product, values[e], sums[e]);
    }
  }

  /// Where the block's sums of this thread's columns are in memory.
  __device__ float4 *sumsAt(int piece) const {
    return reinterpret_cast<float4 *>(all.sums + blockIdx.x * all.sumsStride +
                                      columnOf(piece));
  }
  __device__ void load(float (&sums)[kOwn], int piece, bool starts) const {
    float4 four = make_float4(0, 0, 0, 0);
    if (!starts && columnOf(piece) < width)
      four = *sumsAt(piece);
    sums[0] = four.x;
    sums[1] = four.y;
    sums[2] = four.z;
    sums[3] = four.w;
  }
  __device__ void store(const float (&sums)[kOwn], int piece) const {
    if (columnOf(piece) < width)
      *sumsAt(piece) = make_float4(sums[0], sums[1], sums[2], sums[3]);
  }

  const Operands<E> &all;
  Lora &lora;
  Deal<Share> &deal;
  int width;   ///< Columns of the output.
  int vectors; ///< Of a row.
  int round;   ///< Rows of up, and of down, that are there at a time.
  Vector *x, *ups, *downs;
  int warp, lane;
};

/// Dynamic shared memory: as of rowsKernel with one token. d is at most
/// kMostDealt.
template <class E, class Share, class Lora = NoDealtLora,
          class LoraOperands = NoExpansion>
__device__ void dealtKernel(Operands<E> all, LoraOperands loraOperands = {}) {
  extern __shared__ Vector dynamicShared[];
  __shared__ Deal<Share> deal;
  uint32_t bytes;
  asm("mov.u32 %0, %%dynamic_smem_size;" : "=r"(bytes));
  all.takeTokens(blockIdx.y, 1);
  loraOperands.takeTokens(blockIdx.y);
  Lora lora(loraOperands);
  DealtBlock<E, Lora, Share> block(all, lora, deal, dynamicShared,
                                   static_cast<int>(bytes / 16));
  // The gate's kernel has waited for what writes x, and writes it not.
  block.copyToken();
  lora.begin();
  awaitEarlierKernels();
  keepBehind(all.gate);
  keepBehind(all.parts);
  lora.loadHidden();
  Share share(all, deal.columns);
  share.find([] { awaitCopies(); }); // Of the token.
  block.multiply(share);
  __shared__ typename Lora::Shared loraShared;
  lora.finish(loraShared);
}

} // namespace frit::sparseffn

#endif // FRIT_KERNELS_SPARSEFFN_DEALT_CUH

//===- Dealt.cuh -----------------------------------------------*- CUDA -*-===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The second kernel of the sparse FFN for one token, or for a few whose active
// columns differ: each token has blocks of its own, and every block finds all
// of its token's active columns and takes an equal share of them. So the
// fullest block has no more rows than the others, and needs room for few: the
// next layer's gate fits beside it, and is let in once the rows are on their
// way.
//
// Grid: (any number of blocks, tokens). A token's bits depend on the number of
// blocks along x.
//
//===----------------------------------------------------------------------===//

#ifndef FRIT_KERNELS_SPARSEFFN_DEALT_CUH
#define FRIT_KERNELS_SPARSEFFN_DEALT_CUH

#include "SparseFfn/Rows.cuh"

namespace frit::sparseffn {

/// Columns of a row, and those of a block, at most.
inline constexpr int kColumnsOfThread = 32;
inline constexpr int64_t kMostDealt = int64_t(kThreads) * kColumnsOfThread;
inline constexpr int kMostListed = 256;

/// The same in all lanes.
inline __device__ float addOverLanes(float value) {
#pragma unroll
  for (int bit = 16; bit > 0; bit /= 2)
    value = __fadd_rn(value, __shfl_xor_sync(~0u, value, bit));
  return value;
}

/// What the warps of a block tell each other.
struct Deal {
  Part parts[1][kWarps];
  alignas(16) int counts[kWarps]; ///< Of active columns.
  uint16_t column[kMostListed];   ///< The block's, in order.
  float product[kRound];          ///< The activations times up of a round.
};

/// The most ranks of a LoRA: one a lane.
inline constexpr int kMostDealtRanks = 32;

/// The LoRAs of up and down where a warp has a row of each. What is loaded for
/// a row is on its way with the row.
template <class E> class DealtLora {
public:
  __device__ explicit DealtLora(const RowsLora<E> &all) : all(all) {}

  /// Before the gate's kernel has ended: what is read is complete.
  __device__ void begin() {
    const Adapters &adapters = all.up.adapters;
    const int found = adapters.find(0);
    if (found < 0)
      return;
    if (all.up.b.weights) {
      isUpRank = lane() < adapters.trueRank(found, kUpProjection);
      coefficient = adapters.coefficient(found, kUpProjection, all.up.scale);
    }
    if (all.downA.weights)
      isDownRank = lane() < adapters.trueRank(found, kDownProjection);
    adapter = found;
  }

  /// The rank vector of up, once it is there.
  __device__ void loadHidden() {
    if (isUpRank)
      withWeights<E>(flags(), [&](auto *type) {
        using W = std::remove_const_t<std::remove_pointer_t<decltype(type)>>;
        hidden =
            lora::hiddenValue<W>(flags(), coefficient, all.up.hidden[lane()]);
      });
  }

  /// Asks for what belongs to a column.
  __device__ void load(int64_t column) {
    if (adapter < 0)
      return;
    withWeights<E>(flags(), [&](auto *type) {
      using W = std::remove_const_t<std::remove_pointer_t<decltype(type)>>;
      if (isUpRank)
        b = loadElement(all.up.b.template row<W>(adapter, column) + lane());
      if (isDownRank)
        a = loadElement(all.downA.template row<W>(adapter, lane()) + column);
    });
  }

  /// The rounded value of up with its LoRA.
  __device__ float add(float up) const {
    if (!hasUp())
      return up;
    const float expanded = addOverLanes(isUpRank ? __fmul_rn(b, hidden) : 0.0f);
    withWeights<E>(flags(), [&](auto *type) {
      using W = std::remove_const_t<std::remove_pointer_t<decltype(type)>>;
      up = addExpanded<E, W>(up, expanded, coefficient, flags());
    });
    return up;
  }

  /// Adds a column's activation times up to the rank vector of down.
  __device__ void addDown(float product) {
    if (isDownRank && product != 0)
      sum = fmaf(product, a, sum);
  }

  /// Stores the block's sums of it, by all threads.
  __device__ void finish(float (&partial)[kWarps][kMostDealtRanks]) const {
    if (adapter < 0 || !all.downA.weights)
      return;
    partial[threadIdx.x / 32][lane()] = sum;
    __syncthreads();
    if (threadIdx.x >= 32 || !isDownRank)
      return;
    float total = 0;
#pragma unroll
    for (int w = 0; w < kWarps; ++w)
      total = __fadd_rn(total, partial[w][lane()]);
    all.sums[blockIdx.x * all.sumsStride + lane()] = total;
  }

private:
  __device__ bool hasUp() const { return adapter >= 0 && all.up.b.weights; }
  __device__ int32_t flags() const { return all.up.adapters.flags; }
  static __device__ int lane() { return static_cast<int>(threadIdx.x) % 32; }

  const RowsLora<E> &all;
  int adapter = -1;
  bool isUpRank = false, isDownRank = false; ///< Of this lane.
  float coefficient = 0, hidden = 0, a = 0, b = 0, sum = 0;
};

/// In the place of one where there is none.
struct NoDealtLora {
  __device__ explicit NoDealtLora(const NoExpansion &) {}
  __device__ void begin() {}
  __device__ void loadHidden() {}
  __device__ void load(int64_t) {}
  __device__ float add(float up) const { return up; }
  __device__ void addDown(float) {}
  template <class Partial> __device__ void finish(Partial &) const {}
};

template <class E, class Lora> class DealtBlock {
  static constexpr int kPerVector = Element<E>::kPerVector;
  static constexpr int kPerWord = Element<E>::kPerWord;
  static constexpr int kVectors = kColumnsOfThread / kPerVector;
  /// Columns of the output that a thread has at a time, and all threads.
  static constexpr int kOwn = 4;
  static constexpr int kPiece = kOwn * kThreads;

  struct alignas(kOwn * sizeof(E)) Run {
    uint32_t words[kOwn / kPerWord];
  };

public:
  __device__ DealtBlock(const Operands<E> &all, Lora &lora, Deal &deal,
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

  /// Finds the cutoff and lists the block's share of the active columns;
  /// returns how many those are.
  __device__ int select() {
    // Neighbouring columns of a thread: whole vectors, the last ones padded.
    const int run =
        static_cast<int>((all.d + 8 * kThreads - 1) / (8 * kThreads) * 8);
    const int first = threadIdx.x * run;
    const int left = min(static_cast<int>(all.d) - first, run);
    Vector gate[kVectors];
#pragma unroll
    for (int v = 0; v < kVectors; ++v)
      if (v * kPerVector < left)
        gate[v] = *reinterpret_cast<const Vector *>(all.gate + first +
                                                    v * kPerVector);
    mergeParts<1>(all, deal.parts);
    awaitCopies(); // Of the token.
    __syncthreads();
    cutoff = cutoffOf(all, deal.parts[0]);

    uint32_t active = 0;
    withGate<E>(all.flags, [&](auto arithmetic) {
#pragma unroll
      for (int v = 0; v < kVectors; ++v)
        if (v * kPerVector < left)
          active |= arithmetic.findAbove(gate[v], cutoff) << v * kPerVector;
    });
    if (left < kColumnsOfThread)
      active &= left > 0 ? (1u << left) - 1 : 0;
    const int count = __popc(active);
    int last = count;
#pragma unroll
    for (int step = 1; step < 32; step *= 2) {
      const int other = __shfl_up_sync(~0u, last, step);
      if (lane >= step)
        last += other;
    }
    if (lane == 31)
      deal.counts[warp] = last;
    __syncthreads();
    int place = last - count, total = 0;
#pragma unroll
    for (int w = 0; w < kWarps; ++w) {
      const int others = deal.counts[w];
      place += w < warp ? others : 0;
      total += others;
    }
    const int share = (total + gridDim.x - 1) / gridDim.x;
    const int begin = min(share * static_cast<int>(blockIdx.x), total);
    const int end = min(begin + share, total);
    if (place < end && place + count > begin)
      for (; active; active &= active - 1, ++place)
        if (place >= begin && place < end)
          deal.column[place - begin] =
              static_cast<uint16_t>(first + __ffs(active) - 1);
    __syncthreads();
    return end - begin;
  }

  /// Multiplies the token by the `count` listed rows of up and of down.
  __device__ void multiply(int count) {
    const bool isWide = width > kPiece;
    float sums[kOwn] = {};
    for (int base = 0; base == 0 || base < count; base += round) {
      const int there = min(round, count - base);
      // A warp has a row of each.
      const bool hasRow = warp < there;
      const int64_t column = hasRow ? deal.column[base + warp] : 0;
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
        product = activate(column);
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
  __device__ float activate(int64_t column) const {
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
    const Vector *as = ups + warp * vectors;
    float sums[4] = {0, 0, 0, 0};
#pragma unroll 4
    for (int v = lane; v < vectors; v += 32) {
      const Vector a = as[v], b = x[v];
#pragma unroll
      for (int w = 0; w < 4; ++w) {
        float left[kPerWord], right[kPerWord];
        Element<E>::unpack(a.words[w], left);
        Element<E>::unpack(b.words[w], right);
#pragma unroll
        for (int e = 0; e < kPerWord; ++e)
          sums[w] = fmaf(left[e], right[e], sums[w]);
      }
    }
    return addOverLanes(
        __fadd_rn(__fadd_rn(sums[0], sums[1]), __fadd_rn(sums[2], sums[3])));
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
  Deal &deal;
  int width;   ///< Columns of the output.
  int vectors; ///< Of a row.
  int round;   ///< Rows of up, and of down, that are there at a time.
  Vector *x, *ups, *downs;
  int warp, lane;
  float cutoff = 0;
};

/// Dynamic shared memory: as of rowsKernel with one token. d is at most
/// kMostDealt, and kMostListed times the number of blocks along x.
template <class E, class Lora = NoDealtLora, class LoraOperands = NoExpansion>
__device__ void dealtKernel(Operands<E> all, LoraOperands loraOperands = {}) {
  extern __shared__ Vector dynamicShared[];
  __shared__ Deal deal;
  uint32_t bytes;
  asm("mov.u32 %0, %%dynamic_smem_size;" : "=r"(bytes));
  all.takeTokens(blockIdx.y, 1);
  loraOperands.takeTokens(blockIdx.y);
  Lora lora(loraOperands);
  DealtBlock<E, Lora> block(all, lora, deal, dynamicShared,
                            static_cast<int>(bytes / 16));
  // The gate's kernel has waited for what writes x, and writes it not.
  block.copyToken();
  lora.begin();
  awaitEarlierKernels();
  keepBehind(all.gate);
  keepBehind(all.parts);
  lora.loadHidden();
  block.multiply(block.select());
  __shared__ float partial[kWarps][kMostDealtRanks];
  lora.finish(partial);
}

} // namespace frit::sparseffn

#endif // FRIT_KERNELS_SPARSEFFN_DEALT_CUH

//===- DealtLora.cuh -------------------------------------------*- CUDA -*-===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The LoRAs of up and down where a warp has a row of each.
//
//===----------------------------------------------------------------------===//

#ifndef FRIT_KERNELS_SPARSEFFN_DEALTLORA_CUH
#define FRIT_KERNELS_SPARSEFFN_DEALTLORA_CUH

#include "SparseFfn/Lanes.cuh"
#include "SparseFfn/Operands.cuh"

namespace frit::sparseffn {

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

  struct Shared {
    float partial[kWarps][kMostDealtRanks];
  };

  /// Stores the block's sums of it, by all threads.
  __device__ void finish(Shared &shared) const {
    if (adapter < 0 || !all.downA.weights)
      return;
    shared.partial[threadIdx.x / 32][lane()] = sum;
    __syncthreads();
    if (threadIdx.x >= 32 || !isDownRank)
      return;
    float total = 0;
#pragma unroll
    for (int w = 0; w < kWarps; ++w)
      total = __fadd_rn(total, shared.partial[w][lane()]);
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
  struct Shared {};

  __device__ explicit NoDealtLora(const NoExpansion &) {}
  __device__ void begin() {}
  __device__ void loadHidden() {}
  __device__ void load(int64_t) {}
  __device__ float add(float up) const { return up; }
  __device__ void addDown(float) {}
  __device__ void finish(Shared &) const {}
};

} // namespace frit::sparseffn

#endif // FRIT_KERNELS_SPARSEFFN_DEALTLORA_CUH

//===- Select.cuh ----------------------------------------------*- CUDA -*-===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// From the gate's values to the active columns: every block merges the moments
// of all rows and activates its own columns, in the arithmetic of
// gelu_and_mul_sparse.
//
//===----------------------------------------------------------------------===//

#ifndef FRIT_KERNELS_SPARSEFFN_SELECT_CUH
#define FRIT_KERNELS_SPARSEFFN_SELECT_CUH

#include "Activation/Gates.cuh"
#include "SparseFfn/Operands.cuh"

namespace frit::sparseffn {

/// Calls `body` with the arithmetic that the flags name.
template <class E, class Body>
__device__ void withGate(int32_t flags, Body body) {
  if (flags & kErf) {
    if (flags & kFinal)
      body(SparseGelu<E, Rounding::Final, GeluErf>());
    else
      body(SparseGelu<E, Rounding::Stepwise, GeluErf>());
  } else {
    if (flags & kFinal)
      body(SparseGelu<E, Rounding::Final, GeluTanh>());
    else
      body(SparseGelu<E, Rounding::Stepwise, GeluTanh>());
  }
}

/// The same where the activation function plays no part.
template <class E, class Body>
__device__ void withRounding(int32_t flags, Body body) {
  if (flags & kFinal)
    body(SparseGelu<E, Rounding::Final, GeluTanh>());
  else
    body(SparseGelu<E, Rounding::Stepwise, GeluTanh>());
}

/// Merges the parts of the lanes, each of `size` elements, which is 0 from lane
/// `count` on.
inline __device__ Moments mergeLanes(Moments own, float size, int count) {
  LaneMerge lanes;
  const float first = __shfl_sync(~0u, size, 0);
  const bool areEqual = __all_sync(
      ~0u, size == first || static_cast<int>(threadIdx.x % 32) >= count);
  // A tree of equal parts, without a division.
  if (areEqual && (count & (count - 1)) == 0)
    lanes.setEqual(first);
  else
    lanes.set(size);
  return lanes(own, count);
}

/// Merges the parts of all rows, as many warps for each token as there are.
/// A lane loads `kAtOnce` of them together.
template <int kAtOnce = 4, int Tokens, int kWarpsPerToken, class E>
__device__ void mergeParts(const Operands<E> &all,
                           Part (&merged)[Tokens][kWarpsPerToken]) {
  const int warp = threadIdx.x / 32;
  const int token = warp / kWarpsPerToken, part = warp % kWarpsPerToken;
  if (token >= all.tokens)
    return;
  const int count = static_cast<int>(all.partCount);
  const int share = (count + kWarpsPerToken - 1) / kWarpsPerToken;
  const int end = min(count, (part + 1) * share);
  const float4 *from =
      reinterpret_cast<const float4 *>(all.parts + token * all.partCount);
  Moments own = {0, 0};
  float size = 0;
  for (int base = part * share + threadIdx.x % 32; base < end;
       base += 32 * kAtOnce) {
    float4 loaded[kAtOnce];
#pragma unroll
    for (int i = 0; i < kAtOnce; ++i)
      loaded[i] = base + 32 * i < end ? __ldg(from + base + 32 * i)
                                      : make_float4(0, 0, 0, 0);
#pragma unroll
    for (int i = 0; i < kAtOnce; ++i)
      if (loaded[i].z > 0) {
        own = merge(own, size, {loaded[i].x, loaded[i].y}, loaded[i].z);
        size += loaded[i].z;
      }
  }
  own = mergeLanes(own, size, min(32, max(0, end - part * share)));
  const int elements = __reduce_add_sync(~0u, static_cast<int>(size));
  if (threadIdx.x % 32 == 0)
    merged[token][part] = {own.mean, own.m2, static_cast<float>(elements), 0};
}

/// The cutoff of a row from its moments.
template <class E>
__device__ float cutoffOf(const Operands<E> &all, Moments row) {
  float cutoff = 0;
  withGate<E>(all.flags, [&](auto gate) {
    cutoff = gate.cutoff(row, static_cast<float>(all.d),
                         {all.multiplier, all.correction});
  });
  return cutoff;
}

/// The cutoff from the parts of a token's warps, by a warp.
template <int kParts, class E>
__device__ float cutoffOf(const Operands<E> &all, const Part (&parts)[kParts]) {
  const int lane = threadIdx.x % 32;
  Part own = {0, 0, 0, 0};
  if (lane < kParts)
    own = parts[lane];
  const Moments row = mergeLanes({own.mean, own.m2}, own.count, kParts);
  return __shfl_sync(~0u, cutoffOf(all, row), 0);
}

/// The cutoff of the token that has this warp's number.
template <class E, int Tokens>
__device__ float findCutoff(const Operands<E> &all,
                            const Selection<Tokens> &selection) {
  const int token = threadIdx.x / 32;
  if (token >= Tokens || token >= all.tokens)
    return 0;
  return cutoffOf(all, selection.parts[token]);
}

/// Four neighbouring columns a lane of the token that has this warp's number.
template <class E> class GateValues {
  static constexpr int kWords = 4 / Element<E>::kPerWord;
  struct alignas(4 * kWords) Four {
    uint32_t words[kWords];
  };

public:
  /// Those of the `width` columns from `first` on.
  __device__ GateValues(const Operands<E> &all, int64_t first, int width)
      : token(threadIdx.x / 32), column(threadIdx.x % 32 * 4), four{} {
    if (token < all.tokens && column < width)
      four = *reinterpret_cast<const Four *>(all.gate + token * all.gateStride +
                                             first + column);
  }

  /// Beyond the row's end there are no active columns.
  template <int Tokens>
  __device__ void activate(const Operands<E> &all, int width, float cutoff,
                           Selection<Tokens> &selection) const {
    if (token >= Tokens)
      return;
    uint32_t active = 0;
    if (token < all.tokens && column < width)
      withGate<E>(all.flags, [&](auto gate) {
        // What lies beyond the end may be a NaN, which would spread.
        Four own;
#pragma unroll
        for (int w = 0; w < kWords; ++w) {
          const int left = width - column - w * Element<E>::kPerWord;
          own.words[w] = left >= Element<E>::kPerWord ? four.words[w]
                         : left > 0                   ? four.words[w] & 0xffffu
                                                      : 0;
        }
        float values[4];
        gate.activate(own.words, cutoff, values);
#pragma unroll
        for (int c = 0; c < 4; ++c) {
          const float value = gate.step(values[c]);
          selection.activation[token][column + c] = value;
          if (!(value == 0) && column + c < width)
            active |= 1u << c;
        }
      });
    selection.active[column / 4][token] = static_cast<uint8_t>(active);
  }

private:
  int token, column;
  Four four;
};

/// Which of the tokens a column is active for.
template <int Tokens>
__device__ uint32_t activeTokens(const Selection<Tokens> &selection,
                                 int column) {
  const uint8_t *four = selection.active[column / 4];
  if constexpr (Tokens == 8) {
    const uint64_t bits =
        *reinterpret_cast<const uint64_t *>(four) >> column % 4 &
        0x0101010101010101u;
    // Bit 0 of every byte moves to the topmost byte.
    return static_cast<uint32_t>(bits * 0x0102040810204080u >> 56);
  } else {
    uint32_t tokens = 0;
#pragma unroll
    for (int t = 0; t < Tokens; ++t)
      tokens |= (four[t] >> column % 4 & 1u) << t;
    return tokens;
  }
}

/// Lists the active columns in order and returns how many they are.
template <int Tokens> __device__ int listColumns(Selection<Tokens> &selection) {
  const int lane = threadIdx.x % 32;
  int count = 0;
#pragma unroll
  for (int base = 0; base < kColumns; base += 32) {
    const int column = base + lane;
    const uint32_t tokens = activeTokens(selection, column);
    const uint32_t found = __ballot_sync(~0u, tokens != 0);
    if (tokens != 0 && threadIdx.x < 32) {
      const int place = count + __popc(found & ((1u << lane) - 1));
      selection.column[place] = static_cast<uint16_t>(column);
      selection.tokens[place] = static_cast<uint16_t>(tokens);
    }
    count += __popc(found);
  }
  __syncthreads();
  return count;
}

} // namespace frit::sparseffn

#endif // FRIT_KERNELS_SPARSEFFN_SELECT_CUH

//===- Arguments.cuh -------------------------------------------*- CUDA -*-===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a LoRA kernel is given: one parameter list for the three ops, so that
// one function serves them, and its view by the block of one slice.
//
//===----------------------------------------------------------------------===//

#ifndef FRIT_KERNELS_LORA_ARGUMENTS_CUH
#define FRIT_KERNELS_LORA_ARGUMENTS_CUH

#include <cstdint>

namespace frit::lora {

/// At most this many slices share a launch.
inline constexpr int kMaxSlices = 8;

/// Bits of the kernels' last parameter.
enum Flag : int32_t {
  /// y is added to; otherwise it is overwritten.
  kAccumulate = 1,
  /// The expanded sum rounds to y's type before it is added.
  kRoundSum = 2,
  /// Rank vector, expanded sum and scaled sum round to the weights' type.
  kStepwise = 4,
  /// The rank vector rounds to the weights' type.
  kRoundHidden = 8,
  /// Stop after the rank vectors, and write them to h.
  kShrinkOnly = 16,
  /// Start from the rank vectors in h.
  kExpandOnly = 32,
  /// h has the weights' type, not f32.
  kElementHidden = 64,
  /// The kernel ahead may still write y, but nothing else that this one reads.
  /// Only kernels for few tokens look at it.
  kBesideKernel = 128,
};

/// What a kernel computes. Those that are made for one half are launched with
/// the flag for it; the tile kernels serve either by the flag alone.
enum class Halves { Both, Shrink, Expand };

/// The arguments as the blocks of one slice see them. Strides and sizes are in
/// elements.
template <class X, class W> struct Arguments {
  const X *x;           ///< [tokens, k], rows `xStride` apart.
  const int32_t *ids;   ///< [tokens]
  const W *a;           ///< [adapters, rank, k]
  const W *b;           ///< [adapters, n, rank]
  const float *scales;  ///< [adapters], or null.
  const int32_t *ranks; ///< [adapters], true ranks of the slice, or null.
  const int32_t *order, *starts, *active; ///< A grouping; null without one.
  void *h; ///< [tokens, rank] of the slice, rows `hStride` apart.
  X *y;    ///< The slice's first column; rows `yStride` apart.
  int64_t n, tokens, k, rank, adapters, groups;
  int64_t xStride, hStride, yStride;
  float scale;
  int32_t flags;
};

} // namespace frit::lora

/// The parameter list of every LoRA kernel. Weights and widths beyond `slices`
/// (the grid's y) are not read. `order`, `starts` and `active` are null without
/// a grouping, `active` also where group g is adapter g; `ranks` has rows
/// `rankStride` apart, one for each slice, 0 where they share one.
#define FRIT_LORA_PARAMETERS(X, W)                                             \
  const X *x, const int32_t *ids, const W *a0, const W *a1, const W *a2,       \
      const W *a3, const W *a4, const W *a5, const W *a6, const W *a7,         \
      const W *b0, const W *b1, const W *b2, const W *b3, const W *b4,         \
      const W *b5, const W *b6, const W *b7, const float *scales,              \
      const int32_t *ranks, const int32_t *order, const int32_t *starts,       \
      const int32_t *active, void *h, X *y, int64_t n0, int64_t n1,            \
      int64_t n2, int64_t n3, int64_t n4, int64_t n5, int64_t n6, int64_t n7,  \
      int64_t tokens, int64_t k, int64_t rank, int64_t adapters,               \
      int64_t groups, int64_t rankStride, int64_t xStride,                     \
      int64_t hSliceStride, int64_t hStride, int64_t yStride, int64_t offset,  \
      float scale, int32_t flags

/// Selects the slice of this block. Every index is a constant: an array of
/// parameters indexed at run time would be copied to local memory.
#define FRIT_LORA_SLICE(X, W)                                                  \
  const W *as[] = {a0, a1, a2, a3, a4, a5, a6, a7};                            \
  const W *bs[] = {b0, b1, b2, b3, b4, b5, b6, b7};                            \
  const int64_t ns[] = {n0, n1, n2, n3, n4, n5, n6, n7};                       \
  const int slice = static_cast<int>(blockIdx.y);                              \
  const W *a = a0;                                                             \
  const W *b = b0;                                                             \
  int64_t n = n0, column = offset;                                             \
  if (slice > 0) {                                                             \
    _Pragma("unroll") for (int s = 1; s < frit::lora::kMaxSlices; ++s) {       \
      if (s <= slice) {                                                        \
        column += ns[s - 1];                                                   \
        a = as[s];                                                             \
        b = bs[s];                                                             \
        n = ns[s];                                                             \
      }                                                                        \
    }                                                                          \
  }                                                                            \
  const int64_t hiddenBytes = (flags & frit::lora::kElementHidden)             \
                                  ? static_cast<int64_t>(sizeof(W))            \
                                  : static_cast<int64_t>(sizeof(float));       \
  const frit::lora::Arguments<X, W> arguments = {                              \
      x,          ids,                                                         \
      a,          b,                                                           \
      scales,     ranks ? ranks + slice * rankStride : nullptr,                \
      order,      starts,                                                      \
      active,     static_cast<char *>(h) + slice * hSliceStride * hiddenBytes, \
      y + column, n,                                                           \
      tokens,     k,                                                           \
      rank,       adapters,                                                    \
      groups,     xStride,                                                     \
      hStride,    yStride,                                                     \
      scale,      flags}

#endif // FRIT_KERNELS_LORA_ARGUMENTS_CUH

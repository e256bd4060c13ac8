//===- Expand.cuh ----------------------------------------------*- CUDA -*-===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The second half: columns of y along the 16 rows of the matrix unit's tiles,
// tokens along their 8 columns. A warp takes strips of 32 columns; in a strip a
// thread's rows of two tiles are four neighbouring columns, so that it reads B
// and reads and writes y in vectors without any exchange. The strips' steps of
// 16 ranks form one sequence, whose operands are loaded several steps ahead,
// the first of them before the rank vectors are there.
//
//===----------------------------------------------------------------------===//

#ifndef FRIT_KERNELS_LORA_EXPAND_CUH
#define FRIT_KERNELS_LORA_EXPAND_CUH

#include "Hidden.cuh"

namespace frit::lora {

inline constexpr int kStrip = 32;

template <class X, class W, int TokenTiles>
class Expander {
public:
  static constexpr int kTokens = 8 * TokenTiles;
  /// Steps of B held in registers.
  static constexpr int kAhead = sizeof(W) == 4 || TokenTiles > 2 ? 2 : 4;

  __device__ Expander(const Arguments<X, W> &args, const Tile<kTokens> &tile,
                      int first, int stride)
      : args(args), tile(tile), first(first), stride(stride),
        quad(static_cast<int>(threadIdx.x) % 4),
        group(static_cast<int>(threadIdx.x) % 32 / 4),
        steps(max(static_cast<int>((tile.rank + 15) / 16), 1)),
        bAligned(isAligned<4>(args.b, args.rank)),
        yAligned(isAligned<4>(args.y, args.yStride)) {
    const int64_t strips = (args.n + kStrip - 1) / kStrip;
    const int64_t own = strips > first ? (strips - first - 1) / stride + 1 : 0;
    total = own * steps;
  }

  /// Issues the loads of the first steps.
  __device__ void prefetch() {
#pragma unroll
    for (int d = 0; d < kAhead; ++d)
      if (d < total)
        loadWeights(d, weights[d]);
    if (total > 0)
      loadOutputs(0);
  }

  __device__ void run(const SharedLayout &shared) {
    const int terms = hiddenTerms<W>(args.flags);
    int64_t strip = 0;
    int step = 0;
    for (int64_t at = 0; at < total; at += kAhead) {
#pragma unroll
      for (int d = 0; d < kAhead; ++d) {
        if (at + d >= total)
          return;
        if (step == 0) {
          clearSums();
          moveOutputs();
          if (at + d + steps < total)
            loadOutputs(strip + 1);
        }
        multiplyStep(weights[d], shared, step, terms);
        if (at + d + kAhead < total)
          loadWeights(at + d + kAhead, weights[d]);
        if (++step == steps) {
          store(strip);
          step = 0;
          ++strip;
        }
      }
    }
  }

private:
  __device__ int64_t column(int64_t strip) const {
    return (first + strip * stride) * kStrip + 4 * group;
  }

  __device__ void loadWeights(int64_t at, Fragment<W, 4> (&to)[4]) const {
    const int64_t strip = steps == 1 ? at : at / steps;
    const int r = static_cast<int>(at - strip * steps) * 16 + 4 * quad;
    const int64_t n = column(strip);
    const W *from = args.b + (tile.adapter * args.n + n) * args.rank + r;
    const bool inside = n + 4 <= args.n && r + 4 <= tile.rank;
    if (bAligned && inside) {
#pragma unroll
      for (int i = 0; i < 4; ++i)
        to[i] = loadVector<W, 4>(from + i * args.rank);
    } else {
#pragma unroll
      for (int i = 0; i < 4; ++i)
        to[i] = loadSome<W, 4>(from + i * args.rank,
                               n + i < args.n ? tile.rank - r : 0);
    }
  }

  __device__ int64_t row(int j, int e) const {
    return tile.row[8 * j + 2 * quad + e];
  }

  __device__ void loadOutputs(int64_t strip) {
    if (!(args.flags & kAccumulate))
      return;
    const int64_t n = column(strip);
#pragma unroll
    for (int j = 0; j < TokenTiles; ++j)
#pragma unroll
      for (int e = 0; e < 2; ++e) {
        const int64_t r = row(j, e);
        if (r < 0)
          continue;
        const X *from = args.y + r * args.yStride + n;
        next[j][e] = yAligned && n + 4 <= args.n
                         ? loadVolatileVector(from)
                         : loadVolatileSome(from, args.n - n);
      }
  }

  __device__ void moveOutputs() {
#pragma unroll
    for (int j = 0; j < TokenTiles; ++j)
#pragma unroll
      for (int e = 0; e < 2; ++e)
        now[j][e] = next[j][e];
  }

  /// Loads of y, which this kernel also writes: not through the cache for
  /// constant data.
  __device__ static Fragment<X, 4> loadVolatileVector(const X *from) {
    Fragment<X, 4> result;
    if constexpr (sizeof(X) == 4) {
      float4 v = *reinterpret_cast<const float4 *>(from);
      result.words[0] = __float_as_uint(v.x);
      result.words[1] = __float_as_uint(v.y);
      result.words[2] = __float_as_uint(v.z);
      result.words[3] = __float_as_uint(v.w);
    } else {
      uint2 v = *reinterpret_cast<const uint2 *>(from);
      result.words[0] = v.x;
      result.words[1] = v.y;
    }
    return result;
  }
  __device__ static Fragment<X, 4> loadVolatileSome(const X *from,
                                                    int64_t count) {
    Fragment<X, 4> result;
    result.clear();
#pragma unroll
    for (int i = 0; i < 4; ++i)
      if (i < count) {
        if constexpr (sizeof(X) == 4)
          result.setBits(i, reinterpret_cast<const uint32_t *>(from)[i]);
        else
          result.setBits(i, reinterpret_cast<const unsigned short *>(from)[i]);
      }
    return result;
  }

  __device__ void clearSums() {
#pragma unroll
    for (int i = 0; i < 2; ++i)
#pragma unroll
      for (int j = 0; j < TokenTiles; ++j)
#pragma unroll
        for (int e = 0; e < 4; ++e)
          sums[i][j][e] = 0.0f;
  }

  __device__ void multiplyStep(const Fragment<W, 4> (&b)[4],
                               const SharedLayout &shared, int step,
                               int terms) {
    uint32_t bs[4][2][kTerms<W>];
#pragma unroll
    for (int i = 0; i < 4; ++i) {
      if constexpr (std::is_same_v<W, __nv_bfloat16>) {
        bs[i][0][0] = b[i].words[0];
        bs[i][1][0] = b[i].words[1];
      } else {
        pairTerms(b[i], 0, bs[i][0]);
        pairTerms(b[i], 1, bs[i][1]);
      }
    }
#pragma unroll
    for (int t = 0; t < 3; ++t) {
      if (t >= terms)
        break;
#pragma unroll
      for (int j = 0; j < TokenTiles; ++j) {
        const uint2 h = *reinterpret_cast<const uint2 *>(
            shared.terms + (t * kTokens + 8 * j + group) * shared.termPitch +
            16 * step + 4 * quad);
#pragma unroll
        for (int i = 0; i < 2; ++i)
#pragma unroll
          for (int s = 0; s < kTerms<W>; ++s)
            if (s + t < kTermOrders)
              multiply<false>(sums[i][j], bs[2 * i][0][s], bs[2 * i + 1][0][s],
                              bs[2 * i][1][s], bs[2 * i + 1][1][s], h.x, h.y);
      }
    }
  }

  /// The value of y from the expanded sum and what y held.
  __device__ float finish(float sum, float old) const {
    float v = sum;
    if (args.flags & kStepwise)
      v = roundTo<W>(__fmul_rn(tile.scale, roundTo<W>(v)));
    else if (args.flags & kExpandOnly)
      v = __fmul_rn(tile.scale, v);
    if (args.flags & kRoundSum)
      v = roundTo<X>(v);
    return args.flags & kAccumulate ? __fadd_rn(old, v) : v;
  }

  __device__ void store(int64_t strip) const {
    const int64_t n = column(strip);
#pragma unroll
    for (int j = 0; j < TokenTiles; ++j)
#pragma unroll
      for (int e = 0; e < 2; ++e) {
        const int64_t r = row(j, e);
        if (r < 0)
          continue;
        X out[4];
#pragma unroll
        for (int i = 0; i < 4; ++i)
          out[i] = fromFloat<X>(
              finish(sums[i / 2][j][e + i % 2 * 2], now[j][e].get(i)));
        X *to = args.y + r * args.yStride + n;
        if (yAligned && n + 4 <= args.n) {
          struct alignas(4 * sizeof(X)) Vector {
            X v[4];
          };
          *reinterpret_cast<Vector *>(to) = {out[0], out[1], out[2], out[3]};
        } else {
#pragma unroll
          for (int i = 0; i < 4; ++i)
            if (n + i < args.n)
              to[i] = out[i];
        }
      }
  }

  const Arguments<X, W> &args;
  const Tile<kTokens> &tile;
  const int first, stride, quad, group, steps;
  const bool bAligned, yAligned;
  int64_t total;
  Fragment<W, 4> weights[kAhead][4];
  Fragment<X, 4> next[TokenTiles][2], now[TokenTiles][2];
  float sums[2][TokenTiles][4];
};

} // namespace frit::lora

#endif // FRIT_KERNELS_LORA_EXPAND_CUH

//===- Gate.cuh ------------------------------------------------*- CUDA -*-===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The first kernel of the sparse FFN: the gate's values, by the product for few
// tokens, and the moments of what each block computed. Moments are of the
// rounded values, which are what the activation is of.
//
//===----------------------------------------------------------------------===//

#ifndef FRIT_KERNELS_SPARSEFFN_GATE_CUH
#define FRIT_KERNELS_SPARSEFFN_GATE_CUH

#include "Common/Moments.cuh"
#include "Matmul/Gemv.cuh"
#include "SparseFfn/Lora.cuh"

namespace frit::sparseffn {

/// Moments of some elements of a row, and how many they are.
struct alignas(16) Part {
  float mean, m2, count, unused;
};

/// The gate's LoRA, by the threads of each token.
template <class E> class GateExpansion {
public:
  /// The gate has `rows` rows.
  __device__ GateExpansion(const Expansion<E> &all, int64_t rows)
      : all(all), rows(rows) {}

  __device__ void startAt(int64_t firstToken, int64_t tokens) {
    const int64_t token = firstToken + threadIdx.x / matmul::kTileRows;
    if (token < tokens)
      own = TokenExpansion<E>(all, token);
    else
      own.drop();
  }
  /// The value of row `row` from the sum of the product.
  __device__ float add(float sum, int64_t row) const {
    if (!own.hasAdapter())
      return sum;
    if (row + matmul::kTileRows < rows)
      own.ask(row + matmul::kTileRows);
    return own.add(Element<E>::round(sum), own.expand(row));
  }

private:
  const Expansion<E> &all;
  int64_t rows;
  TokenExpansion<E> own;
};

/// Stores the sums as gemv does, and the moments of the block's columns as
/// parts[token][block].
template <class E, class Lora = NoExpansion> class StoreGate {
public:
  __device__ StoreGate(const matmul::Operands<E> &all, Part *parts,
                       const Lora &lora = {})
      : store(all), lora(lora), parts(parts), n(all.n), count(all.tokens) {}

  __device__ float get(int64_t, int, int) const { return 0; }

  __device__ void put(float sum, float old, int64_t row, int token,
                      int tokens) {
    if (row < n)
      sum = lora.add(sum, row);
    store.put(sum, old, row, token, tokens);
    const int64_t left = n - row / matmul::kTileRows * matmul::kTileRows;
    const float size =
        left < matmul::kTileRows ? static_cast<float>(left) : matmul::kTileRows;
    const float value = row < n ? Element<E>::round(sum) : 0.0f;
    const float mean = __fdiv_rn(addRows(value), size);
    const float deviation = row < n ? value - mean : 0.0f;
    own = merge(own, columns, {mean, addRows(__fmul_rn(deviation, deviation))},
                size);
    columns += size;
  }

  __device__ void finish(int token, int tokens) const {
    if (token < tokens && threadIdx.x % matmul::kTileRows == 0)
      parts[int64_t(token) * gridDim.x + blockIdx.x] = {own.mean, own.m2,
                                                        columns, 0};
  }

  __device__ void startAt(int64_t token) {
    store.startAt(token);
    lora.startAt(token, count);
    parts += token * gridDim.x;
  }

private:
  /// Over the half warp that has the rows of a token.
  static __device__ float addRows(float value) {
#pragma unroll
    for (int bit = 1; bit < matmul::kTileRows; bit *= 2)
      value = __fadd_rn(value, __shfl_xor_sync(~0u, value, bit));
    return value;
  }

  matmul::StoreSums<E> store;
  Lora lora;
  Part *parts;
  int64_t n, count;
  Moments own = {0, 0};
  float columns = 0;
};

} // namespace frit::sparseffn

#endif // FRIT_KERNELS_SPARSEFFN_GATE_CUH

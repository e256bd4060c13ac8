//===- Flat.cuh ------------------------------------------------*- CUDA -*-===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Family `flat` of the activations without statistics: every block takes a
// piece of a row, every thread `kVectors` vectors of it.
//
//===----------------------------------------------------------------------===//

#ifndef FRIT_KERNELS_ACTIVATION_FLAT_CUH
#define FRIT_KERNELS_ACTIVATION_FLAT_CUH

#include "Activation/Gates.cuh"
#include "Activation/Operands.cuh"
#include "Common/Launch.cuh"

namespace frit {

/// Grid: x pieces of kVectors * threads vectors for a row, y at least one and
/// at most tokens.
template <typename Gate, int kVectors>
__device__ void flatKernel(const Operands<typename Gate::E> &operands) {
  using E = typename Gate::E;
  constexpr int kPerVector = Element<E>::kPerVector;
  const Rows<E> all(operands);
  const int step = blockDim.x * kPerVector;
  const int64_t span = int64_t(kVectors) * step;
  const bool whole =
      all.allowVectors() && operands.d % kPerVector == 0 && operands.d >= span;
  // The last block of a row steps back to where its vectors fit, and computes
  // again what the block before it does: cheaper than code of its own.
  int64_t begin = blockIdx.x * span;
  if (whole && begin > operands.d - span)
    begin = operands.d - span;
  const int64_t first = begin + threadIdx.x * kPerVector;
  waitForEarlierKernels();
  for (int64_t token = blockIdx.y; token < operands.tokens;
       token += gridDim.y) {
    const Rows<E> rows = all.at(operands, token);
    if (whole) {
      Vector gate[kVectors], up[kVectors];
#pragma unroll
      for (int k = 0; k < kVectors; ++k) {
        gate[k] = loadWhole(rows.gate.data + first + k * step);
        up[k] = loadWhole(rows.up.data + first + k * step);
      }
#pragma unroll
      for (int k = 0; k < kVectors; ++k)
        storeWhole(rows.out.data + first + k * step,
                   Gate::apply(gate[k], up[k]));
      continue;
    }
#pragma unroll 1
    for (int k = 0; k < kVectors; ++k) {
      int64_t index = first + k * step;
      int64_t left = operands.d - index;
      rows.out.store(
          index, left,
          Gate::apply(rows.gate.load(index, left), rows.up.load(index, left)));
    }
  }
}

} // namespace frit

#endif // FRIT_KERNELS_ACTIVATION_FLAT_CUH

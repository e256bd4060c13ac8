//===- Operands.cuh --------------------------------------------*- CUDA -*-===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The operands of the gated activations: rows of gate, up and out, each with
// its own stride in elements. In the packed form up is gate + d with the same
// stride.
//
//===----------------------------------------------------------------------===//

#ifndef FRIT_KERNELS_ACTIVATION_OPERANDS_CUH
#define FRIT_KERNELS_ACTIVATION_OPERANDS_CUH

#include "Common/Memory.cuh"

namespace frit {

template <typename E> struct Operands {
  const E *gate;
  const E *up;
  E *out;
  int64_t tokens;
  int64_t d;
  int64_t gateStride;
  int64_t upStride;
  int64_t outStride;
};

/// The three rows of a token and the widest access that suits each.
template <typename E> struct Rows {
  Row<const E> gate;
  Row<const E> up;
  Row<E> out;

  __device__ explicit Rows(const Operands<E> &all)
      : gate{all.gate, accessBytes(all.gate, all.gateStride)},
        up{all.up, accessBytes(all.up, all.upStride)},
        out{all.out, accessBytes(all.out, all.outStride)} {}

  __device__ Rows at(const Operands<E> &all, int64_t token) const {
    Rows rows = *this;
    rows.gate.data += token * all.gateStride;
    rows.up.data += token * all.upStride;
    rows.out.data += token * all.outStride;
    return rows;
  }

  __device__ bool allowVectors() const {
    return (gate.bytes & up.bytes & out.bytes & 16) != 0;
  }
};

} // namespace frit

#endif // FRIT_KERNELS_ACTIVATION_OPERANDS_CUH

//===- Input.cuh -----------------------------------------------*- CUDA -*-===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The tokens that a block multiplies the weights with.
//
//===----------------------------------------------------------------------===//

#ifndef FRIT_KERNELS_MATMUL_INPUT_CUH
#define FRIT_KERNELS_MATMUL_INPUT_CUH

#include "Common/Memory.cuh"

namespace frit::matmul {

/// Rows of x, from the block's first k on.
template <class E> struct Input {
  const E *rows;
  int64_t stride;
  int bytes; ///< The widest access.
  int tokens;
  int length;

  /// The vector at `k`, zero where there is none.
  __device__ Vector load(int token, int k) const {
    if (token >= tokens || k >= length)
      return {{0, 0, 0, 0}};
    const E *at = rows + token * stride + k;
    if (bytes == 16 && k + Element<E>::kPerVector <= length)
      return loadWhole(at);
    return loadOneByOne(at, min(length - k, Element<E>::kPerVector));
  }
};

} // namespace frit::matmul

#endif // FRIT_KERNELS_MATMUL_INPUT_CUH

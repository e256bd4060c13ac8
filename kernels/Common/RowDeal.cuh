//===- RowDeal.cuh ---------------------------------------------*- CUDA -*-===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// How the elements of a row are dealt to threads: vector v of the row belongs
// to thread v modulo the number of threads. The number of elements that a range
// of threads holds follows from the row's length alone.
//
//===----------------------------------------------------------------------===//

#ifndef FRIT_KERNELS_COMMON_ROWDEAL_CUH
#define FRIT_KERNELS_COMMON_ROWDEAL_CUH

#include "Common/Element.cuh"

namespace frit {

/// `Index` is wide enough for the number of elements of a row.
template <typename E, typename Index> struct RowDeal {
  static constexpr int kPerVector = Element<E>::kPerVector;

  __device__ RowDeal(Index size, int threads)
      : rounds(size / (Index(threads) * kPerVector)),
        rest(size - rounds * threads * kPerVector) {}

  /// All threads hold the same number of elements.
  __device__ bool isEven() const { return rest == 0; }

  /// Elements of the threads [first, first + threads).
  __device__ float count(int first, int threads) const {
    Index over = rest - Index(first) * kPerVector;
    over = over < 0 ? 0 : over;
    over = over > threads * kPerVector ? threads * kPerVector : over;
    return static_cast<float>(rounds * (threads * kPerVector) + over);
  }

  /// Whole vectors that every thread holds, and the elements beyond them.
  Index rounds;
  Index rest;
};

} // namespace frit

#endif // FRIT_KERNELS_COMMON_ROWDEAL_CUH

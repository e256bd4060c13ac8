//===- TransposeBytes.h - A matrix with exchanged axes ----------*- C++ -*-===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the compiler does to constants and frit-run to tensors that it loads.
//
//===----------------------------------------------------------------------===//

#ifndef FRIT_SUPPORT_TRANSPOSEBYTES_H
#define FRIT_SUPPORT_TRANSPOSEBYTES_H

#include "llvm/ADT/ArrayRef.h"

#include <algorithm>
#include <cstdint>
#include <cstring>

namespace mlir::frit {

/// Writes the elements, of `size` bytes each, of a row-major matrix of `rows`
/// and `columns` to `to` with its axes exchanged. Both have rows * columns *
/// size bytes, and do not overlap.
inline void transposeBytes(llvm::ArrayRef<char> from,
                           llvm::MutableArrayRef<char> to, int64_t rows,
                           int64_t columns, size_t size) {
  // In squares, of which both sides stay in the first cache.
  constexpr int64_t kSquare = 32;
  for (int64_t i0 = 0; i0 < rows; i0 += kSquare)
    for (int64_t j0 = 0; j0 < columns; j0 += kSquare)
      for (int64_t i = i0; i < std::min(i0 + kSquare, rows); ++i)
        for (int64_t j = j0; j < std::min(j0 + kSquare, columns); ++j)
          std::memcpy(to.data() + static_cast<size_t>(j * rows + i) * size,
                      from.data() + static_cast<size_t>(i * columns + j) * size,
                      size);
}

} // namespace mlir::frit

#endif // FRIT_SUPPORT_TRANSPOSEBYTES_H

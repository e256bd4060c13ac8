//===- SparseForms.h - How a row is dealt to threads ------------*- C++ -*-===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The forms of the kernels that deal a row of gelu_and_mul_sparse evenly, and
// which of them is fastest: the table of kernels/README.md as data.
//
//===----------------------------------------------------------------------===//

#ifndef FRIT_LIB_KERNELS_CUDA_SPARSEFORMS_H
#define FRIT_LIB_KERNELS_CUDA_SPARSEFORMS_H

#include <cstdint>
#include <string>

namespace mlir::frit {

/// A thread holds `vectors` vectors of 16 bytes of a row that `blocks` blocks
/// share.
struct SparseForm {
  enum class Family { Registers, Parked, Cluster, ParkedCluster, Needed };

  Family family;
  int64_t vectors;
  int64_t blocks;

  /// True where a row of so many vectors gives every thread as many.
  bool suits(int64_t rowVectors) const {
    return rowVectors % (32 * vectors * blocks) == 0 &&
           getThreads(rowVectors) <= 1024;
  }
  /// Of a block.
  int64_t getThreads(int64_t rowVectors) const {
    return rowVectors / (vectors * blocks);
  }
  /// Whether `up` comes by way of shared memory.
  bool isParked() const {
    return family == Family::Parked || family == Family::ParkedCluster ||
           family == Family::Needed;
  }
  /// The family's name in the kernels' names.
  std::string getName() const;
};

/// The form for rows of `rowVectors` vectors and up to `maxTokens` rows, the
/// upper end of a range of the table; null where none deals such rows evenly.
const SparseForm *findSparseForm(int64_t maxTokens, int64_t rowVectors);

/// The form that reads of `up` what the result depends on, where it is faster:
/// for many rows of at least so many vectors. Null where none deals such rows.
inline constexpr int64_t kMinNeededTokens = 512;
const SparseForm *findNeededForm(int64_t rowVectors);

} // namespace mlir::frit

#endif // FRIT_LIB_KERNELS_CUDA_SPARSEFORMS_H

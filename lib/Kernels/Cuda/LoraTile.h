//===- LoraTile.h - How many blocks a LoRA kernel takes ---------*- C++ -*-===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The tiles of tokens and the clusters of the LoRA kernels, and what both
// decide: grid, shared memory, and the batches that a kernel is for. The
// formulas are those of kernels/Lora/README.md.
//
//===----------------------------------------------------------------------===//

#ifndef FRIT_LIB_KERNELS_CUDA_LORATILE_H
#define FRIT_LIB_KERNELS_CUDA_LORATILE_H

#include "frit/Kernels/KernelLaunch.h"

#include <cstdint>
#include <optional>

namespace mlir::frit {

/// One LoRA kernel: a cluster of so many blocks computes a tile of so many
/// tokens. The number of blocks decides the order of the sums, and so a
/// result's bits.
struct LoraTile {
  int64_t tokens;
  /// At most 16; of the tile kernels a power of two.
  int64_t blocks;
  /// The most tokens that the kernel is for. None where there is no limit.
  std::optional<int64_t> mostTokens = std::nullopt;
  /// Blocks that are to run at once, by default two on each of 132
  /// multiprocessors and a few that wait. None where any number is.
  std::optional<int64_t> residentBlocks = 272;
  /// The kernel reads the ids itself even beside a grouping, of more tokens
  /// than kernels take without one.
  bool readsIds = false;

  /// Dynamic shared memory of a block in bytes, for a largest rank of 1 or
  /// more.
  int64_t getSharedBytes(int64_t rank) const;

  /// The largest rank that a multiprocessor's shared memory holds, and that the
  /// kernels are for.
  int64_t getMaxRank() const;

  /// Tiles that any batch of so many tokens may need. `groups` are those of the
  /// grouping, or where ids are read the adapters; where they are not known,
  /// there may be as many as tokens.
  int64_t getTiles(int64_t tokens, std::optional<int64_t> groups,
                   bool isGrouped) const;

  /// The most tokens that this kernel is chosen for: all blocks of such a batch
  /// run at once, and without a grouping a warp reads all ids. None where there
  /// is no limit.
  std::optional<int64_t> getMaxTokens(std::optional<int64_t> groups,
                                      int64_t slices, bool isGrouped) const;

  /// The grid, clusters and threads, over T, G (groups, or adapters without a
  /// grouping; where ids are read L in its place), S and the parameters of
  /// `getWindow` and `getSharedBytes`.
  KernelLaunchPlan planLaunch(const KernelPlanSizes &sizes) const;

  /// How many neighbouring tokens form tiles of their own: 32 where the kernel
  /// reads the ids itself, all of them with a grouping.
  static int64_t getWindow(bool isGrouped);
};

} // namespace mlir::frit

#endif // FRIT_LIB_KERNELS_CUDA_LORATILE_H

//===- LoraFamily.h - LoRA kernels of one form ------------------*- C++ -*-===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The kernels of kernels/Lora that are made for some batches and ranks, and
// their entries in the table.
//
//===----------------------------------------------------------------------===//

#ifndef FRIT_LIB_KERNELS_CUDA_LORAFAMILY_H
#define FRIT_LIB_KERNELS_CUDA_LORAFAMILY_H

#include "frit/Kernels/KernelTable.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

#include <cstdint>
#include <optional>
#include <string>

namespace mlir::frit {

/// Functions of one form, with clusters of several sizes.
struct LoraFamily {
  StringRef op = "frit.lora_matmul";
  /// "decode64": the kernels are cuda.lora_decode64_clusterC.
  std::string name;
  /// Before and after the element type: "frit_lora_decode64_".
  std::string function;
  /// Images are named lora_<image><type>.
  StringRef image;
  SmallVector<StringRef, 2> elementTypes;
  int64_t tokens;
  /// Ranks that the family is chosen for.
  int64_t minRank, maxRank;
  /// The fewest tokens of all slices together.
  int64_t minTokens = 0;
  /// The fewest k's, and the most that the family is chosen for.
  int64_t minK = 0;
  std::optional<int64_t> maxK = std::nullopt;
  bool needsGrouping = false, needsVectors = false;
  /// The ids are read, of more than 32 tokens and beside a grouping too: that
  /// is a trip to memory less, and with few adapters hardly more tiles.
  bool readsIds = false;
  /// Of the first half: ranks of a cluster; others take the rest, along the
  /// grid's z. None where a cluster takes all.
  std::optional<int64_t> ranksEach = std::nullopt;
  /// Of the second half: columns of a step. Blocks of a tile divide its columns
  /// and are no cluster.
  std::optional<int64_t> stepColumns = std::nullopt;
  /// The kernel may wait for the one ahead only when it needs y.
  bool waitsLate = false;
  /// Only where y is a result of a matmul, of few tokens. What waits late: of
  /// one that lets it begin beside it.
  bool followsMatmul = false;
  int64_t sharedBytes = 0;
  std::optional<int64_t> mostTokens;
  /// Clusters of so many blocks, where no more than so many blocks run, or of
  /// an op with many columns so many. Of the second half: blocks of so many
  /// steps, or with none of whole rows.
  struct Cluster {
    int64_t blocks;
    std::optional<int64_t> residentBlocks;
    std::optional<int64_t> residentBlocksOfMany = std::nullopt;
  };
  SmallVector<Cluster, 8> clusters;
  /// Only for more tokens than clusters like this are for.
  std::optional<Cluster> beyond = std::nullopt;

  /// Whether several clusters of one token may divide its columns, each of
  /// which shrinks it.
  bool dividesTokens() const { return tokens == 1 && !ranksEach; }
};

/// The family that reads the ids of 33 to 128 tokens.
LoraFamily readIds(LoraFamily family, ArrayRef<LoraFamily::Cluster> clusters);

/// The family for few tokens behind a matmul. Its clusters take their places
/// while the kernel ahead still has some, where larger ones wait for a
/// processing cluster that is all free.
LoraFamily followMatmul(LoraFamily family,
                        ArrayRef<LoraFamily::Cluster> clusters);

/// A family of lora_matmul for bf16.
LoraFamily getLoraFamily(StringRef name, StringRef image, int64_t tokens,
                         int64_t minRank, int64_t maxRank,
                         ArrayRef<LoraFamily::Cluster> clusters);

/// Clusters of these sizes, with one limit of the blocks that run. A block
/// alone takes any number of tokens.
SmallVector<LoraFamily::Cluster, 8> getLoraClusters(ArrayRef<int64_t> sizes,
                                                    int64_t residentBlocks);

/// Dynamic shared memory of kernels/Lora/FlowShape.cuh: steps on their way,
/// each of `depth` k's or columns, warps' sums, what blocks send each other and
/// terms.
struct LoraFlowBytes {
  int64_t steps, shares, inbox, terms;
};
LoraFlowBytes getLoraFlowBytes(int64_t tokens, int64_t ranks, int64_t slots,
                               int64_t depth = 256);

/// Which halves a kernel computes.
enum class LoraHalves { Both, Shrink, Expand };

/// Dynamic shared memory of kernels/Lora/WideShape.cuh, whose tiles begin at
/// multiples of 1024 bytes.
int64_t getLoraWideBytes(int64_t ranks, LoraHalves halves);

/// Adds an entry for each size of clusters, each of a priority one lower.
void addLoraFamily(KernelTable &table, const LoraFamily &family,
                   int64_t &priority);

} // namespace mlir::frit

#endif // FRIT_LIB_KERNELS_CUDA_LORAFAMILY_H

//===- StubCublasLt.h -------------------------------------------*- C++ -*-===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A library with the functions of cuBLASLt that Frit uses, on the stub driver:
// its calls are in the stub driver's list, fail as that one's do, and compute
// their matmuls on the host in the order of the stream.
//
//===----------------------------------------------------------------------===//

#ifndef FRIT_TEST_UNIT_RUNTIME_STUBCUBLASLT_H
#define FRIT_TEST_UNIT_RUNTIME_STUBCUBLASLT_H

#include <cstdint>
#include <string>
#include <vector>

namespace frit::stub {

/// What an algorithm that is not of the heuristics is made of.
struct AlgorithmForm {
  uint32_t tile = 0;
  int32_t splits = 1;
  uint16_t cluster = 0;
  uint32_t option = 0;
  uint32_t reduction = 0;
  uint32_t stages = 0;

  bool operator==(const AlgorithmForm &other) const {
    return tile == other.tile && splits == other.splits &&
           cluster == other.cluster && option == other.option &&
           reduction == other.reduction && stages == other.stages;
  }
};

/// A matmul that was queued, as cuBLASLt was told: column-major.
struct Matmul {
  uint64_t rows[3] = {};
  uint64_t columns[3] = {};
  int64_t leading[3] = {};
  uint32_t types[3] = {};
  bool transposed[2] = {};
  float beta = 0;
  const void *bias = nullptr;
  const void *workspace = nullptr;
  uint64_t workspaceBytes = 0;
  int64_t batch = 1;
  int32_t algorithmId = 0;
  /// Of the algorithm, among those that the heuristics found; kMade of one that
  /// they did not.
  int32_t algorithmIndex = 0;
  AlgorithmForm form;
};

inline constexpr int32_t kMade = 999;

/// What the heuristics were told about a matmul.
struct Preferences {
  uint64_t workspaceBytes = 0;
  uint32_t reductionSchemes = 0;
  /// Of A, B, C and D.
  uint32_t alignments[4] = {256, 256, 256, 256};
};

std::vector<Matmul> getMatmuls();
std::vector<Preferences> getPreferences();

/// Forgets what was recorded, and what setHeuristics asked for.
void resetMatmuls();

/// How many algorithms the heuristics find, and how much workspace they need.
void setHeuristics(int32_t count, uint64_t workspaceBytes);

/// The id of the algorithms found where all operands are aligned to 16 bytes,
/// and in how many parts they split k. Others have the id 1 and split nothing.
void setAlignedAlgorithms(int32_t id, int32_t splits);

/// What algorithms can be made, besides those of the heuristics, and how much
/// workspace they need.
void setForms(std::vector<AlgorithmForm> forms, uint64_t workspaceBytes = 0);

/// Handles and descriptors that exist.
int64_t countLibraryObjects();
void forgetLibraryObjects();

} // namespace frit::stub

#endif // FRIT_TEST_UNIT_RUNTIME_STUBCUBLASLT_H

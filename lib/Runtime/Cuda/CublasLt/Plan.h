//===- Plan.h ---------------------------------------------------*- C++ -*-===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// How a context runs a matmul of given types, sizes, strides and alignments:
// what cuBLASLt needs to be told, and the algorithm that was chosen.
//
//===----------------------------------------------------------------------===//

#ifndef FRIT_LIB_RUNTIME_CUDA_CUBLASLT_PLAN_H
#define FRIT_LIB_RUNTIME_CUDA_CUBLASLT_PLAN_H

#include "Library.h"

#include "HashChains.h"
#include "Matmul/Shape.h"

namespace frit::runtime::cuda::cublaslt {

/// All that the choice of an algorithm depends on. Compared as bytes: it has no
/// padding.
struct PlanKey : MatmulShape {
  PlanKey(const FritMatmulDescriptor &matmul,
          const FritMatmulOperands &operands);

  bool operator==(const PlanKey &other) const;

  bool accumulatesIn16Bits() const {
    return accumulates() && outType != FRIT_TYPE_F32;
  }

  uint64_t workspaceBytes;
  /// Of the addresses of a, b, out and bias, in bytes.
  uint32_t alignments[4];
};

struct Plan {
  explicit Plan(const PlanKey &key)
      : hash(hashKey(&key, sizeof(key))), key(key) {}

  const uint64_t hash;
  Plan *chain = nullptr;
  const PlanKey key;
  MatmulDesc desc = nullptr;
  MatrixLayout a = nullptr;
  MatrixLayout b = nullptr;
  MatrixLayout out = nullptr;
  Algorithm algorithm = {};
  size_t workspaceBytes = 0;
};

/// The plans of a context, and its handle.
class Plans {
public:
  /// The plan of a key; null where there is none yet.
  Plan *find(const PlanKey &key) const;

  /// Makes the plan of a key for a device of a compute capability (10 * major +
  /// minor); null after a report. The device's context must be current and its
  /// loads allowed, see RelaxedCapture.
  Plan *create(const Reporter &reporter, const Library &library,
               const PlanKey &key, int32_t smVersion);

  Handle getHandle() const { return handle; }

  /// Destroys everything, with the device's context current, and reports what
  /// cannot be destroyed.
  void clear(const Reporter &reporter);

private:
  const Library *library = nullptr;
  Handle handle = nullptr;
  HashChains<Plan> plans;
};

} // namespace frit::runtime::cuda::cublaslt

#endif // FRIT_LIB_RUNTIME_CUDA_CUBLASLT_PLAN_H

//===- PlanKey.cpp --------------------------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reads what an algorithm depends on from a matmul and its operands.
//
//===----------------------------------------------------------------------===//

#include "Plan.h"

#include <type_traits>

using namespace frit::runtime;
using namespace frit::runtime::cuda;
using namespace frit::runtime::cuda::cublaslt;

static_assert(std::has_unique_object_representations_v<PlanKey>);

/// The largest power of two, up to what cuBLASLt asks for, that divides an
/// address.
static uint32_t getAlignment(const void *memory) {
  constexpr uint64_t kMost = 256;
  uint64_t address = toDevice(memory) | kMost;
  return static_cast<uint32_t>(address & (~address + 1));
}

PlanKey::PlanKey(const FritMatmulDescriptor &matmul,
                 const FritMatmulOperands &operands)
    : MatmulShape(matmul, operands), workspaceBytes(matmul.workspaceBytes),
      alignments{getAlignment(operands.a.data), getAlignment(operands.b.data),
                 getAlignment(operands.out.data), getAlignment(operands.bias)} {
}

bool PlanKey::operator==(const PlanKey &other) const {
  return equalKeys(this, &other, sizeof(PlanKey));
}

//===- LoraConditions.h ---------------------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the fused LoRA kernels ask of an op.
//
//===----------------------------------------------------------------------===//

#ifndef FRIT_LIB_KERNELS_CUDA_LORACONDITIONS_H
#define FRIT_LIB_KERNELS_CUDA_LORACONDITIONS_H

#include "LoraTile.h"

#include "frit/Kernels/KernelCondition.h"

#include <cstdint>
#include <functional>
#include <optional>

namespace mlir::frit {

/// The size of this name where it is static.
std::optional<int64_t> getStatic(const KernelShape &shape, StringRef name);

/// Weights of the activations' type, or of f32, which is another kernel.
KernelCondition hasWeights(bool isF32);

/// The tile of a kernel that depends on the op.
using LoraTileFunction = std::function<LoraTile(KernelOpInterface)>;

/// Few enough tokens for a kernel that is meant for few. `getTile` gives `tile`
/// with what depends on the op.
KernelCondition hasTokens(const LoraTile &tile, LoraTileFunction getTile);

/// More tokens than another kernel, which has a limit, is meant for.
KernelCondition hasMoreTokens(const LoraTile &tile);

/// R within these. `reason` follows the upper bound where that is missed.
KernelCondition hasRank(int64_t least, int64_t most, StringRef reason = "");

/// T, K, the widths, and the groups.
KernelCondition hasSizes();

} // namespace mlir::frit

#endif // FRIT_LIB_KERNELS_CUDA_LORACONDITIONS_H

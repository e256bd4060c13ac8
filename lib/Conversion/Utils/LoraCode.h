//===- LoraCode.h -----------------------------------------------*- C++ -*-===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The LoRA ops on memrefs as the one or two halves that are computed for them:
// what every code generator starts from.
//
//===----------------------------------------------------------------------===//

#ifndef FRIT_LIB_CONVERSION_UTILS_LORACODE_H
#define FRIT_LIB_CONVERSION_UTILS_LORACODE_H

#include "VectorEmitter.h"

#include "frit/Dialect/Frit/Transforms/NumericsBuilder.h"

#include <optional>

namespace mlir::frit {

/// The true ranks and the coefficients of adapters.
struct LoraAdapters {
  /// Null where all ranks are the largest; `[L]` or `[S, L]` i32 otherwise.
  Value ranks;
  /// Null or `[L]` f32.
  Value scales;
  /// Multiplies `scales`.
  float scale;

  /// How many ranks of a slice's weights are read: at most `maxRank`.
  Value getRank(VectorEmitter &e, Value slice, Value adapter,
                Value maxRank) const;
  /// That number where it is the same for all adapters and known.
  std::optional<int64_t> getStaticRank(OpFoldResult maxRank) const;
  /// `scale * scales[adapter]`, or null where that is a constant 1.
  Value getCoefficient(VectorEmitter &e, NumericsBuilder &numerics,
                       Value adapter) const;
};

/// What says which tokens belong to which adapter: operands of the op.
struct LoraTokenOperands {
  Value ids;
  /// Both null, or both given.
  Value order, starts;
};

/// out[s, t, r] = finish(sum_k a[s][l, r, k] * x[t, k], coefficient).
struct LoraShrinkCode {
  LoraTokenOperands tokens;
  Value x;
  /// All of one type.
  SmallVector<Value> a;
  Value out;
  LoraAdapters adapters;
  /// Whether the coefficient multiplies here; `finish` gets null otherwise.
  bool isScaled = true;
  /// Gives what is stored, of the type of `out`, from a scalar sum.
  std::function<Value(Value sum, Value coefficient)> finish;
};

/// out[t, off + n] (+)= sum_r b[s][l, n, r] * h[s, t, r], rounded as said.
struct LoraExpandCode {
  LoraTokenOperands tokens;
  Value h;
  /// All of one type.
  SmallVector<Value> b;
  Value out;
  LoraAdapters adapters;
  /// Whether the coefficient multiplies here.
  bool isScaled = true;
  int64_t offset;
  LoraRounding rounding;
  bool accumulate;
};

/// The value of a slice, so that one code serves all. All have one type.
Value selectSlice(VectorEmitter &e, Value slice, ValueRange values);

using LoraShrinkEmitter = llvm::function_ref<void(const LoraShrinkCode &)>;
using LoraExpandEmitter = llvm::function_ref<void(const LoraExpandCode &)>;

/// Each calls the emitters for what the op computes, before the op; a matmul's
/// halves communicate through a buffer that is allocated around them.
void emitLora(LoraMatmulOp op, ImplicitLocOpBuilder &b,
              NumericsBuilder &numerics, LoraShrinkEmitter emitShrink,
              LoraExpandEmitter emitExpand);
void emitLora(LoraShrinkOp op, ImplicitLocOpBuilder &b,
              NumericsBuilder &numerics, LoraShrinkEmitter emitShrink,
              LoraExpandEmitter emitExpand);
void emitLora(LoraExpandOp op, ImplicitLocOpBuilder &b,
              NumericsBuilder &numerics, LoraShrinkEmitter emitShrink,
              LoraExpandEmitter emitExpand);

} // namespace mlir::frit

#endif // FRIT_LIB_CONVERSION_UTILS_LORACODE_H

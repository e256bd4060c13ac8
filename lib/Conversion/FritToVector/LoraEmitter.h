//===- LoraEmitter.h --------------------------------------------*- C++ -*-===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The two halves of a LoRA matmul as code on memrefs. Each token's sums run
// over k and r in an order that is the same in every tile, so its bits depend
// on its own row and adapter alone.
//
//===----------------------------------------------------------------------===//

#ifndef FRIT_LIB_CONVERSION_FRITTOVECTOR_LORAEMITTER_H
#define FRIT_LIB_CONVERSION_FRITTOVECTOR_LORAEMITTER_H

#include "LoraTokens.h"

#include "frit/Dialect/Frit/Transforms/NumericsBuilder.h"

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
  /// `scale * scales[adapter]`, or null where that is a constant 1.
  Value getCoefficient(VectorEmitter &e, NumericsBuilder &numerics,
                       Value adapter) const;
};

/// out[s, t, r] = finish(sum_k a[s][l, r, k] * x[t, k], coefficient).
struct LoraShrinkCode {
  Value x;
  /// All of one type.
  SmallVector<Value> a;
  Value out;
  LoraAdapters adapters;
  /// Whether the coefficient multiplies here; `finish` gets null otherwise.
  bool isScaled = true;
  /// Gives what is stored, of the type of `out`, from a scalar sum.
  std::function<Value(Value sum, Value coefficient)> finish;

  void emit(VectorEmitter &e, NumericsBuilder &numerics,
            const LoraTokens &tokens) const;
};

/// out[t, off + n] (+)= sum_r b[s][l, n, r] * h[s, t, r], rounded as said.
struct LoraExpandCode {
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

  void emit(VectorEmitter &e, NumericsBuilder &numerics,
            const LoraTokens &tokens) const;
};

} // namespace mlir::frit

#endif // FRIT_LIB_CONVERSION_FRITTOVECTOR_LORAEMITTER_H

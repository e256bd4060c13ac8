//===- NumericsBuilder.h ----------------------------------------*- C++ -*-===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Emits the arithmetic of Frit's ops. Every lowering calls this builder, so
// each formula and the place of each rounding is written once.
//
// Values are f32, or vectors of f32 of any shape; E stands for the element type
// of the op (f32, f16 or bf16). A method takes scalars or vectors alike and
// gives its result the shape of its first operand; all its value operands have
// that shape, unless said otherwise. Ops are emitted without fastmath flags,
// and with the location of the Frit op fused with #frit.origin: `fma` in sums
// and in the inside of gelu and silu, `strict` everywhere else.
//
//===----------------------------------------------------------------------===//

#ifndef FRIT_DIALECT_FRIT_TRANSFORMS_NUMERICSBUILDER_H
#define FRIT_DIALECT_FRIT_TRANSFORMS_NUMERICSBUILDER_H

#include "frit/Dialect/Frit/IR/Frit.h"

#include "mlir/IR/Builders.h"

namespace mlir::frit {

/// A running f32 sum that keeps what additions lose (Kahan). All members have
/// one type and start at zero. Any number of terms is summed with an error of
/// 2 * 2^-24 * sum |term|. As loop-carried values: members in this order.
struct CompensatedSum {
  /// The sum so far.
  Value sum;
  /// What `sum` has too much; the next term makes up for it.
  Value excess;
  /// The sum without compensation; it tells overflow from NaN.
  Value plain;
};

class NumericsBuilder {
public:
  /// Emits at the insertion point that `builder` has at each call. `op` is the
  /// Frit op that is lowered; it is not kept. With `useFma` the inside of gelu
  /// is emitted with math.fma, else as separate products and sums.
  NumericsBuilder(OpBuilder &builder, Operation *op, bool useFma = false);

  OpBuilder &getBuilder() { return builder; }

  /// Location for ops whose every rounding counts; also for loads, stores and
  /// control flow.
  Location getStrictLoc() const { return strictLoc; }
  /// Location for ops that may be contracted: sums and the inside of gelu.
  Location getFmaLoc() const { return fmaLoc; }

  //===--------------------------------------------------------------------===//
  // Types and roundings
  //===--------------------------------------------------------------------===//

  /// The type of `like` with another element type.
  static Type withElementType(Type like, Type elementType);

  /// E -> f32, exact; nothing is emitted for f32.
  Value extend(Value value);
  /// f32 -> E, to nearest even; nothing is emitted for f32. The result is of
  /// type E: this is the conversion before a store.
  Value truncate(Value value, Type elementType);
  /// r(value): f32 -> E -> f32; nothing is emitted for f32.
  Value roundTo(Value value, Type elementType);
  /// roundTo where the mode is `stepwise`, the value itself where it is
  /// `final`.
  Value roundStep(Value value, Type elementType, Rounding rounding);

  /// An f32 constant, splatted to the shape of `like` (a float type or a vector
  /// of them). `value` is rounded to f32.
  Value constant(double value, Type like);
  /// A scalar f32 from a size of type index.
  Value fromIndex(Value index);

  //===--------------------------------------------------------------------===//
  // Sums
  //===--------------------------------------------------------------------===//

  /// sum + a * b, in f32: with math.fma if the builder uses it.
  Value multiplyAdd(Value a, Value b, Value sum);
  /// sum + (value - mean)^2, in f32.
  Value addSquaredDeviation(Value value, Value mean, Value sum);
  /// sum + value, in f32, of code that is part of a sum.
  Value addTerm(Value value, Value sum);

  /// The empty compensated sum, of the type of `like`.
  CompensatedSum emptySum(Type like);
  /// Adds one term: four dependent additions. To be fast, add up small blocks
  /// of terms first (at most 8, addTerm), and then each block's sum here. The
  /// error is then at most 9 * 2^-24 * sum |term|, which NUMERICS needs at
  /// any width of a row, constant rows included.
  CompensatedSum addCompensated(CompensatedSum state, Value term);
  /// The value of the sum. Infinities and NaN are those of the plain sum.
  Value finishSum(CompensatedSum state);

  //===--------------------------------------------------------------------===//
  // gelu_and_mul_sparse. Numbers are the steps of the op's description.
  //===--------------------------------------------------------------------===//

  /// The unrounded mean of step 1: sum / count. `count` is d in f32.
  Value mean(Value sum, Value count);
  /// The unrounded s of step 2: sqrt(squares / divisor), where `squares` is the
  /// sum of (g - mean)^2 and `divisor` d - correction in f32.
  Value standardDeviation(Value squares, Value divisor);
  /// Steps 1 to 4 from the unrounded mean and s: the cutoff c.
  Value cutoff(Value mean, Value deviation, float stdMultiplier,
               Rounding rounding, Type elementType);
  /// Steps 5 to 7: a = gelu(relu(g - c)), with its roundings. `gate` is g in
  /// f32.
  Value sparseGate(Value gate, Value cutoff, Approximate approximate,
                   Rounding rounding, Type elementType);
  /// Step 8, and the last step of act_and_mul: a * u, rounded to E. The result
  /// is of type E, ready to be stored.
  Value gatedProduct(Value activated, Value up, Type elementType);
  /// Steps 5 to 8 for a gate and an up of type E; the result is of type E.
  Value sparseElement(Value gate, Value up, Value cutoff,
                      GeluAndMulSparseOp op);

  //===--------------------------------------------------------------------===//
  // Activations, f32 -> f32 without rounding to E
  //===--------------------------------------------------------------------===//

  /// z < 0 -> 0; NaN stays NaN.
  Value relu(Value z);
  Value gelu(Value z, Approximate approximate);
  /// 0.5 z (1 + tanh(0.7978845608028654 (z + 0.044715 z^3))), no NaN for finite
  /// z.
  Value geluTanh(Value z);
  /// 0.5 z (1 + erf(z / sqrt 2)).
  Value geluErf(Value z);
  /// z / (1 + exp(-z)).
  Value silu(Value z);
  Value activation(Value z, Activation kind);
  /// act_and_mul for a gate and an up of type E; the result is of type E.
  Value actElement(Value gate, Value up, ActAndMulOp op);

  //===--------------------------------------------------------------------===//
  // LoRA. Sums are f32 and complete; c is a coefficient as below.
  //===--------------------------------------------------------------------===//

  /// c = scale * adapterScale, a scalar or vector like `adapterScale`. Without
  /// `adapterScale` (null) c is the constant `scale` of type `like`, and null
  /// where that is exactly 1, which multiplies nothing.
  Value loraCoefficient(float scale, Value adapterScale, Type like);
  /// c * value in f32; the value itself where c is null.
  Value scaled(Value value, Value c);
  /// h' of lora_matmul, in f32, from sum_k A x: what the expanding sum reads.
  /// `weightType` is the type of A and B.
  Value loraHidden(Value sum, Value c, LoraRounding rounding,
                   Intermediate intermediate, Type weightType);
  /// What lora_expand stores, of type `outType`, from the sum over r of B h.
  /// `previous` is y_old of type `outType`, null without accumulation. `c` is
  /// null in the expand of a decomposed matmul, but for `stepwise`.
  Value loraResult(Value sum, Value c, Value previous, LoraRounding rounding,
                   Type weightType, Type outType);

private:
  OpBuilder &builder;
  Location strictLoc;
  Location fmaLoc;
  bool useFma;
};

} // namespace mlir::frit

#endif // FRIT_DIALECT_FRIT_TRANSFORMS_NUMERICSBUILDER_H

//===- NumericsBuilder.cpp ------------------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The formulas of Frit's ops with the place of each rounding.
//
//===----------------------------------------------------------------------===//

#include "frit/Dialect/Frit/Transforms/NumericsBuilder.h"

#include "frit/Dialect/Frit/Transforms/Origin.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace mlir::frit;

NumericsBuilder::NumericsBuilder(OpBuilder &builder, Operation *op, bool useFma)
    : builder(builder), strictLoc(getOriginLoc(op, FpMode::Strict)),
      fmaLoc(getOriginLoc(op, FpMode::Fma)), useFma(useFma) {}

//===----------------------------------------------------------------------===//
// Types and roundings
//===----------------------------------------------------------------------===//

Type NumericsBuilder::withElementType(Type like, Type elementType) {
  if (auto vector = dyn_cast<VectorType>(like))
    return vector.clone(elementType);
  return elementType;
}

Value NumericsBuilder::extend(Value value) {
  if (getElementTypeOrSelf(value.getType()).isF32())
    return value;
  Type type = withElementType(value.getType(), builder.getF32Type());
  return arith::ExtFOp::create(builder, strictLoc, type, value);
}

Value NumericsBuilder::truncate(Value value, Type elementType) {
  if (elementType.isF32())
    return value;
  Type type = withElementType(value.getType(), elementType);
  return arith::TruncFOp::create(builder, strictLoc, type, value);
}

Value NumericsBuilder::roundTo(Value value, Type elementType) {
  return extend(truncate(value, elementType));
}

Value NumericsBuilder::roundStep(Value value, Type elementType,
                                 Rounding rounding) {
  return rounding == Rounding::Stepwise ? roundTo(value, elementType) : value;
}

Value NumericsBuilder::constant(double value, Type like) {
  Type type = withElementType(like, builder.getF32Type());
  TypedAttr attribute = builder.getF32FloatAttr(static_cast<float>(value));
  if (auto vector = dyn_cast<VectorType>(type))
    attribute = DenseElementsAttr::get(vector, Attribute(attribute));
  return arith::ConstantOp::create(builder, strictLoc, attribute);
}

Value NumericsBuilder::fromIndex(Value index) {
  Value integer = arith::IndexCastOp::create(builder, strictLoc,
                                             builder.getI64Type(), index);
  return arith::SIToFPOp::create(builder, strictLoc, builder.getF32Type(),
                                 integer);
}

//===----------------------------------------------------------------------===//
// Sums
//===----------------------------------------------------------------------===//

Value NumericsBuilder::multiplyAdd(Value a, Value b, Value sum) {
  if (useFma)
    return math::FmaOp::create(builder, fmaLoc, a, b, sum);
  Value product = arith::MulFOp::create(builder, fmaLoc, a, b);
  return arith::AddFOp::create(builder, fmaLoc, sum, product);
}

Value NumericsBuilder::addSquaredDeviation(Value value, Value mean, Value sum) {
  Value deviation = arith::SubFOp::create(builder, fmaLoc, value, mean);
  return multiplyAdd(deviation, deviation, sum);
}

Value NumericsBuilder::addTerm(Value value, Value sum) {
  return arith::AddFOp::create(builder, fmaLoc, sum, value);
}

CompensatedSum NumericsBuilder::emptySum(Type like) {
  Value zero = constant(0, like);
  return {zero, zero, zero};
}

CompensatedSum NumericsBuilder::addCompensated(CompensatedSum state,
                                               Value term) {
  Value corrected = arith::SubFOp::create(builder, fmaLoc, term, state.excess);
  Value sum = arith::AddFOp::create(builder, fmaLoc, state.sum, corrected);
  Value step = arith::SubFOp::create(builder, fmaLoc, sum, state.sum);
  Value excess = arith::SubFOp::create(builder, fmaLoc, step, corrected);
  return {sum, excess, addTerm(term, state.plain)};
}

Value NumericsBuilder::finishSum(CompensatedSum state) {
  // An infinite sum makes its compensation NaN; the plain sum is right then.
  Value isNan = arith::CmpFOp::create(
      builder, fmaLoc, arith::CmpFPredicate::UNO, state.sum, state.sum);
  return arith::SelectOp::create(builder, fmaLoc, isNan, state.plain,
                                 state.sum);
}

//===----------------------------------------------------------------------===//
// gelu_and_mul_sparse
//===----------------------------------------------------------------------===//

Value NumericsBuilder::mean(Value sum, Value count) {
  return arith::DivFOp::create(builder, strictLoc, sum, count);
}

Value NumericsBuilder::standardDeviation(Value squares, Value divisor) {
  Value variance = arith::DivFOp::create(builder, strictLoc, squares, divisor);
  return math::SqrtOp::create(builder, strictLoc, variance);
}

Value NumericsBuilder::cutoff(Value mean, Value deviation, float stdMultiplier,
                              Rounding rounding, Type elementType) {
  Value m = roundStep(mean, elementType, rounding);
  Value s = roundStep(deviation, elementType, rounding);
  Value multiplier = constant(stdMultiplier, s.getType());
  Value p = arith::MulFOp::create(builder, strictLoc, s, multiplier);
  p = roundStep(p, elementType, rounding);
  Value c = arith::AddFOp::create(builder, strictLoc, m, p);
  return roundStep(c, elementType, rounding);
}

Value NumericsBuilder::sparseGate(Value gate, Value cutoff,
                                  Approximate approximate, Rounding rounding,
                                  Type elementType) {
  Value z = arith::SubFOp::create(builder, strictLoc, gate, cutoff);
  z = relu(roundStep(z, elementType, rounding));
  return roundStep(gelu(z, approximate), elementType, rounding);
}

Value NumericsBuilder::gatedProduct(Value activated, Value up,
                                    Type elementType) {
  Value y = arith::MulFOp::create(builder, strictLoc, activated, up);
  return truncate(y, elementType);
}

Value NumericsBuilder::sparseElement(Value gate, Value up, Value cutoff,
                                     GeluAndMulSparseOp op) {
  Type elementType = op.getElementType();
  Value a = sparseGate(extend(gate), cutoff, op.getApproximate(),
                       op.getRounding(), elementType);
  return gatedProduct(a, extend(up), elementType);
}

//===----------------------------------------------------------------------===//
// Activations
//===----------------------------------------------------------------------===//

Value NumericsBuilder::relu(Value z) {
  Value zero = constant(0, z.getType());
  Value negative = arith::CmpFOp::create(builder, strictLoc,
                                         arith::CmpFPredicate::OLT, z, zero);
  return arith::SelectOp::create(builder, strictLoc, negative, zero, z);
}

Value NumericsBuilder::gelu(Value z, Approximate approximate) {
  return approximate == Approximate::Tanh ? geluTanh(z) : geluErf(z);
}

/// 0.5 z (1 + odd), the frame of both forms of gelu.
static Value halfProduct(NumericsBuilder &numerics, Value z, Value odd) {
  OpBuilder &builder = numerics.getBuilder();
  Location loc = numerics.getFmaLoc();
  Value half = numerics.constant(0.5, z.getType());
  Value one = numerics.constant(1, z.getType());
  Value halfZ = arith::MulFOp::create(builder, loc, half, z);
  Value sum = arith::AddFOp::create(builder, loc, one, odd);
  return arith::MulFOp::create(builder, loc, halfZ, sum);
}

Value NumericsBuilder::geluTanh(Value z) {
  Value beta = constant(0.7978845608028654, z.getType());
  Value kappa = constant(0.044715, z.getType());
  Value square = arith::MulFOp::create(builder, fmaLoc, z, z);
  Value cube = arith::MulFOp::create(builder, fmaLoc, square, z);
  Value inner = multiplyAdd(kappa, cube, z);
  inner = arith::MulFOp::create(builder, fmaLoc, beta, inner);
  return halfProduct(*this, z, math::TanhOp::create(builder, fmaLoc, inner));
}

Value NumericsBuilder::geluErf(Value z) {
  Value rsqrt2 = constant(0.70710678118654752, z.getType());
  Value inner = arith::MulFOp::create(builder, fmaLoc, z, rsqrt2);
  return halfProduct(*this, z, math::ErfOp::create(builder, fmaLoc, inner));
}

Value NumericsBuilder::silu(Value z) {
  Value one = constant(1, z.getType());
  Value negated = arith::NegFOp::create(builder, fmaLoc, z);
  Value exponential = math::ExpOp::create(builder, fmaLoc, negated);
  Value divisor = arith::AddFOp::create(builder, fmaLoc, one, exponential);
  return arith::DivFOp::create(builder, fmaLoc, z, divisor);
}

Value NumericsBuilder::activation(Value z, Activation kind) {
  switch (kind) {
  case Activation::Silu:
    return silu(z);
  case Activation::GeluTanh:
    return geluTanh(z);
  case Activation::GeluErf:
    return geluErf(z);
  }
  llvm_unreachable("all activations are handled");
}

Value NumericsBuilder::actElement(Value gate, Value up, ActAndMulOp op) {
  Type elementType = op.getElementType();
  Value a = roundTo(activation(extend(gate), op.getActivation()), elementType);
  return gatedProduct(a, extend(up), elementType);
}

//===----------------------------------------------------------------------===//
// LoRA
//===----------------------------------------------------------------------===//

Value NumericsBuilder::loraCoefficient(float scale, Value adapterScale,
                                       Type like) {
  if (!adapterScale)
    return scale == 1 ? Value() : constant(scale, like);
  if (scale == 1)
    return adapterScale;
  return arith::MulFOp::create(builder, strictLoc,
                               constant(scale, adapterScale.getType()),
                               adapterScale);
}

Value NumericsBuilder::scaled(Value value, Value c) {
  return c ? arith::MulFOp::create(builder, strictLoc, c, value).getResult()
           : value;
}

Value NumericsBuilder::loraHidden(Value sum, Value c, LoraRounding rounding,
                                  Intermediate intermediate, Type weightType) {
  if (rounding == LoraRounding::Stepwise)
    return roundTo(sum, weightType);
  Value h = scaled(sum, c);
  return intermediate == Intermediate::Element ? roundTo(h, weightType) : h;
}

Value NumericsBuilder::loraResult(Value sum, Value c, Value previous,
                                  LoraRounding rounding, Type weightType,
                                  Type outType) {
  Value value;
  switch (rounding) {
  case LoraRounding::Final:
    value = scaled(sum, c);
    break;
  case LoraRounding::Sum:
    value = scaled(sum, c);
    if (previous)
      value = roundTo(value, outType);
    break;
  case LoraRounding::Stepwise:
    value = roundTo(sum, weightType);
    if (c)
      value = roundTo(scaled(value, c), weightType);
    break;
  }
  if (previous)
    value = arith::AddFOp::create(builder, strictLoc, extend(previous), value);
  return truncate(value, outType);
}

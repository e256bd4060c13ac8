//===- FunctionEmitter.h ----------------------------------------*- C++ -*-===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Short names for the arithmetic that elementary functions are made of.
//
//===----------------------------------------------------------------------===//

#ifndef FRIT_LIB_CONVERSION_EXPANDMATH_FUNCTIONEMITTER_H
#define FRIT_LIB_CONVERSION_EXPANDMATH_FUNCTIONEMITTER_H

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

namespace mlir::frit {

/// Emits arithmetic on values of one type: f32 or a vector of f32 of rank 1.
class FunctionEmitter {
public:
  FunctionEmitter(OpBuilder &builder, Location loc, Type type)
      : builder(builder), loc(loc), type(type),
        intType(withElementType(builder.getI32Type())) {}

  Value constant(float value) {
    return splat(type, builder.getF32FloatAttr(value));
  }
  Value intConstant(int32_t value) {
    return splat(intType, builder.getI32IntegerAttr(value));
  }
  Value add(Value a, Value b) {
    return arith::AddFOp::create(builder, loc, a, b);
  }
  Value sub(Value a, Value b) {
    return arith::SubFOp::create(builder, loc, a, b);
  }
  Value mul(Value a, Value b) {
    return arith::MulFOp::create(builder, loc, a, b);
  }
  Value div(Value a, Value b) {
    return arith::DivFOp::create(builder, loc, a, b);
  }
  Value fma(Value a, Value b, Value c) {
    return math::FmaOp::create(builder, loc, a, b, c);
  }
  Value abs(Value a) { return math::AbsFOp::create(builder, loc, a); }
  Value copySign(Value magnitude, Value sign) {
    return math::CopySignOp::create(builder, loc, magnitude, sign);
  }
  /// A call of an LLVM intrinsic of f32, one for each element of vectors.
  Value call(StringRef intrinsic, ValueRange operands) {
    auto callOne = [&](ValueRange scalars) -> Value {
      return LLVM::CallIntrinsicOp::create(builder, loc, builder.getF32Type(),
                                           builder.getStringAttr(intrinsic),
                                           scalars)
          .getResult(0);
    };
    auto vector = dyn_cast<VectorType>(type);
    if (!vector)
      return callOne(operands);
    SmallVector<Value> elements;
    for (int64_t i = 0; i < vector.getDimSize(0); ++i)
      elements.push_back(
          callOne(llvm::map_to_vector(operands, [&](Value operand) -> Value {
            return vector::ExtractOp::create(builder, loc, operand, i);
          })));
    return vector::FromElementsOp::create(builder, loc, vector, elements);
  }
  /// a where a < bound, else b; NaN in a gives b.
  Value selectBelow(Value a, float bound, Value below, Value otherwise) {
    Value condition = arith::CmpFOp::create(
        builder, loc, arith::CmpFPredicate::OLT, a, constant(bound));
    return arith::SelectOp::create(builder, loc, condition, below, otherwise);
  }
  /// a, but `replacement` where it is above the bound; NaN stays NaN.
  Value replaceAbove(Value a, float bound, float replacement) {
    Value above = arith::CmpFOp::create(builder, loc, arith::CmpFPredicate::OGT,
                                        a, constant(bound));
    return arith::SelectOp::create(builder, loc, above, constant(replacement),
                                   a);
  }
  /// The lesser of a and bound; NaN stays NaN.
  Value clampAbove(Value a, float bound) {
    return replaceAbove(a, bound, bound);
  }
  /// The greater of a and bound; NaN stays NaN.
  Value clampBelow(Value a, float bound) {
    return selectBelow(a, bound, constant(bound), a);
  }
  /// The polynomial with these coefficients, of ascending degree.
  Value polynomial(Value x, ArrayRef<float> coefficients) {
    Value value = constant(coefficients.back());
    for (float coefficient : llvm::reverse(coefficients.drop_back()))
      value = fma(value, x, constant(coefficient));
    return value;
  }
  Value toBits(Value a) {
    return arith::BitcastOp::create(builder, loc, intType, a);
  }
  /// 2^exponent of an integer in [-126, 127]; only its low 8 bits count.
  Value powerOfTwo(Value exponent) {
    Value shifted =
        arith::ShLIOp::create(builder, loc, exponent, intConstant(23));
    Value bits =
        arith::AddIOp::create(builder, loc, shifted, intConstant(127 << 23));
    return arith::BitcastOp::create(builder, loc, type, bits);
  }
  Value intSub(Value a, Value b) {
    return arith::SubIOp::create(builder, loc, a, b);
  }
  Value intHalf(Value a) {
    return arith::ShRSIOp::create(builder, loc, a, intConstant(1));
  }

private:
  Type withElementType(Type elementType) const {
    if (auto vector = dyn_cast<VectorType>(type))
      return vector.clone(elementType);
    return elementType;
  }
  Value splat(Type type, TypedAttr value) {
    if (auto vector = dyn_cast<VectorType>(type))
      value = DenseElementsAttr::get(vector, Attribute(value));
    return arith::ConstantOp::create(builder, loc, value);
  }

  OpBuilder &builder;
  Location loc;
  Type type, intType;
};

} // namespace mlir::frit

#endif // FRIT_LIB_CONVERSION_EXPANDMATH_FUNCTIONEMITTER_H

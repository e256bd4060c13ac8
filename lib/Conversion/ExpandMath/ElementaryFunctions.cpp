//===- ElementaryFunctions.cpp --------------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Emits tanh, erf and exp. The coefficients are minimax fits of the named
// functions, made for Frit with a Remez iteration in 40 digits.
//
//===----------------------------------------------------------------------===//

#include "ElementaryFunctions.h"

#include "FunctionEmitter.h"

namespace mlir::frit {

namespace {

/// 1.5 * 2^23: adding it to a float below 2^22 rounds that to an integer, which
/// the low bits of the sum then hold.
constexpr float roundingShift = 0x1.8p23F;
constexpr int32_t roundingShiftBits = 0x4B400000;

/// exp(y) = 2^n (1 + p).
struct ReducedExp {
  /// The integer n in the low bits of this integer.
  Value exponentBits;
  /// p = exp(r) - 1 for the remainder |r| <= log(2)/2.
  Value expm1;
};

/// Reduces y, |y| < 2^20; NaN makes `expm1` NaN.
ReducedExp reduceExp(FunctionEmitter &emit, Value y) {
  Value shift = emit.constant(roundingShift);
  Value shifted = emit.fma(y, emit.constant(0x1.715476p0F), shift);
  Value n = emit.sub(shifted, shift);
  // log(2) in two parts; products of n and the first are exact up to |n| = 256.
  Value r = emit.fma(n, emit.constant(-0x1.62E4p-1F), y);
  r = emit.fma(n, emit.constant(-0x1.7F7D1Cp-20F), r);
  // (exp(r) - 1 - r) / r^2; relative error of exp(r) - 1 below 1.5e-8.
  Value q = emit.polynomial(r, {0x1p-1F, 0x1.5554A8p-3F, 0x1.55547Ep-5F,
                                0x1.122D72p-7F, 0x1.6DA096p-10F});
  return {emit.toBits(shifted), emit.fma(emit.mul(r, r), q, r)};
}

} // namespace

Value buildTanh(OpBuilder &builder, Location loc, Value x) {
  FunctionEmitter emit(builder, loc, x.getType());
  constexpr float crossover = 0.625F;
  // Below the crossover tanh(x) = x + x^3 p(x^2).
  Value square = emit.mul(x, x);
  Value p =
      emit.polynomial(square, {-0x1.555532p-2F, 0x1.11072Ap-3F, -0x1.B83CB2p-5F,
                               0x1.522886p-6F, -0x1.75E95Cp-8F});
  Value small = emit.fma(emit.mul(square, p), x, x);
  // Above it tanh |x| = 1 - 2 / (exp(2|x|) + 1), whose error vanishes as tanh
  // nears 1. It is 1 where 1 - tanh |x| < 2^-24 and not only from half of that
  // on: the vector tanh of PyTorch's CPU kernels (SLEEF's) does the same, and
  // in 1 + tanh(x) of a negative x the difference would be all that is left.
  Value magnitude = emit.abs(x);
  Value doubled = emit.replaceAbove(emit.add(magnitude, magnitude),
                                    2 * 8.664339742F, 20.0F);
  ReducedExp reduced = reduceExp(emit, doubled);
  Value scale = emit.powerOfTwo(reduced.exponentBits);
  Value exponential = emit.fma(scale, reduced.expm1, scale);
  Value one = emit.constant(1.0F);
  Value rest = emit.div(emit.constant(2.0F), emit.add(exponential, one));
  Value result =
      emit.selectBelow(magnitude, crossover, small, emit.sub(one, rest));
  // Of the polynomial only the sign of a zero changes.
  return emit.copySign(result, x);
}

Value buildErf(OpBuilder &builder, Location loc, Value x) {
  FunctionEmitter emit(builder, loc, x.getType());
  constexpr float crossover = 0.92F;
  // Below the crossover erf(x) = x + x p(x^2).
  Value p = emit.polynomial(emit.mul(x, x),
                            {0x1.06EBA8p-3F, -0x1.812744p-2F, 0x1.CE2E24p-4F,
                             -0x1.B810E8p-6F, 0x1.54DF1Ap-8F, -0x1.AB105Cp-11F,
                             0x1.5F953Ap-14F});
  Value small = emit.fma(x, p, x);
  // Above it erf |x| = 1 - exp(-g(|x|)), where g = -log(erfc); it is 1 from
  // 3.92 on.
  Value magnitude = emit.abs(x);
  Value t = emit.clampAbove(magnitude, 3.95F);
  Value g = emit.polynomial(t, {-0x1.9A6092p-13F, -0x1.20AF5Ap0F,
                                -0x1.463CC2p-1F, -0x1.A9B42p-4F, 0x1.6C2A5Ap-6F,
                                -0x1.8EE136p-9F, 0x1.9AE8A2p-13F});
  ReducedExp reduced = reduceExp(emit, g);
  Value scale = emit.powerOfTwo(reduced.exponentBits);
  Value erfc = emit.fma(scale, reduced.expm1, scale);
  Value large = emit.copySign(emit.sub(emit.constant(1.0F), erfc), x);
  return emit.selectBelow(magnitude, crossover, small, large);
}

Value buildExp(OpBuilder &builder, Location loc, Value x) {
  FunctionEmitter emit(builder, loc, x.getType());
  // Beyond these bounds the result is 0 and infinity.
  Value y = emit.clampBelow(emit.clampAbove(x, 89.0F), -104.0F);
  ReducedExp reduced = reduceExp(emit, y);
  // 2^n in two factors, as n reaches from -150 to 128.
  Value n =
      emit.intSub(reduced.exponentBits, emit.intConstant(roundingShiftBits));
  Value first = emit.intHalf(n);
  Value value = emit.add(emit.constant(1.0F), reduced.expm1);
  value = emit.mul(value, emit.powerOfTwo(first));
  return emit.mul(value, emit.powerOfTwo(emit.intSub(n, first)));
}

} // namespace mlir::frit

//===- ElementaryFunctions.h ------------------------------------*- C++ -*-===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Polynomial code for tanh, erf and exp in f32.
//
//===----------------------------------------------------------------------===//

#ifndef FRIT_LIB_CONVERSION_EXPANDMATH_ELEMENTARYFUNCTIONS_H
#define FRIT_LIB_CONVERSION_EXPANDMATH_ELEMENTARYFUNCTIONS_H

#include "mlir/IR/Builders.h"

namespace mlir::frit {

/// Each emits branch-free code for an f32 scalar or a vector of f32, with
/// explicit math.fma, and returns a value of the same type. NaN gives NaN.
/// Errors are the largest over all floats, in units in the last place (ulp) of
/// the exact result; the unit test of FritConversion measures them.

/// tanh, within 1.4 ulp and, where |x| is below 0.55, 0.8 ulp; odd, +-1 at the
/// infinities.
Value buildTanh(OpBuilder &builder, Location loc, Value x);

/// erf, within 1.3 ulp; odd, +-1 at the infinities.
Value buildErf(OpBuilder &builder, Location loc, Value x);

/// exp, within 1.1 ulp, subnormal results included; overflows to infinity.
Value buildExp(OpBuilder &builder, Location loc, Value x);

} // namespace mlir::frit

#endif // FRIT_LIB_CONVERSION_EXPANDMATH_ELEMENTARYFUNCTIONS_H

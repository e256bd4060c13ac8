//===- NumericsRules.h ------------------------------------------*- C++ -*-===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What frit-verify-numerics forbids in code that came from Frit's ops, one
// function for each rule. Rules know the arith, math, vector and LLVM dialects,
// and the target dialects whose ops approximate or flush subnormals.
//
//===----------------------------------------------------------------------===//

#ifndef FRIT_LIB_DIALECT_FRIT_TRANSFORMS_VERIFYNUMERICS_NUMERICSRULES_H
#define FRIT_LIB_DIALECT_FRIT_TRANSFORMS_VERIFYNUMERICS_NUMERICSRULES_H

#include "frit/Dialect/Frit/IR/Frit.h"

namespace mlir::frit {

/// True for ops that compute with floating-point numbers: not for constants,
/// loads, stores, casts, selects, compares and what moves elements of vectors.
bool isFloatArithmetic(Operation *op);

/// Each rule gives a sentence on what is wrong, empty where nothing is.
using NumericsRule = std::string (*)(Operation *op, FpMode mode);

/// Flags that allow a rounding to go, or that take NaN and infinities away.
std::string checkFastMathFlags(Operation *op, FpMode mode);
/// A product and a sum in one rounding, outside code that allows it.
std::string checkFusedMultiplyAdd(Operation *op, FpMode mode);
/// Arithmetic in a type that is narrower than f32.
std::string checkNarrowArithmetic(Operation *op, FpMode mode);
/// Approximate division and square root, outside code with its own error bound.
std::string checkApproximation(Operation *op, FpMode mode);
/// Instructions that flush subnormals whatever the mode.
std::string checkFlushing(Operation *op, FpMode mode);

/// A rounding mode other than the one that compiled code has.
std::string checkRounding(Operation *op, FpMode mode);

/// What attributes of a function allow for all code in it.
std::string checkFunctionAttributes(Operation *function);

} // namespace mlir::frit

#endif // FRIT_LIB_DIALECT_FRIT_TRANSFORMS_VERIFYNUMERICS_NUMERICSRULES_H

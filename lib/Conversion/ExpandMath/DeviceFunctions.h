//===- DeviceFunctions.h ----------------------------------------*- C++ -*-===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// tanh, exp and division in f32 by the approximations that a GPU has in
// hardware, for code whose origin allows them: the inside of gelu and silu.
//
//===----------------------------------------------------------------------===//

#ifndef FRIT_LIB_CONVERSION_EXPANDMATH_DEVICEFUNCTIONS_H
#define FRIT_LIB_CONVERSION_EXPANDMATH_DEVICEFUNCTIONS_H

#include "mlir/IR/Builders.h"

namespace mlir::frit {

/// True inside of a gpu.launch or a gpu.module.
bool isDeviceCode(Operation *op);

/// Each emits branch-free code for f32 scalars or vectors of rank 1. NaN gives
/// NaN, and subnormals are kept. The errors follow from those that the PTX ISA
/// states for ex2.approx (2^-22, relative) and div.full (2 ulp).

/// tanh with an absolute error below 2^-21; odd, +-1 at the infinities. It is
/// for 1 + tanh(x): hardware's own tanh is too coarse even there.
Value buildDeviceTanh(OpBuilder &builder, Location loc, Value x);

/// exp with a relative error below 2^-21 + |x| 2^-23; overflows to infinity.
Value buildDeviceExp(OpBuilder &builder, Location loc, Value x);

/// a / b, within 2 ulp.
Value buildDeviceDivision(OpBuilder &builder, Location loc, Value a, Value b);

} // namespace mlir::frit

#endif // FRIT_LIB_CONVERSION_EXPANDMATH_DEVICEFUNCTIONS_H

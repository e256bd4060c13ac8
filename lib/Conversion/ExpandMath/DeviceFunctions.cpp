//===- DeviceFunctions.cpp ------------------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Emits tanh, exp and division for GPUs.
//
//===----------------------------------------------------------------------===//

#include "DeviceFunctions.h"

#include "FunctionEmitter.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"

namespace mlir::frit {

bool isDeviceCode(Operation *op) {
  return op->getParentOfType<gpu::LaunchOp>() ||
         op->getParentOfType<gpu::GPUModuleOp>();
}

static constexpr float log2OfE = 0x1.715476p0F;

static Value exp2(FunctionEmitter &emit, Value x) {
  return emit.call("llvm.nvvm.ex2.approx.f32", x);
}

static Value divide(FunctionEmitter &emit, Value a, Value b) {
  return emit.call("llvm.nvvm.div.full", {a, b});
}

Value buildDeviceTanh(OpBuilder &builder, Location loc, Value x) {
  FunctionEmitter emit(builder, loc, x.getType());
  // tanh |x| = 1 - 2 / (exp(2|x|) + 1); an infinite exponential gives 1.
  Value one = emit.constant(1.0F);
  Value exponential =
      exp2(emit, emit.mul(emit.abs(x), emit.constant(2 * log2OfE)));
  Value rest = divide(emit, emit.constant(2.0F), emit.add(exponential, one));
  return emit.copySign(emit.sub(one, rest), x);
}

Value buildDeviceExp(OpBuilder &builder, Location loc, Value x) {
  FunctionEmitter emit(builder, loc, x.getType());
  return exp2(emit, emit.mul(x, emit.constant(log2OfE)));
}

Value buildDeviceDivision(OpBuilder &builder, Location loc, Value a, Value b) {
  FunctionEmitter emit(builder, loc, a.getType());
  return divide(emit, a, b);
}

} // namespace mlir::frit

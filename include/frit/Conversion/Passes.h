//===- Passes.h -------------------------------------------------*- C++ -*-===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The passes of FritConversion: their option structs, constructors and
// registration. What each does is documented in Passes.td.
//
//===----------------------------------------------------------------------===//

#ifndef FRIT_CONVERSION_PASSES_H
#define FRIT_CONVERSION_PASSES_H

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Pass/Pass.h"

namespace mlir::affine {
class AffineDialect;
} // namespace mlir::affine
namespace mlir::arith {
class ArithDialect;
} // namespace mlir::arith
namespace mlir::cf {
class ControlFlowDialect;
} // namespace mlir::cf
namespace mlir::func {
class FuncDialect;
} // namespace mlir::func
namespace mlir::gpu {
class GPUDialect;
} // namespace mlir::gpu
namespace mlir::LLVM {
class LLVMDialect;
} // namespace mlir::LLVM
namespace mlir::linalg {
class LinalgDialect;
} // namespace mlir::linalg
namespace mlir::math {
class MathDialect;
} // namespace mlir::math
namespace mlir::memref {
class MemRefDialect;
} // namespace mlir::memref
namespace mlir::NVVM {
class NVVMDialect;
} // namespace mlir::NVVM
namespace mlir::scf {
class SCFDialect;
} // namespace mlir::scf
namespace mlir::vector {
class VectorDialect;
} // namespace mlir::vector

namespace mlir::frit {
class FritDialect;

#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "frit/Conversion/Passes.h.inc"

} // namespace mlir::frit

#endif // FRIT_CONVERSION_PASSES_H

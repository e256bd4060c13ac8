//===- Passes.h -------------------------------------------------*- C++ -*-===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The passes of FritTransforms: their option structs, constructors and
// registration. What each does is documented in Passes.td.
//
//===----------------------------------------------------------------------===//

#ifndef FRIT_DIALECT_FRIT_TRANSFORMS_PASSES_H
#define FRIT_DIALECT_FRIT_TRANSFORMS_PASSES_H

#include "frit/Dialect/Frit/IR/Frit.h"
#include "frit/Dialect/Frit/Transforms/Raise.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace mlir::frit {

#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "frit/Dialect/Frit/Transforms/Passes.h.inc"

} // namespace mlir::frit

#endif // FRIT_DIALECT_FRIT_TRANSFORMS_PASSES_H

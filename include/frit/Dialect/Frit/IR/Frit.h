//===- Frit.h ---------------------------------------------------*- C++ -*-===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The frit dialect: its attributes, interfaces and operations.
//
//===----------------------------------------------------------------------===//

#ifndef FRIT_DIALECT_FRIT_IR_FRIT_H
#define FRIT_DIALECT_FRIT_IR_FRIT_H

#include "frit/Dialect/Frit/IR/KernelShape.h"

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/Dialect/GPU/IR/CompilationInterfaces.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "frit/Dialect/Frit/IR/FritDialect.h.inc"
#include "frit/Dialect/Frit/IR/FritEnums.h.inc"

#define GET_ATTRDEF_CLASSES
#include "frit/Dialect/Frit/IR/FritAttributes.h.inc"

#include "frit/Dialect/Frit/IR/FritInterfaces.h.inc"

#define GET_OP_CLASSES
#include "frit/Dialect/Frit/IR/FritOps.h.inc"

namespace mlir::frit {

/// True where consecutive elements of the last dimension are adjacent, which
/// Frit's ops ask of memrefs: the layout is strided and the inner stride is 1
/// or never used. A memref of rank 0 has it.
bool hasUnitInnerStride(MemRefType type);

} // namespace mlir::frit

#endif // FRIT_DIALECT_FRIT_IR_FRIT_H

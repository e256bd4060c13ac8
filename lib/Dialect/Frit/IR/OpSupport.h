//===- OpSupport.h ----------------------------------------------*- C++ -*-===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the verifiers and interface methods of several ops share.
//
//===----------------------------------------------------------------------===//

#ifndef FRIT_LIB_DIALECT_FRIT_IR_OPSUPPORT_H
#define FRIT_LIB_DIALECT_FRIT_IR_OPSUPPORT_H

#include "frit/Dialect/Frit/IR/Frit.h"

namespace mlir::frit {

/// An operand with the name that messages give it.
struct NamedOperand {
  StringRef name;
  Value value;

  ShapedType getType() const { return cast<ShapedType>(value.getType()); }
};

/// Checks that all operands are tensors, or all are memrefs with an inner
/// stride of 1, and that there is a result of the destination's type for each
/// destination of a tensor op and none otherwise.
LogicalResult verifyDestinationStyle(Operation *op,
                                     ArrayRef<NamedOperand> operands);

/// Checks the rank of an operand.
LogicalResult verifyRank(Operation *op, NamedOperand operand, int64_t rank);

/// Checks that two dimensions agree, as far as both are static.
LogicalResult verifySameDim(Operation *op, NamedOperand lhs, int64_t lhsDim,
                            NamedOperand rhs, int64_t rhsDim);

/// Checks that the product of the static dimensions before the last one, the
/// number of tokens as far as it is known, is less than 2^63.
LogicalResult verifyTokenCount(Operation *op, NamedOperand operand);

/// Checks that two operands have the same element type.
LogicalResult verifySameElementType(Operation *op, NamedOperand lhs,
                                    NamedOperand rhs);

/// Checks that LoRA weights are of the activations' type, or f32.
LogicalResult verifyLoraWeightType(Operation *op, NamedOperand weight,
                                   NamedOperand activation);

/// Checks the numbers of Gemma3n's sparse gate.
LogicalResult verifySparseGate(Operation *op, uint64_t correction,
                               FloatAttr stdMultiplier);

/// The effects of a destination-passing op: none on tensors; on memrefs it
/// reads the inputs and writes the destinations, which it also reads if asked.
void getDestinationStyleEffects(
    DestinationStyleOpInterface op, bool readsInits,
    SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>>
        &effects);

/// A tensor op may be hoisted and speculated, a memref op may not.
Speculation::Speculatability
getDestinationStyleSpeculatability(DestinationStyleOpInterface op);

/// Each result has the shape of its destination.
LogicalResult
reifyDestinationShapes(DestinationStyleOpInterface op, OpBuilder &builder,
                       ReifiedRankedShapedTypeDims &reifiedReturnShapes);

} // namespace mlir::frit

#endif // FRIT_LIB_DIALECT_FRIT_IR_OPSUPPORT_H

//===- FritOpBase.td ---------------------------------------*- tablegen -*-===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Base classes of the ops of the frit dialect.
//
//===----------------------------------------------------------------------===//

#ifndef FRIT_OP_BASE_TD
#define FRIT_OP_BASE_TD

include "mlir/IR/OpBase.td"
include "mlir/IR/BuiltinAttributeInterfaces.td"
include "mlir/Interfaces/DestinationStyleOpInterface.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "frit/Dialect/Frit/IR/FritAttributes.td"
include "frit/Dialect/Frit/IR/FritInterfaces.td"

// A tensor or a memref of one of the given element types.
class Frit_Shaped<list<Type> elements, string description>
    : AnyTypeOf<[RankedTensorOf<elements>, MemRefOf<elements>], description>;

def Frit_FloatShaped : Frit_Shaped<[F32, F16, BF16],
    "ranked tensor or memref of f32, f16 or bf16">;
def Frit_F32Shaped : Frit_Shaped<[F32], "ranked tensor or memref of f32">;
def Frit_I32Shaped : Frit_Shaped<[I32], "ranked tensor or memref of i32">;

// A destination-passing op: on tensors it is pure and has a result for each
// destination; on memrefs it has none and writes the destinations.
class Frit_DestinationOp<string mnemonic, list<Trait> traits = []>
    : Op<Frit_Dialect, mnemonic, traits # [
        DestinationStyleOpInterface,
        DeclareOpInterfaceMethods<MemoryEffectsOpInterface>,
        DeclareOpInterfaceMethods<ConditionallySpeculatable>,
        DeclareOpInterfaceMethods<ReifyRankedShapedTypeOpInterface, ["reifyResultShapes"]>,
        Frit_KernelOpInterface]> {
  let hasVerifier = 1;
  let hasCanonicalizer = 1;
  let hasFolder = 1;
  let extraClassDefinition = [{
    void $cppClass::getEffects(
        ::llvm::SmallVectorImpl<::mlir::SideEffects::EffectInstance<
            ::mlir::MemoryEffects::Effect>> &effects) {
      ::mlir::frit::getDestinationStyleEffects(*this, readsDestination(), effects);
    }
    ::mlir::Speculation::Speculatability $cppClass::getSpeculatability() {
      return ::mlir::frit::getDestinationStyleSpeculatability(*this);
    }
    ::llvm::LogicalResult $cppClass::reifyResultShapes(
        ::mlir::OpBuilder &builder,
        ::mlir::ReifiedRankedShapedTypeDims &reifiedReturnShapes) {
      return ::mlir::frit::reifyDestinationShapes(*this, builder, reifiedReturnShapes);
    }
  }];
}

#endif // FRIT_OP_BASE_TD

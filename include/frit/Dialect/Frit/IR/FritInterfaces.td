//===- FritInterfaces.td -----------------------------------*- tablegen -*-===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Interfaces that ops of the frit dialect share with each other and with the
// ops of third parties that take part in kernel selection.
//
//===----------------------------------------------------------------------===//

#ifndef FRIT_INTERFACES_TD
#define FRIT_INTERFACES_TD

include "mlir/IR/OpBase.td"

def Frit_KernelOpInterface : OpInterface<"KernelOpInterface"> {
  let cppNamespace = "::mlir::frit";
  let description = [{
    An op whose execution `frit-select-kernels` decides. The choice is the
    discardable attribute `frit.kernel`.
  }];
  let methods = [
    InterfaceMethod<
      "The chosen kernel; null where none has been chosen yet.",
      "::mlir::frit::KernelAttr", "getKernel", (ins), "", [{
        return $_op->template getAttrOfType<::mlir::frit::KernelAttr>(
            ::mlir::frit::KernelAttr::getOpAttrName());
      }]>,
    InterfaceMethod<
      "Records the chosen kernel.",
      "void", "setKernel", (ins "::mlir::frit::KernelAttr":$kernel), "", [{
        $_op->setAttr(::mlir::frit::KernelAttr::getOpAttrName(), kernel);
      }]>,
    InterfaceMethod<
      "The element type that names the op's instance in the kernel table.",
      "::mlir::Type", "getKernelElementType", (ins)>,
    InterfaceMethod<
      "The sizes that conditions and launch plans of kernels speak of.",
      "::mlir::frit::KernelShape", "getKernelShape", (ins)>,
  ];
}

def Frit_TokenOpInterface : OpInterface<"TokenOpInterface"> {
  let cppNamespace = "::mlir::frit";
  let description = [{
    A destination-passing op that computes each token, a row, on its own, so
    that it can be split over tokens.
  }];
  let methods = [
    InterfaceMethod<[{
        The dimensions of an operand that hold the tokens, in the order of the
        loops over them; none where every token uses the whole operand.
      }],
      "::llvm::SmallVector<int64_t>", "getTokenDims",
      (ins "::mlir::OpOperand &":$operand)>,
    InterfaceMethod<[{
        True for an operand that speaks of all tokens together: a part of the
        tokens must do without it.
      }],
      "bool", "isGroupingOperand", (ins "::mlir::OpOperand &":$operand), "",
      [{ return false; }]>,
    InterfaceMethod<"Removes the operands that speak of all tokens together.",
      "void", "dropGrouping", (ins), "", [{ return; }]>,
  ];
}

#endif // FRIT_INTERFACES_TD

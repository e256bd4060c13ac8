//===- FritEnums.td ----------------------------------------*- tablegen -*-===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The enumerations that ops of the frit dialect take.
//
//===----------------------------------------------------------------------===//

#ifndef FRIT_ENUMS_TD
#define FRIT_ENUMS_TD

include "mlir/IR/EnumAttr.td"
include "frit/Dialect/Frit/IR/FritDialect.td"

class Frit_Enum<string name, string summary, list<I32EnumAttrCase> cases>
    : I32EnumAttr<name, summary, cases> {
  let cppNamespace = "::mlir::frit";
  let genSpecializedAttr = 0;
}

class Frit_EnumAttr<Frit_Enum enum, string mnemonic>
    : EnumAttr<Frit_Dialect, enum, mnemonic>;

// The two forms differ by up to 4.7e-4 and are never interchanged.
def Frit_Approximate : Frit_Enum<"Approximate",
    "form of the Gaussian error linear unit", [
      I32EnumAttrCase<"Tanh", 0, "tanh">,
      I32EnumAttrCase<"Erf", 1, "erf">]>;
def Frit_ApproximateAttr : Frit_EnumAttr<Frit_Approximate, "approximate">;

def Frit_Rounding : Frit_Enum<"Rounding",
    "where an activation rounds to the element type", [
      I32EnumAttrCase<"Stepwise", 0, "stepwise">,
      I32EnumAttrCase<"Final", 1, "final">]>;
def Frit_RoundingAttr : Frit_EnumAttr<Frit_Rounding, "rounding">;

def Frit_LoraRounding : Frit_Enum<"LoraRounding",
    "where a LoRA matmul rounds", [
      I32EnumAttrCase<"Final", 0, "final">,
      I32EnumAttrCase<"Sum", 1, "sum">,
      I32EnumAttrCase<"Stepwise", 2, "stepwise">]>;
def Frit_LoraRoundingAttr : Frit_EnumAttr<Frit_LoraRounding, "lora_rounding">;

def Frit_Intermediate : Frit_Enum<"Intermediate",
    "type of the rank vector between the two LoRA matmuls", [
      I32EnumAttrCase<"F32", 0, "f32">,
      I32EnumAttrCase<"Element", 1, "element">]>;
def Frit_IntermediateAttr : Frit_EnumAttr<Frit_Intermediate, "intermediate">;

def Frit_Activation : Frit_Enum<"Activation",
    "activation function of a plain gated product", [
      I32EnumAttrCase<"Silu", 0, "silu">,
      I32EnumAttrCase<"GeluTanh", 1, "gelu_tanh">,
      I32EnumAttrCase<"GeluErf", 2, "gelu_erf">]>;
def Frit_ActivationAttr : Frit_EnumAttr<Frit_Activation, "activation">;

// Which dimension of down's weights runs over columns of the activation.
def Frit_DownLayout : Frit_Enum<"DownLayout",
    "layout of the weights of a feed-forward network's down projection", [
      I32EnumAttrCase<"Dh", 0, "dh">,
      I32EnumAttrCase<"Hd", 1, "hd">]>;
def Frit_DownLayoutAttr : Frit_EnumAttr<Frit_DownLayout, "down_layout">;

def Frit_FpMode : Frit_Enum<"FpMode",
    "what may be done to the floating-point code of an origin", [
      I32EnumAttrCase<"Strict", 0, "strict">,
      I32EnumAttrCase<"Fma", 1, "fma">]>;
def Frit_FpModeAttr : Frit_EnumAttr<Frit_FpMode, "fp_mode">;

def Frit_Effect : Frit_Enum<"Effect",
    "what a kernel does with the memory behind an operand", [
      I32EnumAttrCase<"None", 0, "none">,
      I32EnumAttrCase<"Read", 1, "read">,
      I32EnumAttrCase<"Write", 2, "write">,
      I32EnumAttrCase<"ReadWrite", 3, "readwrite">]>;

#endif // FRIT_ENUMS_TD

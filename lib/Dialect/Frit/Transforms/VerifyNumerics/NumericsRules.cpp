//===- NumericsRules.cpp --------------------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The rules of frit-verify-numerics.
//
//===----------------------------------------------------------------------===//

#include "NumericsRules.h"

#include "../RoundingMode.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace mlir::frit;

static bool isFloat(Type type) {
  return isa<FloatType>(getElementTypeOrSelf(type));
}

static bool hasFloats(Operation *op) {
  return llvm::any_of(op->getOperandTypes(), isFloat) ||
         llvm::any_of(op->getResultTypes(), isFloat);
}

bool frit::isFloatArithmetic(Operation *op) {
  StringRef dialect = op->getName().getDialectNamespace();
  if (dialect == arith::ArithDialect::getDialectNamespace())
    return hasFloats(op) && !isa<arith::ConstantOp, arith::SelectOp,
                                 arith::CmpFOp, CastOpInterface>(op);
  if (dialect == math::MathDialect::getDialectNamespace())
    return hasFloats(op);
  if (dialect == vector::VectorDialect::getDialectNamespace())
    return hasFloats(op) &&
           isa<vector::FMAOp, vector::ContractionOp, vector::OuterProductOp,
               vector::ReductionOp, vector::MultiDimReductionOp,
               vector::ScanOp>(op);
  if (dialect == LLVM::LLVMDialect::getDialectNamespace())
    return hasFloats(op) && isa<LLVM::FastmathFlagsInterface>(op) &&
           !isa<LLVM::FCmpOp, LLVM::SelectOp, LLVM::CallOp,
                LLVM::CallIntrinsicOp>(op);
  return false;
}

//===----------------------------------------------------------------------===//
// Names of what is called
//===----------------------------------------------------------------------===//

static bool isFunctionCall(Operation *op) {
  return isa<LLVM::CallOp, func::CallOp>(op);
}

/// The name of a function or intrinsic that an op calls, the text of inline
/// assembly, else the op's own name without `llvm.intr.`.
static StringRef getCalledName(Operation *op) {
  if (auto call = dyn_cast<LLVM::CallOp>(op))
    return call.getCallee().value_or("");
  if (auto call = dyn_cast<func::CallOp>(op))
    return call.getCallee();
  if (auto call = dyn_cast<LLVM::CallIntrinsicOp>(op))
    return call.getIntrin();
  if (auto assembly = dyn_cast<LLVM::InlineAsmOp>(op))
    return assembly.getAsmString();
  if (op->getName().getStringRef() == "nvvm.inline_ptx")
    if (auto text = op->getAttrOfType<StringAttr>("ptxCode"))
      return text.getValue();
  return op->getName().getStringRef();
}

static bool containsAny(StringRef text, ArrayRef<StringRef> parts) {
  return llvm::any_of(parts,
                      [&](StringRef part) { return text.contains(part); });
}

//===----------------------------------------------------------------------===//
// Rules
//===----------------------------------------------------------------------===//

std::string frit::checkFastMathFlags(Operation *op, FpMode) {
  // All but nsz: signs of zeros are not compared. Both enumerations agree in
  // their names, not in their bits.
  std::string flags;
  if (auto arithOp = dyn_cast<arith::ArithFastMathInterface>(op)) {
    if (arith::FastMathFlagsAttr attribute = arithOp.getFastMathFlagsAttr())
      flags = arith::stringifyFastMathFlags(
          bitEnumClear(attribute.getValue(), arith::FastMathFlags::nsz));
  } else if (auto llvmOp = dyn_cast<LLVM::FastmathFlagsInterface>(op)) {
    if (LLVM::FastmathFlagsAttr attribute = llvmOp.getFastmathAttr())
      flags = LLVM::stringifyFastmathFlags(
          bitEnumClear(attribute.getValue(), LLVM::FastmathFlags::nsz));
  }
  if (flags.empty() || flags == "none")
    return "";
  return "must not have the fastmath flags '" + flags + "'";
}

std::string frit::checkFusedMultiplyAdd(Operation *op, FpMode mode) {
  if (mode == FpMode::Fma)
    return "";
  bool fuses =
      isa<math::FmaOp, vector::FMAOp, LLVM::FMAOp, LLVM::FMulAddOp,
          LLVM::VPFmaOp>(op) ||
      (isa<vector::ContractionOp, vector::OuterProductOp>(op) && hasFloats(op));
  StringRef name = getCalledName(op);
  if (isFunctionCall(op))
    fuses |= name == "fma" || name == "fmaf" || name.starts_with("__nv_fma");
  else
    fuses |= hasFloats(op) && containsAny(name, {"fmadd", "fmsub", "fma.rn",
                                                 "llvm.fma", "llvm.fmuladd"});
  return fuses ? "must not fuse a product and a sum" : "";
}

std::string frit::checkNarrowArithmetic(Operation *op, FpMode) {
  if (!isFloatArithmetic(op))
    return "";
  // A contraction that widens its operands accumulates in the result's type.
  SmallVector<Type> types(op->getResultTypes());
  if (!isa<vector::ContractionOp>(op))
    llvm::append_range(types, op->getOperandTypes());
  for (Type type : types) {
    auto element = dyn_cast<FloatType>(getElementTypeOrSelf(type));
    if (element && element.getWidth() < 32) {
      std::string name;
      llvm::raw_string_ostream(name) << element;
      return "must not compute in " + name + ", but in f32";
    }
  }
  return "";
}

std::string frit::checkApproximation(Operation *op, FpMode mode) {
  if (mode == FpMode::Fma)
    return "";
  StringRef name = getCalledName(op);
  // CUDA's __nv_sqrtf is exact or not as a flag of the whole module says.
  bool approximates = false;
  if (isFunctionCall(op))
    approximates = name.starts_with("__nv_fast_") ||
                   name.starts_with("__nv_fdividef") ||
                   name.starts_with("__nv_rsqrt") || name == "__nv_sqrtf" ||
                   name == "rsqrtf";
  else
    approximates = containsAny(name, {".approx", "rsqrt", "rcp", "rsq."}) ||
                   name == "rocdl.sqrt" || name == "rocdl.rsq";
  return approximates ? "must not approximate a division or square root ('" +
                            name.str() + "')"
                      : "";
}

std::string frit::checkFlushing(Operation *op, FpMode) {
  StringRef name = getCalledName(op);
  if (isFunctionCall(op))
    return "";
  bool flushes = containsAny(name, {".ftz", "avx512bf16", "dpbf16",
                                    "cvtneps2bf16", "tdpbf16", "tdpfp16"}) ||
                 name.starts_with("x86vector.avx512.dot") ||
                 name == "x86vector.avx512.cvt.packed.f32_to_bf16" ||
                 name == "amx.tile_mulf";
  return flushes ? "must not flush subnormals ('" + name.str() + "')" : "";
}

std::string frit::checkRounding(Operation *op, FpMode) {
  StringRef mode;
  if (std::optional<arith::RoundingMode> other = getOtherRounding(op)) {
    mode = arith::stringifyRoundingMode(*other);
  } else if (auto llvmOp = dyn_cast<LLVM::RoundingModeOpInterface>(op)) {
    if (LLVM::RoundingModeAttr attribute = llvmOp.getRoundingModeAttr();
        attribute &&
        attribute.getValue() != LLVM::RoundingMode::NearestTiesToEven)
      mode = LLVM::stringifyRoundingMode(attribute.getValue());
  }
  if (mode.empty())
    return "";
  return ("must round to nearest even, not '" + mode + "',").str();
}

std::string frit::checkFunctionAttributes(Operation *function) {
  auto llvmFunction = dyn_cast<LLVM::LLVMFuncOp>(function);
  if (!llvmFunction)
    return "";
  if (llvmFunction.getFpContract().value_or("off") == "fast")
    return "must not have 'fp_contract' \"fast\"";
  if (llvmFunction.getNoNansFpMath().value_or(false))
    return "must not have 'no_nans_fp_math'";
  if (llvmFunction.getNoInfsFpMath().value_or(false))
    return "must not have 'no_infs_fp_math'";
  for (std::optional<StringRef> denormal :
       {llvmFunction.getDenormalFpMath(), llvmFunction.getDenormalFpMathF32()})
    if (denormal && !denormal->starts_with("ieee"))
      return "must keep subnormals, but its denormal mode is \"" +
             denormal->str() + "\"";
  return "";
}

//===- SafetensorsTypes.cpp -----------------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The dtypes of the safetensors format.
//
//===----------------------------------------------------------------------===//

#include "SafetensorsTypes.h"

#include "llvm/ADT/StringSwitch.h"

using namespace mlir::frit;

std::optional<ElementType>
mlir::frit::parseSafetensorsType(llvm::StringRef dtype) {
  return llvm::StringSwitch<std::optional<ElementType>>(dtype)
      .Case("BOOL", ElementType::I1)
      .Case("I8", ElementType::I8)
      .Case("I16", ElementType::I16)
      .Case("I32", ElementType::I32)
      .Case("I64", ElementType::I64)
      .Case("U8", ElementType::U8)
      .Case("U16", ElementType::U16)
      .Case("U32", ElementType::U32)
      .Case("U64", ElementType::U64)
      .Case("F16", ElementType::F16)
      .Case("BF16", ElementType::BF16)
      .Case("F32", ElementType::F32)
      .Case("F64", ElementType::F64)
      .Default(std::nullopt);
}

llvm::StringRef mlir::frit::getSafetensorsType(ElementType type) {
  switch (type) {
  case ElementType::I1:
    return "BOOL";
  case ElementType::I8:
    return "I8";
  case ElementType::I16:
    return "I16";
  case ElementType::I32:
    return "I32";
  case ElementType::I64:
    return "I64";
  case ElementType::U8:
    return "U8";
  case ElementType::U16:
    return "U16";
  case ElementType::U32:
    return "U32";
  case ElementType::U64:
    return "U64";
  case ElementType::F16:
    return "F16";
  case ElementType::BF16:
    return "BF16";
  case ElementType::F32:
    return "F32";
  case ElementType::F64:
    return "F64";
  }
  llvm_unreachable("every element type is listed");
}

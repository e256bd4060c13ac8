//===- ElementType.cpp ----------------------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Sizes and names of element types.
//
//===----------------------------------------------------------------------===//

#include "frit/IO/ElementType.h"

#include "llvm/ADT/StringSwitch.h"

using namespace mlir::frit;

unsigned mlir::frit::getElementBytes(ElementType type) {
  return dispatchElementType(
      type, [](auto element) -> unsigned { return sizeof(element); });
}

bool mlir::frit::isFloat(ElementType type) { return type >= ElementType::F16; }

llvm::StringRef mlir::frit::getName(ElementType type) {
  switch (type) {
  case ElementType::I1:
    return "i1";
  case ElementType::I8:
    return "i8";
  case ElementType::I16:
    return "i16";
  case ElementType::I32:
    return "i32";
  case ElementType::I64:
    return "i64";
  case ElementType::U8:
    return "ui8";
  case ElementType::U16:
    return "ui16";
  case ElementType::U32:
    return "ui32";
  case ElementType::U64:
    return "ui64";
  case ElementType::F16:
    return "f16";
  case ElementType::BF16:
    return "bf16";
  case ElementType::F32:
    return "f32";
  case ElementType::F64:
    return "f64";
  }
  llvm_unreachable("every element type is listed");
}

std::optional<ElementType> mlir::frit::parseElementType(llvm::StringRef name) {
  return llvm::StringSwitch<std::optional<ElementType>>(name)
      .Case("i1", ElementType::I1)
      .Cases({"i8", "si8"}, ElementType::I8)
      .Cases({"i16", "si16"}, ElementType::I16)
      .Cases({"i32", "si32"}, ElementType::I32)
      .Cases({"i64", "si64"}, ElementType::I64)
      .Cases({"u8", "ui8"}, ElementType::U8)
      .Cases({"u16", "ui16"}, ElementType::U16)
      .Cases({"u32", "ui32"}, ElementType::U32)
      .Cases({"u64", "ui64"}, ElementType::U64)
      .Case("f16", ElementType::F16)
      .Case("bf16", ElementType::BF16)
      .Case("f32", ElementType::F32)
      .Case("f64", ElementType::F64)
      .Default(std::nullopt);
}

//===- TypeCode.h --------------------------------------------- -*- C++ -*-===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Element types as the C interfaces number them.
//
//===----------------------------------------------------------------------===//

#ifndef FRIT_IO_TYPECODE_H
#define FRIT_IO_TYPECODE_H

#include "frit/IO/ElementType.h"

#include "frit-c/Tensor.h"

#include "llvm/ADT/StringRef.h"

namespace mlir::frit {

/// The FRIT_TYPE of an element type, a FritTypeCode unless it is unsigned.
inline int32_t getTypeCode(ElementType type) {
  switch (type) {
  case ElementType::I1:
    return FRIT_TYPE_I1;
  case ElementType::F16:
    return FRIT_TYPE_F16;
  case ElementType::BF16:
    return FRIT_TYPE_BF16;
  case ElementType::F32:
    return FRIT_TYPE_F32;
  case ElementType::F64:
    return FRIT_TYPE_F64;
  default: {
    bool isUnsigned = getName(type).starts_with("u");
    return FRIT_TYPE(isUnsigned, 8 * getElementBytes(type));
  }
  }
}

} // namespace mlir::frit

#endif // FRIT_IO_TYPECODE_H

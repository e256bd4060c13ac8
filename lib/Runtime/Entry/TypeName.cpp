//===- TypeName.cpp - Names of element types ------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// MLIR's names of the element types that compiled functions have.
//
//===----------------------------------------------------------------------===//

#include "frit-c/Tensor.h"

const char *fritTypeName(int32_t type) {
  switch (type) {
  case FRIT_TYPE_I1:
    return "i1";
  case FRIT_TYPE_I8:
    return "i8";
  case FRIT_TYPE_I16:
    return "i16";
  case FRIT_TYPE_I32:
    return "i32";
  case FRIT_TYPE_I64:
    return "i64";
  case FRIT_TYPE_F16:
    return "f16";
  case FRIT_TYPE_BF16:
    return "bf16";
  case FRIT_TYPE_F32:
    return "f32";
  case FRIT_TYPE_F64:
    return "f64";
  default:
    return nullptr;
  }
}

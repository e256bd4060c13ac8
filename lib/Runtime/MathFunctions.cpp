//===- MathFunctions.cpp - Mathematical functions for object files --------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Passes the C library's mathematical functions on, under names of the runtime.
//
//===----------------------------------------------------------------------===//

#include "frit-c/Runtime.h"

#include <math.h>

// NOLINTBEGIN(readability-identifier-naming,bugprone-reserved-identifier): the
// names are those of the code generator behind a prefix.
extern "C" {

// The compiler's own library declares no header.
double __powidf2(double x, int n);
float __powisf2(float x, int n);

#define FRIT_RUNTIME_MATH(result, name, parameters, arguments)                 \
  FRIT_RUNTIME_EXPORT result fritMath_##name parameters;                       \
  result fritMath_##name parameters { return name arguments; }
#include "frit-c/RuntimeMath.def"

} // extern "C"
// NOLINTEND(readability-identifier-naming,bugprone-reserved-identifier)

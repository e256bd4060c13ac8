//===- Ranges.h -------------------------------------------------*- C++ -*-===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Checks of numbers that compiled code or a caller passes.
//
//===----------------------------------------------------------------------===//

#ifndef FRIT_LIB_RUNTIME_CUDA_RANGES_H
#define FRIT_LIB_RUNTIME_CUDA_RANGES_H

#include "Reporter.h"

namespace frit::runtime::cuda {

/// Reports a number that is not from `least` to `most`, as an invalid argument,
/// with both values.
FritStatus checkRange(const Reporter &reporter, const char *what, int64_t value,
                      int64_t least, int64_t most);

} // namespace frit::runtime::cuda

#endif // FRIT_LIB_RUNTIME_CUDA_RANGES_H

//===- Ranges.cpp ---------------------------------------------------------===//
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

#include "Ranges.h"

#include <cinttypes>

using namespace frit::runtime::cuda;

FritStatus frit::runtime::cuda::checkRange(const Reporter &reporter,
                                           const char *what, int64_t value,
                                           int64_t least, int64_t most) {
  if (value < least)
    return reporter.report(FRIT_STATUS_INVALID_ARGUMENT,
                           "%s is %" PRId64 ", the least is %" PRId64, what,
                           value, least);
  if (value > most)
    return reporter.report(FRIT_STATUS_INVALID_ARGUMENT,
                           "%s is %" PRId64 ", the most is %" PRId64, what,
                           value, most);
  return FRIT_STATUS_OK;
}

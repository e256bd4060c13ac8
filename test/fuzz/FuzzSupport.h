//===- FuzzSupport.h --------------------------------------------*- C++ -*-===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the fuzz targets of the file readers share.
//
//===----------------------------------------------------------------------===//

#ifndef FRIT_TEST_FUZZ_FUZZSUPPORT_H
#define FRIT_TEST_FUZZ_FUZZSUPPORT_H

#include "frit/IO/HostTensor.h"

#include <cstdlib>

namespace mlir::frit::fuzz {

/// Ends the process, which the fuzzer reports, unless `condition` holds.
inline void check(bool condition) {
  if (!condition)
    std::abort();
}

/// Takes an error, which must say something in one line that names the input.
/// Returns what a fuzz target returns.
inline int rejectWithMessage(llvm::Error error) {
  const std::string message = llvm::toString(std::move(error));
  check(llvm::StringRef(message).starts_with("input: ") &&
        !llvm::StringRef(message).contains('\n'));
  return 0;
}

/// Reads every element and returns how many there were.
inline int64_t sumElements(const HostTensor &tensor) {
  volatile double sum = 0;
  int64_t count = 0;
  for (; count < tensor.getNumElements(); ++count)
    sum = sum + tensor.getDouble(count);
  return count;
}

} // namespace mlir::frit::fuzz

#endif // FRIT_TEST_FUZZ_FUZZSUPPORT_H

//===- Library.h ------------------------------------------------*- C++ -*-===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// cuBLASLt, opened when the first matmul is to run.
//
//===----------------------------------------------------------------------===//

#ifndef FRIT_LIB_RUNTIME_CUDA_CUBLASLT_LIBRARY_H
#define FRIT_LIB_RUNTIME_CUDA_CUBLASLT_LIBRARY_H

#include "Types.h"

#include "../Reporter.h"

#include <type_traits>

namespace frit::runtime::cuda::cublaslt {

/// The functions of cuBLASLt.
struct Library {
#define FRIT_CUBLASLT_ENTRY(result, name, parameters)                          \
  std::add_pointer_t<result parameters> name = nullptr;
#include "Entries.def"

  /// The library, opened, or null and a report: device unavailable. A failure
  /// is not remembered: the next call tries again.
  static const Library *open(const Reporter &reporter);
};

/// Reports that the function `name` returned `status`, for `what`: as out of
/// memory if it says so, else as a device error.
FritStatus reportStatus(const Reporter &reporter, const Library &library,
                        const char *name, Status status, const char *what);

} // namespace frit::runtime::cuda::cublaslt

#endif // FRIT_LIB_RUNTIME_CUDA_CUBLASLT_LIBRARY_H

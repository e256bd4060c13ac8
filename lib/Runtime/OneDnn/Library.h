//===- Library.h ------------------------------------------------*- C++ -*-===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// oneDNN, opened when the first matmul of a host is to run.
//
//===----------------------------------------------------------------------===//

#ifndef FRIT_LIB_RUNTIME_ONEDNN_LIBRARY_H
#define FRIT_LIB_RUNTIME_ONEDNN_LIBRARY_H

#include "Types.h"

#include "Cuda/Reporter.h"

#include <type_traits>

namespace frit::runtime::onednn {

using cuda::Reporter;

/// The functions of oneDNN; those of the other version are null.
struct Library {
#define FRIT_ONEDNN_ENTRY(result, name, parameters)                            \
  std::add_pointer_t<result parameters> name = nullptr;
#define FRIT_ONEDNN_ENTRY_2 FRIT_ONEDNN_ENTRY
#define FRIT_ONEDNN_ENTRY_3 FRIT_ONEDNN_ENTRY
#include "Entries.def"

  /// 2 or 3.
  int32_t majorVersion = 0;

  /// The library, opened, or null and a report: library unavailable. A failure
  /// is not remembered: the next call tries again.
  static const Library *open(const Reporter &reporter);
};

/// Reports that the function `name` returned `status`, for `what`: as out of
/// memory if it says so, else as an error of the library.
FritStatus reportStatus(const Reporter &reporter, const Library &library,
                        const char *name, Status status, const char *what);

} // namespace frit::runtime::onednn

#endif // FRIT_LIB_RUNTIME_ONEDNN_LIBRARY_H

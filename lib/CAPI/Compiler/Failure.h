//===- Failure.h ------------------------------------------------*- C++ -*-===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The reason of a thread's last failure.
//
//===----------------------------------------------------------------------===//

#ifndef FRIT_LIB_CAPI_COMPILER_FAILURE_H
#define FRIT_LIB_CAPI_COMPILER_FAILURE_H

#include "frit-c/Runtime.h"

#include "llvm/ADT/Twine.h"

namespace mlir::frit {

/// Keeps the reason for fritCompilerErrorMessage and returns `status`.
FritStatus fail(FritStatus status, const llvm::Twine &message);

/// Checks the `size` field of a struct of options, all fields of which are
/// known. Later versions append fields, so a larger size is that of a later
/// one.
FritStatus checkStructSize(const char *name, size_t given, size_t known);

} // namespace mlir::frit

#endif // FRIT_LIB_CAPI_COMPILER_FAILURE_H

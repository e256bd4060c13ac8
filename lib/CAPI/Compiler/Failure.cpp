//===- Failure.cpp --------------------------------------------------------===//
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

#include "Failure.h"

#include "frit-c/Compiler.h"

using namespace mlir::frit;

static thread_local std::string lastReason;

FritStatus mlir::frit::fail(FritStatus status, const llvm::Twine &message) {
  lastReason = message.str();
  return status;
}

FritStatus mlir::frit::checkStructSize(const char *name, size_t given,
                                       size_t known) {
  if (given == known)
    return FRIT_STATUS_OK;
  return fail(FRIT_STATUS_INVALID_ARGUMENT,
              llvm::Twine(name) + "::size is " + llvm::Twine(given) +
                  ", but this library knows " + llvm::Twine(known));
}

const char *fritCompilerErrorMessage(void) { return lastReason.c_str(); }

int32_t fritCompilerVersion(void) {
  return FRIT_COMPILER_VERSION_MAJOR * 1000 + FRIT_COMPILER_VERSION_MINOR;
}

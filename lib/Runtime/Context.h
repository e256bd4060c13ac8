//===- Context.h
//-------------------------------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The context's representation: the first error, the scratch cache and the
// state of the parallel loop that runs.
//
//===----------------------------------------------------------------------===//

#ifndef FRIT_LIB_RUNTIME_CONTEXT_H
#define FRIT_LIB_RUNTIME_CONTEXT_H

#include "Error.h"
#include "ParallelLoop.h"
#include "ScratchCache.h"

#include "frit-c/Runtime.h"

#include <atomic>

struct FritContext {
  FritContext(int32_t threads, uint64_t scratchLimit)
      : scratch(scratchLimit), loop(threads) {}

  frit::runtime::ErrorRecord error;
  frit::runtime::ScratchCache scratch;
  frit::runtime::ParallelLoop loop;
  std::atomic<bool> inCall{false};
};

#endif // FRIT_LIB_RUNTIME_CONTEXT_H

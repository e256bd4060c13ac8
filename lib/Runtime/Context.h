//===- Context.h
//-------------------------------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The context's representation: the first error, the scratch cache, the state
// of the parallel loop that runs, and the device.
//
//===----------------------------------------------------------------------===//

#ifndef FRIT_LIB_RUNTIME_CONTEXT_H
#define FRIT_LIB_RUNTIME_CONTEXT_H

#include "Error.h"
#include "HostBlocks.h"
#include "OneDnn/Plan.h"
#include "ParallelLoop.h"
#include "ScratchCache.h"

#include "frit-c/Runtime.h"

#include <atomic>
#include <memory>

namespace frit::runtime::cuda {
class DeviceQueue;
} // namespace frit::runtime::cuda

struct FritContext {
  FritContext(int32_t threads, uint64_t scratchLimit);
  ~FritContext();

  frit::runtime::ErrorRecord error;
  frit::runtime::HostBlocks hostBlocks;
  frit::runtime::ScratchCache scratch;
  frit::runtime::ParallelLoop loop;
  frit::runtime::onednn::Plans hostMatmuls;
  std::atomic<bool> inCall{false};
  /// Null without a device.
  std::unique_ptr<frit::runtime::cuda::DeviceQueue> queue;
};

#endif // FRIT_LIB_RUNTIME_CONTEXT_H

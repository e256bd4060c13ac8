//===- Scratch.cpp --------------------------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Scratch memory of the device, for compiled functions.
//
//===----------------------------------------------------------------------===//

#include "DeviceQueue.h"

#include "Context.h"

#include <algorithm>

using namespace frit::runtime;
using namespace frit::runtime::cuda;

void *fritDeviceScratchAlloc(FritContext *context, uint64_t bytes,
                             uint64_t alignment) {
  Reporter reporter(context);
  DeviceQueue *queue = getQueue(reporter, context);
  if (!queue)
    return nullptr;
  bool capturing = false;
  if (queue->memory.isCapturing(reporter, capturing))
    return nullptr;
  ScratchCache::Failure failure;
  // A graph holds the addresses that it was captured with.
  void *memory = queue->scratch.allocate(
      bytes, std::max<uint64_t>(alignment, kDeviceAlignment), failure,
      /*pin=*/capturing);
  if (memory)
    return memory;
  const ErrorRecord &error = queue->blocks.getError();
  reportScratchFailure(context, queue->scratch, failure, "device scratch",
                       bytes, alignment, error.getStatus(), error.getMessage());
  return nullptr;
}

void fritDeviceScratchFree(FritContext *context, void *block) {
  if (!block)
    return;
  Reporter reporter(context);
  DeviceQueue *queue = getQueue(reporter, context);
  if (queue && !queue->scratch.free(block))
    reporter.report(FRIT_STATUS_INVALID_ARGUMENT,
                    "a device scratch block was freed that is not in use, or "
                    "that belongs to another context");
}

FritStatus fritDeviceScratchTrim(FritContext *context) {
  if (!context)
    return FRIT_STATUS_INVALID_ARGUMENT;
  Reporter reporter(context);
  DeviceQueue *queue = getQueue(reporter, context);
  if (!queue)
    return FRIT_STATUS_DEVICE_UNAVAILABLE;
  if (FritStatus status =
          queue->memory.refuseCapture(reporter, "giving scratch memory back"))
    return status;
  queue->scratch.trim();
  return fritContextErrorCode(context);
}

FritScratchStatistics fritDeviceScratchStatistics(FritContext *context) {
  return context && context->queue ? context->queue->scratch.getStatistics()
                                   : FritScratchStatistics{};
}

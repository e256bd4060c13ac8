//===- Scratch.cpp --------------------------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Scratch memory of the device, for compiled functions, and the preparation
// that sizes it.
//
//===----------------------------------------------------------------------===//

#include "DeviceQueue.h"

#include "Context.h"

using namespace frit::runtime;
using namespace frit::runtime::cuda;

/// Records why the arena refused a request.
static void reportFailure(FritContext *context, DeviceQueue &queue,
                          ScratchCache::Failure failure, uint64_t bytes,
                          uint64_t alignment) {
  const ErrorRecord &error = queue.blocks.getError();
  reportScratchFailure(context, queue.scratch, failure, "device scratch", bytes,
                       alignment, error.getStatus(), error.getMessage());
}

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
  void *memory = queue->arena.allocate(bytes, alignment, capturing, failure);
  if (!memory)
    reportFailure(context, *queue, failure, bytes, alignment);
  return memory;
}

void fritDeviceScratchFree(FritContext *context, void *block) {
  if (!block)
    return;
  Reporter reporter(context);
  DeviceQueue *queue = getQueue(reporter, context);
  if (queue && !queue->arena.free(block))
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
  queue->arena.trim();
  return fritContextErrorCode(context);
}

FritScratchStatistics fritDeviceScratchStatistics(FritContext *context) {
  return context && context->queue ? context->queue->arena.getStatistics()
                                   : FritScratchStatistics{};
}

FritStatus fritContextBeginPrepare(FritContext *context) {
  Reporter reporter(context);
  DeviceQueue *queue = getQueue(reporter, context);
  if (!queue)
    return context ? FRIT_STATUS_DEVICE_UNAVAILABLE
                   : FRIT_STATUS_INVALID_ARGUMENT;
  if (queue->preparing)
    return reporter.report(FRIT_STATUS_INVALID_ARGUMENT,
                           "the context is being prepared already");
  if (FritStatus status =
          queue->memory.refuseCapture(reporter, "a preparation"))
    return status;
  queue->preparing = true;
  return FRIT_STATUS_OK;
}

FritStatus fritContextEndPrepare(FritContext *context) {
  Reporter reporter(context);
  DeviceQueue *queue = getQueue(reporter, context);
  if (!queue)
    return context ? FRIT_STATUS_DEVICE_UNAVAILABLE
                   : FRIT_STATUS_INVALID_ARGUMENT;
  if (!queue->preparing)
    return reporter.report(FRIT_STATUS_INVALID_ARGUMENT,
                           "the context is not being prepared");
  queue->preparing = false;
  bool capturing = false;
  if (FritStatus status = queue->memory.isCapturing(reporter, capturing))
    return status;
  if (capturing)
    return FRIT_STATUS_OK;
  ScratchCache::Failure failure = queue->arena.settle();
  if (failure != ScratchCache::Failure::None)
    reportFailure(context, *queue, failure, queue->arena.getRequired(),
                  kDeviceAlignment);
  return fritContextErrorCode(context);
}

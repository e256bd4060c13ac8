//===- Context.cpp
//-----------------------------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Creates and destroys contexts, and opens and closes calls on them.
//
//===----------------------------------------------------------------------===//

#include "Context.h"

#include "Cuda/DeviceQueue.h"
#include "OpenMP.h"

#include <cstddef>
#include <cstring>
#include <new>

using namespace frit::runtime;
using namespace frit::runtime::cuda;

namespace {

constexpr int32_t kMaxThreads = 1024;

/// Size of the options of version 0.1, which end before `device`.
constexpr size_t kOldestOptionsSize = offsetof(FritContextOptions, device);

/// The caller's options, with defaults for fields that it does not know.
bool readOptions(const FritContextOptions *options,
                 FritContextOptions &chosen) {
  chosen = fritContextOptionsDefault();
  if (!options)
    return true;
  if (options->size != sizeof(FritContextOptions) &&
      options->size != kOldestOptionsSize)
    return false;
  memcpy(&chosen, options, options->size);
  return true;
}

} // namespace

int32_t fritRuntimeVersion(void) {
  return FRIT_RUNTIME_VERSION_MAJOR * 1000 + FRIT_RUNTIME_VERSION_MINOR;
}

FritContext::FritContext(int32_t threads, uint64_t scratchLimit)
    : scratch(hostBlocks, scratchLimit), loop(threads) {}

FritContext::~FritContext() = default;

/// Reports options that contradict themselves.
static FritStatus checkOptions(const FritContextOptions &options) {
  Reporter reporter(nullptr);
  if (options.threads < 0 || options.threads > kMaxThreads)
    return reporter.report(FRIT_STATUS_INVALID_ARGUMENT,
                           "a context cannot have %d threads: 0 .. %d",
                           options.threads, kMaxThreads);
  if (options.device < FRIT_NO_DEVICE)
    return reporter.report(FRIT_STATUS_INVALID_ARGUMENT, "%d is no device",
                           options.device);
  const FritDeviceAllocator &allocator = options.allocator;
  if (!allocator.allocate != !allocator.release)
    return reporter.report(FRIT_STATUS_INVALID_ARGUMENT,
                           "the allocator lacks its function %s",
                           allocator.allocate ? "release" : "allocate");
  if (options.device == FRIT_NO_DEVICE &&
      (options.stream || allocator.allocate))
    return reporter.report(FRIT_STATUS_INVALID_ARGUMENT,
                           "%s was given without a device",
                           options.stream ? "a stream" : "an allocator");
  return FRIT_STATUS_OK;
}

FritStatus fritContextCreate(const FritContextOptions *options,
                             FritContext **context) {
  Reporter reporter(nullptr);
  if (!context)
    return reporter.report(FRIT_STATUS_INVALID_ARGUMENT,
                           "there is no place for the context");
  *context = nullptr;
  FritContextOptions chosen;
  if (!readOptions(options, chosen))
    return reporter.report(FRIT_STATUS_INVALID_ARGUMENT,
                           "the options have a size of %zu bytes instead of "
                           "%zu",
                           options->size, sizeof(FritContextOptions));
  if (FritStatus status = checkOptions(chosen))
    return status;
  int32_t threads = chosen.threads;
  if (threads == 0) {
    threads = omp_get_max_threads();
    threads = threads < 1 ? 1 : threads > kMaxThreads ? kMaxThreads : threads;
  }
  std::unique_ptr<FritContext> created(
      new (std::nothrow) FritContext(threads, chosen.scratchLimit));
  if (!created || !created->loop.allocate())
    return reporter.report(FRIT_STATUS_OUT_OF_MEMORY,
                           "the system has no memory for a context");
  if (chosen.device != FRIT_NO_DEVICE) {
    created->queue.reset(
        DeviceQueue::create(Reporter(created->error), created.get(), chosen));
    if (FritStatus status = created->error.getStatus()) {
      created->queue.reset();
      return reportToThread(status, created->error.getMessage());
    }
  }
  *context = created.release();
  return FRIT_STATUS_OK;
}

void fritContextDestroy(FritContext *context) {
  if (!context)
    return;
  // What cannot be freed is this thread's error: the context goes.
  context->error.clear();
  context->queue.reset();
  context->hostMatmuls.clear(Reporter(context));
  if (FritStatus status = context->error.getStatus())
    reportToThread(status, context->error.getMessage());
  delete context;
}

int32_t fritContextThreads(const FritContext *context) {
  return context ? context->loop.getNumThreads() : 1;
}

FritStatus fritBeginCall(FritContext *context) {
  if (!context)
    return FRIT_STATUS_INVALID_ARGUMENT;
  if (FritStatus status = context->error.getStatus())
    return status;
  if (context->inCall.exchange(true, std::memory_order_acquire))
    return fritReportError(
        context, FRIT_STATUS_INVALID_ARGUMENT,
        "a call was started on a context that serves another call");
  if (!context->queue)
    return FRIT_STATUS_OK;
  FritStatus status = context->queue->enterCall();
  if (status)
    context->inCall.store(false, std::memory_order_release);
  return status;
}

FritStatus fritEndCall(FritContext *context, FritStatus status) {
  if (!context)
    return FRIT_STATUS_INVALID_ARGUMENT;
  context->scratch.reclaim();
  if (context->queue) {
    context->queue->arena.reclaim();
    context->queue->leaveCall();
  }
  context->inCall.store(false, std::memory_order_release);
  return status ? status : context->error.getStatus();
}

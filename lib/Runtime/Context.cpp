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

#include "OpenMP.h"

#include <cstddef>
#include <cstring>
#include <new>

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

FritStatus fritContextCreate(const FritContextOptions *options,
                             FritContext **context) {
  if (!context)
    return FRIT_STATUS_INVALID_ARGUMENT;
  *context = nullptr;
  FritContextOptions chosen;
  if (!readOptions(options, chosen) || chosen.threads < 0 ||
      chosen.threads > kMaxThreads)
    return FRIT_STATUS_INVALID_ARGUMENT;
  if (chosen.device != FRIT_NO_DEVICE)
    return FRIT_STATUS_DEVICE_UNAVAILABLE;
  int32_t threads = chosen.threads;
  if (threads == 0) {
    threads = omp_get_max_threads();
    threads = threads < 1 ? 1 : threads > kMaxThreads ? kMaxThreads : threads;
  }
  auto *created = new (std::nothrow) FritContext(threads, chosen.scratchLimit);
  if (!created || !created->loop.allocate()) {
    delete created;
    return FRIT_STATUS_OUT_OF_MEMORY;
  }
  *context = created;
  return FRIT_STATUS_OK;
}

void fritContextDestroy(FritContext *context) { delete context; }

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
  return FRIT_STATUS_OK;
}

FritStatus fritEndCall(FritContext *context, FritStatus status) {
  if (!context)
    return FRIT_STATUS_INVALID_ARGUMENT;
  context->scratch.reclaim();
  context->inCall.store(false, std::memory_order_release);
  return status ? status : context->error.getStatus();
}

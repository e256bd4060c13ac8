//===- ParallelLoop.cpp
//------------------------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Runs parallel loops. Parts are of one size and each thread owns a run of
// neighbouring parts, so that consecutive loops over the same rows find them in
// the same core's cache; threads that are done help the others.
//
//===----------------------------------------------------------------------===//

#include "ParallelLoop.h"

#include "Context.h"
#include "OpenMP.h"

#include <algorithm>
#include <atomic>
#include <mutex>
#include <new>

#include <pthread.h>

using namespace frit::runtime;

namespace {
/// Parts for each thread: enough to even out threads of unequal speed, few
/// enough that the start of a part costs nothing.
constexpr int64_t kPartsPerThread = 4;

thread_local const RunningPart *currentPart = nullptr;

/// Whether this process is the fork of one that had OpenMP threads. They are
/// not in it, yet its OpenMP runtime would wait for them.
std::atomic<bool> lostThreads{false};

void noticeForks() {
  static std::once_flag once;
  std::call_once(once, [] {
    pthread_atfork(nullptr, nullptr,
                   [] { lostThreads.store(true, std::memory_order_relaxed); });
  });
}

int64_t divideUp(uint64_t value, uint64_t by) {
  return static_cast<int64_t>(value / by + (value % by != 0));
}
} // namespace

bool ParallelLoop::allocate() {
  shares.reset(new (std::nothrow) Share[numThreads]);
  return shares != nullptr;
}

int32_t ParallelLoop::getFreeThreads() const {
  if (numThreads == 1 || currentPart || omp_in_parallel())
    return 1;
  noticeForks();
  return lostThreads.load(std::memory_order_relaxed) ? 1 : numThreads;
}

const RunningPart *ParallelLoop::getRunningPart() const {
  return currentPart && currentPart->loop == this ? currentPart : nullptr;
}

FritStatus ParallelLoop::runHere(FritContext *context, int64_t begin,
                                 int64_t end, FritLoopBody body,
                                 void *closure) {
  FritStatus status = body(context, closure, begin, end);
  if (status)
    fritPropagateError(context);
  return status;
}

void ParallelLoop::recordFailure(int64_t part, FritStatus status) {
  // Every failure has a message, also that of a body which reported none.
  error.record(status, nullptr, part);
  std::lock_guard<std::mutex> lock(failureMutex);
  if (part >= failedPart.load(std::memory_order_relaxed))
    return;
  failedStatus = status;
  failedPart.store(part, std::memory_order_relaxed);
}

void ParallelLoop::runPart(int64_t part) {
  RunningPart running{this, part};
  const RunningPart *outer = currentPart;
  currentPart = &running;
  // Unsigned, because a range may be longer than the largest int64_t.
  uint64_t offset = static_cast<uint64_t>(part) * partSize;
  uint64_t remaining =
      static_cast<uint64_t>(end) - static_cast<uint64_t>(begin) - offset;
  uint64_t partBegin = static_cast<uint64_t>(begin) + offset;
  uint64_t partEnd =
      partBegin +
      std::min<uint64_t>(remaining, static_cast<uint64_t>(partSize));
  FritStatus status = body(context, closure, static_cast<int64_t>(partBegin),
                           static_cast<int64_t>(partEnd));
  currentPart = outer;
  if (status)
    recordFailure(part, status);
}

void ParallelLoop::runShares(int32_t thread) {
  for (int32_t i = 0; i < numThreads; ++i) {
    Share &share = shares[(thread + i) % numThreads];
    while (share.next.load(std::memory_order_relaxed) < share.end) {
      int64_t part = share.next.fetch_add(1, std::memory_order_relaxed);
      // Parts below a failed one still run: the lowest failure is the result.
      if (part >= share.end ||
          part > failedPart.load(std::memory_order_relaxed))
        break;
      runPart(part);
    }
  }
}

FritStatus ParallelLoop::run(FritContext *newContext, int64_t newBegin,
                             int64_t newEnd, int64_t grain,
                             FritLoopBody newBody, void *newClosure) {
  if (newBegin >= newEnd)
    return FRIT_STATUS_OK;
  uint64_t length =
      static_cast<uint64_t>(newEnd) - static_cast<uint64_t>(newBegin);
  uint64_t smallest = grain < 1 ? 1 : static_cast<uint64_t>(grain);
  if (length <= smallest || getFreeThreads() == 1 ||
      running.exchange(true, std::memory_order_acquire))
    return runHere(newContext, newBegin, newEnd, newBody, newClosure);

  context = newContext;
  body = newBody;
  closure = newClosure;
  begin = newBegin;
  end = newEnd;
  partSize = std::max<int64_t>(
      static_cast<int64_t>(smallest),
      divideUp(length, static_cast<uint64_t>(numThreads) * kPartsPerThread));
  int64_t numParts = divideUp(length, static_cast<uint64_t>(partSize));
  error.clear();
  failedPart.store(INT64_MAX, std::memory_order_relaxed);
  failedStatus = FRIT_STATUS_OK;
  for (int32_t i = 0; i < numThreads; ++i) {
    shares[i].next.store(numParts * i / numThreads, std::memory_order_relaxed);
    shares[i].end = numParts * (i + 1) / numThreads;
  }

  // Always the whole team: OpenMP runtimes end and start threads when the size
  // of consecutive teams differs.
  GOMP_parallel(
      [](void *loop) {
        static_cast<ParallelLoop *>(loop)->runShares(omp_get_thread_num());
      },
      this, static_cast<unsigned>(numThreads), 0);

  FritStatus status = failedStatus;
  if (FritStatus reported = error.getStatus())
    newContext->error.record(reported, error.getMessage());
  running.store(false, std::memory_order_release);
  return status;
}

FritStatus fritParallelFor(FritContext *context, int64_t begin, int64_t end,
                           int64_t grain, FritLoopBody body, void *closure) {
  if (!context)
    return FRIT_STATUS_INVALID_ARGUMENT;
  if (!body)
    return fritReportError(context, FRIT_STATUS_INVALID_ARGUMENT,
                           "a parallel loop has no body");
  return context->loop.run(context, begin, end, grain, body, closure);
}

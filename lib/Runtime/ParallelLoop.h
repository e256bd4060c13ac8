//===- ParallelLoop.h
//--------------------------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The parallel loop of a context: cuts a range into parts and runs them on the
// threads of an OpenMP team.
//
//===----------------------------------------------------------------------===//

#ifndef FRIT_LIB_RUNTIME_PARALLELLOOP_H
#define FRIT_LIB_RUNTIME_PARALLELLOOP_H

#include "Error.h"

#include "frit-c/Runtime.h"

#include <atomic>
#include <cstdint>
#include <memory>

namespace frit::runtime {

class ParallelLoop;

/// The part of a loop that a thread runs.
struct RunningPart {
  const ParallelLoop *loop;
  /// Index of the part in the order of the iterations.
  int64_t place;
};

/// A context has one: loops inside of a loop run on the thread that meets them.
class ParallelLoop {
public:
  explicit ParallelLoop(int32_t numThreads) : numThreads(numThreads) {}

  /// Reserves what running needs; false if memory is exhausted.
  bool allocate();

  int32_t getNumThreads() const { return numThreads; }

  /// How many of them the calling thread can use now: it alone within a loop,
  /// and where a fork left the others behind.
  int32_t getFreeThreads() const;

  /// The errors of the running loop, by part.
  ErrorRecord &getError() { return error; }

  /// The part of this loop that the calling thread runs, null outside.
  const RunningPart *getRunningPart() const;

  /// Runs the loop (fritParallelFor).
  FritStatus run(FritContext *context, int64_t begin, int64_t end,
                 int64_t grain, FritLoopBody body, void *closure);

private:
  /// The parts that one thread starts with: those from `next` on below `end`.
  /// Threads that are done take parts of others. On a cache line of its own.
  struct alignas(64) Share {
    std::atomic<int64_t> next{0};
    int64_t end = 0;
  };

  FritStatus runHere(FritContext *context, int64_t begin, int64_t end,
                     FritLoopBody body, void *closure);
  void runShares(int32_t thread);
  void runPart(int64_t part);
  void recordFailure(int64_t part, FritStatus status);

  const int32_t numThreads;
  std::unique_ptr<Share[]> shares;
  ErrorRecord error;
  std::atomic<bool> running{false};

  // The loop that runs; written before the team starts.
  FritContext *context = nullptr;
  FritLoopBody body = nullptr;
  void *closure = nullptr;
  int64_t begin = 0, end = 0, partSize = 0;

  /// The lowest part that failed, and its status.
  std::mutex failureMutex;
  std::atomic<int64_t> failedPart{INT64_MAX};
  FritStatus failedStatus = FRIT_STATUS_OK;
};

} // namespace frit::runtime

#endif // FRIT_LIB_RUNTIME_PARALLELLOOP_H

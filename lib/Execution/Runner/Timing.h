//===- Timing.h - Times of a compiled function ------------------*- C++ -*-===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Samples of the time of a call, and how they are taken on a CPU and on a GPU.
//
//===----------------------------------------------------------------------===//

#ifndef FRIT_LIB_EXECUTION_RUNNER_TIMING_H
#define FRIT_LIB_EXECUTION_RUNNER_TIMING_H

#include "Call.h"

namespace mlir::frit {

/// Times in microseconds a call.
struct Samples {
  /// In rising order.
  std::vector<double> times;
  int64_t calls = 1;

  /// Interpolated between the two nearest samples.
  double getQuantile(double q) const;
};

/// Times with warm and with cold caches.
struct Timings {
  Samples warm;
  Samples cold;
};

/// Calls on the host's clock. A warm sample is the mean of as many back-to-back
/// calls as take 1 ms; a cold one is a single call after more bytes than any
/// cache holds were read.
llvm::Expected<Timings> timeOnCpu(CompiledFunction &function,
                                  std::vector<HostTensor> &inputs,
                                  std::vector<HostTensor> &results,
                                  unsigned repetitions);

/// Calls in CUDA graphs, on the device's clock: the time between two events
/// around one replay by the calls in it. Work queued ahead hides the launch of
/// the graph. Warm calls share one set of arguments; cold ones have a set each,
/// together 128 MiB or more where 64 sets are enough for it, and a buffer of
/// 256 MiB is read before each replay.
llvm::Expected<Timings> timeOnCuda(CompiledFunction &function,
                                   std::vector<HostTensor> &inputs,
                                   std::vector<HostTensor> &results,
                                   unsigned repetitions);

} // namespace mlir::frit

#endif // FRIT_LIB_EXECUTION_RUNNER_TIMING_H

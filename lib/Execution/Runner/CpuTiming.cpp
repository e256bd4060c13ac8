//===- CpuTiming.cpp - Times of calls on the host -------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Times calls of a compiled function with the host's clock.
//
//===----------------------------------------------------------------------===//

#include "Timing.h"

#include <chrono>

using namespace llvm;

namespace mlir::frit {

double Samples::getQuantile(double q) const {
  double position = q * (times.size() - 1);
  size_t low = static_cast<size_t>(position);
  size_t high = std::min(low + 1, times.size() - 1);
  return times[low] + (position - low) * (times[high] - times[low]);
}

namespace {

constexpr size_t kEvictionBytes = 256 << 20;
constexpr double kMinSampleUs = 1000;
constexpr int64_t kMaxCalls = 1 << 20;
constexpr unsigned kWarmUpCalls = 3;

class CpuTimer {
public:
  CpuTimer(CompiledFunction &function, ArgumentPack &arguments,
           unsigned repetitions)
      : function(function), arguments(arguments), repetitions(repetitions) {}

  Expected<Samples> runWarm() {
    Expected<double> single = warmUp();
    if (!single)
      return single.takeError();
    Samples samples;
    samples.calls = std::clamp<int64_t>(
        static_cast<int64_t>(kMinSampleUs / std::max(*single, 1e-3)), 1,
        kMaxCalls);
    return sample(std::move(samples), [] {});
  }

  Expected<Samples> runCold() {
    std::vector<char> eviction(kEvictionBytes, 1);
    return sample(Samples(), [&] {
      // The sum goes to a volatile object, so that the reads are made.
      int64_t sum = 0;
      for (size_t i = 0; i < eviction.size(); i += 64)
        sum += eviction[i];
      sink = sum;
    });
  }

private:
  /// Microseconds a call.
  Expected<double> time(int64_t calls) {
    auto begin = std::chrono::steady_clock::now();
    for (int64_t i = 0; i < calls; ++i)
      if (Error error = function.call(arguments))
        return error;
    std::chrono::duration<double, std::micro> elapsed =
        std::chrono::steady_clock::now() - begin;
    return elapsed.count() / calls;
  }

  Expected<double> warmUp() {
    for (unsigned i = 0; i < kWarmUpCalls; ++i)
      if (Error error = function.call(arguments))
        return error;
    return time(1);
  }

  Expected<Samples> sample(Samples samples, function_ref<void()> prepare) {
    for (unsigned i = 0; i < repetitions; ++i) {
      prepare();
      Expected<double> us = time(samples.calls);
      if (!us)
        return us.takeError();
      samples.times.push_back(*us);
    }
    llvm::sort(samples.times);
    return std::move(samples);
  }

  CompiledFunction &function;
  ArgumentPack &arguments;
  unsigned repetitions;
  volatile int64_t sink = 0;
};

} // namespace

Expected<Timings> timeOnCpu(CompiledFunction &function,
                            std::vector<HostTensor> &inputs,
                            std::vector<HostTensor> &results,
                            unsigned repetitions) {
  auto arguments = function.pack(inputs, results);
  if (!arguments)
    return arguments.takeError();
  CpuTimer timer(function, *arguments, repetitions);
  auto warm = timer.runWarm();
  if (!warm)
    return warm.takeError();
  auto cold = timer.runCold();
  if (!cold)
    return cold.takeError();
  return Timings{std::move(*warm), std::move(*cold)};
}

} // namespace mlir::frit

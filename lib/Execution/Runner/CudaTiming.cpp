//===- CudaTiming.cpp - Times of calls on a device ------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Times calls of a compiled function in CUDA graphs with the device's clock.
//
//===----------------------------------------------------------------------===//

#include "Timing.h"
#include "TimingKernels.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/xxhash.h"

using namespace llvm;

namespace mlir::frit {

namespace {

constexpr uint64_t kEvictionBytes = 256 << 20;
constexpr uint64_t kColdBytes = 128 << 20;
constexpr int64_t kMaxColdSets = 64;
constexpr int64_t kMaxWarmCalls = 256;
constexpr double kWarmSampleUs = 1000;
/// Longer than the host takes to queue two events and a graph.
constexpr int64_t kSpinNanoseconds = 100000;

/// Handles of the runtime that end with the timer.
struct GraphDeleter {
  void operator()(FritGraph *graph) { fritGraphDestroy(graph); }
};
struct EventDeleter {
  void operator()(FritEvent *event) { fritEventDestroy(event); }
};

class CudaTimer {
public:
  static Expected<std::unique_ptr<CudaTimer>>
  create(CompiledFunction &function, std::vector<HostTensor> &inputs,
         std::vector<HostTensor> &results, unsigned repetitions);

  Expected<Samples> runWarm();
  Expected<Samples> runCold();

private:
  CudaTimer(CompiledFunction &function, DeviceMemory eviction,
            unsigned repetitions)
      : function(function), context(function.getContext()),
        eviction(std::move(eviction)), repetitions(repetitions) {}

  Error launch(const char *kernel, int64_t blocks, int64_t threads,
               ArrayRef<void *> arguments);
  Error readEviction();
  Error spin();
  /// Captures a call with each of the sets in turn, `calls` in all.
  Error capture(int64_t calls, size_t numSets);
  /// Microseconds a call of the captured graph.
  Expected<double> replay(int64_t calls);
  Expected<Samples> sample(int64_t calls, bool isCold);

  CompiledFunction &function;
  FritContext *context;
  DeviceMemory eviction;
  unsigned repetitions;
  std::vector<ArgumentPack> sets;
  std::unique_ptr<FritGraph, GraphDeleter> graph;
  std::unique_ptr<FritEvent, EventDeleter> begin, end;
};

Error CudaTimer::launch(const char *kernel, int64_t blocks, int64_t threads,
                        ArrayRef<void *> arguments) {
  static const uint64_t hash =
      xxh3_64bits(arrayRefFromStringRef(kTimingKernels));
  FritKernelDescriptor descriptor = {
      sizeof(FritKernelDescriptor), kernel, kernel, kTimingKernels,
      sizeof(kTimingKernels),       hash};
  FritLaunchConfig config = {};
  std::fill_n(config.grid, 3, 1);
  std::fill_n(config.block, 3, 1);
  config.grid[0] = blocks;
  config.block[0] = threads;
  return function.check(fritLaunchKernel(context, &descriptor, &config,
                                         arguments.data(), arguments.size()));
}

Error CudaTimer::readEviction() {
  void *data = eviction.get();
  int64_t vectors = kEvictionBytes / 16;
  int64_t blocks =
      4 * fritDeviceAttribute(context, FRIT_DEVICE_MULTIPROCESSORS);
  return launch("frit_timing_read", blocks, 512,
                {static_cast<void *>(&data), &vectors});
}

Error CudaTimer::spin() {
  int64_t nanoseconds = kSpinNanoseconds;
  return launch("frit_timing_spin", 1, 1, {&nanoseconds});
}

Expected<std::unique_ptr<CudaTimer>>
CudaTimer::create(CompiledFunction &function, std::vector<HostTensor> &inputs,
                  std::vector<HostTensor> &results, unsigned repetitions) {
  auto eviction = DeviceMemory::allocate(function.getContext(), kEvictionBytes);
  if (!eviction)
    return eviction.takeError();
  std::unique_ptr<CudaTimer> timer(
      new CudaTimer(function, std::move(*eviction), repetitions));

  uint64_t setBytes = 1;
  for (const std::vector<HostTensor> *tensors : {&inputs, &results})
    for (const HostTensor &tensor : *tensors)
      setBytes += tensor.getNumBytes();
  int64_t numSets = std::min<int64_t>(kColdBytes / setBytes + 1, kMaxColdSets);
  for (int64_t i = 0; i < numSets; ++i) {
    auto set = function.pack(inputs, results);
    if (!set)
      return set.takeError();
    timer->sets.push_back(std::move(*set));
  }
  // Loads the kernels and sizes the scratch memory, which no graph may do.
  if (Error error = function.call(timer->sets.front()))
    return error;
  if (Error error = timer->spin())
    return error;
  for (auto *slot : {&timer->begin, &timer->end}) {
    FritEvent *event = nullptr;
    if (Error error = function.check(fritEventCreate(timer->context, &event)))
      return error;
    slot->reset(event);
  }
  return timer;
}

Error CudaTimer::capture(int64_t calls, size_t numSets) {
  graph.reset();
  if (Error error = function.check(fritGraphBeginCapture(context)))
    return error;
  Error callError = Error::success();
  for (int64_t i = 0; i < calls && !callError; ++i)
    callError = function.call(sets[i % numSets]);
  FritGraph *captured = nullptr;
  Error endError = function.check(fritGraphEndCapture(context, &captured));
  graph.reset(captured);
  return joinErrors(std::move(callError), std::move(endError));
}

Expected<double> CudaTimer::replay(int64_t calls) {
  if (Error error = spin())
    return error;
  for (FritStatus status :
       {fritEventRecord(begin.get()), fritGraphLaunch(context, graph.get()),
        fritEventRecord(end.get())})
    if (Error error = function.check(status))
      return error;
  double milliseconds = 0;
  if (Error error = function.check(
          fritEventElapsed(begin.get(), end.get(), &milliseconds)))
    return error;
  return milliseconds * 1000 / calls;
}

Expected<Samples> CudaTimer::sample(int64_t calls, bool isCold) {
  Samples samples;
  samples.calls = calls;
  // The first replay uploads the graph.
  for (unsigned i = 0; i <= repetitions; ++i) {
    if (isCold)
      if (Error error = readEviction())
        return error;
    Expected<double> us = replay(calls);
    if (!us)
      return us.takeError();
    if (i > 0)
      samples.times.push_back(*us);
  }
  llvm::sort(samples.times);
  return std::move(samples);
}

Expected<Samples> CudaTimer::runWarm() {
  if (Error error = capture(1, 1))
    return error;
  Expected<double> first = replay(1);
  Expected<double> single = first ? replay(1) : std::move(first);
  if (!single)
    return single.takeError();
  int64_t calls = std::clamp<int64_t>(
      static_cast<int64_t>(kWarmSampleUs / std::max(*single, 0.5)), 1,
      kMaxWarmCalls);
  if (Error error = capture(calls, 1))
    return error;
  return sample(calls, /*isCold=*/false);
}

Expected<Samples> CudaTimer::runCold() {
  int64_t calls = sets.size();
  if (Error error = capture(calls, sets.size()))
    return error;
  return sample(calls, /*isCold=*/true);
}

} // namespace

Expected<Timings> timeOnCuda(CompiledFunction &function,
                             std::vector<HostTensor> &inputs,
                             std::vector<HostTensor> &results,
                             unsigned repetitions) {
  auto timer = CudaTimer::create(function, inputs, results, repetitions);
  if (!timer)
    return timer.takeError();
  auto warm = (*timer)->runWarm();
  if (!warm)
    return warm.takeError();
  auto cold = (*timer)->runCold();
  if (!cold)
    return cold.takeError();
  return Timings{std::move(*warm), std::move(*cold)};
}

} // namespace mlir::frit

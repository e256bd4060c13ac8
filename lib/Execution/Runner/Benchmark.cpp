//===- Benchmark.cpp ------------------------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Times calls of a compiled function. A warm sample is the mean of as many
// back-to-back calls as take 1 ms; a cold one is a single call after more bytes
// than any cache holds were read.
//
//===----------------------------------------------------------------------===//

#include "Benchmark.h"

#include "Progress.h"

#include "frit/IO/OutputFile.h"

#include "llvm/Support/Format.h"
#include "llvm/Support/JSON.h"

#include <chrono>

using namespace llvm;

namespace mlir::frit {

namespace {

constexpr size_t kEvictionBytes = 256 << 20;
constexpr double kMinSampleUs = 1000;
constexpr int64_t kMaxCalls = 1 << 20;
constexpr unsigned kWarmUpCalls = 3;

/// Times in microseconds a call.
struct Samples {
  std::vector<double> times;
  int64_t calls = 1;

  /// Interpolated between the two nearest samples.
  double getQuantile(double q) const {
    double position = q * (times.size() - 1);
    size_t low = static_cast<size_t>(position);
    size_t high = std::min(low + 1, times.size() - 1);
    return times[low] + (position - low) * (times[high] - times[low]);
  }

  json::Object toJson() const {
    return json::Object{{"median_us", getQuantile(0.5)},
                        {"p5_us", getQuantile(0.05)},
                        {"p95_us", getQuantile(0.95)},
                        {"min_us", times.front()},
                        {"samples", static_cast<int64_t>(times.size())},
                        {"calls_per_sample", calls}};
  }
};

class Benchmark {
public:
  Benchmark(CompiledFunction &function, ArgumentPack &arguments,
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

int64_t getBytes(const std::vector<HostTensor> &tensors) {
  int64_t bytes = 0;
  for (const HostTensor &tensor : tensors)
    bytes += tensor.getNumBytes();
  return bytes;
}

json::Array getSpecs(const std::vector<HostTensor> &tensors) {
  json::Array specs;
  for (const HostTensor &tensor : tensors)
    specs.push_back(tensor.getSpec().str());
  return specs;
}

void print(StringRef kind, const Samples &samples) {
  outs() << kind << ": median "
         << format("%.2f us, p5 %.2f us, p95 %.2f us", samples.getQuantile(0.5),
                   samples.getQuantile(0.05), samples.getQuantile(0.95))
         << " (" << samples.times.size() << " samples of " << samples.calls
         << " calls)\n";
}

} // namespace

Error runBenchmark(CompiledFunction &function, const Signature &signature,
                   const CpuTarget &target, std::vector<HostTensor> &inputs,
                   std::vector<HostTensor> &results,
                   const RunnerOptions &options) {
  ArgumentPack arguments = function.pack(inputs, results);
  Benchmark benchmark(function, arguments, options.benchmarkRepetitions);
  std::optional<Progress> progress;
  progress.emplace("timing warm calls");
  auto warm = benchmark.runWarm();
  if (!warm)
    return warm.takeError();
  progress.emplace("timing cold calls");
  auto cold = benchmark.runCold();
  if (!cold)
    return cold.takeError();
  progress.reset();

  // JSON on standard output is for a program.
  if (options.benchmarkOutput != "-") {
    print("warm", *warm);
    print("cold", *cold);
  }
  if (options.benchmarkOutput.empty())
    return Error::success();
  json::Value document = json::Object{
      {"file", options.file},
      {"function", signature.name},
      {"target", "cpu"},
      {"cpu", target.cpu},
      {"vector_bits", static_cast<int64_t>(target.vectorWidth)},
      {"threads", function.getThreads()},
      {"policy", options.policy},
      {"seed", options.seed},
      {"arguments", getSpecs(inputs)},
      {"results", getSpecs(results)},
      {"bytes", getBytes(inputs) + getBytes(results)},
      {"warm", warm->toJson()},
      {"cold", cold->toJson()},
  };
  auto write = [&](raw_ostream &stream) {
    stream << formatv("{0:2}", document) << "\n";
  };
  if (options.benchmarkOutput != "-")
    return writeFileAtomically(options.benchmarkOutput, write);
  write(outs());
  return Error::success();
}

} // namespace mlir::frit

//===- Benchmark.cpp ------------------------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Times a compiled function, prints the times and writes them as JSON.
//
//===----------------------------------------------------------------------===//

#include "Benchmark.h"

#include "Progress.h"
#include "Timing.h"

#include "frit/IO/OutputFile.h"

#include "llvm/Support/Format.h"
#include "llvm/Support/JSON.h"

using namespace llvm;

namespace mlir::frit {

namespace {

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

json::Object toJson(const Samples &samples) {
  return json::Object{{"median_us", samples.getQuantile(0.5)},
                      {"p5_us", samples.getQuantile(0.05)},
                      {"p95_us", samples.getQuantile(0.95)},
                      {"min_us", samples.times.front()},
                      {"samples", static_cast<int64_t>(samples.times.size())},
                      {"calls_per_sample", samples.calls}};
}

/// What calls took beside arguments and results.
int64_t getPeakBytes(CompiledFunction &function) {
  return fritDeviceScratchStatistics(function.getContext()).peakBytesHeld;
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
                   const CompileTarget &target, std::vector<HostTensor> &inputs,
                   std::vector<HostTensor> &results,
                   const RunnerOptions &options) {
  // Timing takes long: whether its figures can be written is known before.
  if (!options.benchmarkOutput.empty() && options.benchmarkOutput != "-")
    if (Error error = checkWritable(options.benchmarkOutput))
      return error;
  std::optional<Progress> progress;
  progress.emplace("timing calls");
  auto timings = (target.cuda ? timeOnCuda : timeOnCpu)(
      function, inputs, results, options.benchmarkRepetitions);
  if (!timings)
    return timings.takeError();
  progress.reset();

  // JSON on standard output is for a program.
  if (options.benchmarkOutput != "-") {
    print("warm", timings->warm);
    print("cold", timings->cold);
    if (target.cuda)
      outs() << "scratch memory on the device: " << getPeakBytes(function)
             << " bytes\n";
  }
  if (options.benchmarkOutput.empty())
    return Error::success();
  json::Object document{
      {"file", options.file},
      {"function", signature.name},
      {"target", target.getKernelTarget()},
      {"cpu", target.cpu.cpu},
      {"policy", options.compile.policy},
      {"seed", options.seed},
      {"arguments", getSpecs(inputs)},
      {"results", getSpecs(results)},
      {"bytes", getBytes(inputs) + getBytes(results)},
      {"warm", toJson(timings->warm)},
      {"cold", toJson(timings->cold)},
  };
  if (target.cuda) {
    document["device"] = target.cuda->name;
    document["peak_device_bytes"] = getPeakBytes(function);
  } else {
    document["vector_bits"] = static_cast<int64_t>(target.cpu.vectorWidth);
    document["threads"] = function.getThreads();
  }
  auto write = [&](raw_ostream &stream) {
    stream << formatv("{0:2}", json::Value(std::move(document))) << "\n";
  };
  if (options.benchmarkOutput != "-")
    return writeFileAtomically(options.benchmarkOutput, write);
  write(outs());
  return Error::success();
}

} // namespace mlir::frit

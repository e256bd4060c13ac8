//===- Benchmark.h ----------------------------------------------*- C++ -*-===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Times calls of a compiled function.
//
//===----------------------------------------------------------------------===//

#ifndef FRIT_LIB_EXECUTION_RUNNER_BENCHMARK_H
#define FRIT_LIB_EXECUTION_RUNNER_BENCHMARK_H

#include "Call.h"
#include "Options.h"

namespace mlir::frit {

/// Times calls with warm and with cold caches, prints a line for each and
/// writes JSON where the options ask for it. Errors: what a call reports, or an
/// output that cannot be written.
llvm::Error runBenchmark(CompiledFunction &function, const Signature &signature,
                         const CompileTarget &target,
                         std::vector<HostTensor> &inputs,
                         std::vector<HostTensor> &results,
                         const RunnerOptions &options);

} // namespace mlir::frit

#endif // FRIT_LIB_EXECUTION_RUNNER_BENCHMARK_H

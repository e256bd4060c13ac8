//===- Pipelines.h ----------------------------------------------*- C++ -*-===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The pipelines of Frit as functions over option structs: the same builders
// serve frit-opt, frit-run and programs that embed the compiler.
//
//===----------------------------------------------------------------------===//

#ifndef FRIT_PIPELINES_PIPELINES_H
#define FRIT_PIPELINES_PIPELINES_H

#include "frit/Pipelines/OptionalPass.h"

#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassOptions.h"

#include "llvm/ADT/StringRef.h"

#include <cstdint>
#include <string>
#include <vector>

namespace mlir::frit {

/// Options of `frit-to-cpu`.
struct CpuPipelineOptions : PassPipelineOptions<CpuPipelineOptions> {
  Option<unsigned> vectorWidth{
      *this, "vector-width",
      llvm::cl::desc("Bits of the vector registers that code is written for: a "
                     "power of two from 128 to 2048"),
      llvm::cl::init(256)};
  Option<std::string> policy{
      *this, "policy",
      llvm::cl::desc("Which kernels selection may pick: auto, native, "
                     "require=PROVIDER or batch-invariant"),
      llvm::cl::init("auto")};
  Option<bool> assumeFiniteWeights{
      *this, "assume-finite-weights",
      llvm::cl::desc("Sparse feed-forward networks may leave out products with "
                     "zeros: no weight is an infinity or NaN"),
      llvm::cl::init(false)};
  ListOption<OptionalPass, OptionalPassParser> without{
      *this, "without",
      llvm::cl::desc("Passes to leave out, which make code faster and nothing "
                     "else: frit-group-tokens, ...")};
  Option<bool> oneDnn{
      *this, "onednn",
      llvm::cl::desc(
          "The machine that runs the code has oneDNN, which selection "
          "may pick"),
      llvm::cl::init(false)};
  Option<bool> parallel{
      *this, "parallel",
      llvm::cl::desc("Spread the outermost parallel loops over the threads of "
                     "the runtime; without it they run in order"),
      llvm::cl::init(true)};
  Option<bool> entryPoints{
      *this, "entry-points",
      llvm::cl::desc("Emit the entry points and the functions that compute the "
                     "sizes of results, which a caller needs that learns the "
                     "types at run time"),
      llvm::cl::init(true)};
};

/// Options of `frit-to-cuda`.
struct CudaPipelineOptions : PassPipelineOptions<CudaPipelineOptions> {
  Option<std::string> chip{
      *this, "chip",
      llvm::cl::desc("The architecture that code is generated for: sm_80, "
                     "sm_90a, ..."),
      llvm::cl::init("sm_90a")};
  Option<std::string> policy{*this, "policy",
                             llvm::cl::desc("As in frit-to-cpu"),
                             llvm::cl::init("auto")};
  Option<bool> assumeFiniteWeights{*this, "assume-finite-weights",
                                   llvm::cl::desc("As in frit-to-cpu"),
                                   llvm::cl::init(false)};
  ListOption<OptionalPass, OptionalPassParser> without{
      *this, "without", llvm::cl::desc("As in frit-to-cpu")};
  Option<std::string> toolkit{
      *this, "toolkit",
      llvm::cl::desc("Folder of the CUDA Toolkit; empty: where the environment "
                     "leads"),
      llvm::cl::init("")};
  Option<bool> ptxOnly{
      *this, "ptx-only",
      llvm::cl::desc("Leave generated kernels as PTX, also where there is "
                     "ptxas"),
      llvm::cl::init(false)};
  Option<bool> entryPoints{*this, "entry-points",
                           llvm::cl::desc("As in frit-to-cpu"),
                           llvm::cl::init(true)};
};

/// Options of `frit-native-reference`.
struct ReferencePipelineOptions
    : PassPipelineOptions<ReferencePipelineOptions> {
  Option<bool> entryPoints{*this, "entry-points",
                           llvm::cl::desc("As in frit-to-cpu"),
                           llvm::cl::init(true)};
};

/// Lowers functions over tensors to LLVM's dialect for a CPU: selection of
/// kernels, vector code for Frit's ops and contractions, parallel loops over
/// the threads of Frit's runtime, destinations for results. After it every
/// function takes a context and returns a status.
void buildCpuPipeline(OpPassManager &pm, const CpuPipelineOptions &options);

/// Lowers functions over tensors for a GPU: the host's part to LLVM's dialect,
/// with calls of Frit's runtime that launch the hand-written and the generated
/// kernels, which are in gpu.binary ops. Every buffer is in device memory.
void buildCudaPipeline(OpPassManager &pm, const CudaPipelineOptions &options);

/// The same as frit-to-cpu from plain scalar loops in the order of the text,
/// with every sum of a Frit op in f64: what the faster code is compared with.
void buildReferencePipeline(OpPassManager &pm,
                            const ReferencePipelineOptions &options);

/// What passes over graphs are told by the options of a pipeline.
struct GraphOptions {
  /// As frit-select-kernels takes them.
  std::string target;
  std::string policy = "auto";
  bool assumeFiniteWeights = false;
  std::vector<OptionalPass> without;

  /// Neither left out nor of use only to one that is.
  bool hasPass(OptionalPass pass) const;
};

/// Of a pipeline: what forms the ops that kernels exist for, and groups their
/// tokens, before kernels are selected.
void addFormingPasses(OpPassManager &pm, const GraphOptions &options);

/// Ops of fewer tokens get no grouping for `target`.
int64_t getMinGroupedTokens(StringRef target);

/// Registers all for textual pipelines. May be called more than once.
void registerFritPipelines();

} // namespace mlir::frit

#endif // FRIT_PIPELINES_PIPELINES_H

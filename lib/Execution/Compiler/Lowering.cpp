//===- Lowering.cpp - Modules to LLVM's dialect ---------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Runs the pipeline of a target.
//
//===----------------------------------------------------------------------===//

#include "frit/Dialect/Frit/Transforms/Passes.h"
#include "frit/Execution/Compiler.h"
#include "frit/Execution/Passes.h"
#include "frit/Kernels/KernelSelection.h"
#include "frit/Pipelines/Pipelines.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"

using namespace llvm;

namespace mlir::frit {

Error CompileOptions::checkPolicy(MLIRContext &context) const {
  // An option has no place in a file that a diagnostic could show.
  std::string message;
  ScopedDiagnosticHandler collect(
      &context, [&](Diagnostic &diagnostic) { message = diagnostic.str(); });
  auto emitPolicyError = [&] { return emitError(UnknownLoc::get(&context)); };
  if (failed(KernelPolicy::parse(policy, emitPolicyError)))
    return createStringError(message);
  return Error::success();
}

GraphOptions CompileOptions::getGraphOptions(StringRef target) const {
  return {target.str(), policy, assumeFiniteWeights, without};
}

Error CompileOptions::leaveOut(StringRef passNames) {
  for (StringRef name : llvm::split(passNames, ',')) {
    std::optional<OptionalPass> pass = parseOptionalPass(name);
    if (!pass)
      return createStringError("--without=" + passNames + ": " +
                               getOptionalPassError(name));
    without.push_back(*pass);
  }
  return Error::success();
}

Error CompileOptions::checkTransposeWeights() const {
  if (getGraphOptions("").hasPass(OptionalPass::TransposeWeights))
    return Error::success();
  return createStringError(
      "--transpose-weights cannot be given with "
      "--without=" +
      getName(llvm::is_contained(without, OptionalPass::TransposeWeights)
                  ? OptionalPass::TransposeWeights
                  : OptionalPass::FormSparseFfn));
}

LogicalResult transposeArguments(ModuleOp module, const CompileTarget &target,
                                 const CompileOptions &options) {
  if (!options.getGraphOptions(target.getKernelTarget())
           .hasPass(OptionalPass::TransposeWeights))
    return success();
  PassManager pm(module.getContext());
  pm.addPass(createInlinerPass());
  pm.addPass(createSymbolDCEPass());
  TransposeWeightsPassOptions weights;
  weights.target = target.getKernelTarget();
  weights.policy = options.policy;
  weights.assumeFiniteWeights = options.assumeFiniteWeights;
  weights.arguments = true;
  pm.addPass(createTransposeWeightsPass(weights));
  return pm.run(module);
}

LogicalResult lowerModule(ModuleOp module, const CompileTarget &target,
                          const CompileOptions &options) {
  auto features = target.cpu.getProcessorFeatures();
  if (!features)
    return module.emitError(toString(features.takeError()));
  if (!features->empty())
    module->setAttr(getProcessorFeaturesAttrName(),
                    Builder(module.getContext()).getStrArrayAttr(*features));
  PassManager pm(module.getContext());
  if (options.verify)
    pm.addPass(createGenerateRuntimeVerificationPass());
  if (target.cuda) {
    CudaPipelineOptions pipeline;
    pipeline.chip = target.cuda->getChip();
    pipeline.policy = options.policy;
    pipeline.assumeFiniteWeights = options.assumeFiniteWeights;
    pipeline.without = options.without;
    pipeline.toolkit = options.toolkit;
    pipeline.ptxOnly = options.ptxOnly;
    buildCudaPipeline(pm, pipeline);
  } else {
    CpuPipelineOptions pipeline;
    pipeline.vectorWidth = target.cpu.vectorWidth;
    pipeline.oneDnn = target.oneDnn;
    pipeline.policy = options.policy;
    pipeline.assumeFiniteWeights = options.assumeFiniteWeights;
    pipeline.without = options.without;
    pipeline.parallel = options.parallel;
    buildCpuPipeline(pm, pipeline);
  }
  return pm.run(module);
}

LogicalResult lowerToReference(ModuleOp module) {
  PassManager pm(module.getContext());
  buildReferencePipeline(pm, ReferencePipelineOptions());
  return pm.run(module);
}

} // namespace mlir::frit

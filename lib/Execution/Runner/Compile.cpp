//===- Compile.cpp --------------------------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Compiles the function to run.
//
//===----------------------------------------------------------------------===//

#include "Compile.h"

#include "frit/Execution/Executable.h"
#include "frit/IO/OutputFile.h"
#include "frit/Pipelines/Pipelines.h"

#include "mlir/Transforms/Passes.h"

#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace mlir::frit {

Expected<CpuTarget> getTarget(const RunnerOptions &options) {
  if (options.march.empty())
    return CpuTarget::getHost();
  auto target = CpuTarget::get(options.march);
  // Code that is only written to a file may be for another machine.
  if (target && options.dump == DumpKind::None)
    if (Error error = target->checkRunsHere())
      return error;
  return target;
}

LogicalResult lowerToCpu(ModuleOp module, const CpuTarget &target,
                         const RunnerOptions &options) {
  CpuPipelineOptions pipeline;
  pipeline.vectorWidth = target.vectorWidth;
  pipeline.policy = options.policy;
  PassManager pm(module.getContext());
  if (options.verify)
    pm.addPass(createGenerateRuntimeVerificationPass());
  buildCpuPipeline(pm, pipeline);
  return pm.run(module);
}

LogicalResult lowerToReference(ModuleOp module) {
  PassManager pm(module.getContext());
  buildReferencePipeline(pm, ReferencePipelineOptions());
  return pm.run(module);
}

static Error write(const RunnerOptions &options,
                   function_ref<void(raw_ostream &)> print) {
  if (options.dumpOutput != "-")
    return writeFileAtomically(options.dumpOutput, print);
  print(outs());
  outs().flush();
  return Error::success();
}

Error dumpModule(ModuleOp module, const CpuTarget &target,
                 const RunnerOptions &options) {
  if (options.dump == DumpKind::Mlir)
    return write(options, [&](raw_ostream &stream) { module.print(stream); });
  LLVMContext context;
  auto translated = translateToLLVM(module, target, context);
  if (!translated)
    return translated.takeError();
  if (options.dump == DumpKind::Llvm)
    return write(options, [&](raw_ostream &stream) {
      (*translated)->print(stream, nullptr);
    });
  auto object = generateObject(**translated, target);
  if (!object)
    return object.takeError();
  return write(options,
               [&](raw_ostream &stream) { stream << (*object)->getBuffer(); });
}

} // namespace mlir::frit

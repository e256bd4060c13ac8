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

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Transforms/Passes.h"

#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace mlir::frit {

static Expected<CpuTarget> getCpu(const RunnerOptions &options) {
  if (options.target.march.empty())
    return CpuTarget::getHost();
  auto target = CpuTarget::get(options.target.march);
  // Code that is only written to a file may be for another machine.
  if (target && options.dump == DumpKind::None)
    if (Error error = target->checkRunsHere())
      return error;
  return target;
}

static Expected<CudaTarget> getCuda(const RunnerOptions &options) {
  const TargetOption &option = options.target;
  if (option.chip.empty())
    return CudaTarget::getDevice(option.device);
  if (options.dump == DumpKind::None)
    return createStringError("an architecture is for --dump; to run, name a "
                             "device");
  return CudaTarget::getArch(option.chip);
}

Expected<RunTarget> getTarget(const RunnerOptions &options) {
  RunTarget target;
  auto cpu = getCpu(options);
  if (!cpu)
    return cpu.takeError();
  target.cpu = std::move(*cpu);
  TargetOption::Kind kind = options.target.kind;
  if (kind == TargetOption::Kind::Cpu ||
      (kind == TargetOption::Kind::Default && countCudaDevices() == 0))
    return target;
  auto cuda = getCuda(options);
  if (!cuda)
    return createStringError("--target=" + options.target.name + ": " +
                             toString(cuda.takeError()));
  target.cuda = std::move(*cuda);
  return target;
}

LogicalResult lowerToTarget(ModuleOp module, const RunTarget &target,
                            const RunnerOptions &options) {
  PassManager pm(module.getContext());
  if (options.verify)
    pm.addPass(createGenerateRuntimeVerificationPass());
  if (target.cuda) {
    CudaPipelineOptions pipeline;
    pipeline.chip = target.cuda->getChip();
    pipeline.policy = options.policy;
    pipeline.toolkit = options.toolkit;
    pipeline.ptxOnly = options.dump == DumpKind::Ptx;
    buildCudaPipeline(pm, pipeline);
  } else {
    CpuPipelineOptions pipeline;
    pipeline.vectorWidth = target.cpu.vectorWidth;
    pipeline.policy = options.policy;
    buildCpuPipeline(pm, pipeline);
  }
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

/// The PTX of the generated kernels, without the zero that the driver needs.
static void printPtx(ModuleOp module, raw_ostream &stream) {
  for (auto binary : module.getOps<gpu::BinaryOp>())
    for (auto object : binary.getObjects().getAsRange<gpu::ObjectAttr>())
      if (object.getFormat() == gpu::CompilationTarget::Assembly)
        stream << object.getObject().getValue().rtrim('\0');
}

Error dumpModule(ModuleOp module, const RunTarget &target,
                 const RunnerOptions &options) {
  if (options.dump == DumpKind::Mlir)
    return write(options, [&](raw_ostream &stream) { module.print(stream); });
  if (options.dump == DumpKind::Ptx)
    return write(options,
                 [&](raw_ostream &stream) { printPtx(module, stream); });
  LLVMContext context;
  auto translated = translateToLLVM(module, target.cpu, context);
  if (!translated)
    return translated.takeError();
  if (options.dump == DumpKind::Llvm)
    return write(options, [&](raw_ostream &stream) {
      (*translated)->print(stream, nullptr);
    });
  auto object = generateObject(**translated, target.cpu);
  if (!object)
    return object.takeError();
  return write(options,
               [&](raw_ostream &stream) { stream << (*object)->getBuffer(); });
}

} // namespace mlir::frit

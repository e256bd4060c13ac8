//===- GpuBinary.cpp - Device code for kernels ----------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The pass frit-gpu-module-to-binary.
//
//===----------------------------------------------------------------------===//

#include "DeviceCode.h"

#include "../Utils/ImageBytes.h"

#include "frit/Conversion/Passes.h"
#include "frit/Dialect/Frit/IR/Frit.h"

#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/IR/Remarks.h"
#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/GPU/GPUToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/NVVM/NVVMToLLVMIRTranslation.h"

namespace mlir::frit {

#define GEN_PASS_DEF_GPUMODULETOBINARYPASS
#include "frit/Conversion/Passes.h.inc"

namespace {

class GpuModuleToBinaryPass
    : public impl::GpuModuleToBinaryPassBase<GpuModuleToBinaryPass> {
public:
  using GpuModuleToBinaryPassBase::GpuModuleToBinaryPassBase;

  void getDependentDialects(DialectRegistry &registry) const override {
    GpuModuleToBinaryPassBase::getDependentDialects(registry);
    registerBuiltinDialectTranslation(registry);
    registerGPUDialectTranslation(registry);
    registerLLVMDialectTranslation(registry);
    registerNVVMDialectTranslation(registry);
  }

  void runOnOperation() override {
    auto modules = llvm::to_vector(getOperation().getOps<gpu::GPUModuleOp>());
    if (modules.empty())
      return markAllAnalysesPreserved();
    FailureOr<KernelTarget> target = KernelTarget::parse("cuda:" + chip, [&] {
      return emitError(getOperation().getLoc()) << getArgument() << ": ";
    });
    if (failed(target))
      return signalPassFailure();
    CudaToolkit tools = CudaToolkit::find(toolkit);
    for (gpu::GPUModuleOp module : modules) {
      if (failed(convert(module, target->getCudaArch(), tools)))
        return signalPassFailure();
      ++numBinaries;
    }
  }

private:
  LogicalResult convert(gpu::GPUModuleOp module, CudaArch arch,
                        const CudaToolkit &tools) {
    FailureOr<std::string> code = generatePtx(module, arch, tools);
    if (failed(code))
      return failure();
    auto format = gpu::CompilationTarget::Assembly;
    if (!ptxOnly && !tools.ptxas.empty()) {
      code = assemblePtx(module, *code, arch, tools);
      if (failed(code))
        return failure();
      format = gpu::CompilationTarget::Binary;
    } else {
      // The driver takes PTX as a string that ends.
      code->push_back('\0');
      if (!ptxOnly)
        remark::analysis(
            module.getLoc(),
            remark::RemarkOpts::name("ptx").category(getArgument()))
            << remark::add("no ptxas was found; the driver compiles the PTX "
                           "when it loads it");
    }

    OpBuilder builder(module);
    auto target = NVVM::NVVMTargetAttr::get(
        &getContext(), /*optLevel=*/3, "nvptx64-nvidia-cuda",
        builder.getStringAttr("sm_" + arch.str()).getValue());
    auto object =
        gpu::ObjectAttr::get(target, format, builder.getStringAttr(*code));
    auto image =
        ImageAttr::get(&getContext(), module.getName(), hashImageBytes(*code));
    gpu::BinaryOp::create(builder, module.getLoc(), module.getName(), image,
                          ArrayRef<Attribute>(object));
    module.erase();
    return success();
  }
};

} // namespace
} // namespace mlir::frit

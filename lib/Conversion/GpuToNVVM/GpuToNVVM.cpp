//===- GpuToNVVM.cpp - Kernels to NVVM, roundings intact ------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The pass convert-gpu-module-to-nvvm. Upstream's conversion maps the math
// dialect to libdevice and square roots to an approximation; here what PTX has
// an exact instruction for becomes that instruction.
//
//===----------------------------------------------------------------------===//

#include "frit/Conversion/Passes.h"

#include "mlir/Conversion/ConvertToLLVM/ToLLVMInterface.h"
#include "mlir/Conversion/GPUToNVVM/GPUToNVVMPass.h"
#include "mlir/Conversion/LLVMCommon/LoweringOptions.h"
#include "mlir/Conversion/LLVMCommon/TypeConverter.h"
#include "mlir/Conversion/MathToLLVM/MathToLLVM.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/UB/IR/UBOps.h"

namespace mlir::frit {

#define GEN_PASS_DEF_CONVERTGPUMODULETONVVMPASS
#include "frit/Conversion/Passes.h.inc"

namespace {

class ConvertGpuModuleToNVVMPass
    : public impl::ConvertGpuModuleToNVVMPassBase<ConvertGpuModuleToNVVMPass> {
public:
  using ConvertGpuModuleToNVVMPassBase::ConvertGpuModuleToNVVMPassBase;

  void runOnOperation() override {
    gpu::GPUModuleOp module = getOperation();
    LowerToLLVMOptions options(&getContext());
    // 64-bit: T * d may exceed 2^31.
    options.overrideIndexBitwidth(64);
    LLVMTypeConverter converter(&getContext(), options);
    configureGpuToNVVMTypeConverter(converter);
    if (failed(convertExactMath(module, converter)) ||
        failed(convertRest(module, converter)))
      signalPassFailure();
  }

private:
  /// The functions of the math dialect that PTX rounds correctly, or that
  /// need no rounding.
  static LogicalResult convertExactMath(gpu::GPUModuleOp module,
                                        const LLVMTypeConverter &converter) {
    RewritePatternSet patterns(module.getContext());
    populateMathToLLVMConversionPatterns(converter, patterns);
    ConversionTarget target(*module.getContext());
    target.markUnknownOpDynamicallyLegal([](Operation *) { return true; });
    target.addIllegalOp<
        math::SqrtOp, math::FmaOp, math::AbsFOp, math::AbsIOp, math::CeilOp,
        math::FloorOp, math::TruncOp, math::RoundEvenOp, math::CopySignOp,
        math::CtPopOp, math::CountLeadingZerosOp, math::CountTrailingZerosOp>();
    return applyPartialConversion(module, target, std::move(patterns));
  }

  LogicalResult convertRest(gpu::GPUModuleOp module,
                            LLVMTypeConverter &converter) {
    RewritePatternSet patterns(&getContext());
    ConversionTarget target(getContext());
    for (Dialect *dialect : getContext().getLoadedDialects()) {
      // The functions that are left have libdevice's names.
      if (isa<math::MathDialect>(dialect))
        continue;
      if (auto *interface = dyn_cast<ConvertToLLVMPatternInterface>(dialect))
        interface->populateConvertToLLVMConversionPatterns(target, converter,
                                                           patterns);
    }
    populateGpuToNVVMConversionPatterns(converter, patterns);
    target.addLegalDialect<LLVM::LLVMDialect, NVVM::NVVMDialect>();
    target.addLegalOp<gpu::GPUModuleOp>();
    target.addIllegalDialect<gpu::GPUDialect, math::MathDialect>();
    target.addLegalOp<gpu::GPUModuleOp, gpu::YieldOp>();
    return applyPartialConversion(module, target, std::move(patterns));
  }
};

} // namespace
} // namespace mlir::frit

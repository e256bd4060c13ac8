//===- ImageTranslation.cpp - Device code in host modules -----------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Embeds device code when a module is translated, so that no text holds it.
//
//===----------------------------------------------------------------------===//

#include "ImageTranslation.h"

#include "../Conversion/Utils/ImageBytes.h"

#include "mlir/Target/LLVMIR/Dialect/GPU/GPUToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/ModuleTranslation.h"

#include "llvm/IR/Constants.h"
#include "llvm/IR/Module.h"

using namespace mlir;
using namespace mlir::frit;

namespace {

/// A fatbin is aligned to 8; a cache line does no harm.
constexpr uint64_t kAlignment = 64;

struct ImageTranslation
    : gpu::OffloadingLLVMTranslationAttrInterface::ExternalModel<
          ImageTranslation, ImageAttr> {
  LogicalResult embedBinary(Attribute, Operation *op, llvm::IRBuilderBase &,
                            LLVM::ModuleTranslation &translation) const {
    auto binary = cast<gpu::BinaryOp>(op);
    llvm::GlobalVariable *global = translation.getLLVMModule()->getNamedGlobal(
        getImageSymbol(binary.getName()));
    // Nothing launches it.
    if (!global)
      return success();
    FailureOr<StringRef> bytes = getImageBytes(binary);
    if (failed(bytes))
      return failure();
    llvm::Constant *data = llvm::ConstantDataArray::getString(
        global->getContext(), *bytes, /*AddNull=*/false);
    if (data->getType() != global->getValueType())
      return binary.emitError("kernel image of '")
             << binary.getName() << "' has " << bytes->size()
             << " bytes, but the module was lowered for another size";
    global->setInitializer(data);
    global->setLinkage(llvm::GlobalValue::PrivateLinkage);
    global->setAlignment(llvm::Align(kAlignment));
    return success();
  }

  LogicalResult launchKernel(Attribute, Operation *launch, Operation *,
                             llvm::IRBuilderBase &,
                             LLVM::ModuleTranslation &) const {
    return launch->emitOpError(
        "has no translation of its own; run convert-gpu-to-frit-runtime");
  }
};

} // namespace

void frit::registerImageTranslation(DialectRegistry &registry) {
  registerGPUDialectTranslation(registry);
  registry.addExtension(+[](MLIRContext *context, FritDialect *) {
    ImageAttr::attachInterface<ImageTranslation>(*context);
  });
}

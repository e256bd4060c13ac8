//===- CompiledText.cpp ---------------------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Compiles text with the libraries that frit-run is made of.
//
//===----------------------------------------------------------------------===//

#include "CompiledText.h"

#include "Runner/Call.h"

#include "frit/InitAll.h"
#include "frit/Kernels/KernelTable.h"

#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/Parser/Parser.h"

namespace mlir::frit {

llvm::Expected<CompiledText>
CompiledText::compile(llvm::StringRef text,
                      llvm::function_ref<void(OpPassManager &)> buildPipeline,
                      void (*addEntries)(KernelTable &)) {
  DialectRegistry registry;
  registerAllDialects(registry);
  registerAllExtensions(registry);
  registerAll(registry);
  if (addEntries)
    registerKernels(registry, addEntries);
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(text, &context);
  if (!module)
    return llvm::createStringError("the text does not parse");
  PassManager pm(&context);
  buildPipeline(pm);
  if (failed(pm.run(*module)))
    return llvm::createStringError("a pass failed");
  auto target = CpuTarget::getHost();
  if (!target)
    return target.takeError();
  auto executable = Executable::compile(*module, *target);
  if (!executable)
    return executable.takeError();
  CompiledText result;
  result.executable = std::move(*executable);
  FritContext *runtime = nullptr;
  if (fritContextCreate(nullptr, &runtime) != FRIT_STATUS_OK)
    return llvm::createStringError("no context");
  result.context.reset(runtime);
  return result;
}

llvm::Error CompiledText::call(llvm::StringRef name,
                               llvm::ArrayRef<HostTensor *> tensors) {
  auto entry = executable->lookupEntry(name);
  if (!entry)
    return entry.takeError();
  ArgumentPack arguments;
  for (HostTensor *tensor : tensors)
    arguments.add(*tensor, FRIT_NO_DEVICE);
  ArrayRef<const FritTensor *> values = arguments.getValues();
  if (fritEntryCall(context.get(), *entry, values.data(),
                    static_cast<int32_t>(values.size())) == FRIT_STATUS_OK)
    return llvm::Error::success();
  std::string message = fritContextErrorMessage(context.get());
  fritContextClearError(context.get());
  return llvm::createStringError(message);
}

} // namespace mlir::frit

//===- CodeGeneration.cpp -------------------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// From a module in LLVM's dialect to the bytes of an object file.
//
//===----------------------------------------------------------------------===//

#include "ImageTranslation.h"

#include "frit/Execution/Executable.h"

#include "mlir/ExecutionEngine/OptUtils.h"
#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Export.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/DiagnosticHandler.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/DiagnosticPrinter.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/SmallVectorMemoryBuffer.h"
#include "llvm/Target/TargetMachine.h"

using namespace llvm;

namespace mlir::frit {

namespace {

/// Keeps the errors of LLVM's context: without a handler they end the process.
class ErrorCollector : public DiagnosticHandler {
public:
  explicit ErrorCollector(std::string &message) : message(message) {}

  bool handleDiagnostics(const DiagnosticInfo &info) override {
    if (info.getSeverity() != DS_Error)
      return true;
    raw_string_ostream stream(message);
    DiagnosticPrinterRawOStream printer(stream);
    if (!message.empty())
      stream << "; ";
    info.print(printer);
    return true;
  }

private:
  std::string &message;
};

/// While it lives, errors of the context are kept.
class ScopedErrorCollector {
public:
  explicit ScopedErrorCollector(LLVMContext &context)
      : context(context), previous(context.getDiagnosticHandler()) {
    context.setDiagnosticHandler(std::make_unique<ErrorCollector>(message));
  }
  ~ScopedErrorCollector() { context.setDiagnosticHandler(std::move(previous)); }

  Error take() const {
    return message.empty() ? Error::success() : createStringError(message);
  }

private:
  LLVMContext &context;
  std::unique_ptr<DiagnosticHandler> previous;
  std::string message;
};

} // namespace

Expected<std::unique_ptr<Module>> translateToLLVM(ModuleOp module,
                                                  const CpuTarget &target,
                                                  LLVMContext &context) {
  DialectRegistry registry;
  registerBuiltinDialectTranslation(registry);
  registerLLVMDialectTranslation(registry);
  registerImageTranslation(registry);
  module->getContext()->appendDialectRegistry(registry);

  auto machine = target.createTargetMachine();
  if (!machine)
    return machine.takeError();
  ScopedErrorCollector errors(context);
  std::unique_ptr<Module> translated =
      translateModuleToLLVMIR(module, context, "frit");
  if (!translated)
    return createStringError("the module could not be translated to LLVM IR");
  translated->setTargetTriple((*machine)->getTargetTriple());
  translated->setDataLayout((*machine)->createDataLayout());
  if (Error error = makeOptimizingTransformer(/*optLevel=*/3, /*sizeLevel=*/0,
                                              machine->get())(translated.get()))
    return error;
  if (Error error = errors.take())
    return error;
  return translated;
}

Expected<std::unique_ptr<MemoryBuffer>>
generateObject(Module &module, const CpuTarget &target) {
  auto machine = target.createTargetMachine();
  if (!machine)
    return machine.takeError();
  ScopedErrorCollector errors(module.getContext());
  SmallVector<char, 0> bytes;
  raw_svector_ostream stream(bytes);
  legacy::PassManager passes;
  if ((*machine)->addPassesToEmitFile(passes, stream, nullptr,
                                      CodeGenFileType::ObjectFile))
    return createStringError("no object files can be made for " +
                             target.triple);
  passes.run(module);
  if (Error error = errors.take())
    return error;
  return std::make_unique<SmallVectorMemoryBuffer>(
      std::move(bytes), module.getName(), /*RequiresNullTerminator=*/false);
}

} // namespace mlir::frit

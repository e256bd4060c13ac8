//===- Program.cpp --------------------------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Compiles through the pipelines that tools use.
//
//===----------------------------------------------------------------------===//

#include "Program.h"

#include "frit/InitAll.h"
#include "frit/Kernels/KernelTable.h"

#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Target/LLVMIR/Dialect/All.h"

using namespace mlir;
using namespace mlir::frit;
using namespace mlir::frit::test;

std::string Route::describe() const {
  switch (kind) {
  case Kind::Vector:
    return "native.vector of " + std::to_string(vectorWidth) + " bits";
  case Kind::Linalg:
    return "native.linalg";
  case Kind::Reference:
    return "frit-native-reference";
  }
  llvm_unreachable("unknown route");
}

static MLIRContext &getContext() {
  static MLIRContext *context = [] {
    DialectRegistry registry;
    registerAllDialects(registry);
    registerAllExtensions(registry);
    registerAllToLLVMIRTranslations(registry);
    registerAll(registry);
    return new MLIRContext(registry, MLIRContext::Threading::DISABLED);
  }();
  return *context;
}

static FritContext *getRuntimeContext() {
  static FritContext *context = [] {
    FritContextOptions options = fritContextOptionsDefault();
    options.threads = 3;
    FritContext *context = nullptr;
    if (fritContextCreate(&options, &context) != FRIT_STATUS_OK)
      std::abort();
    return context;
  }();
  return context;
}

llvm::Expected<std::unique_ptr<Program>> Program::compile(llvm::StringRef text,
                                                          const Route &route) {
  MLIRContext &context = getContext();
  std::string messages;
  ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) {
    messages += diagnostic.str() + "\n";
  });
  OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(text, &context);
  auto makeError = [&](const llvm::Twine &what) {
    return llvm::createStringError(what + ": " + messages);
  };
  if (!module)
    return makeError("cannot parse");

  PassManager passes(&context);
  if (route.kind == Route::Kind::Reference) {
    buildReferencePipeline(passes, ReferencePipelineOptions());
  } else {
    StringRef id =
        route.kind == Route::Kind::Vector ? "native.vector" : "native.linalg";
    module->walk([&](KernelOpInterface op) {
      if (KernelTable::get(&context)->lookup(op->getName().getStringRef(), id))
        op.setKernel(KernelAttr::get(&context, id, DictionaryAttr()));
    });
    CpuPipelineOptions options;
    options.vectorWidth = route.vectorWidth;
    buildCpuPipeline(passes, options);
  }
  if (failed(passes.run(*module)))
    return makeError("cannot lower");

  static llvm::Expected<CpuTarget> target = CpuTarget::getHost();
  if (!target)
    return llvm::createStringError("no target for this machine");
  auto program = std::make_unique<Program>();
  auto executable = Executable::compile(*module, *target);
  if (!executable)
    return executable.takeError();
  program->executable = std::move(*executable);
  auto entry = program->executable->lookup("f");
  if (!entry)
    return entry.takeError();
  program->entry = *entry;
  return program;
}

std::string Program::call(std::vector<std::vector<int64_t>> descriptors) {
  std::vector<void *> pointers;
  pointers.reserve(descriptors.size());
  for (std::vector<int64_t> &descriptor : descriptors)
    pointers.push_back(descriptor.data());
  FritContext *context = getRuntimeContext();
  FritStatus status = entry(context, pointers.data());
  if (status == FRIT_STATUS_OK)
    return "";
  std::string error = std::string(fritStatusName(status)) + ": " +
                      fritContextErrorMessage(context);
  fritContextClearError(context);
  return error;
}

std::string Program::call(llvm::ArrayRef<Buffer *> arguments) {
  std::vector<std::vector<int64_t>> descriptors;
  for (Buffer *argument : arguments)
    descriptors.push_back(argument->getDescriptor());
  std::string error = call(std::move(descriptors));
  for (Buffer *argument : arguments)
    if (!argument->areGapsIntact())
      error += "memory outside of " + argument->describe() + " was written";
  return error;
}

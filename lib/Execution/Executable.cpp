//===- Executable.cpp -----------------------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Links object code into this process with LLVM's just-in-time linker.
//
//===----------------------------------------------------------------------===//

#include "frit/Execution/Executable.h"

#include "ConstantData.h"

#include "frit/Execution/EntrySignature.h"
#include "frit/Execution/Passes.h"

#include "frit-c/Entry.h"
#include "frit-c/RuntimeDevice.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ExecutionEngine/Orc/AbsoluteSymbols.h"
#include "llvm/ExecutionEngine/Orc/ExecutionUtils.h"
#include "llvm/ExecutionEngine/Orc/LLJIT.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"

using namespace llvm;

// NOLINTBEGIN(readability-identifier-naming,bugprone-reserved-identifier): the
// names are those of the code generator. No header declares these functions,
// of which only the addresses matter here.
extern "C" {
#define FRIT_RUNTIME_HELPER(name) void name();
#include "frit-c/RuntimeSymbols.def"
#define FRIT_RUNTIME_MATH(result, name, parameters, arguments)                 \
  void fritMath_##name();
#include "frit-c/RuntimeMath.def"
}
// NOLINTEND(readability-identifier-naming,bugprone-reserved-identifier)

namespace mlir::frit {

/// The addresses of the runtime's functions, which need not be visible to the
/// dynamic linker: a host may have loaded this library for itself alone.
static orc::SymbolMap getRuntimeSymbols(orc::LLJIT &jit) {
  orc::SymbolMap symbols;
  auto add = [&](StringRef name, void *address) {
    symbols[jit.mangleAndIntern(name)] = {orc::ExecutorAddr::fromPtr(address),
                                          JITSymbolFlags::Exported};
  };
#define FRIT_RUNTIME_FUNCTION(name) add(#name, reinterpret_cast<void *>(name));
#define FRIT_RUNTIME_HELPER(name) add(#name, reinterpret_cast<void *>(name));
#include "frit-c/RuntimeSymbols.def"
  // Under the names that the code generator calls them by.
#define FRIT_RUNTIME_MATH(result, name, parameters, arguments)                 \
  add(#name, reinterpret_cast<void *>(fritMath_##name));
#include "frit-c/RuntimeMath.def"
  return symbols;
}

static orc::SymbolMap getConstantSymbols(orc::LLJIT &jit,
                                         ArrayRef<ConstantData> constants) {
  orc::SymbolMap symbols;
  for (const ConstantData &constant : constants)
    symbols[jit.mangleAndIntern(constant.getName())] = {
        orc::ExecutorAddr::fromPtr(constant.getAddress()),
        JITSymbolFlags::Exported};
  return symbols;
}

Executable::Executable(std::unique_ptr<orc::LLJIT> jit) : jit(std::move(jit)) {}

Executable::~Executable() = default;

Expected<std::unique_ptr<Executable>>
Executable::link(std::unique_ptr<MemoryBuffer> object,
                 const CpuTarget &target) {
  return link(std::move(object), target, {});
}

Expected<std::unique_ptr<Executable>>
Executable::link(std::unique_ptr<MemoryBuffer> object, const CpuTarget &target,
                 std::vector<ConstantData> constants) {
  orc::JITTargetMachineBuilder builder{Triple(target.triple)};
  builder.setCPU(target.cpu).addFeatures({target.features});
  auto jit = orc::LLJITBuilder()
                 .setJITTargetMachineBuilder(std::move(builder))
                 .create();
  if (!jit)
    return jit.takeError();
  std::unique_ptr<Executable> executable(new Executable(std::move(*jit)));
  executable->constants = std::move(constants);
  if (Error error = executable->add(std::move(object)))
    return error;
  return executable;
}

Error Executable::add(std::unique_ptr<MemoryBuffer> object) {
  // A lookup only says which symbols it could not have; the reason comes here.
  jit->getExecutionSession().setErrorReporter([this](Error error) {
    std::lock_guard<std::mutex> lock(mutex);
    reasons.push_back(toString(std::move(error)));
  });
  orc::JITDylib &library = jit->getMainJITDylib();
  if (Error error =
          library.define(orc::absoluteSymbols(getRuntimeSymbols(*jit))))
    return error;
  if (Error error = library.define(
          orc::absoluteSymbols(getConstantSymbols(*jit, constants))))
    return error;
  auto process = orc::DynamicLibrarySearchGenerator::GetForCurrentProcess(
      jit->getDataLayout().getGlobalPrefix());
  if (!process)
    return process.takeError();
  library.addGenerator(std::move(*process));
  return jit->addObjectFile(std::move(object));
}

Expected<std::unique_ptr<Executable>>
Executable::compile(ModuleOp module, const CpuTarget &target) {
  auto lifted = liftConstants(module);
  if (!lifted)
    return lifted.takeError();
  LLVMContext context;
  auto translated = translateToLLVM(lifted->module ? *lifted->module : module,
                                    target, context);
  if (!translated)
    return translated.takeError();
  auto object = generateObject(**translated, target);
  if (!object)
    return object.takeError();
  auto executable =
      link(std::move(*object), target, std::move(lifted->constants));
  if (!executable)
    return executable.takeError();
  for (auto function : module.getOps<LLVM::LLVMFuncOp>()) {
    auto signature = EntrySignature::read(function);
    if (succeeded(signature) && *signature)
      (*executable)->entryNames.push_back((*signature)->name);
  }
  return executable;
}

Expected<void *> Executable::lookupSymbol(StringRef symbol) {
  auto address = jit->lookup(symbol);
  if (address)
    return address->toPtr<void *>();
  std::lock_guard<std::mutex> lock(mutex);
  if (reasons.empty())
    return address.takeError();
  consumeError(address.takeError());
  return createStringError(join(reasons, "; "));
}

Expected<Executable::EntryPoint> Executable::lookup(StringRef name) {
  Expected<void *> address = lookupSymbol(getEntryPointName(name));
  if (!address)
    return address.takeError();
  return reinterpret_cast<EntryPoint>(*address);
}

Expected<const FritEntry *> Executable::lookupEntry(StringRef name) {
  if (!is_contained(entryNames, name))
    return createStringError(
        "the code has no function '@" + name + "' to call; it has " +
        (entryNames.empty() ? "none" : "@" + join(entryNames, ", @")));
  Expected<void *> address = lookupSymbol(getEntryMetadataName(name));
  if (!address)
    return address.takeError();
  return static_cast<const FritEntry *>(*address);
}

} // namespace mlir::frit

//===- Compilation.cpp ----------------------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One compilation, from a source to a program.
//
//===----------------------------------------------------------------------===//

#include "Compilation.h"

#include "Failure.h"

#include "frit/Execution/EntrySignature.h"
#include "frit/Execution/KernelChoices.h"

#include "mlir/IR/DialectRegistry.h"

using namespace mlir;
using namespace mlir::frit;
using llvm::Error;
using llvm::Expected;

Compilation::Compilation(const DialectRegistry &registry,
                         const FritCompilerOptions &handlers,
                         const FritCompileOptions &options)
    : handlers(handlers), options(options),
      context(registry, MLIRContext::Threading::DISABLED),
      reporter(context, handlers), program(std::make_unique<FritProgram>()) {
  // Messages go to people who may never have seen the op's text.
  context.printOpOnDiagnostic(false);
}

std::unique_ptr<FritProgram>
Compilation::run(const std::shared_ptr<llvm::SourceMgr> &sources,
                 FritStatus &status) {
  status = readOptions();
  if (status == FRIT_STATUS_OK)
    status = parse(sources);
  if (status == FRIT_STATUS_OK)
    status = choose();
  if (status == FRIT_STATUS_OK && !hasFlag(FRIT_COMPILE_CHOICES_ONLY))
    status = generate();
  return status == FRIT_STATUS_OK ? std::move(program) : nullptr;
}

FritStatus Compilation::failAsReported() {
  StringRef errors = reporter.getErrors();
  return fail(FRIT_STATUS_COMPILATION,
              errors.empty() ? "the module cannot be compiled" : errors);
}

FritStatus Compilation::readOptions() {
  constexpr int32_t known =
      FRIT_COMPILE_VERIFY | FRIT_COMPILE_SERIAL | FRIT_COMPILE_CHOICES_ONLY;
  if (options.flags & ~known)
    return fail(FRIT_STATUS_INVALID_ARGUMENT,
                "FritCompileOptions::flags is " + Twine(options.flags) +
                    ", but this library knows the flags " + Twine(known));
  if (failed(enableRemarks(context, handlers)))
    return fail(FRIT_STATUS_INTERNAL, "remarks could not be enabled");

  TargetName name;
  if (options.target) {
    Expected<TargetName> parsed = TargetName::parse(options.target);
    if (!parsed)
      return fail(FRIT_STATUS_INVALID_ARGUMENT,
                  "target: " + toString(parsed.takeError()));
    name = *parsed;
  }
  Expected<CompileTarget> resolved =
      name.resolve(hasFlag(FRIT_COMPILE_CHOICES_ONLY) ? TargetName::Use::Write
                                                      : TargetName::Use::Call);
  if (!resolved) {
    bool isDevice = name.kind == TargetName::Kind::Cuda && name.chip.empty();
    return fail(isDevice ? FRIT_STATUS_DEVICE_UNAVAILABLE
                         : FRIT_STATUS_INVALID_ARGUMENT,
                Twine("target '") + (options.target ? options.target : "") +
                    "': " + toString(resolved.takeError()));
  }
  target = std::move(*resolved);
  program->target = target.getKernelTarget();
  program->device = target.getDevice();

  if (options.policy)
    compileOptions.policy = options.policy;
  if (options.toolkit)
    compileOptions.toolkit = options.toolkit;
  compileOptions.verify = hasFlag(FRIT_COMPILE_VERIFY);
  compileOptions.parallel = !hasFlag(FRIT_COMPILE_SERIAL);
  if (Error error = compileOptions.checkPolicy(context))
    return fail(FRIT_STATUS_INVALID_ARGUMENT,
                "policy: " + toString(std::move(error)));
  return FRIT_STATUS_OK;
}

FritStatus Compilation::parse(const std::shared_ptr<llvm::SourceMgr> &sources) {
  module = parseModule(sources, context);
  if (!module)
    return failAsReported();
  Expected<SmallVector<func::FuncOp>> entries = findEntries();
  if (!entries)
    return fail(FRIT_STATUS_INVALID_ARGUMENT, toString(entries.takeError()));
  for (func::FuncOp entry : *entries) {
    entryNames.push_back(entry.getName().str());
    if (hasFlag(FRIT_COMPILE_CHOICES_ONLY))
      continue;
    if (auto signature = EntrySignature::get(entry); !signature) {
      entry.emitError() << toString(signature.takeError());
      return failAsReported();
    }
  }
  exportOnly(*module, *entries);
  return FRIT_STATUS_OK;
}

Expected<SmallVector<func::FuncOp>> Compilation::findEntries() {
  SmallVector<func::FuncOp> entries;
  if (!options.entries) {
    for (func::FuncOp function : module->getOps<func::FuncOp>())
      if (function.isPublic() && !function.isExternal())
        entries.push_back(function);
    if (entries.empty())
      return llvm::createStringError(
          "the module has no public func.func with a body");
    return entries;
  }
  for (const char *name : ArrayRef(options.entries, options.numEntries)) {
    Expected<func::FuncOp> function = findFunction(*module, name);
    if (!function)
      return function.takeError();
    if (llvm::is_contained(entries, *function))
      return llvm::createStringError(
          Twine("FritCompileOptions::entries has '") + name +
          "' twice, expected each function once");
    entries.push_back(*function);
  }
  return entries;
}

FritStatus Compilation::choose() {
  auto keep = [&](ArrayRef<KernelDecision> decisions) {
    for (const KernelDecision &decision : decisions)
      program->choices.add(decision);
  };
  const GraphOptions options = compileOptions.getGraphOptions(program->target);
  return succeeded(chooseKernels(*module, options, keep)) ? FRIT_STATUS_OK
                                                          : failAsReported();
}

FritStatus Compilation::generate() {
  if (failed(lowerModule(*module, target, compileOptions)))
    return failAsReported();
  auto executable = Executable::compile(*module, target.cpu);
  if (!executable)
    return fail(FRIT_STATUS_COMPILATION, toString(executable.takeError()));
  program->executable = std::move(*executable);
  for (StringRef name : entryNames) {
    Expected<const FritEntry *> entry = program->executable->lookupEntry(name);
    if (!entry)
      return fail(FRIT_STATUS_COMPILATION, toString(entry.takeError()));
    program->entries.push_back(*entry);
  }
  return FRIT_STATUS_OK;
}

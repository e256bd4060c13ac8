//===- CompileTool.cpp ----------------------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The steps of frit-compile in order: options, module, lowering, files. Each
// failing step has its exit code.
//
//===----------------------------------------------------------------------===//

#include "frit/Execution/CompileTool.h"

#include "Options.h"
#include "Outputs.h"

#include "frit/Execution/EntrySignature.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/MLIRContext.h"

#include "llvm/Support/InitLLVM.h"

using namespace llvm;

namespace mlir::frit {

namespace {

enum class Exit : int { Success = 0, Usage = 1, Compile = 2, Write = 3 };

Exit fail(Exit exit, Error error) {
  outs().flush();
  logAllUnhandledErrors(std::move(error), errs(), "frit-compile: error: ");
  return exit;
}

/// The functions to export.
Expected<SmallVector<func::FuncOp>>
findEntries(ModuleOp module, const CompileToolOptions &options) {
  SmallVector<func::FuncOp> functions;
  for (const std::string &name : options.entries) {
    auto function = findFunction(module, name);
    if (!function)
      return createStringError("--entry=" + name + ": " +
                               toString(function.takeError()));
    functions.push_back(*function);
  }
  if (!functions.empty())
    return functions;
  for (auto function : module.getOps<func::FuncOp>())
    if (!function.isExternal() && function.isPublic())
      functions.push_back(function);
  if (functions.empty())
    return createStringError("there is nothing to export: the module has no "
                             "public func.func with a body");
  return functions;
}

/// A copy of the module that was lowered for all targets and exports its
/// entries; null after diagnostics. Weights are added to `constants`.
OwningOpRef<ModuleOp> lower(ModuleOp module, ArrayRef<CompileTarget> targets,
                            CompileOptions compile,
                            const CompileToolOptions &options, bool ptxOnly,
                            SmallVectorImpl<ExternalConstant> &constants) {
  compile.ptxOnly = ptxOnly;
  SmallVector<OwningOpRef<ModuleOp>> copies;
  for (const CompileTarget &target : targets) {
    copies.push_back(module.clone());
    if (failed(lowerModule(*copies.back(), target, compile)))
      return nullptr;
  }
  if (targets.size() > 1 && failed(joinArchitectures(copies, targets)))
    return nullptr;
  if (!ptxOnly && options.writes(OutputKind::Weights)) {
    auto external = externalizeConstants(*copies.front(), options.weightBytes);
    if (failed(external))
      return nullptr;
    append_range(constants, *external);
  }
  if (failed(exportEntries(*copies.front(), options.prefix)))
    return nullptr;
  return std::move(copies.front());
}

/// Lets functions take weights as they are faster to read, and says which. One
/// signature is for all targets: that of the first.
LogicalResult transposeWeights(ModuleOp module, const CompileTarget &target,
                               ArrayRef<func::FuncOp> entries,
                               const CompileToolOptions &options) {
  if (failed(transposeArguments(module, target, options.compile)))
    return failure();
  for (func::FuncOp function : entries)
    for (unsigned i = 0; i < function.getNumArguments(); ++i)
      if (function.getArgAttr(i, "frit.transposed"))
        errs() << "frit-compile: argument " << i << " of '@"
               << function.getName()
               << "' is taken transposed: " << function.getArgumentTypes()[i]
               << "\n";
  return success();
}

/// What --target names.
Expected<SmallVector<CompileTarget>>
resolveTargets(const CompileToolOptions &options) {
  SmallVector<CompileTarget> targets;
  for (const TargetName &name : options.targets) {
    auto target = name.resolve(TargetName::Use::Write);
    if (!target)
      return createStringError("--target=" + options.targetText + ": " +
                               toString(target.takeError()));
    targets.push_back(std::move(*target));
  }
  return targets;
}

Exit compile(const CompileToolOptions &options, DialectRegistry &registry) {
  MLIRContext context(registry);
  if (Error error = options.compile.checkPolicy(context))
    return fail(Exit::Usage,
                createStringError("--policy: " + toString(std::move(error))));
  auto targets = resolveTargets(options);
  if (!targets)
    return fail(Exit::Usage, targets.takeError());
  if (options.writes(OutputKind::SharedLibrary))
    if (Error error = checkLinker(options.linker))
      return fail(Exit::Usage, std::move(error));
  auto sources = std::make_shared<SourceMgr>();
  if (Error error = readSource(options.file, *sources))
    return fail(Exit::Usage, std::move(error));
  SourceMgrDiagnosticHandler handler(*sources, &context);
  OwningOpRef<ModuleOp> module = parseModule(sources, context);
  if (!module)
    return Exit::Compile;
  auto entries = findEntries(*module, options);
  if (!entries)
    return fail(Exit::Usage, entries.takeError());
  for (func::FuncOp function : *entries)
    if (auto signature = EntrySignature::get(function); !signature) {
      function.emitError() << toString(signature.takeError());
      return Exit::Compile;
    }
  exportOnly(*module, *entries);
  if (options.transposeWeights &&
      failed(transposeWeights(*module, targets->front(), *entries, options)))
    return Exit::Compile;

  LoweredModules modules;
  modules.code = lower(*module, *targets, options.compile, options,
                       /*ptxOnly=*/false, modules.constants);
  if (!modules.code)
    return Exit::Compile;
  if (options.writes(OutputKind::Ptx)) {
    modules.ptx = lower(*module, *targets, options.compile, options,
                        /*ptxOnly=*/true, modules.constants);
    if (!modules.ptx)
      return Exit::Compile;
  }
  auto bytes = makeOutputs(modules, *targets, options);
  if (!bytes)
    return fail(Exit::Compile, bytes.takeError());
  if (Error error = writeOutputs(*bytes, modules.constants, options))
    return fail(Exit::Write, std::move(error));
  return Exit::Success;
}

Exit runMain(int argc, char **argv, DialectRegistry &registry) {
  auto options = parseCompileToolOptions(argc, argv);
  if (!options)
    return fail(Exit::Usage, options.takeError());
  return *options ? compile(**options, registry) : Exit::Success;
}

} // namespace

int fritCompileMain(int argc, char **argv, DialectRegistry &registry) {
  InitLLVM init(argc, argv);
  Exit exit = runMain(argc, argv, registry);
  // An error that is not cleared ends the process in the stream's destructor.
  outs().flush();
  if (std::error_code code = outs().error()) {
    outs().clear_error();
    errs() << "frit-compile: error: cannot write standard output: "
           << code.message() << "\n";
    if (exit == Exit::Success)
      exit = Exit::Write;
  }
  return static_cast<int>(exit);
}

} // namespace mlir::frit

//===- Source.cpp - Reading modules ---------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reads and parses a module, and finds its functions.
//
//===----------------------------------------------------------------------===//

#include "frit/Execution/Compiler.h"
#include "frit/Support/ExportHint.h"
#include "frit/Support/NestingLimit.h"

#include "mlir/Parser/Parser.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace llvm;

namespace mlir::frit {

Error readSource(StringRef path, SourceMgr &sources) {
  auto buffer = MemoryBuffer::getFileOrSTDIN(path, /*IsText=*/false,
                                             /*RequiresNullTerminator=*/true);
  if (!buffer)
    return createStringError("cannot read '" + path +
                             "': " + buffer.getError().message());
  sources.AddNewSourceBuffer(std::move(*buffer), SMLoc());
  return Error::success();
}

OwningOpRef<ModuleOp> parseModule(const std::shared_ptr<SourceMgr> &sources,
                                  MLIRContext &context) {
  MemoryBufferRef buffer =
      sources->getMemoryBuffer(sources->getMainFileID())->getMemBufferRef();
  if (failed(checkNesting(&context, buffer)))
    return nullptr;
  auto module = parseSourceFile<ModuleOp>(sources, &context);
  if (!module)
    noteExportHint(&context, buffer);
  return module;
}

static std::string listFunctions(ModuleOp module) {
  SmallVector<std::string> names;
  for (func::FuncOp function : module.getOps<func::FuncOp>())
    if (!function.isExternal())
      names.push_back("@" + function.getName().str());
  return names.empty() ? "it has no function with a body"
                       : "it has " + join(names, ", ");
}

Expected<func::FuncOp> findFunction(ModuleOp module, StringRef name) {
  auto function = module.lookupSymbol<func::FuncOp>(name);
  if (!function)
    return createStringError("the module has no func.func '@" + name + "'; " +
                             listFunctions(module));
  if (function.isExternal())
    return createStringError("the function '@" + name + "' has no body");
  return function;
}

Expected<func::FuncOp> findMainFunction(ModuleOp module) {
  SmallVector<func::FuncOp> candidates;
  for (func::FuncOp function : module.getOps<func::FuncOp>()) {
    if (function.isExternal())
      continue;
    if (function.getName() == "main")
      return function;
    if (function.isPublic())
      candidates.push_back(function);
  }
  if (candidates.size() == 1)
    return candidates.front();
  return createStringError(
      "the module has no @main and " + Twine(candidates.size()) +
      " public functions with a body; " + listFunctions(module));
}

void exportOnly(ModuleOp module, ArrayRef<func::FuncOp> functions) {
  for (func::FuncOp function : module.getOps<func::FuncOp>())
    function.setVisibility(is_contained(functions, function)
                               ? SymbolTable::Visibility::Public
                               : SymbolTable::Visibility::Private);
}

} // namespace mlir::frit

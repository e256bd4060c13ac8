//===- Load.cpp -----------------------------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reads the module and finds the function to run.
//
//===----------------------------------------------------------------------===//

#include "Load.h"

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

static std::string listFunctions(ModuleOp module) {
  SmallVector<std::string> names;
  for (func::FuncOp function : module.getOps<func::FuncOp>())
    if (!function.isExternal())
      names.push_back("@" + function.getName().str());
  return names.empty() ? "it has no function with a body"
                       : "it has " + join(names, ", ");
}

Expected<func::FuncOp> findEntry(ModuleOp module, StringRef entry) {
  if (!entry.empty()) {
    auto function = module.lookupSymbol<func::FuncOp>(entry);
    if (!function)
      return createStringError("--entry=" + entry +
                               ": the module has no such func.func; " +
                               listFunctions(module));
    if (function.isExternal())
      return createStringError("--entry=" + entry +
                               ": the function has no body");
    return function;
  }
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
  return createStringError("which function is to run? The module has no @main "
                           "and " +
                           Twine(candidates.size()) +
                           " public functions with a body: pass --entry; " +
                           listFunctions(module));
}

void isolateEntry(ModuleOp module, func::FuncOp entry) {
  for (func::FuncOp function : module.getOps<func::FuncOp>())
    function.setVisibility(function == entry
                               ? SymbolTable::Visibility::Public
                               : SymbolTable::Visibility::Private);
}

} // namespace mlir::frit

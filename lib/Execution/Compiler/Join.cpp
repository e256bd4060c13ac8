//===- Join.cpp - One module for several architectures --------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A graph that was lowered once for each architecture, put into one module:
// what the lowerings have in common (declarations, constants, images of
// kernels) is there once, and what differs has a name for each.
//
//===----------------------------------------------------------------------===//

#include "../../Conversion/Utils/ImageBytes.h"

#include "frit/Execution/Compiler.h"
#include "frit/Execution/EntrySignature.h"
#include "frit/Execution/Passes.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/AttrTypeSubElements.h"
#include "mlir/IR/OperationSupport.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Pass/PassManager.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringMap.h"

using namespace llvm;

namespace mlir::frit {

namespace {

bool hasBody(Operation &op) {
  return any_of(op.getRegions(),
                [](Region &region) { return !region.empty(); });
}

/// Adds modules to one.
class Joiner {
public:
  explicit Joiner(ModuleOp result) : result(result), symbols(result) {}

  /// Gives the entries of the module that the others are added to the names of
  /// its architecture.
  LogicalResult nameFirst(StringRef chip) {
    Names names;
    if (failed(nameEntries(result, chip, names, /*isFirst=*/true)))
      return failure();
    rename(result, names);
    symbols = SymbolTable(result);
    return success();
  }

  /// Moves what the module has and the result lacks.
  LogicalResult add(ModuleOp module, StringRef chip) {
    Names names;
    if (failed(nameEntries(module, chip, names, /*isFirst=*/false)) ||
        failed(nameTheRest(module, chip, names)))
      return failure();
    rename(module, names);
    for (Operation &op : make_early_inc_range(*module.getBody())) {
      auto symbol = dyn_cast<SymbolOpInterface>(op);
      // What is no symbol describes the module, and is in the result too.
      if (!symbol || symbols.lookup(symbol.getName()))
        continue;
      op.moveBefore(result.getBody(), result.getBody()->end());
      symbols.insert(&op);
    }
    return success();
  }

private:
  /// New names by old ones.
  using Names = StringMap<std::string>;

  /// The descriptions of entries, of which the result has another one. Only the
  /// first module keeps signatures: they are the same in all.
  static LogicalResult nameEntries(ModuleOp module, StringRef chip,
                                   Names &names, bool isFirst) {
    for (auto function : module.getOps<LLVM::LLVMFuncOp>()) {
      auto signature = EntrySignature::read(function);
      if (failed(signature))
        return failure();
      if (!*signature)
        continue;
      StringRef name = (*signature)->name;
      names[getEntryMetadataName(name)] = getVariantMetadataName(name, chip);
      if (!isFirst)
        function->removeAttr(EntrySignature::getAttrName());
    }
    return success();
  }

  /// New names for what has the name of something else in the result.
  LogicalResult nameTheRest(ModuleOp module, StringRef chip, Names &names) {
    // The image of a binary is found by the binary's name.
    for (auto binary : module.getOps<gpu::BinaryOp>())
      if (isTaken(*binary)) {
        std::string name = (binary.getName() + "." + chip).str();
        names[getImageSymbol(binary.getName())] = getImageSymbol(name);
        names[binary.getName()] = name;
      }
    for (Operation &op : *module.getBody()) {
      auto symbol = dyn_cast<SymbolOpInterface>(op);
      if (!symbol || names.contains(symbol.getName()) || !isTaken(op))
        continue;
      if (symbol.isDeclaration())
        return op.emitError() << "'@" << symbol.getName()
                              << "' is declared in another way for another "
                                 "architecture than for "
                              << chip;
      names[symbol.getName()] = (symbol.getName() + "." + chip).str();
    }
    return success();
  }

  /// True where the result has something else of that name. What has a body
  /// may mean something else with the same text.
  bool isTaken(Operation &op) {
    Operation *other = symbols.lookup(SymbolTable::getSymbolName(&op));
    return other && (hasBody(op) || hasBody(*other) ||
                     !OperationEquivalence::isEquivalentTo(
                         &op, other, OperationEquivalence::IgnoreLocations));
  }

  static void rename(ModuleOp module, const Names &names) {
    for (Operation &op : *module.getBody())
      if (isa<SymbolOpInterface>(op))
        if (auto name = names.find(SymbolTable::getSymbolName(&op).getValue());
            name != names.end())
          SymbolTable::setSymbolName(&op, name->second);
    AttrTypeReplacer replacer;
    replacer.addReplacement(
        [&](SymbolRefAttr reference)
            -> std::optional<std::pair<Attribute, WalkResult>> {
          auto name = names.find(reference.getRootReference().getValue());
          if (name == names.end())
            return std::pair(reference, WalkResult::skip());
          return std::pair(SymbolRefAttr::get(module.getContext(), name->second,
                                              reference.getNestedReferences()),
                           WalkResult::skip());
        });
    replacer.recursivelyReplaceElementsIn(module, /*replaceAttrs=*/true);
  }

  ModuleOp result;
  SymbolTable symbols;
};

} // namespace

LogicalResult joinArchitectures(MutableArrayRef<OwningOpRef<ModuleOp>> modules,
                                ArrayRef<CompileTarget> targets) {
  ModuleOp result = *modules.front();
  Joiner joiner(result);
  if (failed(joiner.nameFirst(targets.front().cuda->getChip())))
    return failure();
  for (auto [module, target] :
       zip_equal(modules.drop_front(), targets.drop_front()))
    if (failed(joiner.add(*module, target.cuda->getChip())))
      return failure();
  PassManager pm(result.getContext());
  EmitEntryMetadataPassOptions options;
  options.target = getKernelTargets(targets);
  pm.addPass(createEmitEntryMetadataPass(options));
  return pm.run(result);
}

} // namespace mlir::frit

//===- MergeEqualFunctions.cpp --------------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The pass frit-merge-equal-functions: layers of one model have the same loops,
// which are lowered and compiled once.
//
//===----------------------------------------------------------------------===//

#include "frit/Conversion/Passes.h"
#include "frit/Dialect/Frit/IR/Frit.h"
#include "frit/Dialect/Frit/Transforms/Origin.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/AttrTypeSubElements.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

#include "llvm/ADT/Hashing.h"

namespace mlir::frit {

#define GEN_PASS_DEF_MERGEEQUALFUNCTIONSPASS
#include "frit/Conversion/Passes.h.inc"

namespace {

/// The discardable attributes and the type: everything but name and body.
DictionaryAttr getSignature(FunctionOpInterface function) {
  NamedAttrList attributes(function->getAttrDictionary());
  attributes.erase(SymbolTable::getSymbolAttrName());
  return attributes.getDictionary(function->getContext());
}

/// Of the operations and their order; operands are left out.
llvm::hash_code getHash(FunctionOpInterface function) {
  llvm::hash_code hash = hash_value(getSignature(function));
  function.getFunctionBody().walk([&](Operation *op) {
    hash = llvm::hash_combine(hash,
                              OperationEquivalence::computeHash(
                                  op, OperationEquivalence::ignoreHashValue,
                                  OperationEquivalence::ignoreHashValue,
                                  OperationEquivalence::IgnoreLocations),
                              getOrigin(op->getLoc()));
  });
  return hash;
}

/// Whether the ops of two equivalent bodies come from the same Frit ops: what
/// may be done to their code depends on it.
bool haveSameOrigins(FunctionOpInterface left, FunctionOpInterface right) {
  SmallVector<OriginAttr> origins;
  left.getFunctionBody().walk(
      [&](Operation *op) { origins.push_back(getOrigin(op->getLoc())); });
  auto next = origins.begin();
  WalkResult result = right.getFunctionBody().walk([&](Operation *op) {
    return getOrigin(op->getLoc()) == *next++ ? WalkResult::advance()
                                              : WalkResult::interrupt();
  });
  return !result.wasInterrupted();
}

bool areEqual(FunctionOpInterface left, FunctionOpInterface right) {
  return getSignature(left) == getSignature(right) &&
         OperationEquivalence::isRegionEquivalentTo(
             &left.getFunctionBody(), &right.getFunctionBody(),
             OperationEquivalence::IgnoreLocations) &&
         haveSameOrigins(left, right);
}

class MergeEqualFunctionsPass
    : public impl::MergeEqualFunctionsPassBase<MergeEqualFunctionsPass> {
public:
  using MergeEqualFunctionsPassBase::MergeEqualFunctionsPassBase;

  void runOnOperation() override {
    SmallVector<FunctionOpInterface> functions, kernels;
    for (auto function : getOperation().getOps<func::FuncOp>())
      if (!function.isExternal() && function.isPrivate())
        functions.push_back(function);
    merge(functions, [](FunctionOpInterface function) -> SymbolRefAttr {
      return FlatSymbolRefAttr::get(function);
    });
    for (auto module : getOperation().getOps<gpu::GPUModuleOp>()) {
      kernels.clear();
      llvm::append_range(kernels, module.getOps<gpu::GPUFuncOp>());
      merge(kernels, [&](FunctionOpInterface function) {
        return SymbolRefAttr::get(module.getSymNameAttr(),
                                  FlatSymbolRefAttr::get(function));
      });
    }
    if (replacements.empty())
      return markAllAnalysesPreserved();
    AttrTypeReplacer replacer;
    replacer.addReplacement(
        [&](SymbolRefAttr name)
            -> AttrTypeReplacer::ReplaceFnResult<Attribute> {
          auto replacement = replacements.find(name);
          // The parts of a name are no names of their own.
          return std::make_pair(
              replacement == replacements.end() ? name : replacement->second,
              WalkResult::skip());
        });
    replacer.recursivelyReplaceElementsIn(getOperation());
    replacements.clear();
  }

private:
  /// Erases all but the first of equal functions.
  void merge(ArrayRef<FunctionOpInterface> functions,
             function_ref<SymbolRefAttr(FunctionOpInterface)> getName) {
    DenseMap<size_t, SmallVector<FunctionOpInterface, 1>> kept;
    for (FunctionOpInterface function : functions) {
      SmallVector<FunctionOpInterface, 1> &candidates = kept[getHash(function)];
      auto equal =
          llvm::find_if(candidates, [&](FunctionOpInterface candidate) {
            return areEqual(candidate, function);
          });
      if (equal == candidates.end()) {
        candidates.push_back(function);
        continue;
      }
      replacements[getName(function)] = getName(*equal);
      function.erase();
      ++numMerged;
    }
  }

  /// The names of erased functions.
  DenseMap<SymbolRefAttr, SymbolRefAttr> replacements;
};

} // namespace
} // namespace mlir::frit

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

#include "llvm/ADT/Hashing.h"

namespace mlir::frit {

#define GEN_PASS_DEF_MERGEEQUALFUNCTIONSPASS
#include "frit/Conversion/Passes.h.inc"

namespace {

/// The discardable attributes and the type: everything but name and body.
DictionaryAttr getSignature(func::FuncOp function) {
  NamedAttrList attributes(function->getAttrDictionary());
  attributes.erase(function.getSymNameAttrName());
  return attributes.getDictionary(function.getContext());
}

/// Of the operations and their order; operands are left out.
llvm::hash_code getHash(func::FuncOp function) {
  llvm::hash_code hash = hash_value(getSignature(function));
  function.getBody().walk([&](Operation *op) {
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
bool haveSameOrigins(func::FuncOp left, func::FuncOp right) {
  SmallVector<OriginAttr> origins;
  left.getBody().walk(
      [&](Operation *op) { origins.push_back(getOrigin(op->getLoc())); });
  auto next = origins.begin();
  WalkResult result = right.getBody().walk([&](Operation *op) {
    return getOrigin(op->getLoc()) == *next++ ? WalkResult::advance()
                                              : WalkResult::interrupt();
  });
  return !result.wasInterrupted();
}

bool areEqual(func::FuncOp left, func::FuncOp right) {
  return getSignature(left) == getSignature(right) &&
         OperationEquivalence::isRegionEquivalentTo(
             &left.getBody(), &right.getBody(),
             OperationEquivalence::IgnoreLocations) &&
         haveSameOrigins(left, right);
}

class MergeEqualFunctionsPass
    : public impl::MergeEqualFunctionsPassBase<MergeEqualFunctionsPass> {
public:
  using MergeEqualFunctionsPassBase::MergeEqualFunctionsPassBase;

  void runOnOperation() override {
    DenseMap<size_t, SmallVector<func::FuncOp, 1>> kept;
    DenseMap<StringAttr, StringAttr> replacements;
    for (auto function :
         llvm::make_early_inc_range(getOperation().getOps<func::FuncOp>())) {
      if (function.isExternal() || !function.isPrivate())
        continue;
      SmallVector<func::FuncOp, 1> &candidates = kept[getHash(function)];
      auto equal = llvm::find_if(candidates, [&](func::FuncOp candidate) {
        return areEqual(candidate, function);
      });
      if (equal == candidates.end()) {
        candidates.push_back(function);
        continue;
      }
      replacements[function.getSymNameAttr()] = equal->getSymNameAttr();
      function.erase();
      ++numMerged;
    }
    if (replacements.empty())
      return markAllAnalysesPreserved();
    AttrTypeReplacer replacer;
    replacer.addReplacement(
        [&](SymbolRefAttr name) -> std::optional<Attribute> {
          auto replacement = replacements.find(name.getRootReference());
          if (replacement == replacements.end() ||
              !isa<FlatSymbolRefAttr>(name))
            return std::nullopt;
          return FlatSymbolRefAttr::get(replacement->second);
        });
    replacer.recursivelyReplaceElementsIn(getOperation());
  }
};

} // namespace
} // namespace mlir::frit

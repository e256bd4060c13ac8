//===- Raiser.cpp ---------------------------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Terms, reports and rewriting of frit-raise.
//
//===----------------------------------------------------------------------===//

#include "Raiser.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mlir::frit;

StringRef frit::stringifyFidelity(Fidelity fidelity) {
  switch (fidelity) {
  case Fidelity::Exact:
    return "exact";
  case Fidelity::Framework:
    return "framework";
  case Fidelity::Fast:
    return "fast";
  }
  llvm_unreachable("all fidelities are handled");
}

std::optional<Fidelity> frit::symbolizeFidelity(StringRef name) {
  for (Fidelity fidelity :
       {Fidelity::Exact, Fidelity::Framework, Fidelity::Fast})
    if (name == stringifyFidelity(fidelity))
      return fidelity;
  return std::nullopt;
}

void RaiseTerms::addIdiom(StringRef name, const Twine &text) {
  require(Fidelity::Framework, text);
  if (llvm::none_of(idioms,
                    [&](const Idiom &idiom) { return idiom.name == name; }))
    idioms.push_back({name, text.str()});
}

void RaiseTerms::require(Fidelity needed, const Twine &why) {
  if (needed <= fidelity)
    return;
  fidelity = needed;
  reason = why.str();
}

void RaiseTerms::append(const RaiseTerms &part) {
  for (const Idiom &idiom : part.idioms)
    addIdiom(idiom.name, idiom.text);
  require(part.fidelity, part.reason);
}

void Raiser::miss(OpResult root, StringRef name, const Twine &step) {
  report({RaiseEvent::Kind::Missed, root.getOwner(), name, step.str()});
}

bool Raiser::accept(OpResult root, StringRef name, const RaiseTerms &terms) {
  StringRef needed = stringifyFidelity(terms.getFidelity());
  if (fidelity < terms.getFidelity()) {
    miss(root, name, "needs fidelity=" + needed + ": " + terms.getReason());
    return false;
  }
  for (const Idiom &idiom : terms.getIdioms())
    report(
        {RaiseEvent::Kind::Repaired, root.getOwner(), idiom.name, idiom.text});
  ++numRaised;
  report({RaiseEvent::Kind::Raised, root.getOwner(), name,
          ("raised at fidelity=" + needed).str()});
  return true;
}

Value Raiser::createDestination(OpResult root) {
  auto destination = cast<DestinationStyleOpInterface>(root.getOwner());
  Value init = destination.getTiedOpOperand(root)->get();
  if (init.getDefiningOp<tensor::EmptyOp>())
    return init;
  SmallVector<OpFoldResult> sizes =
      tensor::getMixedSizes(rewriter, root.getLoc(), init);
  return tensor::EmptyOp::create(rewriter, root.getLoc(), sizes,
                                 getElementTypeOrSelf(root.getType()));
}

void Raiser::replace(OpResult root, Value value) {
  if (value.getType() != root.getType())
    value =
        tensor::CastOp::create(rewriter, root.getLoc(), root.getType(), value);
  rewriter.replaceAllUsesWith(root, value);
}

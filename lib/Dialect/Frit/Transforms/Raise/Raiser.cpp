//===- Raiser.cpp ---------------------------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Remarks and rewriting of frit-raise.
//
//===----------------------------------------------------------------------===//

#include "Raiser.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

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

static remark::RemarkOpts getRemarkOpts(StringRef name, Operation *op) {
  auto function = op->getParentOfType<FunctionOpInterface>();
  return remark::RemarkOpts::name(name)
      .category("frit-raise")
      .function(function ? function.getName() : StringRef());
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

void Raiser::miss(OpResult root, StringRef name, const Twine &step) {
  ++numMissed;
  remark::missed(root.getLoc(), getRemarkOpts(name, root.getOwner()))
      << remark::reason("{0}", step.str());
}

bool Raiser::accept(OpResult root, StringRef name, const RaiseTerms &terms) {
  if (fidelity < terms.getFidelity()) {
    miss(root, name,
         Twine("needs fidelity=") + stringifyFidelity(terms.getFidelity()) +
             ": " + terms.getReason());
    return false;
  }
  for (const Idiom &idiom : terms.getIdioms()) {
    ++numRepaired;
    remark::analysis(root.getLoc(), getRemarkOpts(idiom.name, root.getOwner()))
        << remark::add("repaired: {0}", idiom.text);
  }
  ++numRaised;
  remark::passed(root.getLoc(), getRemarkOpts(name, root.getOwner()))
      << remark::add("raised at fidelity={0}",
                     stringifyFidelity(terms.getFidelity()));
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

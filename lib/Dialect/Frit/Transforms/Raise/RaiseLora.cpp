//===- RaiseLora.cpp ------------------------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Raises the sum of a linear layer and a low-rank branch to frit.lora_matmul,
// which adds to the layer's result. A sum that a linalg op computes together
// with something else is taken out of it first.
//
//===----------------------------------------------------------------------===//

#include "ElementEmitter.h"
#include "LoraAdapters.h"
#include "LoraBuilder.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace mlir::frit;

using Expr = ElementWalker::Expr;

namespace {

/// `base + delta`, rounded to the type of the base; `base` alone where the mask
/// does not hold.
struct LoraSum {
  Expr base, delta;
  /// The type of the addition.
  Type type;
  std::optional<LoraMask> mask;
  /// Whether it is `base - delta`, which is no LoRA.
  bool isDifference = false;
};

/// Raises the sums in one result of a linalg op.
class LoraRaiser {
public:
  LoraRaiser(OpResult root, ElementWalker &elements, Raiser &raiser)
      : root(root), elements(elements), raiser(raiser),
        element{
            std::shared_ptr<ElementWalker>(std::shared_ptr<void>(), &elements),
            nullptr, cast<RankedTensorType>(root.getType()).getRank() - 1} {}

  /// The tensor that takes the place of the root; null if nothing is raised.
  Value run();

private:
  SmallVector<LoraSum> matchSums(Expr expr);
  /// The tensor of the root's shape that the raised expression is; null if it
  /// is not raised.
  Value raise(Expr expr);
  Value raise(LoraSum sum, Type type);
  /// The base with its bias added before the matmul's sum is rounded, as
  /// PyTorch adds it; null if it has no bias that is added after.
  Expr repairBias(Expr base);
  /// A tensor that has the base of a sum.
  Value getTensor(Expr base);
  Value miss(const Twine &step) {
    if (missed.empty())
      missed = step.str();
    return {};
  }

  OpResult root;
  ElementWalker &elements;
  Raiser &raiser;
  RowElement element;
  /// The first step of an almost fitting structure that does not fit.
  std::string missed;
};

class RaiseLora : public RaisePattern {
public:
  bool raise(OpResult root, ElementWalker &elements,
             Raiser &raiser) const override {
    auto type = cast<RankedTensorType>(root.getType());
    Type element = type.getElementType();
    bool isSupported = element.isF32() || element.isF16() || element.isBF16();
    if (type.getRank() < 2 || !isSupported ||
        cast<linalg::LinalgOp>(root.getOwner()).getNumReductionLoops() != 0)
      return false;
    Value tensor = LoraRaiser(root, elements, raiser).run();
    if (tensor)
      raiser.replace(root, tensor);
    return static_cast<bool>(tensor);
  }
};

} // namespace

/// The ways to read an element as a sum.
SmallVector<LoraSum> LoraRaiser::matchSums(Expr expr) {
  SmallVector<LoraSum> sums;
  if (expr->is<arith::SelectOp>()) {
    for (unsigned i : {1, 2}) {
      LoraMask mask{expr->getOperand(0), /*isInverted=*/i == 2};
      Expr other = expr->getOperand(3 - i);
      Expr inner = elements.peel(expr->getOperand(i));
      if (inner->is<arith::SelectOp>())
        continue;
      for (const LoraSum &sum : matchSums(inner))
        if (elements.areEqual(sum.base, other))
          sums.push_back(
              {sum.base, sum.delta, sum.type, mask, sum.isDifference});
    }
    return sums;
  }
  Type type = expr->type;
  if (expr->is<arith::TruncFOp>())
    expr = elements.peel(expr->getOperand(0));
  bool isDifference = expr->is<arith::SubFOp>();
  if (!expr->is<arith::AddFOp>() && !isDifference)
    return {};
  for (unsigned i = 0; i < (isDifference ? 1U : 2U); ++i) {
    Expr base = expr->getOperand(i);
    if (base->type != type) {
      base = elements.peel(base);
      if (!base->is<arith::ExtFOp>() || base->getOperand(0)->type != type)
        continue;
      base = base->getOperand(0);
    }
    sums.push_back({base, expr->getOperand(1 - i), expr->type, std::nullopt,
                    isDifference});
  }
  return sums;
}

Expr LoraRaiser::repairBias(Expr base) {
  Expr sum = elements.peel(base);
  Type type = base->type;
  if (!sum->is<arith::AddFOp>() || type.isF32())
    return nullptr;
  MLIRContext *context = type.getContext();
  Type f32 = Float32Type::get(context);
  auto make = [&](StringRef name, Type type, ArrayRef<Expr> operands) {
    return elements.makeOp(OperationName(name, context), type, operands);
  };
  for (unsigned i : {0, 1}) {
    Expr rounded = elements.peel(sum->getOperand(i));
    Expr bias = sum->getOperand(1 - i);
    bool isColumnVector = bias->isLoad() && bias->indices.size() == 1 &&
                          bias->indices.front() == element.getColumn();
    if (!isColumnVector || !rounded->is<arith::TruncFOp>() ||
        rounded->getOperand(0)->type != f32 ||
        !elements.peel(rounded->getOperand(0))->isReduceOf<arith::AddFOp>())
      continue;
    Expr extended = make(arith::ExtFOp::getOperationName(), f32, bias);
    Expr terms[] = {rounded->getOperand(0), extended};
    return make(arith::TruncFOp::getOperationName(), type,
                make(arith::AddFOp::getOperationName(), f32, terms));
  }
  return nullptr;
}

Value LoraRaiser::raise(LoraSum sum, Type type) {
  std::optional<LoraBranch> branch = matchLoraBranch(element.with(sum.delta));
  if (!branch)
    return {};
  std::optional<LoraMask> mask = sum.mask ? sum.mask : branch->mask;
  bool isGathered = branch->a.adapter || branch->b.adapter;
  if (!isGathered) {
    // A sum of something else with a product of matrices is no LoRA.
    SmallVector<RowTensor> inputs = findMatmulInputs(element.with(sum.base));
    if (inputs.empty())
      return {};
    if (llvm::none_of(branch->inputs, [&](const LoraInput &input) {
          return llvm::is_contained(inputs, input.tensor.strip());
        }))
      return miss("the branch has another input than the layer that it is "
                  "added to");
    if (mask)
      return miss("rows are left out, and there is one adapter for all");
  }
  if (sum.isDifference)
    return miss("the branch is subtracted from the layer's result");
  if (!branch->blocker.empty())
    return miss(branch->blocker);
  if (branch->a.isTransposed())
    return miss("A is not stored with the rank before the input");
  if (branch->b.isTransposed())
    return miss("B is not stored with the output before the rank");
  Value ids;
  std::string reason;
  if (isGathered) {
    if (!branch->a.isWholeStack(elements) || !branch->b.isWholeStack(elements))
      return miss("a part of the stacked weights is gathered, or it is not "
                  "known that all is");
    ids = matchAdapterIds(*branch, element, mask, reason);
    if (!ids)
      return miss(reason);
  }
  reason = checkFactors(*branch, ids);
  if (!reason.empty())
    return miss(reason);
  RaiseTerms terms;
  std::optional<LoraForm> form =
      chooseLoraForm(*branch, type, raiser.getFidelity(), terms, reason);
  if (!form)
    return miss(reason);
  // A sum in f64 of a branch in f32 is rounded once, and that of the op twice.
  if (sum.type.isF64() && !type.isF32() && !form->roundsDelta())
    return miss("the branch is added in f64, and by the op in f32");
  if (!LoraBuilder::canFlatten(form->x))
    return miss("x is transposed");
  if (!element.isCoveredBy(form->x, form->a.columns))
    return miss("x has other rows than the layer that the branch is added to");
  Expr repaired = raiser.getFidelity() >= Fidelity::Framework
                      ? repairBias(sum.base)
                      : nullptr;
  if (repaired) {
    sum.base = repaired;
    terms.addIdiom("bias-after-rounding",
                   "the layer's bias was added after its sum was rounded, and "
                   "PyTorch rounds once");
  }
  if (elements.getTensors(sum.base).empty() &&
      !ElementEmitter(raiser.getRewriter(), elements).canEmit(sum.base))
    return miss("the layer's result is no tensor of its own");
  if (!raiser.accept(root, LoraMatmulOp::getOperationName(), terms))
    return {};
  Value base = getTensor(sum.base);
  return LoraBuilder(root.getLoc(), raiser.getRewriter())
      .build(*form, base, ids);
}

Value LoraRaiser::getTensor(Expr base) {
  ArrayRef<Value> tensors = elements.getTensors(base);
  if (!tensors.empty())
    return tensors.front();
  OpResult tensor = ElementEmitter(raiser.getRewriter(), elements).emit(base);
  // The base may be such a sum itself.
  raiser.addRoot(tensor);
  return tensor;
}

Value LoraRaiser::raise(Expr expr) {
  for (const LoraSum &sum : matchSums(expr))
    if (Value tensor = raise(sum, expr->type))
      return tensor;
  return {};
}

Value LoraRaiser::run() {
  Expr whole = elements.peel(elements.getRootElement());
  if (Value tensor = raise(whole))
    return tensor;
  // A sum inside of what the op computes.
  Expr body = elements.expand(elements.getRootElement());
  SetVector<Expr> nodes;
  if (body)
    nodes.insert(body);
  for (unsigned i = 0; i < nodes.size(); ++i) {
    Expr node = nodes[i];
    nodes.insert_range(node->operands);
    if (node == whole ||
        !node->is<arith::AddFOp, arith::SubFOp, arith::TruncFOp>())
      continue;
    ElementEmitter emitter(raiser.getRewriter(), elements);
    emitter.setTensor(node, root);
    if (!emitter.canEmit(body))
      continue;
    if (Value tensor = raise(node)) {
      emitter.setTensor(node, tensor);
      OpResult rest = emitter.emit(body);
      raiser.addRoot(rest);
      return rest;
    }
  }
  if (!missed.empty())
    raiser.miss(root, LoraMatmulOp::getOperationName(), missed);
  return {};
}

void frit::populateRaiseLoraPatterns(RaisePatternList &patterns) {
  patterns.push_back(std::make_unique<RaiseLora>());
}

//===- LoraBranch.cpp -----------------------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Matches matmuls by weights and what stands between them.
//
//===----------------------------------------------------------------------===//

#include "LoraBranch.h"

#include "FloatSteps.h"

#include "frit/Dialect/Frit/IR/Frit.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace mlir::frit;

using Expr = ElementWalker::Expr;

//===----------------------------------------------------------------------===//
// The branch
//===----------------------------------------------------------------------===//

/// Takes all steps back from an element until a sum, through other tensors.
static std::optional<SumOfProducts> walkToSum(RowElement &element,
                                              SmallVectorImpl<LoraStep> &steps,
                                              std::string &blocker) {
  LoraStepWalker walk(steps, blocker);
  for (element.peel();; element.peel()) {
    if (std::optional<SumOfProducts> sum =
            matchSum(*element.walker, element.expr)) {
      if (isNarrow(sum->type))
        walk.addRound(sum->type);
      if (!sum->startsFromZero && blocker.empty())
        blocker = "a matmul of the branch starts from what is not 0";
      return sum;
    }
    Expr next = walk.step(element);
    if (!next)
      return std::nullopt;
    element.expr = next;
  }
}

/// Takes steps back from the factor of a product until the element of a tensor
/// in the same row and column `column`.
static std::optional<RowTensor> walkToTensor(RowElement element,
                                             AffineExpr column,
                                             SmallVectorImpl<LoraStep> &steps,
                                             std::string &blocker) {
  LoraStepWalker walk(steps, blocker);
  for (;;) {
    if (std::optional<RowTensor> tensor = element.getRowTensor(column))
      return tensor;
    Expr next = element.expr->isLoad() ? element.walker->expand(element.expr)
                                       : walk.step(element);
    if (!next)
      return std::nullopt;
    element.expr = next;
  }
}

/// Whether steps on a sum leave a number that is computed in f64 and not
/// rounded to what the op has. A product may be computed in f64, of a number
/// that is rounded and with a result that is.
static bool isLeftWide(const SumOfProducts &sum, ArrayRef<LoraStep> steps) {
  bool isWide = sum.isWide;
  for (const LoraStep &step : steps) {
    bool isScale = step.kind == LoraStep::Kind::Scale;
    if (isScale && isWide)
      return true;
    isWide = isScale && step.type.isF64();
  }
  return isWide;
}

/// The number of tensors that are looked at for x.
static constexpr unsigned kMaxInputs = 64;

/// The tensors before the first matmul, from the nearest on, over steps that
/// could be moved behind it.
static SmallVector<LoraInput> collectInputs(RowTensor tensor,
                                            ArrayRef<LoraStep> steps) {
  SmallVector<LoraInput> inputs{{tensor, llvm::to_vector(steps)}};
  while (inputs.size() < kMaxInputs) {
    LoraInput next = inputs.back();
    RowElement element = RowElement::of(next.tensor);
    std::string blocker;
    LoraStepWalker walk(next.steps, blocker);
    element.peel();
    Expr expr = walk.step(element);
    if (!expr || !blocker.empty())
      return inputs;
    std::optional<RowTensor> source = walkToTensor(
        element.with(expr), element.getColumn(), next.steps, blocker);
    if (!source || !blocker.empty())
      return inputs;
    next.tensor = *source;
    inputs.push_back(next);
  }
  return inputs;
}

std::optional<LoraBranch> frit::matchLoraBranch(RowElement delta) {
  LoraBranch branch;
  Expr outer = delta.walker->peel(delta.expr);
  branch.mask = LoraStepWalker::matchMask(*delta.walker, outer);
  if (branch.mask)
    delta.expr = outer->getOperand(branch.mask->isInverted ? 2 : 1);
  std::optional<SumOfProducts> expansion =
      walkToSum(delta, branch.after, branch.blocker);
  if (!expansion)
    return std::nullopt;
  for (auto [hidden, weight] : {std::pair(expansion->lhs, expansion->rhs),
                                std::pair(expansion->rhs, expansion->lhs)}) {
    LoraBranch found = branch;
    if (!matchWeights(delta.with(weight), delta.getColumn(), delta.getColumns(),
                      expansion->index, expansion->extent, found.b,
                      found.wideB))
      continue;
    std::optional<RowTensor> hiddenTensor = walkToTensor(
        delta.with(hidden), expansion->index, found.between, found.blocker);
    if (!hiddenTensor)
      continue;
    if (!delta.isCoveredBy(*hiddenTensor, expansion->extent))
      found.block("the second matmul reads a part of the first one's result");
    RowElement rankVector = RowElement::of(*hiddenTensor);
    std::optional<SumOfProducts> shrink =
        walkToSum(rankVector, found.between, found.blocker);
    if (!shrink)
      continue;
    for (auto [x, weightA] : {std::pair(shrink->lhs, shrink->rhs),
                              std::pair(shrink->rhs, shrink->lhs)}) {
      if (!matchWeights(rankVector.with(weightA), rankVector.getColumn(),
                        rankVector.getColumns(), shrink->index, shrink->extent,
                        found.a, found.wideA))
        continue;
      SmallVector<LoraStep> steps;
      std::optional<RowTensor> input =
          walkToTensor(rankVector.with(x), shrink->index, steps, found.blocker);
      if (!input)
        continue;
      if (!rankVector.isCoveredBy(*input, shrink->extent))
        found.block("the first matmul reads a part of a tensor");
      if (isLeftWide(*shrink, found.between) ||
          isLeftWide(*expansion, found.after))
        found.block("the branch is computed in f64, and by the op in f32");
      found.inputs = collectInputs(*input, steps);
      for (const SumOfProducts *sum : {&*expansion, &*shrink})
        if (isNarrow(sum->type))
          found.sumType = sum->type;
      return found;
    }
  }
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// What the base has a matmul of
//===----------------------------------------------------------------------===//

/// The number of terms of a sum that are looked at for a matmul.
static constexpr unsigned kMaxTerms = 256;

/// Adds the tensor that a factor is an element of, and those that it is an
/// extension of.
static void addMatmulInput(const RowElement &factor, AffineExpr column,
                           SmallVectorImpl<RowTensor> &inputs) {
  SmallVector<LoraStep> steps;
  std::string blocker;
  std::optional<RowTensor> tensor =
      walkToTensor(factor, column, steps, blocker);
  if (!tensor || !steps.empty() || !blocker.empty())
    return;
  for (const LoraInput &input : collectInputs(*tensor, steps)) {
    if (!input.steps.empty())
      return;
    inputs.push_back(input.tensor.strip());
  }
}

SmallVector<RowTensor> frit::findMatmulInputs(const RowElement &element) {
  SmallVector<RowTensor> inputs;
  // Elements stay, and with them what makes expressions unique.
  SmallVector<RowElement> pending{element};
  DenseSet<Expr> visited;
  for (unsigned i = 0; i < pending.size() && i < kMaxTerms; ++i) {
    RowElement next = pending[i];
    next.peel();
    pending[i] = next;
    Expr expr = next.expr;
    if (!visited.insert(expr).second)
      continue;
    if (expr->isLoad() && expr->value) {
      // The sum of an earlier branch.
      if (auto lora = expr->value.getDefiningOp<LoraMatmulOp>()) {
        inputs.push_back(RowTensor::ofLastAxis(lora.getX()).strip());
        pending.push_back(RowElement::of(RowTensor::ofLastAxis(lora.getOut())));
      }
    } else if (std::optional<SumOfProducts> sum =
                   matchSum(*next.walker, expr)) {
      addMatmulInput(next.with(sum->lhs), sum->index, inputs);
      addMatmulInput(next.with(sum->rhs), sum->index, inputs);
    } else if (expr->is<arith::AddFOp, arith::TruncFOp, arith::ExtFOp,
                        arith::SelectOp>()) {
      for (Expr operand : expr->operands)
        if (isa<FloatType>(operand->type))
          pending.push_back(next.with(operand));
    }
  }
  return inputs;
}

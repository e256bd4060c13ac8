//===- LoraSteps.cpp ------------------------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reads roundings and factors from the expression of an element.
//
//===----------------------------------------------------------------------===//

#include "LoraSteps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

#include <cmath>
#include <utility>

using namespace mlir;
using namespace mlir::frit;

using Expr = ElementWalker::Expr;

//===----------------------------------------------------------------------===//
// Factors
//===----------------------------------------------------------------------===//

bool LoraFactor::isPowerOfTwo() const {
  int exponent = 0;
  return !tensor && std::isfinite(value) && !isRounded() &&
         std::fabs(std::frexp(value, &exponent)) == 0.5;
}

/// A constant as a number of `type`.
static APFloat roundTo(Type type, APFloat value) {
  bool losesInfo = false;
  value.convert(cast<FloatType>(type).getFloatSemantics(),
                APFloat::rmNearestTiesToEven, &losesInfo);
  return value;
}

static double toDouble(APFloat value) {
  bool losesInfo = false;
  value.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven,
                &losesInfo);
  return value.convertToDouble();
}

std::optional<LoraFactor> frit::matchFactor(const RowElement &element) {
  ElementWalker &walker = *element.walker;
  Expr expr = walker.peel(element.expr);
  if (auto number = dyn_cast_or_null<FloatAttr>(expr->constant)) {
    double value = toDouble(number.getValue());
    return LoraFactor{value, value, {}};
  }
  if (expr->is<arith::TruncFOp>()) {
    Expr operand = walker.peel(expr->getOperand(0));
    auto number = dyn_cast_or_null<FloatAttr>(operand->constant);
    if (!number)
      return std::nullopt;
    Type f32 = Float32Type::get(number.getContext());
    return LoraFactor{toDouble(roundTo(expr->type, number.getValue())),
                      toDouble(roundTo(f32, number.getValue())),
                      {}};
  }
  // One element of a tensor, whatever the indices of the root are.
  if (expr->isLoad() && expr->type.isF32() && expr->value) {
    auto type = cast<RankedTensorType>(expr->value.getType());
    if (type.hasStaticShape() && type.getNumElements() == 1)
      return LoraFactor{1.0, 1.0, expr->value};
  }
  // An element at an index that is data.
  if (expr->is<tensor::ExtractOp>() && expr->type.isF32() &&
      expr->operands.size() == 1)
    return LoraFactor{1.0, 1.0, expr->value, element.with(expr->getOperand(0))};
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// Steps
//===----------------------------------------------------------------------===//

void LoraStepWalker::addRound(Type type) {
  if (!steps.empty() && steps.front().kind == LoraStep::Kind::Round &&
      steps.front().type == type)
    return;
  steps.insert(steps.begin(), {LoraStep::Kind::Round, type, {}});
}

void LoraStepWalker::addScale(LoraFactor factor, Type type) {
  steps.insert(steps.begin(), {LoraStep::Kind::Scale, type, std::move(factor)});
}

void LoraStepWalker::block(const Twine &reason) {
  if (blocker.empty())
    blocker = reason.str();
}

/// The operand that may lead to a sum: the one that is computed last.
static Expr getMainOperand(ElementWalker &walker, Expr expr) {
  Expr best = nullptr;
  for (Expr operand : expr->operands) {
    Expr peeled = walker.peel(operand);
    if (peeled->isConstant() || !isa<FloatType>(peeled->type))
      continue;
    if (!best || (best->isLoad() && !peeled->isLoad()))
      best = peeled;
  }
  return best;
}

std::optional<LoraMask> LoraStepWalker::matchMask(ElementWalker &walker,
                                                  Expr expr) {
  if (!expr->is<arith::SelectOp>())
    return std::nullopt;
  for (unsigned i : {1, 2}) {
    Expr other = walker.peel(expr->getOperand(i));
    auto number = dyn_cast_or_null<FloatAttr>(other->constant);
    if (number && number.getValue().isZero())
      return LoraMask{expr->getOperand(0), /*isInverted=*/i == 1};
  }
  return std::nullopt;
}

Expr LoraStepWalker::step(const RowElement &element) {
  ElementWalker &walker = *element.walker;
  Expr expr = element.expr;
  if (expr->kind != ElementExpr::Kind::Op)
    return nullptr;
  if (expr->is<arith::TruncFOp>()) {
    addRound(expr->type);
    return expr->getOperand(0);
  }
  if (expr->is<arith::ExtFOp>())
    return expr->getOperand(0);
  if (expr->is<arith::MulFOp>())
    for (unsigned i : {0, 1})
      if (std::optional<LoraFactor> factor =
              matchFactor(element.with(expr->getOperand(i)))) {
        addScale(*factor, expr->type);
        return expr->getOperand(1 - i);
      }
  if (expr->is<arith::DivFOp>())
    if (std::optional<LoraFactor> factor =
            matchFactor(element.with(expr->getOperand(1)));
        factor && factor->isPowerOfTwo()) {
      double inverse = 1.0 / factor->value;
      addScale({inverse, inverse, {}}, expr->type);
      return expr->getOperand(0);
    }
  Expr next = getMainOperand(walker, expr);
  if (!next)
    return nullptr;
  if (expr->is<arith::MulFOp>())
    block("the factor is not one number for all elements");
  else
    block("'" + expr->name->getStringRef() + "' is not a step of LoRA");
  return next;
}

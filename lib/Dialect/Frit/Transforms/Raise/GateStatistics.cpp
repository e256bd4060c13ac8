//===- GateStatistics.cpp -------------------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Statistics as polynomials of row sums: with S the sum of the gate, Q that of
// its squares and D that of its squared deviations, a mean is S / n, and a
// variance D / (n - c) or Q / (n - c) - S^2 / (n (n - c)).
//
//===----------------------------------------------------------------------===//

#include "GateStatistics.h"

#include "FloatSteps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/Support/raw_ostream.h"

#include <cmath>

using namespace mlir;
using namespace mlir::frit;

using Expr = ElementWalker::Expr;

namespace {

/// The relative error of a divisor, or of the product with its reciprocal, that
/// f32 constants have.
constexpr double kTolerance = 0x1p-22;

bool isAbout(double value, double expected) {
  return std::fabs(value - expected) <= kTolerance * std::fabs(expected);
}

Extent getRowExtent(ElementWalker &walker) { return walker.getShape().back(); }

/// The gate where the sum `sum` takes it.
Expr getTerm(ElementWalker &walker, Expr sum, Expr gate) {
  MLIRContext *context = walker.getRoot().getContext();
  return walker.atLastIndex(
      gate, sum->extents.front().size == 1
                ? getAffineConstantExpr(0, context)
                : getAffineSymbolExpr(sum->firstSymbol, context));
}

bool isSame(ElementWalker &walker, Expr lhs, Expr rhs) {
  return walker.areEqual(stripExtensions(walker, lhs),
                         stripExtensions(walker, rhs));
}

/// The sums that lead to an expression by arithmetic.
SmallVector<Expr> findSums(ElementWalker &walker, Expr expr) {
  auto isSum = [](Expr op) { return op->isReduce(); };
  SmallVector<Expr> sums;
  for (Expr term : collectTerms(walker, expr, isSum)) {
    Expr op = walker.peel(term);
    if (isSum(op) && !llvm::is_contained(sums, op))
      sums.push_back(op);
  }
  return sums;
}

/// Why a sum does not run over rows; empty if it does.
std::string checkRowSum(ElementWalker &walker, Expr sum) {
  if (!sum->isReduceOf<arith::AddFOp>())
    return "a reduction by '" + sum->name->getStringRef().str() + "' is no sum";
  if (sum->extents.size() != 1)
    return "a sum runs over " + std::to_string(sum->extents.size()) +
           " axes, expected the last one";
  if (!walker.areEqual(sum->extents.front(), getRowExtent(walker)))
    return "a sum does not run over the last axis of the gate";
  if (!isNumber(walker, sum->getInit(), 0))
    return "a sum does not start from 0";
  return {};
}

/// The base of a square; null if the expression is none.
Expr getSquared(ElementWalker &walker, Expr expr) {
  Expr op = getStep(walker, expr).op;
  if (op->is<arith::MulFOp>() &&
      isSame(walker, op->getOperand(0), op->getOperand(1)))
    return op->getOperand(0);
  if (op->is<math::PowFOp>() && isNumber(walker, op->getOperand(1), 2))
    return op->getOperand(0);
  if (op->is<math::FPowIOp>()) {
    Expr exponent = walker.peel(op->getOperand(1));
    auto number = dyn_cast_or_null<IntegerAttr>(exponent->constant);
    if (number && number.getInt() == 2)
      return op->getOperand(0);
  }
  return nullptr;
}

/// What an integer is added to a size, which becomes `expr`.
std::optional<int64_t> getOffset(ElementWalker &walker, Expr &expr) {
  expr = walker.peel(expr);
  if (expr->is<arith::IndexCastOp, arith::ExtSIOp, arith::TruncIOp>()) {
    expr = expr->getOperand(0);
    return getOffset(walker, expr);
  }
  if (!expr->is<arith::AddIOp, arith::SubIOp>())
    return 0;
  bool isSum = expr->is<arith::AddIOp>();
  for (unsigned i = isSum ? 0 : 1; i < 2; ++i) {
    Expr operand = walker.peel(expr->getOperand(i));
    auto number = dyn_cast_or_null<IntegerAttr>(operand->constant);
    if (!number)
      continue;
    expr = expr->getOperand(1 - i);
    std::optional<int64_t> inner = getOffset(walker, expr);
    if (!inner)
      return std::nullopt;
    return *inner + (isSum ? number.getInt() : -number.getInt());
  }
  return std::nullopt;
}

/// What is subtracted from the run-time size of a row to give `expr`; none if
/// it is nothing of the kind.
std::optional<int64_t> matchRowSize(ElementWalker &walker, Expr expr) {
  expr = getStep(walker, expr).op;
  double correction = 0;
  if (expr->is<arith::SubFOp>()) {
    std::optional<Number> number = matchNumber(walker, expr->getOperand(1));
    if (!number || number->value != std::floor(number->value))
      return std::nullopt;
    correction = number->value;
    expr = getStep(walker, expr->getOperand(0)).op;
  }
  if (!expr->is<arith::SIToFPOp, arith::UIToFPOp>())
    return std::nullopt;
  Expr size = expr->getOperand(0);
  std::optional<int64_t> offset = getOffset(walker, size);
  auto dim = size->value ? size->value.getDefiningOp<tensor::DimOp>() : nullptr;
  std::optional<int64_t> axis =
      dim ? dim.getConstantIndex() : std::optional<int64_t>();
  if (!offset || !axis || !isa<RankedTensorType>(dim.getSource().getType()) ||
      !walker.areEqual(ElementWalker::getExtent(dim.getSource(), *axis),
                       getRowExtent(walker)))
    return std::nullopt;
  return static_cast<int64_t>(correction) - *offset;
}

/// What is subtracted from the size of a row in the divisor of `sum`, where
/// `expr` is a multiple of it. Otherwise says why.
std::optional<int64_t> matchQuotient(ElementWalker &walker, Expr expr, Expr sum,
                                     int64_t largest, StringRef what,
                                     RowStatistic &result) {
  Extent extent = getRowExtent(walker);
  if (!extent.isStatic()) {
    std::optional<FloatStep> dividend;
    std::optional<int64_t> correction;
    if (expr->is<arith::DivFOp>()) {
      dividend = getStep(walker, expr->getOperand(0));
      correction = matchRowSize(walker, expr->getOperand(1));
    }
    if (correction && dividend->op == sum && *correction >= 0 &&
        *correction <= largest) {
      if (isNarrow(dividend->rounded) && !isNarrow(expr->type))
        result.terms.require(Fidelity::Fast,
                             what + " is rounded where the op does not round");
      if (isNarrow(getStep(walker, expr->getOperand(1)).rounded))
        result.terms.addIdiom("rounded-divisor",
                              what + " is divided by the size of a row at run "
                                     "time, rounded to the element type");
      return correction;
    }
    result.mismatch =
        what.str() + " is not divided by the size of a row at run time";
    return std::nullopt;
  }
  PolynomialReader reader(walker, sum);
  std::optional<Polynomial> value = reader.read(expr);
  if (!value || !value->hasTerms({{1, 0, 0}})) {
    result.mismatch = what.str() + " is no multiple of a sum";
    return std::nullopt;
  }
  if (reader.hasNarrowSteps() && !isNarrow(expr->type))
    result.terms.require(
        Fidelity::Fast, what.str() + " is rounded where the op does not round");
  double divisor = 1 / value->get({1, 0, 0});
  for (int64_t correction = 0; correction <= largest; ++correction) {
    // A row of one element has the variance 0 / 0.
    double expected = static_cast<double>(extent.size - correction);
    if (isAbout(divisor, expected))
      return correction;
    if (!isNarrow(expr->type) || roundToType(expected, expr->type) != divisor)
      continue;
    result.terms.addIdiom("rounded-divisor",
                          what + " is divided by " + formatNumber(divisor) +
                              ", which is " + formatNumber(expected) +
                              " rounded to the element type");
    return correction;
  }
  result.mismatch = what.str() + " is divided by " + formatNumber(divisor) +
                    ", a row has " + std::to_string(extent.size) + " elements";
  return std::nullopt;
}

/// Checks a variance taken in two passes.
void checkTwoPasses(ElementWalker &walker, Expr variance, Expr sum, Expr gate,
                    Expr deviation, RowStatistic &result) {
  Expr term = getTerm(walker, sum, gate);
  Expr difference = getStep(walker, deviation).op;
  unsigned gateOperand =
      isSame(walker, difference->getOperand(0), term) ? 0 : 1;
  if (!isSame(walker, difference->getOperand(gateOperand), term)) {
    result.mismatch = "the variance is not that of the gate";
    return;
  }
  std::optional<RowStatistic> mean =
      matchRowMean(walker, difference->getOperand(1 - gateOperand), gate);
  if (!mean || !mean->mismatch.empty()) {
    result.mismatch = mean ? "in the variance, " + mean->mismatch
                           : "the variance is not taken about the mean";
    return;
  }
  result.terms.append(mean->terms);
  if (isNarrow(mean->rounded))
    result.terms.require(Fidelity::Fast,
                         "the variance is taken about the rounded mean");
  if (isNarrow(difference->type) ||
      isNarrow(getStep(walker, deviation).rounded))
    result.terms.require(Fidelity::Fast, "the variance rounds its deviations");
  std::optional<int64_t> correction =
      matchQuotient(walker, variance, sum, 1, "the variance", result);
  result.correction = correction.value_or(0);
}

/// Checks a variance taken in one pass.
void checkOnePass(ElementWalker &walker, Expr variance, Expr squares, Expr sum,
                  RowStatistic &result) {
  Extent extent = getRowExtent(walker);
  Expr variables[] = {sum, squares};
  PolynomialReader reader(walker, variables);
  std::optional<Polynomial> value = reader.read(variance);
  if (!extent.isStatic() || !value ||
      !value->hasTerms({{2, 0, 0}, {0, 1, 0}})) {
    result.mismatch = "the variance is no mean of squares less a squared mean";
    return;
  }
  double size = static_cast<double>(extent.size);
  double divisor = 1 / value->get({0, 1, 0});
  result.correction = isAbout(divisor, size) ? 0 : 1;
  double expected = size - static_cast<double>(result.correction);
  if (!isAbout(divisor, expected) ||
      !isAbout(value->get({2, 0, 0}), -1 / (size * expected)))
    result.mismatch = "the variance is divided by " + formatNumber(divisor) +
                      ", a row has " + std::to_string(extent.size) +
                      " elements";
  if (!squares->type.isF64() || !sum->type.isF64() || reader.hasStepsBelowF64())
    result.terms.require(
        Fidelity::Fast,
        "the variance is a difference of large numbers that are not f64");
}

/// Checks the variance under the square root.
void checkVariance(ElementWalker &walker, Expr variance, Expr gate,
                   RowStatistic &result) {
  Expr squares = nullptr;
  Expr sum = nullptr;
  for (Expr found : findSums(walker, variance)) {
    result.mismatch = checkRowSum(walker, found);
    if (!result.mismatch.empty())
      return;
    if (isNarrow(found->type)) {
      result.mismatch = "the variance is summed in a type narrower than f32";
      return;
    }
    Expr term = getTerm(walker, found, gate);
    Expr base = getSquared(walker, found->getBody());
    if (base && isSame(walker, base, term)) {
      squares = found;
    } else if (base && getStep(walker, base).op->is<arith::SubFOp>()) {
      if (isNarrow(getStep(walker, found->getBody()).rounded))
        result.terms.require(Fidelity::Fast, "the variance rounds its squares");
      return checkTwoPasses(walker, variance, found, gate, base, result);
    } else if (isSame(walker, found->getBody(), term)) {
      sum = found;
    }
  }
  if (squares && sum)
    return checkOnePass(walker, variance, squares, sum, result);
  result.mismatch = "the variance is no sum of squared deviations of the gate";
}

} // namespace

std::optional<RowStatistic> frit::matchRowMean(ElementWalker &walker, Expr expr,
                                               Expr gate) {
  FloatStep step = getStep(walker, expr);
  SmallVector<Expr> sums = findSums(walker, step.op);
  if (sums.empty())
    return std::nullopt;
  RowStatistic mean;
  mean.rounded = step.rounded;
  Expr sum = sums.front();
  mean.mismatch = checkRowSum(walker, sum);
  if (!mean.mismatch.empty())
    return mean;
  if (!isSame(walker, sum->getBody(), getTerm(walker, sum, gate))) {
    mean.mismatch = "the mean is not that of the gate";
    return mean;
  }
  if (!matchQuotient(walker, step.op, sum, 0, "the mean", mean))
    return mean;
  if (isNarrow(sum->type))
    mean.terms.addIdiom("narrow-sum",
                        "the mean is summed in the element type, where each "
                        "addend rounds");
  else if (isNarrow(step.op->type))
    mean.terms.require(Fidelity::Fast,
                       "the mean rounds before and after its division");
  return mean;
}

std::optional<RowStatistic> frit::matchRowDeviation(ElementWalker &walker,
                                                    Expr expr, Expr gate) {
  FloatStep root = getStep(walker, expr);
  bool isRoot = root.op->is<math::SqrtOp>() ||
                (root.op->is<math::PowFOp>() &&
                 isNumber(walker, root.op->getOperand(1), 0.5));
  if (!isRoot)
    return std::nullopt;
  RowStatistic deviation;
  deviation.rounded = root.rounded;
  FloatStep variance = getStep(walker, root.op->getOperand(0));
  checkVariance(walker, variance.op, gate, deviation);
  if (isNarrow(variance.rounded) && variance.rounded != gate->type) {
    std::string text;
    llvm::raw_string_ostream(text)
        << "the variance is rounded to " << variance.rounded
        << ", and the gate is " << gate->type;
    deviation.terms.require(Fidelity::Fast, text);
  }
  // An exporter writes the same for a variance that was rounded on its own.
  if (variance.rounded == gate->type && isNarrow(gate->type))
    deviation.terms.addIdiom("rounded-variance",
                             "the deviation is the root of a variance rounded "
                             "to the element type");
  return deviation;
}

//===- FloatSteps.cpp -----------------------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Numbers, roundings and polynomials of element expressions.
//
//===----------------------------------------------------------------------===//

#include "FloatSteps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

#include <cmath>
#include <deque>

using namespace mlir;
using namespace mlir::frit;

using Expr = ElementWalker::Expr;

double frit::roundToType(double value, Type type) {
  APFloat number(value);
  bool losesInfo = false;
  number.convert(cast<FloatType>(type).getFloatSemantics(),
                 APFloat::rmNearestTiesToEven, &losesInfo);
  number.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven,
                 &losesInfo);
  return number.convertToDouble();
}

std::string frit::formatNumber(double value) {
  std::string text;
  llvm::raw_string_ostream(text) << llvm::format("%.9g", value);
  return text;
}

bool frit::isNarrow(Type type) { return type.getIntOrFloatBitWidth() < 32; }

//===----------------------------------------------------------------------===//
// Numbers
//===----------------------------------------------------------------------===//

/// The result of a float op on numbers, not rounded; none for other ops.
static std::optional<double> compute(Expr op, ArrayRef<double> operands) {
  if (op->is<arith::ExtFOp, arith::TruncFOp>())
    return operands[0];
  if (op->is<arith::NegFOp>())
    return -operands[0];
  if (op->is<math::SqrtOp>())
    return std::sqrt(operands[0]);
  if (op->is<math::RsqrtOp>())
    return 1 / std::sqrt(operands[0]);
  if (op->is<arith::AddFOp>())
    return operands[0] + operands[1];
  if (op->is<arith::SubFOp>())
    return operands[0] - operands[1];
  if (op->is<arith::MulFOp>())
    return operands[0] * operands[1];
  if (op->is<arith::DivFOp>())
    return operands[0] / operands[1];
  return std::nullopt;
}

/// Steps beyond this depth are not looked into. Formulas are some 20 deep.
static constexpr unsigned kMaxDepth = 256;

using Numbers = DenseMap<Expr, std::optional<Number>>;

static std::optional<Number> matchNumber(ElementWalker &walker, Expr expr,
                                         Numbers &known, unsigned depth);

static std::optional<Number> computeNumber(ElementWalker &walker, Expr expr,
                                           Numbers &known, unsigned depth) {
  if (auto number = dyn_cast_or_null<FloatAttr>(expr->constant)) {
    double value = number.getValueAsDouble();
    return Number{value, value};
  }
  if (expr->kind != ElementExpr::Kind::Op || !isa<FloatType>(expr->type) ||
      depth == kMaxDepth)
    return std::nullopt;
  SmallVector<double> values, sources;
  for (Expr operand : expr->operands) {
    std::optional<Number> number;
    if (isa<FloatType>(operand->type))
      number = matchNumber(walker, operand, known, depth + 1);
    if (!number)
      return std::nullopt;
    values.push_back(number->value);
    sources.push_back(number->source);
  }
  std::optional<double> value = compute(expr, values);
  if (!value)
    return std::nullopt;
  return Number{roundToType(*value, expr->type), *compute(expr, sources)};
}

static std::optional<Number> matchNumber(ElementWalker &walker, Expr expr,
                                         Numbers &known, unsigned depth) {
  expr = walker.peel(expr);
  if (auto it = known.find(expr); it != known.end())
    return it->second;
  std::optional<Number> number = computeNumber(walker, expr, known, depth);
  known[expr] = number;
  return number;
}

std::optional<Number> frit::matchNumber(ElementWalker &walker, Expr expr) {
  Numbers known;
  return ::matchNumber(walker, expr, known, /*depth=*/0);
}

bool frit::isNumber(ElementWalker &walker, Expr expr, double number) {
  std::optional<Number> found = matchNumber(walker, expr);
  return found && found->value == number;
}

//===----------------------------------------------------------------------===//
// Casts
//===----------------------------------------------------------------------===//

Expr frit::stripExtensions(ElementWalker &walker, Expr expr, Type type) {
  for (;;) {
    Expr op = walker.peel(expr);
    // A truncation of an extension from its own type changes nothing.
    if (op->is<arith::TruncFOp>()) {
      Expr inner = walker.peel(op->getOperand(0));
      if (!inner->is<arith::ExtFOp>() ||
          inner->getOperand(0)->type != expr->type)
        return expr;
      expr = inner->getOperand(0);
      continue;
    }
    if (expr->type == type || !op->is<arith::ExtFOp>())
      return expr;
    expr = op->getOperand(0);
  }
}

FloatStep frit::getStep(ElementWalker &walker, Expr expr) {
  FloatStep step{walker.peel(stripExtensions(walker, expr, expr->type)),
                 expr->type};
  for (;;) {
    if (step.op->type.getIntOrFloatBitWidth() <
        step.rounded.getIntOrFloatBitWidth())
      step.rounded = step.op->type;
    if (!step.op->is<arith::ExtFOp, arith::TruncFOp>())
      return step;
    Expr source = walker.peel(step.op->getOperand(0));
    if (isNarrow(step.rounded) && isNarrow(source->type) &&
        source->type != step.rounded)
      return step;
    step.op = source;
  }
}

//===----------------------------------------------------------------------===//
// Polynomials
//===----------------------------------------------------------------------===//

/// Beyond this degree nothing that is looked for is read.
static constexpr unsigned kMaxDegree = 8;

Polynomial Polynomial::variable(unsigned index) {
  Polynomial result(0);
  Exponents exponents = {0, 0, 0};
  exponents[index] = 1;
  result.add(exponents, 1);
  return result;
}

void Polynomial::add(Exponents exponents, double coefficient) {
  double &sum = terms[exponents];
  sum += coefficient;
  if (sum == 0)
    terms.erase(exponents);
}

Polynomial Polynomial::plus(const Polynomial &other, double factor) const {
  Polynomial result = *this;
  for (auto [exponents, coefficient] : other.terms)
    result.add(exponents, coefficient * factor);
  return result;
}

Polynomial Polynomial::times(const Polynomial &other) const {
  Polynomial result(0);
  for (auto [lhs, left] : terms)
    for (auto [rhs, right] : other.terms)
      result.add({lhs[0] + rhs[0], lhs[1] + rhs[1], lhs[2] + rhs[2]},
                 left * right);
  return result;
}

std::optional<double> Polynomial::getNumber() const {
  if (getDegree() != 0)
    return std::nullopt;
  return get({0, 0, 0});
}

double Polynomial::get(Exponents exponents) const {
  auto it = terms.find(exponents);
  return it == terms.end() ? 0 : it->second;
}

bool Polynomial::hasTerms(ArrayRef<Exponents> exponents) const {
  return terms.size() == exponents.size() &&
         llvm::all_of(exponents,
                      [&](Exponents term) { return terms.count(term) != 0; });
}

unsigned Polynomial::getDegree() const {
  unsigned degree = 0;
  for (auto [exponents, coefficient] : terms)
    degree = std::max(degree, exponents[0] + exponents[1] + exponents[2]);
  return degree;
}

/// The exponent of a power with a whole, positive one.
static std::optional<unsigned> getExponent(ElementWalker &walker, Expr expr) {
  std::optional<double> exponent;
  if (expr->is<math::FPowIOp>()) {
    Expr operand = walker.peel(expr->getOperand(1));
    if (auto number = dyn_cast_or_null<IntegerAttr>(operand->constant))
      exponent = static_cast<double>(number.getInt());
  } else if (expr->is<math::PowFOp>()) {
    if (std::optional<Number> number = matchNumber(walker, expr->getOperand(1)))
      exponent = number->value;
  }
  if (!exponent || *exponent < 1 || *exponent > kMaxDegree ||
      std::floor(*exponent) != *exponent)
    return std::nullopt;
  return static_cast<unsigned>(*exponent);
}

std::optional<Polynomial> PolynomialReader::read(Expr expr) {
  if (auto it = known.find(expr); it != known.end())
    return it->second;
  if (depth == kMaxDepth)
    return std::nullopt;
  ++depth;
  std::optional<Polynomial> result = compute(expr);
  --depth;
  known[expr] = result;
  return result;
}

std::optional<Polynomial> PolynomialReader::compute(Expr expr) {
  for (auto [i, variable] : llvm::enumerate(variables))
    if (walker.areEqual(stripExtensions(walker, expr),
                        stripExtensions(walker, variable)))
      return Polynomial::variable(i);
  expr = walker.peel(stripExtensions(walker, expr, expr->type));
  if (std::optional<Number> number = matchNumber(walker, expr))
    return Polynomial(number->value);
  if (expr->kind != ElementExpr::Kind::Op || !isa<FloatType>(expr->type))
    return std::nullopt;
  if (!expr->is<arith::ExtFOp>())
    narrowestWidth =
        std::min(narrowestWidth, expr->type.getIntOrFloatBitWidth());
  std::optional<Polynomial> result = computeOp(expr);
  if (result && result->getDegree() > kMaxDegree)
    return std::nullopt;
  return result;
}

std::optional<Polynomial> PolynomialReader::computeOp(Expr expr) {
  std::optional<Polynomial> lhs = read(expr->getOperand(0));
  if (!lhs)
    return std::nullopt;
  if (expr->is<arith::ExtFOp, arith::TruncFOp>())
    return lhs;
  if (expr->is<arith::NegFOp>())
    return Polynomial(0).plus(*lhs, -1);
  if (std::optional<unsigned> exponent = getExponent(walker, expr)) {
    if (lhs->getDegree() * *exponent > kMaxDegree)
      return std::nullopt;
    Polynomial power = *lhs;
    for (unsigned i = 1; i < *exponent; ++i)
      power = power.times(*lhs);
    return power;
  }
  if (!expr->is<arith::AddFOp, arith::SubFOp, arith::MulFOp, arith::DivFOp,
                math::FmaOp>())
    return std::nullopt;
  std::optional<Polynomial> rhs = read(expr->getOperand(1));
  if (!rhs)
    return std::nullopt;
  if (expr->is<arith::AddFOp>())
    return lhs->plus(*rhs, 1);
  if (expr->is<arith::SubFOp>())
    return lhs->plus(*rhs, -1);
  if (expr->is<arith::DivFOp>()) {
    std::optional<double> divisor = rhs->getNumber();
    if (!divisor || *divisor == 0)
      return std::nullopt;
    return lhs->times(Polynomial(1 / *divisor));
  }
  if (lhs->getDegree() + rhs->getDegree() > kMaxDegree)
    return std::nullopt;
  Polynomial product = lhs->times(*rhs);
  if (expr->is<arith::MulFOp>())
    return product;
  std::optional<Polynomial> addend = read(expr->getOperand(2));
  if (!addend)
    return std::nullopt;
  return product.plus(*addend, 1);
}

SmallVector<Expr> frit::collectTerms(ElementWalker &walker, Expr expr,
                                     llvm::function_ref<bool(Expr)> isLeaf) {
  // Formulas have some 20 nodes; this bounds what a large graph costs.
  constexpr unsigned kMaxTerms = 64;
  SmallVector<Expr> terms;
  std::deque<Expr> queue = {expr};
  while (!queue.empty() && terms.size() < kMaxTerms) {
    Expr next = queue.front();
    queue.pop_front();
    if (!isa<FloatType>(next->type) || matchNumber(walker, next) ||
        llvm::is_contained(terms, next))
      continue;
    terms.push_back(next);
    Expr op = walker.peel(next);
    if (isLeaf(op) ||
        !op->is<arith::AddFOp, arith::SubFOp, arith::MulFOp, arith::DivFOp,
                arith::NegFOp, arith::ExtFOp, arith::TruncFOp, math::FmaOp,
                math::FPowIOp, math::PowFOp>())
      continue;
    queue.insert(queue.end(), op->operands.begin(), op->operands.end());
  }
  return terms;
}

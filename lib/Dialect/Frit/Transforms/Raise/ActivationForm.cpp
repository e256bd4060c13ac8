//===- ActivationForm.cpp -------------------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// GELU and SiLU as polynomials: of the input, and of the one transcendental
// function of it that they have. How the products are associated does not
// matter where the steps are f32; where they round to less, it tells an
// exporter's expansion of one op from a formula that was written by hand.
//
//===----------------------------------------------------------------------===//

#include "ActivationForm.h"

#include "FloatSteps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"

#include <array>
#include <cmath>

using namespace mlir;
using namespace mlir::frit;

using Expr = ElementWalker::Expr;

namespace {

constexpr double kSqrtTwoOverPi = 0.7978845608028654;
/// What torch-mlir writes for it.
constexpr double kExportersSqrtTwoOverPi = 0.797724;
constexpr double kCubicCoefficient = 0.044715;
constexpr double kSqrtHalf = 0.7071067811865476;
constexpr double kSqrtTwo = 1.4142135623730951;

/// The numbers that a constant is in a graph of `type`: itself, and rounded.
std::array<double, 2> getSpellings(double constant, Type type) {
  return {constant, roundToType(constant, type)};
}

/// Whether a coefficient is a number that a graph of `type` has for a constant.
/// Polynomials are read in f64, where products of its numbers round.
bool isSpelling(double value, double expected) {
  return std::fabs(value - expected) <= std::fabs(expected) * 0x1p-50;
}
bool isConstant(double value, double constant, Type type) {
  return llvm::any_of(getSpellings(constant, type), [&](double spelling) {
    return isSpelling(value, spelling);
  });
}

/// Whether a number is 1 / sqrt(2), or a division by sqrt(2).
bool isSqrtHalf(double value, Type type) {
  return isConstant(value, kSqrtHalf, type) ||
         llvm::any_of(getSpellings(kSqrtTwo, type), [&](double divisor) {
           return isConstant(value, 1 / divisor, type);
         });
}

/// Whether `linear * x + cubic * x^3` is `scale` times x + 0.044715 x^3: the
/// factor of the cube is a product of two constants, or one that was rounded.
bool isCubic(double linear, double cubic, double scale, Type type) {
  return isConstant(linear, scale, type) &&
         llvm::any_of(getSpellings(kCubicCoefficient, type),
                      [&](double coefficient) {
                        return isSpelling(cubic, linear * coefficient) ||
                               isConstant(cubic, scale * coefficient, type);
                      });
}

/// The terms of an activation: `function` of an input.
struct Transcendental {
  Expr function;
  Expr argument;
};

/// The functions of a kind that lead to an expression, the nearest first.
template <typename... Ops>
SmallVector<Transcendental> findFunctions(ElementWalker &walker, Expr expr) {
  auto isFunction = [](Expr op) { return op->is<Ops...>(); };
  SmallVector<Transcendental> found;
  for (Expr term : collectTerms(walker, expr, isFunction)) {
    Expr op = walker.peel(term);
    if (isFunction(op))
      found.push_back({op, op->getOperand(0)});
  }
  return found;
}

/// The expressions that an argument may be a polynomial of.
SmallVector<Expr> findInputs(ElementWalker &walker, Expr argument) {
  return collectTerms(walker, argument, [](Expr) { return false; });
}

/// Whether GELU is written as torch-mlir expands it:
/// input * ((function + 1) * 0.5).
bool isExportersProduct(ElementWalker &walker, Expr product, Expr input,
                        Expr function) {
  if (!product->is<arith::MulFOp>())
    return false;
  for (unsigned i : {0, 1}) {
    Expr half = walker.peel(product->getOperand(1 - i));
    if (!walker.areEqual(stripExtensions(walker, product->getOperand(i)),
                         stripExtensions(walker, input)) ||
        !half->is<arith::MulFOp>())
      continue;
    unsigned j = isNumber(walker, half->getOperand(0), 0.5) ? 1 : 0;
    Expr sum = walker.peel(half->getOperand(j));
    if (!isNumber(walker, half->getOperand(1 - j), 0.5) ||
        !sum->is<arith::AddFOp>())
      continue;
    unsigned k = isNumber(walker, sum->getOperand(0), 1) ? 1 : 0;
    if (isNumber(walker, sum->getOperand(1 - k), 1) &&
        walker.areEqual(sum->getOperand(k), function))
      return true;
  }
  return false;
}

/// Whether a formula of the input rounds a constant, as a Python float in a
/// formula written by hand is rounded. An exporter's expansion has constants of
/// the element type.
bool roundsConstant(ElementWalker &walker, Expr expr, Expr input,
                    DenseSet<Expr> &visited) {
  if (!visited.insert(expr).second)
    return false;
  if (walker.areEqual(stripExtensions(walker, expr),
                      stripExtensions(walker, input)))
    return false;
  Expr op = walker.peel(expr);
  if (op->kind != ElementExpr::Kind::Op)
    return false;
  if (op->is<arith::TruncFOp>() &&
      walker.peel(op->getOperand(0))->isConstant()) {
    std::optional<Number> number = matchNumber(walker, op);
    return number && number->value != number->source;
  }
  return llvm::any_of(op->operands, [&](Expr operand) {
    return roundsConstant(walker, operand, input, visited);
  });
}

/// What a GELU that rounds inside needs.
void addRoundings(ElementWalker &walker, Expr expr, Transcendental function,
                  ActivationForm &form) {
  DenseSet<Expr> visited;
  if (isExportersProduct(walker, getStep(walker, expr).op, form.input,
                         function.function) &&
      isNarrow(function.function->type) &&
      !roundsConstant(walker, function.argument, form.input, visited))
    form.terms.addIdiom("gelu-roundings",
                        "GELU rounds after every operation, not once");
  else
    form.terms.require(Fidelity::Fast,
                       "GELU rounds after every operation, and is not written "
                       "as an exporter expands it");
}

/// Checks the argument of GELU's function against the input. Returns false if
/// it has nothing of GELU.
bool checkArgument(ElementWalker &walker, const Polynomial &argument, Type type,
                   ActivationForm &form) {
  double linear = argument.get({1, 0, 0});
  if (form.activation == Activation::GeluErf) {
    if (!argument.hasTerms({{1, 0, 0}}))
      return false;
    if (!isSqrtHalf(linear, type))
      form.mismatch =
          "erf takes " + formatNumber(linear) + " x, expected x / sqrt(2)";
    return true;
  }
  if (!argument.hasTerms({{1, 0, 0}, {3, 0, 0}}))
    return false;
  double cubic = argument.get({3, 0, 0});
  if (isCubic(linear, cubic, kSqrtTwoOverPi, type))
    return true;
  if (isCubic(linear, cubic, kExportersSqrtTwoOverPi, type)) {
    form.terms.addIdiom(
        "gelu-constant",
        "GELU has " + formatNumber(linear) +
            " where sqrt(2/pi) = " + formatNumber(kSqrtTwoOverPi) + " belongs");
  } else {
    form.mismatch = "tanh takes " + formatNumber(linear) + " (x + " +
                    formatNumber(cubic / linear) + " x^3), expected " +
                    formatNumber(kSqrtTwoOverPi) + " (x + " +
                    formatNumber(kCubicCoefficient) + " x^3)";
  }
  return true;
}

std::optional<ActivationForm> matchGelu(ElementWalker &walker, Expr expr) {
  for (Transcendental function :
       findFunctions<math::TanhOp, math::ErfOp>(walker, expr)) {
    Activation activation = function.function->is<math::TanhOp>()
                                ? Activation::GeluTanh
                                : Activation::GeluErf;
    for (Expr input : findInputs(walker, function.argument)) {
      ActivationForm form{activation, input, {}, {}};
      PolynomialReader inner(walker, input);
      std::optional<Polynomial> argument = inner.read(function.argument);
      Type type = getStep(walker, function.argument).op->type;
      if (!argument || !checkArgument(walker, *argument, type, form))
        continue;
      Expr variables[] = {input, function.function};
      PolynomialReader outer(walker, variables);
      std::optional<Polynomial> value = outer.read(expr);
      if (!value || !value->hasTerms({{1, 0, 0}, {1, 1, 0}}))
        continue;
      double constant = value->get({1, 0, 0});
      double factor = value->get({1, 1, 0});
      if (constant != 0.5 || factor != 0.5)
        form.mismatch = "x (" + formatNumber(constant) + " + " +
                        formatNumber(factor) +
                        " f(x)) is no GELU, expected 0.5 twice";
      // The rounding of the result is that of a step, not of one inside.
      PolynomialReader inside(walker, variables);
      for (Expr operand : getStep(walker, expr).op->operands)
        (void)inside.read(operand);
      if (inner.hasNarrowSteps() || inside.hasNarrowSteps() ||
          isNarrow(function.function->type))
        addRoundings(walker, expr, function, form);
      return form;
    }
  }
  return std::nullopt;
}

/// x / (1 + exp(-x)), or x times the reciprocal.
std::optional<ActivationForm> matchSilu(ElementWalker &walker, Expr expr) {
  auto isQuotient = [](Expr op) { return op->is<arith::DivFOp>(); };
  for (Expr term : collectTerms(walker, expr, [](Expr) { return false; })) {
    Expr quotient = walker.peel(term);
    if (!isQuotient(quotient))
      continue;
    Expr denominator = quotient->getOperand(1);
    for (Transcendental function :
         findFunctions<math::ExpOp>(walker, denominator)) {
      Expr exponential[] = {function.function};
      PolynomialReader below(walker, exponential);
      std::optional<Polynomial> sum = below.read(denominator);
      if (!sum || !sum->hasTerms({{0, 0, 0}, {1, 0, 0}}) ||
          sum->get({0, 0, 0}) != 1 || sum->get({1, 0, 0}) != 1)
        continue;
      for (Expr input : findInputs(walker, function.argument)) {
        PolynomialReader inner(walker, input);
        std::optional<Polynomial> argument = inner.read(function.argument);
        if (!argument || !argument->hasTerms({{1, 0, 0}}))
          continue;
        // With q for the quotient, which may have the input above: x q or q.
        PolynomialReader above(walker, input);
        std::optional<Polynomial> numerator =
            above.read(quotient->getOperand(0));
        Expr variables[] = {input, quotient};
        PolynomialReader outer(walker, variables);
        Expr last = getStep(walker, expr).op;
        std::optional<Polynomial> value = outer.read(last);
        bool isSilu =
            numerator && value &&
            ((numerator->getNumber() == 1.0 && value->hasTerms({{1, 1, 0}}) &&
              value->get({1, 1, 0}) == 1) ||
             (numerator->hasTerms({{1, 0, 0}}) &&
              numerator->get({1, 0, 0}) == 1 && value->hasTerms({{0, 1, 0}}) &&
              value->get({0, 1, 0}) == 1));
        if (!isSilu)
          continue;
        ActivationForm form{Activation::Silu, input, {}, {}};
        if (double factor = argument->get({1, 0, 0}); factor != -1)
          form.mismatch =
              "exp takes " + formatNumber(factor) + " x, expected -x";
        if (isNarrow(quotient->type) || isNarrow(function.function->type) ||
            below.hasNarrowSteps() || inner.hasNarrowSteps() ||
            above.hasNarrowSteps() || outer.hasNarrowSteps() ||
            isNarrow(last->type))
          form.terms.require(Fidelity::Fast,
                             "SiLU rounds after every operation");
        return form;
      }
    }
  }
  return std::nullopt;
}

} // namespace

std::optional<ActivationForm> frit::matchActivation(ElementWalker &walker,
                                                    Expr expr) {
  if (std::optional<ActivationForm> gelu = matchGelu(walker, expr))
    return gelu;
  return matchSilu(walker, expr);
}

//===----------------------------------------------------------------------===//
// Relu
//===----------------------------------------------------------------------===//

/// A select by a compare.
static std::optional<ReluForm> matchSelect(ElementWalker &walker, Expr select) {
  using Predicate = arith::CmpFPredicate;
  Expr compare = walker.peel(select->getOperand(0));
  if (!compare->is<arith::CmpFOp>())
    return std::nullopt;
  auto predicate = static_cast<Predicate>(
      compare->getAttr<IntegerAttr>("predicate").getInt());
  // As `input compared with 0 ? chosen : other`.
  Expr input = compare->getOperand(0);
  bool isSwapped = isNumber(walker, input, 0);
  if (isSwapped)
    input = compare->getOperand(1);
  ReluForm relu{stripExtensions(walker, input), {}, false};
  if (!isNumber(walker, compare->getOperand(isSwapped ? 0 : 1), 0)) {
    relu.mismatch = "the gate is not compared with 0";
    return relu;
  }
  bool isGreater = predicate == Predicate::OGT || predicate == Predicate::UGT ||
                   predicate == Predicate::OGE || predicate == Predicate::UGE;
  bool isLess = predicate == Predicate::OLT || predicate == Predicate::ULT ||
                predicate == Predicate::OLE || predicate == Predicate::ULE;
  bool isUnordered = predicate == Predicate::UGT ||
                     predicate == Predicate::UGE ||
                     predicate == Predicate::ULT || predicate == Predicate::ULE;
  if (!isGreater && !isLess) {
    relu.mismatch = "the gate is not compared by less or greater";
    return relu;
  }
  bool isInputFirst = isGreater != isSwapped;
  Expr kept = select->getOperand(isInputFirst ? 1 : 2);
  Expr zero = select->getOperand(isInputFirst ? 2 : 1);
  if (!walker.areEqual(stripExtensions(walker, kept), relu.input))
    relu.mismatch = "what is selected above 0 is not what is compared";
  else if (!isNumber(walker, zero, 0))
    relu.mismatch = "what is selected below 0 is not 0";
  // A NaN takes the first value where the compare holds for unordered ones.
  relu.dropsNaN = isInputFirst != isUnordered;
  return relu;
}

std::optional<ReluForm> frit::matchRelu(ElementWalker &walker, Expr expr) {
  Expr op = getStep(walker, expr).op;
  if (op->is<arith::SelectOp>())
    return matchSelect(walker, op);
  if (op->is<arith::MinimumFOp, arith::MinNumFOp>())
    return ReluForm{op->getOperand(0), "the gate is limited from above", false};
  if (!op->is<arith::MaximumFOp, arith::MaxNumFOp>())
    return std::nullopt;
  bool isZeroFirst = isNumber(walker, op->getOperand(0), 0);
  ReluForm relu{stripExtensions(walker, op->getOperand(isZeroFirst ? 1 : 0)),
                {},
                op->is<arith::MaxNumFOp>()};
  if (!isNumber(walker, op->getOperand(isZeroFirst ? 0 : 1), 0))
    relu.mismatch = "the gate is limited from below by what is not 0";
  return relu;
}

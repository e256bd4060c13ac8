//===- FloatSteps.h - Numbers, casts and roundings --------------*- C++ -*-===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What raising asks of float expressions: the number that one is, where it is
// rounded, and which polynomial of others it is.
//
//===----------------------------------------------------------------------===//

#ifndef FRIT_TRANSFORMS_RAISE_FLOATSTEPS_H
#define FRIT_TRANSFORMS_RAISE_FLOATSTEPS_H

#include "ElementWalker.h"

#include "llvm/ADT/DenseMap.h"

#include <array>
#include <map>

namespace mlir::frit {

/// A number rounded to a float type.
double roundToType(double value, Type type);
/// Whether values of a float type have fewer bits than f32.
bool isNarrow(Type type);

/// The shortest text of a number that tells it from its neighbours in f32.
std::string formatNumber(double value);

/// A number in a graph.
struct Number {
  /// As the graph has it.
  double value;
  /// Before any cast or op of the graph rounded it.
  double source;
};
/// The number that an expression is: a constant, or ops on constants.
std::optional<Number> matchNumber(ElementWalker &walker,
                                  ElementWalker::Expr expr);
/// Whether an expression is this number, exactly.
bool isNumber(ElementWalker &walker, ElementWalker::Expr expr, double number);

/// The expression without extensions, which are exact, around it, down to
/// `type` if it goes through that. What remains is not expanded.
ElementWalker::Expr stripExtensions(ElementWalker &walker,
                                    ElementWalker::Expr expr, Type type = {});

/// An expression without the casts around it, expanded. A rounding to f16 and
/// one to bf16 are no step: the cast between them is the op then.
struct FloatStep {
  ElementWalker::Expr op;
  /// The narrowest type that the value went through.
  Type rounded;
};
FloatStep getStep(ElementWalker &walker, ElementWalker::Expr expr);

/// The coefficients of a polynomial of up to three variables, by exponents.
class Polynomial {
public:
  using Exponents = std::array<unsigned, 3>;

  explicit Polynomial(double number) { add({0, 0, 0}, number); }
  static Polynomial variable(unsigned index);

  void add(Exponents exponents, double coefficient);
  Polynomial plus(const Polynomial &other, double factor) const;
  Polynomial times(const Polynomial &other) const;
  /// The number that it is, if it has no variable.
  std::optional<double> getNumber() const;
  /// The coefficient of a term; 0 if it is not there.
  double get(Exponents exponents) const;
  /// Whether it has these terms and no other.
  bool hasTerms(ArrayRef<Exponents> exponents) const;
  unsigned getDegree() const;

private:
  std::map<Exponents, double> terms;
};

/// Reads expressions as polynomials of others, casts left out.
class PolynomialReader {
public:
  PolynomialReader(ElementWalker &walker,
                   ArrayRef<ElementWalker::Expr> variables)
      : walker(walker), variables(variables) {}

  /// None if the expression is no polynomial of the variables, or one of a
  /// degree above 8.
  std::optional<Polynomial> read(ElementWalker::Expr expr);
  /// Whether a step that was read rounds to less than f32.
  bool hasNarrowSteps() const { return narrowestWidth < 32; }
  /// Whether a step that was read rounds to less than f64.
  bool hasStepsBelowF64() const { return narrowestWidth < 64; }

private:
  std::optional<Polynomial> compute(ElementWalker::Expr expr);
  std::optional<Polynomial> computeOp(ElementWalker::Expr op);

  ElementWalker &walker;
  ArrayRef<ElementWalker::Expr> variables;
  unsigned narrowestWidth = 64;
  /// How many steps lead to what is read.
  unsigned depth = 0;
  DenseMap<ElementWalker::Expr, std::optional<Polynomial>> known;
};

/// The operands of sums, products, quotients by numbers, powers and casts that
/// lead to `expr`, itself included, the nearest first; numbers are left out.
/// Those that `isLeaf` holds for are not looked into.
SmallVector<ElementWalker::Expr>
collectTerms(ElementWalker &walker, ElementWalker::Expr expr,
             llvm::function_ref<bool(ElementWalker::Expr)> isLeaf);

} // namespace mlir::frit

#endif // FRIT_TRANSFORMS_RAISE_FLOATSTEPS_H

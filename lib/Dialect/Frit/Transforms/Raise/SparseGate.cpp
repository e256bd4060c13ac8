//===- SparseGate.cpp -----------------------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The steps of a statistical gate from its relu back to the gate, and where
// each of them rounds.
//
//===----------------------------------------------------------------------===//

#include "SparseGate.h"

#include "GateStatistics.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

#include <cmath>

using namespace mlir;
using namespace mlir::frit;

using Expr = ElementWalker::Expr;

namespace {

/// A step of the gate and the type that it was rounded to.
struct GateStep {
  StringRef name;
  Type rounded;
};

class SparseGateMatcher {
public:
  SparseGateMatcher(const GatedProduct &product, ElementWalker &elements,
                    Fidelity fidelity, SparseGate &result)
      : product(product), elements(elements), fidelity(fidelity),
        result(result) {}

  void match(const ReluForm &relu) {
    result.terms.append(product.form.terms);
    result.mismatch = product.form.mismatch;
    if (result.mismatch.empty())
      result.mismatch = relu.mismatch;
    if (!result.mismatch.empty())
      return;
    if (relu.dropsNaN)
      result.terms.addIdiom("relu-nan",
                            "relu gives 0 for a NaN, which PyTorch keeps");
    FloatStep difference = getStep(elements, relu.input);
    if (!difference.op->is<arith::SubFOp>()) {
      result.mismatch = "relu does not take the gate less a cutoff";
      return;
    }
    result.gate = stripExtensions(elements, difference.op->getOperand(0),
                                  product.elementType);
    matchCutoff(difference.op->getOperand(1));
    if (!result.mismatch.empty())
      return;
    // A relu rounds what it takes where it is rounded itself.
    Type rounded = getStep(elements, product.form.input).rounded;
    steps.push_back({"the gate less the cutoff",
                     isNarrow(rounded) ? rounded : difference.rounded});
    steps.push_back({"GELU", getStep(elements, product.activation).rounded});
    decideRounding();
  }

private:
  /// mean + multiplier * deviation, or with the sign of the multiplier moved
  /// into the sum.
  void matchCutoff(Expr expr) {
    FloatStep cutoff = getStep(elements, expr);
    bool isDifference = cutoff.op->is<arith::SubFOp>();
    if (!cutoff.op->is<arith::AddFOp>() && !isDifference) {
      result.mismatch = "the cutoff is no sum of a mean and a multiple of a "
                        "deviation";
      return;
    }
    for (unsigned i = 0; i < (isDifference ? 1U : 2U); ++i) {
      std::optional<RowStatistic> mean =
          matchRowMean(elements, cutoff.op->getOperand(i), result.gate);
      if (!mean)
        continue;
      result.mismatch = mean->mismatch;
      if (!result.mismatch.empty())
        return;
      result.terms.append(mean->terms);
      steps.push_back({"the mean", mean->rounded});
      matchMargin(cutoff.op->getOperand(1 - i));
      if (isDifference)
        result.stdMultiplier = -result.stdMultiplier;
      steps.push_back({"the cutoff", cutoff.rounded});
      return;
    }
    result.mismatch = "the cutoff has no mean of the gate";
  }

  /// multiplier * deviation; the multiplier may be an absent 1.
  void matchMargin(Expr expr) {
    FloatStep margin = getStep(elements, expr);
    Expr deviation = margin.op;
    if (margin.op->is<arith::MulFOp>()) {
      unsigned i = matchNumber(elements, margin.op->getOperand(0)) ? 0 : 1;
      std::optional<Number> multiplier =
          matchNumber(elements, margin.op->getOperand(i));
      if (!multiplier) {
        result.mismatch = "the multiplier of the deviation is no constant";
        return;
      }
      setMultiplier(*multiplier);
      if (!result.mismatch.empty())
        return;
      deviation = margin.op->getOperand(1 - i);
    }
    std::optional<RowStatistic> statistic =
        matchRowDeviation(elements, deviation, result.gate);
    if (!statistic) {
      result.mismatch =
          "the cutoff has no multiple of the gate's standard deviation";
      return;
    }
    result.mismatch = statistic->mismatch;
    result.terms.append(statistic->terms);
    result.correction = statistic->correction;
    steps.push_back({"the deviation", statistic->rounded});
    steps.push_back({"the product with the multiplier", margin.rounded});
  }

  void setMultiplier(Number multiplier) {
    Type f32 = Float32Type::get(product.root.getContext());
    double source = roundToType(multiplier.source, f32);
    double value = roundToType(multiplier.value, f32);
    if (!std::isfinite(source) || !std::isfinite(value)) {
      result.mismatch = "the multiplier " + formatNumber(multiplier.value) +
                        " is no finite number in f32";
      return;
    }
    if (value != multiplier.value) {
      result.stdMultiplier = value;
      std::string text;
      llvm::raw_string_ostream(text) << "the deviation is multiplied by "
                                     << llvm::format("%.17g", multiplier.value)
                                     << " in f64, and PyTorch multiplies by "
                                     << formatNumber(value) << " in f32";
      result.terms.addIdiom("wide-factor", text);
      return;
    }
    result.stdMultiplier = multiplier.value;
    // What the graph multiplies by is a number of the op as well.
    if (source == multiplier.value || fidelity == Fidelity::Exact)
      return;
    result.stdMultiplier = source;
    result.terms.addIdiom("rounded-multiplier",
                          "the multiplier " + formatNumber(source) +
                              " is rounded to " +
                              formatNumber(multiplier.value));
  }

  /// All steps round to the element type, or none does but the last.
  void decideRounding() {
    Type type = product.elementType;
    bool roundsAll = isNarrow(type);
    const GateStep *narrow = nullptr;
    for (const GateStep &step : steps) {
      if (step.rounded.getIntOrFloatBitWidth() > 32) {
        result.mismatch = step.name.str() + " is not rounded to f32";
        return;
      }
      roundsAll &= step.rounded == type;
      bool isOther = isNarrow(step.rounded) && step.rounded != type;
      if (isOther || (!narrow && isNarrow(step.rounded)))
        narrow = &step;
    }
    if (roundsAll)
      return;
    if (isNarrow(type))
      result.rounding = Rounding::Final;
    if (!narrow)
      return;
    std::string text;
    llvm::raw_string_ostream(text)
        << narrow->name << " is rounded to " << narrow->rounded
        << ", and not every step is";
    result.terms.require(Fidelity::Fast, text);
  }

  const GatedProduct &product;
  ElementWalker &elements;
  Fidelity fidelity;
  SparseGate &result;
  SmallVector<GateStep> steps;
};

} // namespace

SparseGate frit::matchSparseGate(const GatedProduct &product,
                                 const ReluForm &relu, ElementWalker &elements,
                                 Fidelity fidelity) {
  SparseGate result;
  SparseGateMatcher(product, elements, fidelity, result).match(relu);
  return result;
}

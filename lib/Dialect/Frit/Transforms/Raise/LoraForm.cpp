//===- LoraForm.cpp -------------------------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Compares where a branch rounds and scales with where each form of the op
// does. A factor that is a power of two commutes with all roundings, so that
// its place does not count; any other factor has one place.
//
//===----------------------------------------------------------------------===//

#include "LoraForm.h"

#include "llvm/Support/Format.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"

#include <cmath>

using namespace mlir;
using namespace mlir::frit;

namespace {

/// The steps of a branch between two points: `R` a rounding, `S` the factor
/// whose place counts.
struct Places {
  std::string steps;
  /// What is rounded to; null where nothing is.
  Type type;
  /// Whether all roundings are to one type.
  bool isUniform = true;

  bool roundsTo(Type wanted) const {
    return steps.empty() || steps == "S" || (isUniform && type == wanted);
  }
};

/// The factors of a branch.
struct Factors {
  /// The product of all powers of two.
  double exact = 1.0;
  /// The one factor that is none; absent where there is none.
  std::optional<LoraFactor> other;
  /// How many such factors there are.
  unsigned numOthers = 0;
  /// Whether its product is computed in f64.
  bool isWide = false;
};

/// Sorts steps into places and factors.
Places readSteps(ArrayRef<LoraStep> steps, Factors &factors) {
  Places places;
  for (const LoraStep &step : steps) {
    if (step.kind == LoraStep::Kind::Round) {
      if (!StringRef(places.steps).ends_with("R"))
        places.steps += 'R';
      places.isUniform &= !places.type || places.type == step.type;
      places.type = step.type;
      continue;
    }
    if (step.factor.isPowerOfTwo()) {
      factors.exact *= step.factor.value;
      continue;
    }
    places.steps += 'S';
    factors.other = step.factor;
    factors.isWide = step.type.isF64();
    ++factors.numOthers;
  }
  return places;
}

/// Whether a factor of the branch only is a power of two, and no rounding
/// stands among the steps.
bool isFoldable(ArrayRef<LoraStep> steps) {
  return llvm::all_of(steps, [](const LoraStep &step) {
    return step.kind == LoraStep::Kind::Scale && step.factor.isPowerOfTwo();
  });
}

/// The input of the op: of the destination's type, as far from the matmul as
/// the steps between can be folded.
const LoraInput *chooseInput(const LoraBranch &branch, Type type) {
  const LoraInput *best = nullptr;
  for (const LoraInput &input : branch.inputs) {
    if (!isFoldable(input.steps))
      break;
    if (input.tensor.getElementType() == type)
      best = &input;
  }
  return best;
}

std::string describeSteps(const Places &between, const Places &after) {
  std::string text;
  llvm::raw_string_ostream out(text);
  auto print = [&](const Places &places) {
    if (places.steps.empty())
      out << "nothing";
    for (auto [i, step] : llvm::enumerate(places.steps)) {
      out << (i ? ", " : "");
      if (step == 'S')
        out << "a factor";
      else
        out << "a rounding to " << places.type;
    }
  };
  print(between);
  out << " between the matmuls and ";
  print(after);
  out << " after them";
  return text;
}

/// The rounding and intermediate whose places are these, with weights and a
/// destination of these types.
bool matchPlaces(const Places &between, const Places &after, Type weightType,
                 Type type, LoraForm &form) {
  bool isNarrow = !weightType.isF32();
  if (!between.roundsTo(weightType))
    return false;
  StringRef pre = between.steps, post = after.steps;
  bool isStepwise = isNarrow ? pre == "R" && (post == "R" || post == "RSR") &&
                                   after.roundsTo(weightType)
                             : pre.empty() && (post.empty() || post == "S");
  if (isStepwise) {
    form.rounding = LoraRounding::Stepwise;
    return true;
  }
  bool isElement = isNarrow && (pre == "R" || pre == "SR");
  if (!isElement && !pre.empty() && pre != "S")
    return false;
  form.intermediate = isElement ? Intermediate::Element : Intermediate::F32;
  if (post == "R" && after.roundsTo(type))
    form.rounding = LoraRounding::Sum;
  else if (post.empty())
    form.rounding = LoraRounding::Final;
  else
    return false;
  return true;
}

/// Sets the factor of the op, as the graph or as PyTorch has it.
void setScale(const Factors &factors, Fidelity fidelity, LoraForm &form,
              RaiseTerms &terms) {
  double scale = factors.exact;
  if (factors.other) {
    form.scales = factors.other->tensor;
    bool isRepaired =
        factors.other->isRounded() && fidelity >= Fidelity::Framework;
    scale *= isRepaired ? factors.other->source : factors.other->value;
    if (isRepaired) {
      std::string text;
      llvm::raw_string_ostream(text)
          << "the scale " << llvm::format("%.9g", factors.other->source)
          << " was truncated to " << llvm::format("%.9g", factors.other->value)
          << ", and PyTorch multiplies by it in f32";
      terms.addIdiom("truncated-scale", text);
    }
  }
  if (factors.isWide)
    terms.require(Fidelity::Framework,
                  "the branch is scaled in f64, and by the op in f32");
  form.scale = static_cast<float>(scale);
}

} // namespace

std::optional<LoraForm> frit::chooseLoraForm(const LoraBranch &branch,
                                             Type type, Fidelity fidelity,
                                             RaiseTerms &terms,
                                             std::string &reason) {
  const LoraInput *input = chooseInput(branch, type);
  if (!input) {
    llvm::raw_string_ostream(reason)
        << "x has no tensor of the destination's type, " << type;
    return std::nullopt;
  }
  if (branch.sumType)
    terms.addIdiom("narrow-sum",
                   llvm::formatv("a matmul is summed in {0}, and PyTorch sums "
                                 "in f32",
                                 branch.sumType));
  LoraForm form;
  form.x = input->tensor;
  Factors factors;
  readSteps(input->steps, factors);
  Places between = readSteps(branch.between, factors);
  Places after = readSteps(branch.after, factors);

  if (!std::isfinite(static_cast<float>(
          factors.exact * (factors.other ? factors.other->source : 1.0)))) {
    reason = "the factor is no finite number in f32";
    return std::nullopt;
  }

  // Weights as they are stored, else as the graph extends them.
  std::optional<LoraForm> exact;
  auto attempt = [&](const MatmulWeight &a, const MatmulWeight &b) {
    Type weightType = b.getElementType();
    if (exact || a.getElementType() != weightType ||
        (weightType != type && !weightType.isF32()))
      return;
    form.a = a;
    form.b = b;
    LoraForm candidate = form;
    if (factors.numOthers <= 1 &&
        matchPlaces(between, after, weightType, type, candidate))
      exact = candidate;
  };
  attempt(branch.a, branch.b);
  Type storedType = form.b.tensor ? form.b.getElementType() : Type();
  LoraForm stored = form;
  attempt(branch.wideA.value_or(branch.a), branch.wideB.value_or(branch.b));
  if (!form.b.tensor) {
    llvm::raw_string_ostream(reason)
        << "weights are " << branch.a.getElementType() << " and "
        << branch.b.getElementType() << " beside a destination of " << type;
    return std::nullopt;
  }

  bool roundsOften = !exact || (exact->rounding == LoraRounding::Stepwise &&
                                !exact->b.getElementType().isF32());
  if (fidelity == Fidelity::Fast && roundsOften && factors.numOthers <= 1) {
    LoraForm fast = storedType ? stored : form;
    fast.rounding = LoraRounding::Final;
    fast.intermediate = Intermediate::F32;
    terms.require(Fidelity::Fast,
                  "the sum is rounded once, and not at every step");
    setScale(factors, fidelity, fast, terms);
    return fast;
  }
  if (!exact) {
    reason = factors.numOthers > 1
                 ? "there is more than one factor"
                 : "no rounding of the op has " + describeSteps(between, after);
    if (factors.numOthers <= 1)
      reason += "; fidelity=fast rounds once";
    return std::nullopt;
  }
  setScale(factors, fidelity, *exact, terms);
  return exact;
}

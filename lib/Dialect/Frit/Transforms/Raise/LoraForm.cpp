//===- LoraForm.cpp -------------------------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Compares where a branch rounds and scales with where each form of the op
// does. A factor has one place. A power of two commutes with a rounding where
// nothing overflows or is subnormal, which is not known of data: it has other
// places at `fast` only.
//
//===----------------------------------------------------------------------===//

#include "LoraForm.h"

#include "FloatSteps.h"

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
  /// The product of those that have no place.
  double exact = 1.0;
  /// The one factor whose place counts; absent where there is none.
  std::optional<LoraFactor> other;
  /// How many such factors there are.
  unsigned numOthers = 0;
  /// Whether its product is computed in f64, and not the same in f32.
  bool isWide = false;

  /// The product of all as PyTorch has it.
  double getProduct() const { return exact * (other ? other->source : 1.0); }
};

/// A branch as places and factors. Powers of two have a place or not.
struct BranchReader {
  bool movesPowers;
  const LoraInput *input;
  Factors factors;
  Places between, after;

  BranchReader(const LoraBranch &branch, Type type, bool movesPowers)
      : movesPowers(movesPowers), input(chooseInput(branch, type)) {
    if (!input)
      return;
    (void)readSteps(input->steps);
    between = readSteps(branch.between);
    after = readSteps(branch.after);
  }

  /// The input of the op: of the destination's type, as far from the matmul as
  /// the steps between are none that count.
  const LoraInput *chooseInput(const LoraBranch &branch, Type type) const {
    const LoraInput *best = nullptr;
    for (const LoraInput &candidate : branch.inputs) {
      if (!llvm::all_of(candidate.steps, [&](const LoraStep &step) {
            return step.kind == LoraStep::Kind::Scale && isMoved(step);
          }))
        break;
      if (candidate.tensor.getElementType() == type)
        best = &candidate;
    }
    return best;
  }

  bool isMoved(const LoraStep &step) const {
    return movesPowers && step.factor.isPowerOfTwo();
  }

  /// Sorts steps into places and factors.
  Places readSteps(ArrayRef<LoraStep> steps) {
    Places places;
    auto addRound = [&](Type type) {
      if (!isNarrow(type))
        return;
      if (!StringRef(places.steps).ends_with("R"))
        places.steps += 'R';
      places.isUniform &= !places.type || places.type == type;
      places.type = type;
    };
    for (const LoraStep &step : steps) {
      if (step.kind == LoraStep::Kind::Round) {
        addRound(step.type);
      } else if (isMoved(step)) {
        factors.exact *= step.factor.value;
      } else {
        places.steps += 'S';
        factors.other = step.factor;
        factors.isWide = step.type.isF64() && !step.factor.isPowerOfTwo();
        ++factors.numOthers;
        addRound(step.type);
      }
    }
    return places;
  }
};

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
  if (factors.isWide) {
    std::string text;
    llvm::raw_string_ostream(text)
        << "the branch is multiplied by " << llvm::format("%.17g", scale)
        << " in f64, and PyTorch multiplies in f32";
    terms.addIdiom("wide-factor", text);
  }
  form.scale = static_cast<float>(scale);
}

/// Why the op cannot have the product of all factors; empty if it can.
std::string checkFactor(const Factors &factors) {
  double product = factors.getProduct();
  auto rounded = static_cast<double>(static_cast<float>(product));
  if (!std::isfinite(rounded))
    return "the factor is no finite number in f32";
  // Where it loses more than a rounding.
  if (std::fabs(rounded - product) > std::ldexp(std::fabs(product), -23))
    return "the factor " + formatNumber(product) + " is too small for f32";
  return {};
}

/// The weights that give a branch with these places a form: those as they are
/// stored, else as the graph extends them.
struct FormChooser {
  const LoraBranch &branch;
  Type type;
  /// The last weights of types that the op has; null if none are.
  LoraForm form = {};
  /// Those as they are stored, if they are of such types.
  std::optional<LoraForm> stored = std::nullopt;

  std::optional<LoraForm> attempt(const MatmulWeight &a, const MatmulWeight &b,
                                  const BranchReader &steps) {
    Type weightType = b.getElementType();
    if (a.getElementType() != weightType ||
        (weightType != type && !weightType.isF32()))
      return std::nullopt;
    form.x = steps.input->tensor;
    form.a = a;
    form.b = b;
    if (!stored)
      stored = form;
    LoraForm candidate = form;
    if (steps.factors.numOthers <= 1 &&
        matchPlaces(steps.between, steps.after, weightType, type, candidate))
      return candidate;
    return std::nullopt;
  }

  std::optional<LoraForm> choose(const BranchReader &steps) {
    if (!steps.input)
      return std::nullopt;
    if (std::optional<LoraForm> found = attempt(branch.a, branch.b, steps))
      return found;
    return attempt(branch.wideA.value_or(branch.a),
                   branch.wideB.value_or(branch.b), steps);
  }
};

} // namespace

std::optional<LoraForm> frit::chooseLoraForm(const LoraBranch &branch,
                                             Type type, Fidelity fidelity,
                                             RaiseTerms &terms,
                                             std::string &reason) {
  BranchReader written(branch, type, /*movesPowers=*/false);
  BranchReader moved(branch, type, /*movesPowers=*/true);
  if (!moved.input) {
    llvm::raw_string_ostream(reason)
        << "x has no tensor of the destination's type, " << type;
    return std::nullopt;
  }
  if (branch.sumType)
    terms.addIdiom("narrow-sum",
                   llvm::formatv("a matmul is summed in {0}, and PyTorch sums "
                                 "in f32",
                                 branch.sumType));
  reason = checkFactor(moved.factors);
  if (!reason.empty())
    return std::nullopt;

  FormChooser chooser{branch, type};
  std::optional<LoraForm> found = chooser.choose(written);
  const BranchReader *steps = &written;
  if (!found) {
    steps = &moved;
    found = chooser.choose(moved);
    if (found)
      terms.require(Fidelity::Fast,
                    "a power of two is moved across a rounding, and is the "
                    "same there only where nothing overflows or is subnormal");
  }
  if (!chooser.stored) {
    llvm::raw_string_ostream(reason)
        << "weights are " << branch.a.getElementType() << " and "
        << branch.b.getElementType() << " beside a destination of " << type;
    return std::nullopt;
  }

  bool roundsOften = !found || (found->rounding == LoraRounding::Stepwise &&
                                !found->b.getElementType().isF32());
  if (fidelity == Fidelity::Fast && roundsOften &&
      moved.factors.numOthers <= 1) {
    LoraForm fast = *chooser.stored;
    fast.x = moved.input->tensor;
    fast.rounding = LoraRounding::Final;
    fast.intermediate = Intermediate::F32;
    terms.require(Fidelity::Fast,
                  "the sum is rounded once, and not at every step");
    setScale(moved.factors, fidelity, fast, terms);
    return fast;
  }
  if (!found) {
    reason = moved.factors.numOthers > 1
                 ? "there is more than one factor"
                 : "no rounding of the op has " +
                       describeSteps(moved.between, moved.after);
    if (moved.factors.numOthers <= 1)
      reason += "; fidelity=fast rounds once";
    return std::nullopt;
  }
  setScale(steps->factors, fidelity, *found, terms);
  return found;
}

//===- ActivationReference.cpp --------------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The reference of the gated activations.
//
//===----------------------------------------------------------------------===//

#include "ActivationReference.h"

#include "llvm/Support/FormatVariadic.h"

#include <cmath>
#include <set>

using namespace mlir::frit;
using namespace mlir::frit::test;

using Row = llvm::ArrayRef<double>;

static double toF32(double value) { return static_cast<float>(value); }

static double geluTanh(double z) {
  return 0.5 * z *
         (1 + std::tanh(0.7978845608028654 * (z + 0.044715 * z * z * z)));
}

static double geluErf(double z) {
  return 0.5 * z * (1 + std::erf(z * 0.70710678118654752440));
}

static bool isSame(double a, double b) {
  return a == b || (std::isnan(a) && std::isnan(b));
}

static std::string describeElement(size_t index, double gate, double up,
                                   double result, double expected) {
  return llvm::formatv("element {0}: gate {1}, up {2} give {3}, expected {4}",
                       index, gate, up, result, expected);
}

/// Mean and standard deviation in float64.
static std::pair<double, double> getStatistics(Row gate, int64_t correction) {
  double sum = 0, squares = 0;
  for (double g : gate)
    sum += g;
  double mean = sum / static_cast<double>(gate.size());
  for (double g : gate)
    squares += (g - mean) * (g - mean);
  return {mean, std::sqrt(squares /
                          static_cast<double>(
                              static_cast<int64_t>(gate.size()) - correction))};
}

/// Steps 1 to 4 with their roundings.
static double getStepwiseCutoff(const SparseConfig &config, double mean,
                                double deviation) {
  auto round = [&](double value) { return roundTo(config.type, toF32(value)); };
  double scaled = round(round(deviation) * config.multiplier);
  return round(round(mean) + scaled);
}

/// Whether a result is act * up after both roundings, with an activation that
/// is the reference or one step from it. Zero is exact.
static bool matchesSteps(ElementType type, double activated, double up,
                         double result, ActivationTally &tally) {
  auto product = [&](double a) { return roundTo(type, toF32(a * up)); };
  if (activated != 0)
    ++tally.nonzeros;
  if (isSame(product(activated), result))
    return true;
  if (activated == 0 || std::isnan(activated))
    return false;
  if (!isSame(product(nextUp(type, activated)), result) &&
      !isSame(product(nextDown(type, activated)), result))
    return false;
  ++tally.offByOne;
  return true;
}

/// Whether the op promises nothing for an element.
static bool isUpUnknown(const SparseConfig &config, double z, double up) {
  return config.assumesFiniteUp && z == 0 && !std::isfinite(up);
}

/// Steps 5 to 8 of f16 and bf16 with the roundings of `stepwise`.
static std::string checkStepwise(const SparseConfig &config, double cutoff,
                                 Row gate, Row up, Row result,
                                 ActivationTally &tally) {
  for (size_t i = 0; i < gate.size(); ++i) {
    double z = roundTo(config.type, toF32(gate[i] - cutoff));
    z = z < 0 ? 0 : z;
    double activated =
        roundTo(config.type, config.isErf ? geluErf(z) : geluTanh(z));
    if (isUpUnknown(config, z, up[i]))
      continue;
    if (!matchesSteps(config.type, activated, up[i], result[i], tally))
      return describeElement(i, gate[i], up[i], result[i],
                             roundTo(config.type, activated * up[i]));
  }
  return "";
}

/// Steps 5 to 8 where only the result is rounded, which f32 always is.
static std::string checkFinal(const SparseConfig &config, double mean,
                              double deviation, Row gate, Row up, Row result) {
  double scaled = deviation * config.multiplier;
  double cutoff = mean + scaled;
  double squares = 0;
  for (double g : gate)
    squares += g * g;
  double rms = std::sqrt(squares / static_cast<double>(gate.size()));
  double slack = 1e-6 * (std::abs(mean) + std::abs(scaled) + rms);
  bool isF32 = config.type == ElementType::F32;
  for (size_t i = 0; i < gate.size(); ++i) {
    double z = gate[i] - cutoff;
    bool isTie = std::abs(z) <= slack;
    z = z < 0 ? 0 : z;
    if (isUpUnknown(config, isTie ? 0 : z, up[i]))
      continue;
    // A sum in another order decides between 0 * inf and a product that is inf.
    if (isTie && std::isinf(up[i]) &&
        (std::isnan(result[i]) || result[i] == up[i]))
      continue;
    double expected = (config.isErf ? geluErf(z) : geluTanh(z)) * up[i];
    double rounding =
        isF32 ? 1e-5 + 1.3e-6 * std::abs(expected)
              : 2.02 * getUnitRoundoff(config.type) * std::abs(expected) +
                    getSmallestSubnormal(config.type);
    double tolerance = rounding + 1.2 * slack * std::abs(up[i]);
    bool isMaskRight =
        isTie || z != 0 || std::isnan(expected) || result[i] == 0;
    if (!isMaskRight || (!isSame(result[i], roundTo(config.type, expected)) &&
                         !(std::abs(result[i] - expected) <= tolerance)))
      return describeElement(i, gate[i], up[i], result[i], expected);
  }
  return "";
}

std::string test::checkSparseRow(const SparseConfig &config, Row gate, Row up,
                                 Row result, ActivationTally &tally) {
  if (gate.empty())
    return "";
  ++tally.rows;
  auto [mean, deviation] = getStatistics(gate, config.correction);
  if (std::isnan(mean) || std::isnan(deviation)) {
    for (size_t i = 0; i < gate.size(); ++i)
      if (!std::isnan(result[i]))
        return describeElement(i, gate[i], up[i], result[i], NAN);
    return "";
  }
  if (!config.isStepwise || config.type == ElementType::F32)
    return checkFinal(config, mean, deviation, gate, up, result);

  // Another order of summation moves mean and deviation at most to here.
  double delta = 16 * 0x1p-23 * std::max(std::abs(mean), deviation);
  std::set<double> cutoffs{getStepwiseCutoff(config, mean, deviation)};
  for (double m : {mean - delta, mean + delta})
    for (double s : {deviation - delta, deviation + delta})
      cutoffs.insert(getStepwiseCutoff(config, m, std::max(s, 0.0)));
  tally.nearTies += cutoffs.size() > 1;
  std::string problem;
  for (double cutoff : cutoffs) {
    ActivationTally attempt;
    problem = checkStepwise(config, cutoff, gate, up, result, attempt);
    if (!problem.empty())
      continue;
    tally.nonzeros += attempt.nonzeros;
    tally.offByOne += attempt.offByOne;
    return "";
  }
  return problem + llvm::formatv(" (mean {0}, deviation {1}, {2} cutoffs)",
                                 mean, deviation, cutoffs.size())
                       .str();
}

std::string test::checkGatedRow(ElementType type, GatedActivation activation,
                                Row gate, Row up, Row result,
                                ActivationTally &tally) {
  bool isSilu = activation == GatedActivation::Silu;
  for (size_t i = 0; i < gate.size(); ++i) {
    double g = gate[i];
    double activated = isSilu ? g / (1 + std::exp(-g))
                       : activation == GatedActivation::GeluTanh ? geluTanh(g)
                                                                 : geluErf(g);
    // f32 arithmetic cancels in 1 + tanh, and overflows in exp.
    double slack = isSilu ? 1e-36 : std::abs(g) * 0x1p-22;
    double expected = activated * up[i];
    double tolerance = slack * std::abs(up[i]) +
                       getSmallestSubnormal(type) * (1 + std::abs(up[i]));
    bool isF32 = type == ElementType::F32;
    tolerance += isF32 ? 1e-5 + 1.3e-6 * std::abs(expected)
                       : 2 * getUnitRoundoff(type) * std::abs(expected);
    // Where f32 cancels to 0 an infinite up gives NaN.
    bool isLost = std::abs(activated) <= slack && std::isinf(up[i]) &&
                  std::isnan(result[i]);
    bool matches = isLost || isSame(result[i], roundTo(type, expected)) ||
                   (isF32 || g < (isSilu ? -80 : 0)
                        ? std::abs(result[i] - expected) <= tolerance
                        : matchesSteps(type, roundTo(type, activated), up[i],
                                       result[i], tally));
    if (!matches)
      return describeElement(i, g, up[i], result[i], expected);
  }
  return "";
}

//===- SparseFfnReference.cpp ---------------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The reference of the sparse feed-forward network.
//
//===----------------------------------------------------------------------===//

#include "SparseFfnReference.h"

#include "llvm/Support/FormatVariadic.h"

#include <cmath>
#include <functional>

using namespace mlir::frit;
using namespace mlir::frit::test;

namespace {
constexpr unsigned gate = 0, up = 1, down = 2;

double toF32(double value) { return static_cast<float>(value); }

/// An entry of `scales` or `ranks`.
double getPerAdapter(const Buffer &buffer, unsigned projection,
                     int64_t adapter) {
  return buffer.getShape().size() == 2
             ? buffer.get({static_cast<int64_t>(projection), adapter})
             : buffer.get(adapter);
}

int64_t getAdapter(const SparseFfnCase &test, unsigned projection,
                   int64_t token) {
  if (!test.a[projection])
    return -1;
  auto id = static_cast<int64_t>(test.ids->get(token));
  return id < test.numAdapters ? id : -1;
}

int64_t getRank(const SparseFfnCase &test, unsigned projection,
                int64_t adapter) {
  return test.ranks ? static_cast<int64_t>(
                          getPerAdapter(*test.ranks, projection, adapter))
                    : test.maxRank;
}

double getCoefficient(const SparseFfnCase &test, unsigned projection,
                      int64_t adapter) {
  double scale = test.loraScales[projection];
  return test.scales
             ? toF32(scale * getPerAdapter(*test.scales, projection, adapter))
             : scale;
}

/// Of the error of f32 sums of so many terms.
double getGamma(int64_t terms) {
  return 0x1p-24 * (8 + 2 * std::sqrt(static_cast<double>(terms)));
}

/// An element of gate or up with its LoRA, exactly.
double getProjection(const SparseFfnCase &test, unsigned projection,
                     const Buffer &weights, int64_t token, int64_t column) {
  ElementType type = test.x->getType();
  auto dot = [&](const std::function<double(int64_t)> &weight) {
    double sum = 0;
    for (int64_t k = 0; k < test.x->getDim(1); ++k)
      sum += weight(k) * test.x->get({token, k});
    return sum;
  };
  double base = roundTo(
      type, toF32(dot([&](int64_t k) { return weights.get({column, k}); })));
  int64_t adapter = getAdapter(test, projection, token);
  if (adapter < 0)
    return base;
  const Buffer &a = *test.a[projection], &b = *test.b[projection];
  bool isStepwise = test.loraRounding == LoraCase::Rounding::Stepwise;
  bool roundsHidden = isStepwise || test.isElementIntermediate;
  double c = getCoefficient(test, projection, adapter);
  double sum = 0;
  for (int64_t r = 0; r < getRank(test, projection, adapter); ++r) {
    double h = toF32(dot([&](int64_t k) { return a.get({adapter, r, k}); }));
    if (!isStepwise)
      h = toF32(c * h);
    if (roundsHidden)
      h = roundTo(a.getType(), h);
    sum += h * b.get({adapter, column, r});
  }
  sum = toF32(sum);
  if (isStepwise)
    sum = roundTo(b.getType(), toF32(c * roundTo(b.getType(), sum)));
  else if (test.loraRounding == LoraCase::Rounding::Sum)
    sum = roundTo(type, sum);
  return roundTo(type, toF32(base + sum));
}

double gelu(double z, bool isErf) {
  return 0.5 * z *
         (1 +
          (isErf ? std::erf(z * 0.70710678118654752440)
                 : std::tanh(0.7978845608028654 * (z + 0.044715 * z * z * z))));
}

/// The cutoff of a gate, and whether another sum could give another one or how
/// far it may be off.
struct Cutoff {
  double value;
  double slack = 0;
  bool isNearTie = false;
  bool isNaN = false;
};

Cutoff getCutoff(const SparseConfig &config, llvm::ArrayRef<double> values) {
  double sum = 0, squares = 0, squaresOfGate = 0;
  auto size = static_cast<double>(values.size());
  for (double g : values)
    sum += g;
  double mean = sum / size;
  for (double g : values) {
    squares += (g - mean) * (g - mean);
    squaresOfGate += g * g;
  }
  double deviation =
      std::sqrt(squares / (size - static_cast<double>(config.correction)));
  if (std::isnan(mean) || std::isnan(deviation))
    return {0, 0, false, true};
  if (!config.isStepwise || config.type == ElementType::F32) {
    double scaled = deviation * config.multiplier;
    return {mean + scaled, 1e-6 * (std::abs(mean) + std::abs(scaled) +
                                   std::sqrt(squaresOfGate / size))};
  }
  auto round = [&](double value) { return roundTo(config.type, toF32(value)); };
  auto getValue = [&](double m, double s) {
    return round(round(m) + round(round(s) * config.multiplier));
  };
  Cutoff cutoff{getValue(mean, deviation)};
  double delta = 16 * 0x1p-23 * std::max(std::abs(mean), deviation);
  for (double m : {mean - delta, mean + delta})
    for (double s : {deviation - delta, deviation + delta})
      cutoff.isNearTie |= getValue(m, std::max(s, 0.0)) != cutoff.value;
  return cutoff;
}

} // namespace

SparseFfnToken test::expectActivation(const SparseFfnCase &test,
                                      int64_t token) {
  const SparseConfig &config = test.gateConfig;
  int64_t numColumns = test.gate->getDim(0);
  SparseFfnToken result;
  result.columns.resize(numColumns);
  if (numColumns == 0)
    return result;
  std::vector<double> gates;
  gates.reserve(numColumns);
  for (int64_t j = 0; j < numColumns; ++j)
    gates.push_back(getProjection(test, ::gate, *test.gate, token, j));
  Cutoff cutoff = getCutoff(config, gates);
  result.isNaN = cutoff.isNaN;
  result.isNearTie = cutoff.isNearTie;
  if (result.isNaN || result.isNearTie)
    return result;
  bool isStepwise = config.isStepwise && config.type != ElementType::F32;
  double unit = getUnitRoundoff(config.type);
  double smallest = getSmallestSubnormal(config.type);
  for (auto [j, column] : llvm::enumerate(result.columns)) {
    double z = gates[j] - cutoff.value;
    if (isStepwise)
      z = roundTo(config.type, toF32(z));
    // Near 0 gelu is half of z, and may round to 0.
    result.isNearTie |= std::abs(z) <= cutoff.slack + 2 * smallest && z != 0;
    result.isNearTie |= z == 0 && cutoff.slack != 0;
    column.isActive = z > 0;
    if (!column.isActive)
      continue;
    double a = gelu(z, config.isErf);
    if (isStepwise)
      a = roundTo(config.type, a);
    double u =
        getProjection(test, ::up, *test.up, token, static_cast<int64_t>(j));
    column.y = roundTo(config.type, toF32(a * u));
    // The activation may be one step off, then the product rounds again.
    column.bound = std::abs(column.y) * (4 * unit + 4e-6) +
                   std::abs(u) * 1.2 * cutoff.slack + 2 * smallest;
  }
  return result;
}

std::string test::checkRow(const SparseFfnCase &test,
                           const SparseFfnToken &expected, int64_t token,
                           const Buffer &before, const Buffer &after) {
  ElementType type = before.getType();
  double unit = getUnitRoundoff(type), smallest = getSmallestSubnormal(type);
  auto numColumns = static_cast<int64_t>(expected.columns.size());
  double gamma = getGamma(numColumns + test.maxRank);
  /// A sum over the active columns, of its magnitudes and of its errors.
  struct Sum {
    double value = 0, magnitude = 0, error = 0;
  };
  auto add = [&](const std::function<double(int64_t)> &weight) {
    Sum sum;
    for (int64_t j = 0; j < numColumns; ++j) {
      const SparseFfnToken::Column &column = expected.columns[j];
      if (!column.isActive)
        continue;
      double w = weight(j);
      sum.value += w * column.y;
      sum.magnitude += std::abs(w * column.y);
      sum.error += std::abs(w) * column.bound;
    }
    sum.error += 2 * gamma * sum.magnitude;
    return sum;
  };
  int64_t adapter = getAdapter(test, ::down, token);
  for (int64_t n = 0; n < before.getDim(1); ++n) {
    double result = after.get({token, n});
    if (expected.isNaN) {
      if (!std::isnan(result))
        return llvm::formatv("[{0}, {1}] is {2}, expected NaN", token, n,
                             result);
      continue;
    }
    Sum f = add([&](int64_t j) {
      return test.isDh ? test.down->get({j, n}) : test.down->get({n, j});
    });
    double value = f.value;
    double bound = f.error + unit * (std::abs(f.value) + f.error) + smallest;
    if (adapter >= 0) {
      const Buffer &a = *test.a[::down], &b = *test.b[::down];
      double c = getCoefficient(test, ::down, adapter);
      double unitB = getUnitRoundoff(a.getType());
      for (int64_t r = 0; r < getRank(test, ::down, adapter); ++r) {
        Sum h = add([&](int64_t j) { return a.get({adapter, r, j}); });
        double factor = c * b.get({adapter, n, r});
        value += factor * h.value;
        bound +=
            std::abs(factor) * (h.error + (3 * unitB + unit + 4 * gamma) *
                                              (std::abs(h.value) + h.error));
        bound += std::abs(factor) * 0x1p-24 + 0x1p-24 * (1 + std::abs(c));
      }
      bound += 2 * unit * std::abs(value);
    }
    if (test.accumulate) {
      value += before.get({token, n});
      bound += unit * (std::abs(value) + bound);
    }
    bound += unit * std::abs(value);
    if (!(std::abs(result - value) <= bound))
      return llvm::formatv("[{0}, {1}] is {2}, expected {3} within {4}", token,
                           n, result, value, bound);
  }
  return "";
}

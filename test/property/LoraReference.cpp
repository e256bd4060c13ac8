//===- LoraReference.cpp --------------------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The reference of the LoRA ops.
//
//===----------------------------------------------------------------------===//

#include "LoraReference.h"

#include "llvm/Support/FormatVariadic.h"

#include <cmath>

using namespace mlir::frit;
using namespace mlir::frit::test;

std::optional<int64_t> LoraCase::getAdapter(int64_t token) const {
  auto id = static_cast<int64_t>(ids->get(token));
  return id >= 0 && id < numAdapters ? std::optional(id) : std::nullopt;
}

int64_t LoraCase::getRank(int64_t slice, int64_t adapter) const {
  if (!ranks)
    return maxRank;
  int64_t index =
      ranks->getShape().size() == 2 ? slice * numAdapters + adapter : adapter;
  return static_cast<int64_t>(ranks->get(index));
}

double LoraCase::getCoefficient(int64_t adapter) const {
  return scales ? static_cast<double>(scale *
                                      static_cast<float>(scales->get(adapter)))
                : scale;
}

/// Of the error of f32 sums.
static double getGamma(int64_t k, int64_t r) {
  return 0x1p-24 * (8 + 2 * std::sqrt(static_cast<double>(k + r)));
}

namespace {
/// A sum and the sum of its absolute values.
struct Sum {
  double value = 0;
  double magnitude = 0;
};
} // namespace

/// sum_k A[l, r, k] x[t, k].
static Sum shrink(const LoraCase &test, int64_t slice, int64_t token,
                  int64_t adapter, int64_t r) {
  Sum sum;
  for (int64_t k = 0; k < test.x->getDim(1); ++k) {
    double term = test.a[slice]->get({adapter, r, k}) * test.x->get({token, k});
    sum.value += term;
    sum.magnitude += std::abs(term);
  }
  return sum;
}

std::string LoraExpectation::check(const Buffer &before,
                                   const Buffer &after) const {
  for (auto [index, element] : llvm::enumerate(elements)) {
    auto at = static_cast<int64_t>(index);
    double result = after.get(at);
    if (element.isUntouched) {
      if (before.getBits(at) != after.getBits(at))
        return llvm::formatv("element {0} is none of the op's, but changed "
                             "from {1} to {2}",
                             index, before.get(at), result);
      continue;
    }
    bool matches = std::isnan(element.value)
                       ? std::isnan(result)
                       : result == element.value ||
                             std::abs(result - element.value) <= element.bound;
    if (!matches)
      return llvm::formatv("element {0} is {1}, expected {2} within {3}", index,
                           result, element.value, element.bound);
  }
  return "";
}

/// The element in column `n` of a slice.
static LoraExpectation::Element expectColumn(const LoraCase &test, double old,
                                             ElementType yType, int64_t slice,
                                             int64_t adapter, int64_t n,
                                             llvm::ArrayRef<Sum> hidden) {
  ElementType bType = test.b[slice]->getType();
  double c = test.getCoefficient(adapter);
  double update = 0, hMagnitude = 0, sMagnitude = 0, bMagnitude = 0;
  for (auto [r, h] : llvm::enumerate(hidden)) {
    double b = test.b[slice]->get({adapter, n, static_cast<int64_t>(r)});
    update += b * h.value;
    hMagnitude += std::abs(b * h.value);
    sMagnitude += std::abs(b) * h.magnitude;
    bMagnitude += std::abs(b);
  }
  double expected = old + c * update;
  hMagnitude *= std::abs(c);
  sMagnitude = sMagnitude * std::abs(c) + std::abs(old);

  double gamma = getGamma(test.x ? test.x->getDim(1) : 0,
                          static_cast<int64_t>(hidden.size()));
  double bound = getUnitRoundoff(yType) * std::abs(expected) +
                 2 * gamma * sMagnitude + getSmallestSubnormal(yType);
  bool roundsToB = false, roundsToY = false;
  if (test.rounding == LoraCase::Rounding::Sum) {
    bound += getUnitRoundoff(yType) * hMagnitude;
    roundsToY = true;
  }
  if (test.rounding == LoraCase::Rounding::Stepwise) {
    bound += 3 * getUnitRoundoff(bType) * hMagnitude;
    roundsToB = true;
  } else if (test.isElementIntermediate) {
    bound += getUnitRoundoff(bType) * hMagnitude;
    roundsToB = true;
  }
  if ((roundsToB && bType == ElementType::F16) ||
      (roundsToY && yType == ElementType::F16))
    bound += 0x1p-25 * (1 + std::abs(c)) * (1 + bMagnitude);
  return {false, expected, bound};
}

LoraExpectation test::expectExpanded(const LoraCase &test,
                                     const Buffer &before) {
  LoraExpectation expectation;
  expectation.elements.resize(before.size());
  for (int64_t token = 0; token < before.getDim(0); ++token) {
    std::optional<int64_t> adapter = test.getAdapter(token);
    if (!adapter)
      continue;
    int64_t column = test.offset;
    for (int64_t slice = 0; slice < static_cast<int64_t>(test.b.size());
         ++slice) {
      llvm::SmallVector<Sum> hidden;
      for (int64_t r = 0; r < test.getRank(slice, *adapter); ++r) {
        double h = test.h ? test.h->get({slice, token, r}) : 0;
        hidden.push_back(test.h ? Sum{h, std::abs(h)}
                                : shrink(test, slice, token, *adapter, r));
      }
      for (int64_t n = 0; n < test.b[slice]->getDim(1); ++n, ++column) {
        int64_t index = before.linearize({token, column});
        double old = test.accumulate ? before.get(index) : 0;
        expectation.elements[index] = expectColumn(test, old, before.getType(),
                                                   slice, *adapter, n, hidden);
      }
    }
  }
  return expectation;
}

LoraExpectation test::expectShrunk(const LoraCase &test, const Buffer &before) {
  LoraExpectation expectation;
  expectation.elements.resize(before.size());
  ElementType type = before.getType();
  double gamma = getGamma(test.x->getDim(1), 0);
  for (int64_t slice = 0; slice < before.getDim(0); ++slice)
    for (int64_t token = 0; token < before.getDim(1); ++token) {
      std::optional<int64_t> adapter = test.getAdapter(token);
      for (int64_t r = 0; adapter && r < test.getRank(slice, *adapter); ++r) {
        Sum sum = shrink(test, slice, token, *adapter, r);
        double c = test.getCoefficient(*adapter);
        double expected = c * sum.value;
        double bound = getUnitRoundoff(type) * std::abs(expected) +
                       2 * gamma * std::abs(c) * sum.magnitude +
                       getSmallestSubnormal(type);
        expectation.elements[before.linearize({slice, token, r})] = {
            false, expected, bound};
      }
    }
  return expectation;
}

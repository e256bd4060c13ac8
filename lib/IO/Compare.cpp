//===- Compare.cpp --------------------------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Compares tensors element by element.
//
//===----------------------------------------------------------------------===//

#include "frit/IO/Compare.h"

#include "FileError.h"

#include "llvm/ADT/bit.h"

#include <cmath>

using namespace mlir::frit;

namespace {
/// The position of a float among all values of its type in ascending order,
/// with both zeros at 0: differences are distances in ulps.
template <typename Bits> int64_t getOrdinal(Bits bits) {
  constexpr Bits signBit = Bits{1} << (8 * sizeof(Bits) - 1);
  const auto magnitude = static_cast<int64_t>(bits & ~signBit & ~Bits{0});
  return bits & signBit ? -magnitude : magnitude;
}
int64_t getOrdinal(Float16 value) { return getOrdinal(value.bits); }
int64_t getOrdinal(BFloat16 value) { return getOrdinal(value.bits); }
int64_t getOrdinal(float value) {
  return getOrdinal(llvm::bit_cast<uint32_t>(value));
}
int64_t getOrdinal(double value) {
  return getOrdinal(llvm::bit_cast<uint64_t>(value));
}

/// |left - right| of integers, without overflow.
template <typename T> uint64_t getDistance(T left, T right) {
  return left > right
             ? static_cast<uint64_t>(left) - static_cast<uint64_t>(right)
             : static_cast<uint64_t>(right) - static_cast<uint64_t>(left);
}

class Comparer {
public:
  explicit Comparer(Comparison &result) : result(result) {}

  template <typename T>
  void compareFloats(int64_t index, T actualElement, T expectedElement) {
    const double actual = toDouble(actualElement);
    const double expected = toDouble(expectedElement);
    compareZeros(index, actual == 0, expected == 0);
    if (std::isnan(actual) || std::isnan(expected)) {
      if (std::isnan(actual) == std::isnan(expected))
        return;
      ++result.numNanMismatched;
      noteUnequal(index, /*isBeyond=*/true);
      return;
    }
    if (actual == expected)
      return;
    if (std::isinf(actual) || std::isinf(expected)) {
      noteUnequal(index, /*isBeyond=*/true);
      return;
    }
    noteUlps(index, getDistance(getOrdinal(actualElement),
                                getOrdinal(expectedElement)));
    noteError(index, std::fabs(actual - expected), std::fabs(expected));
  }

  template <typename T>
  void compareIntegers(int64_t index, T actual, T expected) {
    compareZeros(index, actual == 0, expected == 0);
    if (actual == expected)
      return;
    noteError(index, static_cast<double>(getDistance(actual, expected)),
              std::fabs(static_cast<double>(expected)));
  }

private:
  void compareZeros(int64_t index, bool isActualZero, bool isExpectedZero) {
    result.numZerosActual += isActualZero;
    result.numZerosExpected += isExpectedZero;
    if (isActualZero == isExpectedZero)
      return;
    if (result.numZeroMismatched++ == 0)
      result.firstZeroMismatch = index;
  }

  void noteUnequal(int64_t index, bool isBeyond) {
    ++result.numUnequal;
    if (isBeyond && result.numMismatched++ == 0)
      result.firstMismatch = index;
  }

  void noteError(int64_t index, double error, double magnitude) {
    const Tolerance &tolerance = result.options.tolerance;
    // Written so that a NaN among the tolerances lets nothing pass.
    const bool isWithin =
        error <= tolerance.absolute + tolerance.relative * magnitude;
    noteUnequal(index, !isWithin);
    if (error > result.maxAbsoluteError) {
      result.maxAbsoluteError = error;
      result.maxAbsoluteIndex = index;
    }
    if (magnitude > 0 && error / magnitude > result.maxRelativeError) {
      result.maxRelativeError = error / magnitude;
      result.maxRelativeIndex = index;
    }
  }

  void noteUlps(int64_t index, uint64_t ulps) {
    if (ulps <= result.maxUlps)
      return;
    result.maxUlps = ulps;
    result.maxUlpsIndex = index;
  }

  Comparison &result;
};
} // namespace

Tolerance Tolerance::getDefault(ElementType type) {
  switch (type) {
  case ElementType::F16:
    return {1e-5, 1e-3};
  case ElementType::BF16:
    return {1e-5, 1.6e-2};
  case ElementType::F32:
    return {1e-5, 1.3e-6};
  case ElementType::F64:
    return {1e-7, 1e-7};
  default:
    return {0, 0};
  }
}

llvm::Expected<Comparison>
mlir::frit::compareTensors(const HostTensor &actual, const HostTensor &expected,
                           const CompareOptions &options) {
  if (actual.getSpec() != expected.getSpec())
    return makeError("cannot compare: the result is ", actual.getSpec().str(),
                     ", expected ", expected.getSpec().str());
  Comparison result;
  result.spec = actual.getSpec();
  result.options = options;
  result.numElements = actual.getNumElements();
  Comparer comparer(result);
  const bool isContiguous = actual.isContiguous() && expected.isContiguous();
  dispatchElementType(actual.getType(), [&](auto element) {
    using T = decltype(element);
    const T *left = actual.getDataAs<T>();
    const T *right = expected.getDataAs<T>();
    for (int64_t i = 0; i < result.numElements; ++i) {
      const T a = left[isContiguous ? i : actual.getOffset(i)];
      const T b = right[isContiguous ? i : expected.getOffset(i)];
      if constexpr (std::is_same_v<T, Bool8>)
        comparer.compareIntegers<int>(i, a.value != 0, b.value != 0);
      else if constexpr (std::is_integral_v<T>)
        comparer.compareIntegers(i, a, b);
      else
        comparer.compareFloats(i, a, b);
    }
  });
  return result;
}

//===- CompareReport.cpp --------------------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Comparisons as text and as JSON.
//
//===----------------------------------------------------------------------===//

#include "frit/IO/Compare.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"

#include <cmath>

using namespace mlir::frit;

namespace {
/// "[3, 17]", or "[]" for a scalar.
std::string formatIndex(const HostTensor &tensor, int64_t index) {
  std::string text = "[";
  llvm::raw_string_ostream stream(text);
  llvm::interleaveComma(tensor.delinearize(index), stream);
  stream << "]";
  return text;
}

/// One element with enough digits to tell it from its neighbours.
std::string formatElement(const HostTensor &tensor, int64_t index) {
  const int64_t offset = tensor.getOffset(index);
  return dispatchElementType(
      tensor.getType(), [&](auto element) -> std::string {
        using T = decltype(element);
        std::string text;
        llvm::raw_string_ostream stream(text);
        const T value = tensor.getDataAs<T>()[offset];
        if constexpr (std::is_same_v<T, Bool8>)
          stream << (value.value != 0);
        else if constexpr (std::is_integral_v<T>)
          stream << (std::is_signed_v<T> ? llvm::itostr(value)
                                         : llvm::utostr(value));
        else
          stream << llvm::format("%.*g", sizeof(T) == 8 ? 17 : 9,
                                 toDouble(value));
        return text;
      });
}

void printPair(llvm::raw_ostream &stream, int64_t index,
               const HostTensor &actual, const HostTensor &expected) {
  stream << formatIndex(actual, index) << ": " << formatElement(actual, index)
         << ", expected " << formatElement(expected, index);
}

llvm::json::Value toJsonNumber(double value) {
  if (std::isfinite(value))
    return value;
  return std::isnan(value) ? "nan" : value > 0 ? "inf" : "-inf";
}

llvm::json::Value toJsonIndex(int64_t index) {
  return index < 0 ? llvm::json::Value(nullptr) : llvm::json::Value(index);
}
} // namespace

void mlir::frit::printComparison(llvm::raw_ostream &stream,
                                 llvm::StringRef name,
                                 const Comparison &comparison,
                                 const HostTensor &actual,
                                 const HostTensor &expected) {
  const Tolerance &tolerance = comparison.options.tolerance;
  stream << name << ": " << comparison.spec.str() << ": "
         << (comparison.matches() ? "match" : "MISMATCH") << ", max abs error "
         << llvm::format("%.3g", comparison.maxAbsoluteError)
         << ", max rel error "
         << llvm::format("%.3g", comparison.maxRelativeError);
  if (isFloat(comparison.spec.type))
    stream << ", max " << comparison.maxUlps << " ulp";
  stream << ", " << comparison.numUnequal << " of " << comparison.numElements
         << " unequal, " << comparison.numZeroMismatched
         << " zero mask differences (atol "
         << llvm::format("%.3g", tolerance.absolute) << ", rtol "
         << llvm::format("%.3g", tolerance.relative)
         << (comparison.options.exactZeroMask ? ", exact zero mask" : "")
         << ")\n";
  if (comparison.matches())
    return;

  if (comparison.numMismatched != 0) {
    stream << "  " << comparison.numMismatched << " beyond the tolerance";
    if (comparison.numNanMismatched != 0)
      stream << " (" << comparison.numNanMismatched << " NaN on one side)";
    stream << "; the first at ";
    printPair(stream, comparison.firstMismatch, actual, expected);
    stream << "\n";
  }
  if (comparison.maxAbsoluteIndex >= 0) {
    stream << "  largest absolute error at ";
    printPair(stream, comparison.maxAbsoluteIndex, actual, expected);
    stream << "\n";
  }
  if (comparison.maxRelativeIndex >= 0) {
    stream << "  largest relative error at ";
    printPair(stream, comparison.maxRelativeIndex, actual, expected);
    stream << "\n";
  }
  if (comparison.options.exactZeroMask && comparison.numZeroMismatched != 0) {
    stream << "  zero mask: " << comparison.numZerosActual
           << " zeros, expected " << comparison.numZerosExpected
           << "; the first difference at ";
    printPair(stream, comparison.firstZeroMismatch, actual, expected);
    stream << "\n";
  }
}

llvm::json::Object mlir::frit::toJson(const Comparison &comparison) {
  return llvm::json::Object{
      {"type", comparison.spec.str()},
      {"matches", comparison.matches()},
      {"atol", toJsonNumber(comparison.options.tolerance.absolute)},
      {"rtol", toJsonNumber(comparison.options.tolerance.relative)},
      {"exact_zero_mask", comparison.options.exactZeroMask},
      {"elements", comparison.numElements},
      {"mismatched", comparison.numMismatched},
      {"first_mismatch", toJsonIndex(comparison.firstMismatch)},
      {"unequal", comparison.numUnequal},
      {"nan_mismatched", comparison.numNanMismatched},
      {"zero_mismatched", comparison.numZeroMismatched},
      {"zeros_actual", comparison.numZerosActual},
      {"zeros_expected", comparison.numZerosExpected},
      {"max_abs_error", toJsonNumber(comparison.maxAbsoluteError)},
      {"max_abs_index", toJsonIndex(comparison.maxAbsoluteIndex)},
      {"max_rel_error", toJsonNumber(comparison.maxRelativeError)},
      {"max_rel_index", toJsonIndex(comparison.maxRelativeIndex)},
      {"max_ulps", comparison.maxUlps},
      {"max_ulps_index", toJsonIndex(comparison.maxUlpsIndex)},
  };
}

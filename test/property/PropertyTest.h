//===- PropertyTest.h ----------------------------------------- -*- C++ -*-===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the property tests of all ops share: the loop over random programs, the
// routes, and text of types.
//
//===----------------------------------------------------------------------===//

#ifndef FRIT_TEST_PROPERTY_PROPERTYTEST_H
#define FRIT_TEST_PROPERTY_PROPERTYTEST_H

#include "Program.h"

#include "gtest/gtest.h"

#include <functional>

namespace mlir::frit::test {

/// A dimension of a program: known in its text, or another one at every call.
struct Dim {
  /// Of the text; -1 where the dimension is dynamic there.
  int64_t known = -1;
  int64_t low = 0;
  int64_t high = 0;

  static Dim random(Random &random, int64_t low, int64_t high,
                    double knownChance = 0.3);
  int64_t choose(Random &random) const {
    return known >= 0 ? known : random.integer(low, high);
  }
  /// "?" or the number, times a factor.
  std::string str(int64_t factor = 1) const;
};

/// "tensor<4x?xbf16>".
std::string tensorType(llvm::ArrayRef<std::string> dims, ElementType type);

/// A number as an f32 attribute reads it back exactly.
std::string floatText(float value);

/// A function compiled in all ways.
struct Compiled {
  struct Variant {
    Route route;
    std::unique_ptr<Program> program;
  };
  std::vector<Variant> variants;

  /// Null after a failure, which is reported.
  static std::unique_ptr<Compiled> compile(const std::string &text,
                                           Random &random);
};

/// Runs `body` for each program of a test whose share of all cases is `share`,
/// until one fails. It gets the number of cases to run.
void forEachProgram(
    double share, uint64_t test, int64_t casesPerProgram,
    const std::function<void(Random &random, int64_t cases)> &body);

/// Fills with normal numbers.
void fillNormal(Buffer &buffer, Random &random, double mean = 0,
                double deviation = 1);

/// Copies the elements.
void copyElements(const Buffer &from, Buffer &to);

inline std::string
nameOfType(const ::testing::TestParamInfo<ElementType> &info) {
  return getName(info.param).str();
}

} // namespace mlir::frit::test

#endif // FRIT_TEST_PROPERTY_PROPERTYTEST_H

//===- Random.h ----------------------------------------------- -*- C++ -*-===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Random choices of the property tests, and how many cases there are. A case is
// reproduced by the seed and the number of its program, which every failure
// shows.
//
//===----------------------------------------------------------------------===//

#ifndef FRIT_TEST_PROPERTY_RANDOM_H
#define FRIT_TEST_PROPERTY_RANDOM_H

#include <cstdint>
#include <initializer_list>
#include <random>

namespace mlir::frit::test {

/// From the environment: FRIT_PROPERTY_SEED (default 1; `random` takes one from
/// the system) and FRIT_PROPERTY_CASES (default 2400, of all tests together).
struct PropertyOptions {
  uint64_t seed;
  int64_t cases;

  static const PropertyOptions &get();
};

class Random {
public:
  /// Depends on its arguments alone.
  Random(uint64_t seed, uint64_t test, uint64_t program)
      : engine(mix(mix(mix(seed) + test) + program)) {}

  /// Uniform in [low, high].
  int64_t integer(int64_t low, int64_t high) {
    return low + static_cast<int64_t>(engine() %
                                      static_cast<uint64_t>(high - low + 1));
  }
  bool chance(double probability) {
    return static_cast<double>(engine() >> 11) * 0x1p-53 < probability;
  }
  double normal() { return distribution(engine); }
  template <typename T> T pick(std::initializer_list<T> values) {
    return values.begin()[integer(0, static_cast<int64_t>(values.size()) - 1)];
  }

private:
  static uint64_t mix(uint64_t x) {
    x += 0x9e3779b97f4a7c15;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
    x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
    return x ^ (x >> 31);
  }

  std::mt19937_64 engine;
  std::normal_distribution<double> distribution;
};

} // namespace mlir::frit::test

#endif // FRIT_TEST_PROPERTY_RANDOM_H

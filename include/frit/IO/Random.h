//===- Random.h -------------------------------------------------*- C++ -*-===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Tensors of random values that depend on the seed alone: neither on the number
// of threads nor on the order in which elements are made.
//
//===----------------------------------------------------------------------===//

#ifndef FRIT_IO_RANDOM_H
#define FRIT_IO_RANDOM_H

#include "frit/IO/HostTensor.h"

#include <array>

namespace mlir::frit {

/// Philox4x32-10 of Salmon, Moraes, Dror and Shaw, "Parallel random numbers:
/// as easy as 1, 2, 3" (2011): a keyed bijection of 128-bit counters. It is
/// the generator of C++26's std::philox4x32, which C++17 libraries lack.
std::array<uint32_t, 4> philox4x32(std::array<uint32_t, 4> counter,
                                   std::array<uint32_t, 2> key);

/// What the random values are.
struct RandomOptions {
  uint64_t seed = 0;
  /// Tensors of one seed and different streams are independent; frit-run uses
  /// the argument's position.
  uint64_t stream = 0;
  /// Values are uniform in [low, high), and floats then rounded to their type,
  /// which may give `high`. Without it floats are standard normal, and integers
  /// uniform in [-8, 8), for unsigned types in [0, 16), and in all of I1.
  std::optional<std::pair<int64_t, int64_t>> range;
};

/// Fills `tensor`. Normal values are Box and Muller's transform in double, then
/// one rounding to the type. Element i depends on (seed, stream, i) alone. An
/// error if the range is empty or leaves the element type.
llvm::Error fillRandom(HostTensor &tensor, const RandomOptions &options);

/// Parses a seed: a decimal integer in [0, 2^64). Negative numbers, fractions
/// and words (NaN) are refused with the text in the message.
llvm::Expected<uint64_t> parseSeed(llvm::StringRef text);

} // namespace mlir::frit

#endif // FRIT_IO_RANDOM_H

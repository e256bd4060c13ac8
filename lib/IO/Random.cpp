//===- Random.cpp ---------------------------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Philox, and the distributions on top of it.
//
//===----------------------------------------------------------------------===//

#include "frit/IO/Random.h"

#include "FileError.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"

#include <cmath>
#include <limits>

using namespace mlir::frit;

namespace {
struct Block {
  /// The 128 bits of one counter as two 64-bit numbers.
  uint64_t words[2];
};

Block getBlock(const RandomOptions &options, uint64_t index) {
  const std::array<uint32_t, 4> bits = philox4x32(
      {static_cast<uint32_t>(index), static_cast<uint32_t>(index >> 32),
       static_cast<uint32_t>(options.stream),
       static_cast<uint32_t>(options.stream >> 32)},
      {static_cast<uint32_t>(options.seed),
       static_cast<uint32_t>(options.seed >> 32)});
  return {{bits[0] | static_cast<uint64_t>(bits[1]) << 32,
           bits[2] | static_cast<uint64_t>(bits[3]) << 32}};
}

/// Two independent values, uniform in [0, 1): 53 bits each.
std::pair<double, double> getUniforms(Block block) {
  return {(block.words[0] >> 11) * 0x1p-53, (block.words[1] >> 11) * 0x1p-53};
}

/// Two independent standard normal values.
std::pair<double, double> getNormals(Block block) {
  auto [first, second] = getUniforms(block);
  // In (0, 1], because the logarithm is taken.
  first += 0x1p-53;
  const double radius = std::sqrt(-2 * std::log(first));
  const double angle = 2 * llvm::numbers::pi * second;
  return {radius * std::cos(angle), radius * std::sin(angle)};
}

using Range = std::pair<int64_t, int64_t>;

std::string describe(const Range &range) {
  return ("random range [" + llvm::Twine(range.first) + ", " +
          llvm::Twine(range.second) + "): ")
      .str();
}

llvm::Error checkOrder(const Range &range) {
  if (range.first < range.second)
    return llvm::Error::success();
  return makeError(describe(range), "expected the low end below the high end");
}

llvm::Error makeTypeError(const Range &range, const HostTensor &tensor) {
  return makeError(describe(range), "leaves the type ",
                   getName(tensor.getType()));
}

template <typename T> T toFloat(double value) {
  if constexpr (std::is_floating_point_v<T>)
    return static_cast<T>(value);
  else
    return T::fromDouble(value);
}

template <typename T> bool isFinite(double value) {
  if constexpr (std::is_floating_point_v<T>)
    return std::isfinite(toFloat<T>(value));
  else
    return std::isfinite(toFloat<T>(value).toDouble());
}

template <typename T>
llvm::Error fillFloats(HostTensor &tensor, const RandomOptions &options) {
  double low = 0;
  double width = 0;
  if (options.range) {
    if (llvm::Error error = checkOrder(*options.range))
      return error;
    low = static_cast<double>(options.range->first);
    const auto high = static_cast<double>(options.range->second);
    if (!isFinite<T>(low) || !isFinite<T>(high))
      return makeTypeError(*options.range, tensor);
    width = high - low;
  }
  T *data = tensor.getDataAs<T>();
  const int64_t count = tensor.getNumElements();
  const bool isContiguous = tensor.isContiguous();
  const auto store = [&](int64_t index, double value) {
    data[isContiguous ? index : tensor.getOffset(index)] = toFloat<T>(value);
  };
  for (int64_t i = 0; i < count; i += 2) {
    const Block block = getBlock(options, i / 2);
    auto [first, second] =
        options.range ? getUniforms(block) : getNormals(block);
    if (options.range) {
      first = low + width * first;
      second = low + width * second;
    }
    store(i, first);
    if (i + 1 < count)
      store(i + 1, second);
  }
  return llvm::Error::success();
}

/// The default range of T, and what it can hold, as [low, high).
template <typename T> Range getDefaultRange() {
  return std::is_signed_v<T> ? Range(-8, 8) : Range(0, 16);
}
template <> Range getDefaultRange<Bool8>() { return {0, 2}; }

template <typename T> bool holds(int64_t value) {
  if constexpr (std::is_same_v<T, Bool8>)
    return value == 0 || value == 1;
  else if constexpr (std::is_unsigned_v<T>)
    return value >= 0 &&
           static_cast<uint64_t>(value) <= std::numeric_limits<T>::max();
  else
    return value >= std::numeric_limits<T>::min() &&
           value <= std::numeric_limits<T>::max();
}

template <typename T>
llvm::Error fillIntegers(HostTensor &tensor, const RandomOptions &options) {
  const Range range = options.range.value_or(getDefaultRange<T>());
  if (llvm::Error error = checkOrder(range))
    return error;
  const auto [low, high] = range;
  if (!holds<T>(low) || !holds<T>(high - 1))
    return makeTypeError(range, tensor);
  const uint64_t width =
      static_cast<uint64_t>(high) - static_cast<uint64_t>(low);
  T *data = tensor.getDataAs<T>();
  const bool isContiguous = tensor.isContiguous();
  for (int64_t i = 0; i < tensor.getNumElements(); ++i) {
    const Block block = getBlock(options, i / 2);
    // The upper half of the 128-bit product maps 64 bits onto the width; the
    // bias is below width / 2^64.
    const auto offset = static_cast<uint64_t>(
        (static_cast<unsigned __int128>(block.words[i % 2]) * width) >> 64);
    const uint64_t value = static_cast<uint64_t>(low) + offset;
    T &slot = data[isContiguous ? i : tensor.getOffset(i)];
    if constexpr (std::is_same_v<T, Bool8>)
      slot.value = static_cast<uint8_t>(value);
    else
      slot = static_cast<T>(value);
  }
  return llvm::Error::success();
}
} // namespace

std::array<uint32_t, 4> mlir::frit::philox4x32(std::array<uint32_t, 4> counter,
                                               std::array<uint32_t, 2> key) {
  constexpr unsigned rounds = 10;
  for (unsigned round = 0; round < rounds; ++round) {
    const uint64_t even = uint64_t{0xd2511f53} * counter[0];
    const uint64_t odd = uint64_t{0xcd9e8d57} * counter[2];
    counter = {static_cast<uint32_t>(odd >> 32) ^ counter[1] ^ key[0],
               static_cast<uint32_t>(odd),
               static_cast<uint32_t>(even >> 32) ^ counter[3] ^ key[1],
               static_cast<uint32_t>(even)};
    // Weyl sequences of the golden ratio and of sqrt(3) - 1.
    key[0] += 0x9e3779b9;
    key[1] += 0xbb67ae85;
  }
  return counter;
}

llvm::Error mlir::frit::fillRandom(HostTensor &tensor,
                                   const RandomOptions &options) {
  return dispatchElementType(tensor.getType(), [&](auto element) {
    using T = decltype(element);
    if constexpr (std::is_same_v<T, Bool8> || std::is_integral_v<T>)
      return fillIntegers<T>(tensor, options);
    else
      return fillFloats<T>(tensor, options);
  });
}

llvm::Expected<uint64_t> mlir::frit::parseSeed(llvm::StringRef text) {
  uint64_t seed = 0;
  if (!llvm::all_of(text, llvm::isDigit) || text.getAsInteger(10, seed))
    return makeError("seed: expected an integer in [0, 2^64), found ",
                     quoteText(text));
  return seed;
}

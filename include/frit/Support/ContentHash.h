//===- ContentHash.h ------------------------------------------ -*- C++ -*-===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A hash by which data is recognized: the compiler writes it into code, and the
// runtime compares it with what it is given.
//
//===----------------------------------------------------------------------===//

#ifndef FRIT_SUPPORT_CONTENTHASH_H
#define FRIT_SUPPORT_CONTENTHASH_H

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace mlir::frit {

/// 64 bits that depend on each of `size` bytes and on their places. Tells data
/// from other data, also from what differs in one bit; no protection against
/// someone who wants two to be alike. Part of the format of compiled code, on
/// machines of the byte order of x86-64.
inline uint64_t hashContent(const void *data, size_t size) {
  constexpr uint64_t kFactor = 0x9E3779B97F4A7C15;
  // Lanes that do not wait for each other. Each step has an inverse, so that
  // two words that differ never give one state.
  constexpr size_t kLanes = 4;
  uint64_t lanes[kLanes] = {1, 2, 3, 4};
  auto take = [&](size_t lane, uint64_t word) {
    uint64_t value = (lanes[lane] ^ word) * kFactor;
    lanes[lane] = value << 29 | value >> 35;
  };
  const auto *bytes = static_cast<const char *>(data);
  size_t offset = 0;
  constexpr size_t kStep = kLanes * sizeof(uint64_t);
  for (; size - offset >= kStep; offset += kStep) {
    uint64_t words[kLanes];
    std::memcpy(words, bytes + offset, kStep);
    for (size_t lane = 0; lane < kLanes; ++lane)
      take(lane, words[lane]);
  }
  uint64_t rest[kLanes] = {};
  if (offset < size)
    std::memcpy(rest, bytes + offset, size - offset);
  uint64_t hash = size;
  for (size_t lane = 0; lane < kLanes; ++lane) {
    take(lane, rest[lane]);
    hash = (hash ^ lanes[lane]) * kFactor;
    hash ^= hash >> 32;
  }
  return hash;
}

} // namespace mlir::frit

#endif // FRIT_SUPPORT_CONTENTHASH_H

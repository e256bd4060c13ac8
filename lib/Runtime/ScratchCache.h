//===- ScratchCache.h
//--------------------------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The scratch memory of a context: blocks that are kept by size and reused.
//
//===----------------------------------------------------------------------===//

#ifndef FRIT_LIB_RUNTIME_SCRATCHCACHE_H
#define FRIT_LIB_RUNTIME_SCRATCHCACHE_H

#include "frit-c/Runtime.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <mutex>

namespace frit::runtime {

/// Stands right before the memory that the user of a block sees, on a cache
/// line of its own.
struct alignas(64) BlockHeader {
  BlockHeader *next = nullptr;
  BlockHeader *previous = nullptr;
  const class ScratchCache *owner = nullptr;
  /// What the system returned, and how many bytes of it the block takes.
  void *base = nullptr;
  uint64_t systemBytes = 0;
  uint32_t sizeClass = 0;
  bool inUse = false;

  void *getMemory() { return this + 1; }
  static BlockHeader *of(void *memory) {
    return static_cast<BlockHeader *>(memory) - 1;
  }
};

/// Thread-safe. Sizes are rounded up to classes, four for each power of two, so
/// that at most a quarter of a block is unused and a slowly changing size meets
/// the same class again.
class ScratchCache {
public:
  /// The largest size of a request.
  static constexpr uint64_t kMaxBytes = uint64_t(1) << 62;

  enum class Failure { None, TooLarge, BadAlignment, Limit, System };

  explicit ScratchCache(uint64_t limit) : limit(limit) {}
  ~ScratchCache();

  /// Memory for a request, or null and the reason.
  void *allocate(uint64_t bytes, uint64_t alignment, Failure &failure);

  /// False if the block is not in use or another cache's.
  bool free(void *memory);

  /// Takes back all blocks that are in use.
  void reclaim();

  /// Returns the blocks that are not in use to the system.
  void trim();

  FritScratchStatistics getStatistics();
  uint64_t getLimit() const { return limit; }

private:
  static constexpr uint32_t kNumClasses = 4 * 63;

  BlockHeader *takeKept(uint32_t sizeClass, uint64_t alignment);
  BlockHeader *takeFromSystem(uint32_t sizeClass, uint64_t alignment,
                              Failure &failure);
  void keep(BlockHeader *block);
  void trimLocked();

  const uint64_t limit;
  std::mutex mutex;
  std::array<BlockHeader *, kNumClasses> kept = {};
  BlockHeader *used = nullptr;
  FritScratchStatistics statistics = {};
};

} // namespace frit::runtime

#endif // FRIT_LIB_RUNTIME_SCRATCHCACHE_H

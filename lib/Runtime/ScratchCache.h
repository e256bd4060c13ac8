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

#include "BlockSource.h"

#include "frit-c/Runtime.h"

#include <array>
#include <cstdint>
#include <mutex>

namespace frit::runtime {

/// Thread-safe. Sizes are rounded up to classes, four for each power of two, so
/// that at most a quarter of a block is unused and a slowly changing size meets
/// the same class again.
class ScratchCache {
public:
  /// The largest size of a request.
  static constexpr uint64_t kMaxBytes = uint64_t(1) << 62;

  using Failure = BlockSource::Failure;

  ScratchCache(BlockSource &source, uint64_t limit)
      : source(source), limit(limit) {}
  ~ScratchCache() { clear(); }

  /// Whether a request is one that could be served: None, TooLarge or
  /// BadAlignment.
  static Failure checkRequest(uint64_t bytes, uint64_t alignment);

  /// The bytes of the block that a request gets.
  static uint64_t getKeptBytes(uint64_t bytes);

  /// Memory for a request, or null and the reason.
  void *allocate(uint64_t bytes, uint64_t alignment, Failure &failure);

  /// Keeps a block that is in use from being returned to the source before the
  /// cache's end.
  void pin(void *memory);

  /// False if the block is not in use or another cache's.
  bool free(void *memory);

  /// Takes back all blocks that are in use.
  void reclaim();

  /// Returns the blocks that are not in use, nor pinned, to the source.
  void trim();

  /// Takes back and returns all blocks.
  void clear();

  FritScratchStatistics getStatistics();
  uint64_t getLimit() const { return limit; }

private:
  static constexpr uint32_t kNumClasses = 4 * 63;

  BlockHeader *takeKept(uint32_t sizeClass, uint64_t alignment);
  BlockHeader *takeFromSource(uint32_t sizeClass, uint64_t alignment,
                              Failure &failure);
  bool exceedsLimit(uint64_t bytes) const;
  void keep(BlockHeader *block);
  void trimLocked(bool withPinned = false);

  BlockSource &source;
  const uint64_t limit;
  std::mutex mutex;
  std::array<BlockHeader *, kNumClasses> kept = {};
  BlockHeader *used = nullptr;
  FritScratchStatistics statistics = {};
};

/// Records why a cache refused a request; `memory` names its kind ("scratch"),
/// `fromSource` is the message for Failure::Source.
void reportScratchFailure(FritContext *context, ScratchCache &cache,
                          ScratchCache::Failure failure, const char *memory,
                          uint64_t bytes, uint64_t alignment,
                          FritStatus sourceStatus, const char *fromSource);

} // namespace frit::runtime

#endif // FRIT_LIB_RUNTIME_SCRATCHCACHE_H

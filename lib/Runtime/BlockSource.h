//===- BlockSource.h --------------------------------------------*- C++ -*-===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Where a scratch cache gets its blocks: host memory, or a device's.
//
//===----------------------------------------------------------------------===//

#ifndef FRIT_LIB_RUNTIME_BLOCKSOURCE_H
#define FRIT_LIB_RUNTIME_BLOCKSOURCE_H

#include <cstdint>

namespace frit::runtime {

/// What a cache knows about a block. On a cache line of its own, since host
/// blocks have it in front of their memory.
struct alignas(64) BlockHeader {
  BlockHeader *next = nullptr;
  BlockHeader *previous = nullptr;
  /// The cache that holds the block.
  const class ScratchCache *owner = nullptr;
  /// What the user of the block sees.
  void *memory = nullptr;
  /// What the source got, and how many bytes of it the block takes.
  void *base = nullptr;
  uint64_t systemBytes = 0;
  uint32_t sizeClass = 0;
  bool inUse = false;
  /// Never given back to the source before the cache's end.
  bool pinned = false;
};

class BlockSource {
public:
  /// Why a request failed. Source: the source knows.
  enum class Failure { None, TooLarge, BadAlignment, Limit, NoHeader, Source };

  virtual ~BlockSource() = default;

  /// The bytes that a block takes, with what alignment and header need.
  virtual uint64_t getBlockBytes(uint64_t bytes, uint64_t alignment) const = 0;

  /// Whether blocks can be got and given back at this time: None or Source.
  virtual Failure checkGrowth() { return Failure::None; }

  /// A block for `bytes` bytes, aligned to `alignment` (64 or more), with its
  /// memory, base and systemBytes; null where memory is short or the source
  /// fails. `isShort`: the former, so that giving other blocks back may help.
  virtual BlockHeader *allocate(uint64_t bytes, uint64_t alignment,
                                bool &isShort) = 0;

  virtual void release(BlockHeader *block) = 0;

  /// The block whose memory is at that address, as far as the address shows it;
  /// null if it cannot be one.
  virtual BlockHeader *find(void *memory) = 0;
};

} // namespace frit::runtime

#endif // FRIT_LIB_RUNTIME_BLOCKSOURCE_H

//===- ScratchCache.cpp
//------------------------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Allocates scratch memory.
//
//===----------------------------------------------------------------------===//

#include "ScratchCache.h"

#include "Context.h"

#include <algorithm>
#include <cinttypes>
#include <cstdio>

using namespace frit::runtime;

namespace {

constexpr uint64_t kMinBytes = 64;

/// How many classes above its own a request may be served from: one power of
/// two, so that blocks of a larger call serve a smaller one.
constexpr uint32_t kClassesAbove = 4;

/// Bits needed to write `value`.
uint32_t getBitWidth(uint64_t value) {
  return value == 0 ? 0 : 64 - __builtin_clzll(value);
}

/// The class of a size: 0 for up to kMinBytes, then classes 4k+1 .. 4k+4 cut
/// (64 * 2^k, 128 * 2^k] into quarters.
uint32_t getSizeClass(uint64_t bytes) {
  if (bytes <= kMinBytes)
    return 0;
  uint32_t power = getBitWidth(bytes - 1) - 7;
  uint64_t quarter = (kMinBytes / 4) << power;
  return 4 * power + 1 +
         static_cast<uint32_t>((bytes - 1 - (kMinBytes << power)) / quarter);
}

/// The bytes of a block of a class.
uint64_t getClassBytes(uint32_t sizeClass) {
  if (sizeClass == 0)
    return kMinBytes;
  uint32_t power = (sizeClass - 1) / 4;
  uint64_t quarter = (kMinBytes / 4) << power;
  return (kMinBytes << power) + quarter * ((sizeClass - 1) % 4 + 1);
}

bool isAligned(const void *memory, uint64_t alignment) {
  return (reinterpret_cast<uintptr_t>(memory) & (alignment - 1)) == 0;
}

void pushFront(BlockHeader *&list, BlockHeader *block) {
  block->previous = nullptr;
  block->next = list;
  if (list)
    list->previous = block;
  list = block;
}

void remove(BlockHeader *&list, BlockHeader *block) {
  if (block->next)
    block->next->previous = block->previous;
  if (block->previous)
    block->previous->next = block->next;
  else
    list = block->next;
}

} // namespace

void ScratchCache::clear() {
  reclaim();
  std::lock_guard<std::mutex> lock(mutex);
  trimLocked(/*withPinned=*/true);
}

BlockHeader *ScratchCache::takeKept(uint32_t sizeClass, uint64_t alignment) {
  uint32_t last = std::min(sizeClass + kClassesAbove, kNumClasses - 1);
  for (uint32_t i = sizeClass; i <= last; ++i) {
    for (BlockHeader *block = kept[i]; block; block = block->next) {
      if (!isAligned(block->memory, alignment))
        continue;
      remove(kept[i], block);
      return block;
    }
  }
  return nullptr;
}

bool ScratchCache::exceedsLimit(uint64_t bytes) const {
  return limit && bytes > limit - std::min(limit, statistics.bytesHeld);
}

BlockHeader *ScratchCache::takeFromSource(uint32_t sizeClass,
                                          uint64_t alignment,
                                          Failure &failure) {
  failure = source.checkGrowth();
  if (failure != Failure::None)
    return nullptr;
  uint64_t classBytes = getClassBytes(sizeClass);
  uint64_t bytes = source.getBlockBytes(classBytes, alignment);
  if (exceedsLimit(bytes))
    trimLocked();
  if (exceedsLimit(bytes)) {
    failure = Failure::Limit;
    return nullptr;
  }
  bool isShort = false;
  BlockHeader *block = source.allocate(classBytes, alignment, isShort);
  if (!block && isShort) {
    trimLocked();
    block = source.allocate(classBytes, alignment, isShort);
  }
  if (!block) {
    failure = Failure::Source;
    return nullptr;
  }
  block->owner = this;
  block->sizeClass = sizeClass;
  ++statistics.systemAllocations;
  statistics.bytesHeld += bytes;
  statistics.peakBytesHeld =
      std::max(statistics.peakBytesHeld, statistics.bytesHeld);
  return block;
}

ScratchCache::Failure ScratchCache::checkRequest(uint64_t bytes,
                                                 uint64_t alignment) {
  if (bytes > kMaxBytes)
    return Failure::TooLarge;
  if ((alignment & (alignment - 1)) != 0 ||
      alignment > FRIT_SCRATCH_MAX_ALIGNMENT)
    return Failure::BadAlignment;
  return Failure::None;
}

uint64_t ScratchCache::getKeptBytes(uint64_t bytes) {
  return getClassBytes(getSizeClass(bytes));
}

void *ScratchCache::allocate(uint64_t bytes, uint64_t alignment,
                             Failure &failure) {
  failure = checkRequest(bytes, alignment);
  if (failure != Failure::None)
    return nullptr;
  alignment = std::max<uint64_t>(alignment, alignof(BlockHeader));
  uint32_t sizeClass = getSizeClass(bytes);
  std::lock_guard<std::mutex> lock(mutex);
  BlockHeader *block = takeKept(sizeClass, alignment);
  if (!block)
    block = takeFromSource(sizeClass, alignment, failure);
  if (!block)
    return nullptr;
  block->inUse = true;
  pushFront(used, block);
  ++statistics.allocations;
  ++statistics.blocksInUse;
  return block->memory;
}

void ScratchCache::keep(BlockHeader *block) {
  remove(used, block);
  block->inUse = false;
  pushFront(kept[block->sizeClass], block);
  --statistics.blocksInUse;
}

bool ScratchCache::free(void *memory) {
  std::lock_guard<std::mutex> lock(mutex);
  BlockHeader *block = source.find(memory);
  if (!block || block->owner != this || !block->inUse)
    return false;
  keep(block);
  return true;
}

void ScratchCache::pin(void *memory) {
  std::lock_guard<std::mutex> lock(mutex);
  source.find(memory)->pinned = true;
}

void ScratchCache::reclaim() {
  std::lock_guard<std::mutex> lock(mutex);
  while (used)
    keep(used);
}

void ScratchCache::trim() {
  std::lock_guard<std::mutex> lock(mutex);
  trimLocked();
}

void ScratchCache::trimLocked(bool withPinned) {
  for (BlockHeader *&list : kept) {
    for (BlockHeader *block = list; block;) {
      BlockHeader *next = block->next;
      if (withPinned || !block->pinned) {
        remove(list, block);
        ++statistics.systemFrees;
        statistics.bytesHeld -= block->systemBytes;
        source.release(block);
      }
      block = next;
    }
  }
}

FritScratchStatistics ScratchCache::getStatistics() {
  std::lock_guard<std::mutex> lock(mutex);
  return statistics;
}

void frit::runtime::reportScratchFailure(
    FritContext *context, ScratchCache &cache, ScratchCache::Failure failure,
    const char *memory, uint64_t bytes, uint64_t alignment,
    FritStatus sourceStatus, const char *fromSource) {
  char message[192];
  FritStatus status = FRIT_STATUS_OUT_OF_MEMORY;
  switch (failure) {
  case ScratchCache::Failure::BadAlignment:
    status = FRIT_STATUS_INVALID_ARGUMENT;
    snprintf(message, sizeof(message),
             "%s alignment %" PRIu64 " is not a power of two of at most %zu",
             memory, alignment, FRIT_SCRATCH_MAX_ALIGNMENT);
    break;
  case ScratchCache::Failure::TooLarge:
    snprintf(message, sizeof(message),
             "a %s request of %" PRIu64
             " bytes is above the largest size, %" PRIu64,
             memory, bytes, ScratchCache::kMaxBytes);
    break;
  case ScratchCache::Failure::Limit:
    snprintf(message, sizeof(message),
             "a %s request of %" PRIu64
             " bytes exceeds the context's limit of %" PRIu64
             " bytes, of which %" PRIu64 " are held",
             memory, bytes, cache.getLimit(), cache.getStatistics().bytesHeld);
    break;
  case ScratchCache::Failure::NoHeader:
    snprintf(message, sizeof(message),
             "the system has no memory for the header of a %s block", memory);
    break;
  default:
    fritReportError(context, sourceStatus, fromSource);
    return;
  }
  fritReportError(context, status, message);
}

void *fritScratchAlloc(FritContext *context, uint64_t bytes,
                       uint64_t alignment) {
  if (!context)
    return nullptr;
  ScratchCache::Failure failure;
  if (void *memory = context->scratch.allocate(bytes, alignment, failure))
    return memory;
  char message[96];
  snprintf(message, sizeof(message),
           "the system has no memory for a scratch request of %" PRIu64
           " bytes",
           bytes);
  reportScratchFailure(context, context->scratch, failure, "scratch", bytes,
                       alignment, FRIT_STATUS_OUT_OF_MEMORY, message);
  return nullptr;
}

void fritScratchFree(FritContext *context, void *block) {
  if (context && block && !context->scratch.free(block))
    fritReportError(context, FRIT_STATUS_INVALID_ARGUMENT,
                    "a scratch block was freed that is not in use, or that "
                    "belongs to another context");
}

void fritScratchTrim(FritContext *context) {
  if (context)
    context->scratch.trim();
}

FritScratchStatistics fritScratchStatistics(FritContext *context) {
  return context ? context->scratch.getStatistics() : FritScratchStatistics{};
}

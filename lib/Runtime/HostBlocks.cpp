//===- HostBlocks.cpp -----------------------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Asks the system for scratch memory.
//
//===----------------------------------------------------------------------===//

#include "HostBlocks.h"

#include <algorithm>
#include <cstdlib>
#include <new>

using namespace frit::runtime;

/// The header takes the place in front of the first aligned address.
static uint64_t getLead(uint64_t alignment) {
  return std::max<uint64_t>(alignment, sizeof(BlockHeader));
}

uint64_t HostBlocks::getBlockBytes(uint64_t bytes, uint64_t alignment) const {
  return bytes + getLead(alignment);
}

BlockHeader *HostBlocks::allocate(uint64_t bytes, uint64_t alignment,
                                  bool &isShort) {
  uint64_t lead = getLead(alignment);
  uint64_t total = getBlockBytes(bytes, alignment);
  void *base = std::aligned_alloc(lead, (total + lead - 1) / lead * lead);
  isShort = !base;
  if (isShort)
    return nullptr;
  void *memory = static_cast<char *>(base) + lead;
  auto *block = new (static_cast<BlockHeader *>(memory) - 1) BlockHeader;
  block->memory = memory;
  block->base = base;
  block->systemBytes = total;
  return block;
}

void HostBlocks::release(BlockHeader *block) { std::free(block->base); }

BlockHeader *HostBlocks::find(void *memory) {
  if (reinterpret_cast<uintptr_t>(memory) % alignof(BlockHeader) != 0)
    return nullptr;
  return static_cast<BlockHeader *>(memory) - 1;
}

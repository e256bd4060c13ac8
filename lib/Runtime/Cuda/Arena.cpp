//===- Arena.cpp ----------------------------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Places requests in the arena, and grows it.
//
//===----------------------------------------------------------------------===//

#include "Arena.h"

#include "DeviceMemory.h"

#include <algorithm>
#include <new>

using namespace frit::runtime::cuda;

static uint64_t alignTo(uint64_t value, uint64_t alignment) {
  return (value + alignment - 1) & ~(alignment - 1);
}

Arena::Piece *Arena::takePiece() {
  if (!spare)
    return new (std::nothrow) Piece;
  Piece *piece = spare;
  spare = piece->next;
  return piece;
}

/// Takes a piece out of the list.
void Arena::release(Piece *&link) {
  Piece *piece = link;
  link = piece->next;
  if (piece->isSeparate)
    blocks.free(piece->memory);
  piece->next = spare;
  spare = piece;
  --piecesInUse;
}

void Arena::releaseBlock() {
  if (block)
    blocks.free(block);
  block = nullptr;
  capacity = 0;
}

/// Nothing is in use. The old block goes first, so that both need not fit.
Arena::Failure Arena::resize(uint64_t bytes) {
  releaseBlock();
  blocks.trim();
  Failure failure;
  block = blocks.allocate(bytes, kDeviceAlignment, failure);
  if (block)
    capacity = ScratchCache::getKeptBytes(bytes);
  return failure;
}

/// Nothing is in use. Room for a request that ends at `end`, and for more where
/// that is known to be needed and there is memory.
Arena::Failure Arena::growFor(uint64_t end) {
  uint64_t wanted = std::max(required, end);
  if (wanted <= capacity)
    return Failure::None;
  Failure failure = resize(wanted);
  if (failure == Failure::None || wanted == end)
    return failure;
  required = end;
  return resize(end);
}

void *Arena::allocate(uint64_t bytes, uint64_t alignment, bool capturing,
                      Failure &failure) {
  failure = ScratchCache::checkRequest(bytes, alignment);
  if (failure != Failure::None)
    return nullptr;
  // The block may lie anywhere: room for the alignment makes every place good.
  alignment = std::max<uint64_t>(alignment, kDeviceAlignment);
  uint64_t room = alignTo(std::max<uint64_t>(bytes, 1), kDeviceAlignment) +
                  (alignment - kDeviceAlignment);
  Piece **link = &used;
  uint64_t offset = 0;
  while (*link && (*link)->offset - offset < room) {
    offset = (*link)->offset + (*link)->bytes;
    link = &(*link)->next;
  }
  uint64_t end = offset + room;
  if (!used && !capturing)
    failure = growFor(end);
  if (failure != Failure::None)
    return nullptr;

  Piece *piece = takePiece();
  if (!piece) {
    failure = Failure::NoHeader;
    return nullptr;
  }
  bool isSeparate = end > capacity;
  void *memory = isSeparate
                     ? blocks.allocate(bytes, alignment, failure)
                     : toPointer(alignTo(toDevice(block) + offset, alignment));
  if (!memory) {
    piece->next = spare;
    spare = piece;
    return nullptr;
  }
  if (capturing)
    blocks.pin(isSeparate ? memory : block);
  *piece = {offset, room, memory, isSeparate, *link};
  *link = piece;
  required = std::max(required, end);
  ++allocations;
  ++piecesInUse;
  return memory;
}

bool Arena::free(void *memory) {
  for (Piece **link = &used; *link; link = &(*link)->next) {
    if ((*link)->memory == memory) {
      release(*link);
      return true;
    }
  }
  return false;
}

void Arena::reclaim() {
  while (used)
    release(used);
}

Arena::Failure Arena::settle() {
  return used || required <= capacity ? Failure::None : resize(required);
}

void Arena::trim() {
  if (!used) {
    releaseBlock();
    required = 0;
  }
  blocks.trim();
}

void Arena::clear() {
  reclaim();
  releaseBlock();
  required = 0;
  blocks.clear();
  while (spare) {
    Piece *piece = spare;
    spare = piece->next;
    delete piece;
  }
}

FritScratchStatistics Arena::getStatistics() {
  FritScratchStatistics statistics = blocks.getStatistics();
  statistics.allocations = allocations;
  statistics.blocksInUse = piecesInUse;
  return statistics;
}

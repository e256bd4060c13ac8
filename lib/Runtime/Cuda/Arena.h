//===- Arena.h --------------------------------------------------*- C++ -*-===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The scratch memory of a context's calls on its device: one block in which
// the buffers that are in use lie as a stack would have them.
//
//===----------------------------------------------------------------------===//

#ifndef FRIT_LIB_RUNTIME_CUDA_ARENA_H
#define FRIT_LIB_RUNTIME_CUDA_ARENA_H

#include "ScratchCache.h"

#include <cstdint>

namespace frit::runtime::cuda {

/// Not thread-safe, as a context.
///
/// A request is placed at the lowest offset that is free. Its place does not
/// depend on the size of the arena: what lies beyond the end gets a block of
/// its own, and when nothing is in use the next request has the arena grow to
/// all that was in use at once. So a call finds room that makes the requests of
/// an earlier one, in the same order and none of them larger, if each of them
/// frees its memory in reverse order.
class Arena {
public:
  using Failure = ScratchCache::Failure;

  /// Takes its memory from `blocks`, and nothing else does.
  explicit Arena(ScratchCache &blocks) : blocks(blocks) {}
  Arena(const Arena &) = delete;
  Arena &operator=(const Arena &) = delete;
  ~Arena() { clear(); }

  /// Memory for a request, or null and the reason. While the stream is being
  /// captured nothing grows, and what is given out stays until the arena's end,
  /// since a graph holds its address.
  void *allocate(uint64_t bytes, uint64_t alignment, bool capturing,
                 Failure &failure);

  /// False if that memory is not in use.
  bool free(void *memory);

  /// Takes back all memory that is in use.
  void reclaim();

  /// Makes room for all that was in use at once so far, unless something is.
  Failure settle();

  /// The size that settle gives the arena, in bytes.
  uint64_t getRequired() const { return required; }

  /// Returns what is not in use, nor part of a graph.
  void trim();

  /// Takes back and returns everything.
  void clear();

  FritScratchStatistics getStatistics();

private:
  /// Memory in use, in the order of the offsets.
  struct Piece {
    uint64_t offset = 0;
    uint64_t bytes = 0;
    void *memory = nullptr;
    /// Whether it has a block of its own.
    bool isSeparate = false;
    Piece *next = nullptr;
  };

  Piece *takePiece();
  void release(Piece *&link);
  void releaseBlock();
  Failure resize(uint64_t bytes);
  Failure growFor(uint64_t end);

  ScratchCache &blocks;
  void *block = nullptr;
  uint64_t capacity = 0;
  uint64_t required = 0;
  Piece *used = nullptr;
  /// Pieces for later requests.
  Piece *spare = nullptr;
  uint64_t allocations = 0;
  uint64_t piecesInUse = 0;
};

} // namespace frit::runtime::cuda

#endif // FRIT_LIB_RUNTIME_CUDA_ARENA_H

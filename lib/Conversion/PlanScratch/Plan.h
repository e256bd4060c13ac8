//===- Plan.h ---------------------------------------------------*- C++ -*-===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Places buffers whose lifetimes are known in one block of memory. Knows no
// IR.
//
//===----------------------------------------------------------------------===//

#ifndef FRIT_LIB_CONVERSION_PLANSCRATCH_PLAN_H
#define FRIT_LIB_CONVERSION_PLANSCRATCH_PLAN_H

#include "mlir/Support/LLVM.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"

#include <cstdint>
#include <optional>

namespace mlir::frit {

/// Alignment of every buffer in the block, in bytes: what a device's allocator
/// gives.
constexpr uint64_t kScratchAlignment = 256;

/// Most bytes of a buffer (for each unit of its dynamic sizes) that a plan
/// takes, so that sums of static sizes do not overflow.
constexpr uint64_t kMaxPlannedBytes = uint64_t(1) << 48;

/// A span of a function's ops, by their positions; both ends are in it.
struct Lifetime {
  uint32_t begin = 0;
  uint32_t end = 0;

  bool overlaps(const Lifetime &other) const {
    return begin <= other.end && other.begin <= end;
  }
};

struct PlannedBuffer {
  Lifetime lifetime;
  /// Bytes, or bytes for each unit of `extent`: at most kMaxPlannedBytes.
  uint64_t bytes = 0;
  /// Which product of dynamic sizes multiplies the bytes; none: a static size.
  std::optional<uint32_t> extent;
};

/// Memory that buffers of dynamic size take in turns: as large as the largest.
struct ScratchSlot {
  struct Size {
    uint32_t extent;
    uint64_t bytes;
  };
  /// One for each extent.
  SmallVector<Size, 2> sizes;
};

/// The block: `staticBytes` bytes, then the slots, each aligned.
struct ScratchPlan {
  struct Place {
    /// The slot of a buffer of dynamic size.
    std::optional<uint32_t> slot;
    /// Of a buffer of static size, from the block's start.
    uint64_t offset = 0;
  };
  uint64_t staticBytes = 0;
  SmallVector<ScratchSlot> slots;
  /// One for each buffer.
  SmallVector<Place> places;
};

/// Buffers whose lifetimes overlap do not share a byte. Static ones are placed
/// first-fit, the largest first. Dynamic ones share slots, preferably with
/// those of the same extent; so larger extents never need less.
ScratchPlan planScratch(ArrayRef<PlannedBuffer> buffers);

} // namespace mlir::frit

#endif // FRIT_LIB_CONVERSION_PLANSCRATCH_PLAN_H

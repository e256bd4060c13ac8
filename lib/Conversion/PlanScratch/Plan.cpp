//===- Plan.cpp -----------------------------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Places buffers of static size first-fit and those of dynamic size in slots.
//
//===----------------------------------------------------------------------===//

#include "Plan.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"
#include "llvm/Support/MathExtras.h"

#include <algorithm>
#include <tuple>

using namespace mlir;
using namespace mlir::frit;

namespace {

class Planner {
public:
  explicit Planner(ArrayRef<PlannedBuffer> buffers) : buffers(buffers) {
    plan.places.resize(buffers.size());
  }

  ScratchPlan run() {
    for (uint32_t buffer : getOrder())
      buffers[buffer].extent ? placeInSlot(buffer) : placeAtOffset(buffer);
    return std::move(plan);
  }

private:
  /// Large ones first: small ones fit in what those leave.
  SmallVector<uint32_t> getOrder() const {
    auto order = llvm::to_vector(llvm::seq<uint32_t>(0, buffers.size()));
    llvm::sort(order, [&](uint32_t lhs, uint32_t rhs) {
      return std::make_tuple(buffers[rhs].bytes, lhs) <
             std::make_tuple(buffers[lhs].bytes, rhs);
    });
    return order;
  }

  void placeAtOffset(uint32_t buffer) {
    const PlannedBuffer &placed = buffers[buffer];
    uint64_t bytes = llvm::alignTo<kScratchAlignment>(placed.bytes);
    // What is in the way, from low to high.
    SmallVector<uint32_t> others;
    for (uint32_t other : statics)
      if (buffers[other].lifetime.overlaps(placed.lifetime))
        others.push_back(other);
    llvm::sort(others, [&](uint32_t lhs, uint32_t rhs) {
      return plan.places[lhs].offset < plan.places[rhs].offset;
    });
    uint64_t offset = 0;
    for (uint32_t other : others) {
      uint64_t begin = plan.places[other].offset;
      if (offset + bytes <= begin)
        break;
      offset = std::max(offset, begin + llvm::alignTo<kScratchAlignment>(
                                            buffers[other].bytes));
    }
    plan.places[buffer].offset = offset;
    plan.staticBytes = std::max(plan.staticBytes, offset + bytes);
    statics.push_back(buffer);
  }

  void placeInSlot(uint32_t buffer) {
    const PlannedBuffer &placed = buffers[buffer];
    std::optional<uint32_t> chosen;
    for (auto [index, members] : llvm::enumerate(slotMembers)) {
      if (llvm::any_of(members, [&](uint32_t member) {
            return buffers[member].lifetime.overlaps(placed.lifetime);
          }))
        continue;
      if (findSize(plan.slots[index], *placed.extent)) {
        chosen = index;
        break;
      }
      if (!chosen)
        chosen = index;
    }
    if (!chosen) {
      chosen = plan.slots.size();
      plan.slots.emplace_back();
      slotMembers.emplace_back();
    }
    ScratchSlot &slot = plan.slots[*chosen];
    if (ScratchSlot::Size *size = findSize(slot, *placed.extent))
      size->bytes = std::max(size->bytes, placed.bytes);
    else
      slot.sizes.push_back({*placed.extent, placed.bytes});
    slotMembers[*chosen].push_back(buffer);
    plan.places[buffer].slot = chosen;
  }

  static ScratchSlot::Size *findSize(ScratchSlot &slot, uint32_t extent) {
    auto *size = llvm::find_if(slot.sizes, [&](const ScratchSlot::Size &size) {
      return size.extent == extent;
    });
    return size == slot.sizes.end() ? nullptr : size;
  }

  ArrayRef<PlannedBuffer> buffers;
  ScratchPlan plan;
  SmallVector<uint32_t> statics;
  SmallVector<SmallVector<uint32_t>> slotMembers;
};

} // namespace

ScratchPlan mlir::frit::planScratch(ArrayRef<PlannedBuffer> buffers) {
  return Planner(buffers).run();
}

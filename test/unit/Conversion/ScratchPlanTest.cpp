//===- ScratchPlanTest.cpp ------------------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Plans of scratch memory: buffers in use at the same time lie apart, for
// random lifetimes and sizes, and larger sizes never need less.
//
//===----------------------------------------------------------------------===//

#include "PlanScratch/Plan.h"
#include "Random.h"

#include "llvm/Support/MathExtras.h"
#include "gtest/gtest.h"

#include <algorithm>
#include <string>
#include <vector>

using namespace mlir::frit;
using mlir::frit::test::PropertyOptions;
using mlir::frit::test::Random;

namespace {

/// Where the buffers lie for given extents.
struct Layout {
  struct Range {
    uint64_t begin, end;
  };
  std::vector<Range> ranges;
  uint64_t bytes = 0;
};

uint64_t getBytes(const PlannedBuffer &buffer,
                  const std::vector<uint64_t> &extents) {
  return buffer.bytes * (buffer.extent ? extents[*buffer.extent] : 1);
}

/// As the pass computes it.
Layout layOut(const std::vector<PlannedBuffer> &buffers,
              const ScratchPlan &plan, const std::vector<uint64_t> &extents) {
  Layout layout;
  layout.bytes = plan.staticBytes;
  std::vector<uint64_t> starts;
  starts.reserve(plan.slots.size());
  for (const ScratchSlot &slot : plan.slots) {
    uint64_t largest = 0;
    for (auto [extent, bytes] : slot.sizes)
      largest = std::max(largest, bytes * extents[extent]);
    starts.push_back(layout.bytes);
    layout.bytes += llvm::alignTo<kScratchAlignment>(largest);
  }
  layout.ranges.reserve(buffers.size());
  for (size_t i = 0; i < buffers.size(); ++i) {
    const ScratchPlan::Place &place = plan.places[i];
    uint64_t begin = place.slot ? starts[*place.slot] : place.offset;
    layout.ranges.push_back({begin, begin + getBytes(buffers[i], extents)});
  }
  return layout;
}

void expectApart(const std::vector<PlannedBuffer> &buffers,
                 const Layout &layout) {
  for (size_t i = 0; i < buffers.size(); ++i) {
    const Layout::Range &range = layout.ranges[i];
    ASSERT_EQ(range.begin % kScratchAlignment, 0u);
    ASSERT_LE(range.end, layout.bytes) << "buffer " << i;
    for (size_t j = 0; j < i; ++j) {
      if (!buffers[i].lifetime.overlaps(buffers[j].lifetime))
        continue;
      ASSERT_TRUE(range.end <= layout.ranges[j].begin ||
                  layout.ranges[j].end <= range.begin)
          << "buffers " << j << " and " << i;
    }
  }
}

std::vector<PlannedBuffer> getRandomBuffers(Random &random,
                                            uint32_t numExtents) {
  std::vector<PlannedBuffer> buffers(random.integer(1, 40));
  for (PlannedBuffer &buffer : buffers) {
    auto begin = static_cast<uint32_t>(random.integer(0, 60));
    buffer.lifetime = {begin, begin + static_cast<uint32_t>(random.integer(
                                          0, random.pick({0, 3, 10, 60})))};
    buffer.bytes = random.integer(0, random.pick({1, 300, 5000, 100000}));
    if (random.chance(0.5))
      buffer.extent = static_cast<uint32_t>(random.integer(0, numExtents - 1));
  }
  return buffers;
}

} // namespace

TEST(ScratchPlanTest, RandomLifetimesShareNothing) {
  uint64_t seed = PropertyOptions::get().seed;
  for (uint64_t program = 0; program < 1000; ++program) {
    SCOPED_TRACE("FRIT_PROPERTY_SEED=" + std::to_string(seed) + ", case " +
                 std::to_string(program));
    Random random(seed, /*test=*/0x5c7a, program);
    auto numExtents = static_cast<uint32_t>(random.integer(1, 4));
    std::vector<PlannedBuffer> buffers = getRandomBuffers(random, numExtents);
    ScratchPlan plan = planScratch(buffers);
    std::vector<uint64_t> extents(numExtents), larger(numExtents);
    uint64_t separate = 0;
    for (uint32_t i = 0; i < numExtents; ++i) {
      extents[i] = random.integer(0, 50);
      larger[i] = extents[i] + random.integer(0, 50);
    }
    for (const PlannedBuffer &buffer : buffers)
      separate += llvm::alignTo<kScratchAlignment>(getBytes(buffer, extents));
    Layout layout = layOut(buffers, plan, extents);
    expectApart(buffers, layout);
    EXPECT_LE(layout.bytes, separate);
    EXPECT_LE(layout.bytes, layOut(buffers, plan, larger).bytes);
    if (HasFailure())
      return;
  }
}

TEST(ScratchPlanTest, StaticBuffersTakeWhatLivesAtOnce) {
  // A chain: each is in use with its neighbours only.
  std::vector<PlannedBuffer> buffers(100);
  for (uint32_t i = 0; i < buffers.size(); ++i)
    buffers[i] = {{2 * i, 2 * i + 2}, 1024, std::nullopt};
  EXPECT_EQ(planScratch(buffers).staticBytes, 2048u);
}

TEST(ScratchPlanTest, SmallBuffersFitInsideLargeOnes) {
  std::vector<PlannedBuffer> buffers = {
      {{0, 1}, 256, std::nullopt},  {{0, 1}, 256, std::nullopt},
      {{2, 3}, 1024, std::nullopt}, {{0, 1}, 300, std::nullopt},
      {{1, 2}, 100, std::nullopt},
  };
  EXPECT_EQ(planScratch(buffers).staticBytes, 1280u);
}

TEST(ScratchPlanTest, EqualExtentsShareFirst) {
  std::vector<PlannedBuffer> buffers = {
      {{0, 1}, 4096, 0}, {{0, 1}, 2048, 1}, {{2, 3}, 1024, 1}};
  ScratchPlan plan = planScratch(buffers);
  ASSERT_EQ(plan.slots.size(), 2u);
  EXPECT_EQ(plan.places[2].slot, plan.places[1].slot);
  ASSERT_EQ(plan.slots[*plan.places[1].slot].sizes.size(), 1u);
  EXPECT_EQ(plan.slots[*plan.places[1].slot].sizes[0].bytes, 2048u);
}

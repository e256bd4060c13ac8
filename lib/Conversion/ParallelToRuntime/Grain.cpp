//===- Grain.cpp
//-------------------------------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// How many iterations of a parallel loop are worth a thread.
//
//===----------------------------------------------------------------------===//

#include "ParallelToRuntime.h"

#include "frit/Dialect/Frit/IR/Frit.h"

#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Interfaces/LoopLikeInterface.h"

using namespace mlir;
using namespace mlir::frit;

/// Cost of a part that is worth handing to a thread, in executed operations:
/// some microseconds, several times what the hand-over costs.
static constexpr int64_t kWorthwhileCost = 16384;

/// Assumed iterations of a loop whose bounds are not known.
static constexpr int64_t kAssumedTripCount = 64;

/// The operations that a region executes, loops counted by their iterations,
/// of branches the one that executes most; at most kWorthwhileCost.
static int64_t getCost(Region &region) {
  int64_t cost = 0;
  for (Operation &op : region.getOps()) {
    int64_t nested = 0;
    bool isBranch = isa<scf::IfOp, scf::IndexSwitchOp>(op);
    for (Region &inner : op.getRegions()) {
      int64_t each = getCost(inner);
      nested = isBranch ? std::max(nested, each) : nested + each;
    }
    if (auto loop = dyn_cast<LoopLikeOpInterface>(op)) {
      int64_t tripCount = kAssumedTripCount;
      if (std::optional<APInt> known = loop.getStaticTripCount())
        tripCount =
            static_cast<int64_t>(known->getLimitedValue(kWorthwhileCost));
      nested *= tripCount;
    }
    cost = std::min(cost + 1 + nested, kWorthwhileCost);
  }
  return cost;
}

int64_t frit::getGrain(scf::ParallelOp op) {
  if (auto grain =
          op->getAttrOfType<IntegerAttr>(FritDialect::getGrainAttrName()))
    return grain.getInt();
  return std::max<int64_t>(1, kWorthwhileCost / getCost(op.getRegion()));
}

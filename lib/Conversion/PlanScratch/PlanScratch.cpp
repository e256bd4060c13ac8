//===- PlanScratch.cpp ----------------------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The pass frit-plan-scratch.
//
//===----------------------------------------------------------------------===//

#include "Lifetimes.h"
#include "Plan.h"
#include "Sizes.h"

#include "../Utils/ByteCount.h"

#include "frit/Conversion/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/Dominance.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/IR/Remarks.h"
#include "mlir/Interfaces/DataLayoutInterfaces.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

#include <map>

namespace mlir::frit {

#define GEN_PASS_DEF_PLANSCRATCHPASS
#include "frit/Conversion/Passes.h.inc"

namespace {

/// A size beyond which the runtime refuses any request; two of them and the
/// padding of one do not wrap around.
constexpr uint64_t kRefusedBytes = (uint64_t(1) << 62) + kScratchAlignment;

remark::RemarkOpts getRemarkOpts(StringRef name, FunctionOpInterface function) {
  return remark::RemarkOpts::name(name)
      .category("frit-plan-scratch")
      .function(function.getName());
}

/// A buffer that takes part, and what is known of it.
struct Candidate {
  memref::AllocOp alloc;
  memref::DeallocOp dealloc;
  PlannedBuffer planned;
};

/// The products of dynamic sizes: each a list of values, in any order.
class Extents {
public:
  uint32_t getIndex(SmallVector<Value> factors) {
    SmallVector<uint32_t> key;
    for (Value factor : factors)
      key.push_back(numbers.try_emplace(factor, numbers.size()).first->second);
    llvm::sort(key);
    auto [entry, isNew] = indices.try_emplace(key, products.size());
    if (isNew)
      products.push_back(std::move(factors));
    return entry->second;
  }
  ValueRange getFactors(uint32_t index) const { return products[index]; }

private:
  DenseMap<Value, uint32_t> numbers;
  std::map<SmallVector<uint32_t>, uint32_t> indices;
  SmallVector<SmallVector<Value>> products;
};

/// Replaces the buffers of a function.
class Emitter {
public:
  Emitter(Operation *point, const ScratchPlan &plan, const Extents &extents)
      : builder(point->getLoc(), point), plan(plan), extents(extents) {}

  void run(ArrayRef<Candidate> candidates) {
    SmallVector<Value> starts;
    Value end = constant(plan.staticBytes);
    for (const ScratchSlot &slot : plan.slots) {
      starts.push_back(toIndex(end));
      end = clamp(arith::AddIOp::create(builder, end, buildAlignedSize(slot)));
    }
    auto type =
        MemRefType::get({ShapedType::kDynamic}, builder.getIntegerType(8));
    auto scratch =
        memref::AllocOp::create(builder, type, ValueRange{toIndex(end)},
                                builder.getI64IntegerAttr(kScratchAlignment));
    for (auto [candidate, place] : llvm::zip_equal(candidates, plan.places)) {
      memref::AllocOp alloc = candidate.alloc;
      OpBuilder at(alloc);
      Value start =
          place.slot
              ? starts[*place.slot]
              : arith::ConstantIndexOp::create(at, alloc.getLoc(), place.offset)
                    .getResult();
      auto view =
          memref::ViewOp::create(at, alloc.getLoc(), alloc.getType(), scratch,
                                 start, alloc.getDynamicSizes());
      candidate.dealloc->erase();
      alloc.replaceAllUsesWith(view.getResult());
      alloc.erase();
    }
    builder.setInsertionPoint(builder.getInsertionBlock()->getTerminator());
    memref::DeallocOp::create(builder, scratch);
  }

private:
  Value constant(uint64_t value) {
    return arith::ConstantIntOp::create(builder, builder.getI64Type(),
                                        static_cast<int64_t>(value));
  }
  Value toIndex(Value value) {
    return arith::IndexCastOp::create(builder, builder.getIndexType(), value);
  }
  Value clamp(Value bytes) {
    return arith::MinUIOp::create(builder, bytes, constant(kRefusedBytes));
  }

  Value buildAlignedSize(const ScratchSlot &slot) {
    Value largest;
    for (auto [extent, bytes] : slot.sizes) {
      Value size = buildByteCount(builder, builder.getLoc(), bytes,
                                  extents.getFactors(extent));
      largest = largest ? arith::MaxUIOp::create(builder, largest, size) : size;
    }
    Value padded = arith::AddIOp::create(builder, clamp(largest),
                                         constant(kScratchAlignment - 1));
    return arith::AndIOp::create(builder, padded, constant(-kScratchAlignment));
  }

  ImplicitLocOpBuilder builder;
  const ScratchPlan &plan;
  const Extents &extents;
};

class PlanScratchPass : public impl::PlanScratchPassBase<PlanScratchPass> {
public:
  using PlanScratchPassBase::PlanScratchPassBase;

  void runOnOperation() override {
    FunctionOpInterface function = getOperation();
    if (function.isExternal())
      return;
    simplifyDims(function);
    SmallVector<Candidate> candidates = collect(function);
    if (candidates.empty())
      return;
    DominanceInfo dominance(function);
    // The first buffer's size is known in front of it, unless it is nested.
    Operation *point = nullptr;
    std::optional<Hoister> hoister;
    do {
      point = function.getFunctionBody().front().findAncestorOpInBlock(
          *candidates.front().alloc);
      hoister.emplace(point, dominance);
    } while (!keepHoistable(function, candidates, *hoister));
    if (candidates.empty())
      return;

    OpBuilder builder(point);
    Extents extents;
    SmallVector<PlannedBuffer> buffers;
    for (Candidate &candidate : candidates) {
      SmallVector<Value> factors;
      for (Value size : candidate.alloc.getDynamicSizes())
        factors.push_back(hoister->hoist(size, builder));
      if (!factors.empty())
        candidate.planned.extent = extents.getIndex(std::move(factors));
      buffers.push_back(candidate.planned);
    }
    ScratchPlan plan = planScratch(buffers);
    remark::analysis(function.getLoc(), getRemarkOpts("plan", function))
        << remark::add("{0} buffers share {1} bytes and {2} slots of dynamic "
                       "size",
                       buffers.size(), plan.staticBytes, plan.slots.size());
    Emitter(point, plan, extents).run(candidates);
    numPlanned += candidates.size();
  }

private:
  void keepSeparate(FunctionOpInterface function, memref::AllocOp alloc,
                    StringRef reason) {
    ++numSeparate;
    remark::missed(alloc.getLoc(), getRemarkOpts("separate", function))
        << remark::add("the buffer has an allocation of its own")
        << remark::reason("{0}", reason);
  }

  SmallVector<Candidate> collect(FunctionOpInterface function) {
    SmallVector<Candidate> candidates;
    Lifetimes lifetimes(function);
    DataLayout layout = DataLayout::closest(function);
    function.walk([&](memref::AllocOp alloc) {
      MemRefType type = alloc.getType();
      BufferLifetime known = lifetimes.get(alloc);
      if (known.unknown)
        return keepSeparate(function, alloc, known.unknown);
      if (!type.getLayout().isIdentity() || type.getMemorySpace() ||
          !alloc.getSymbolOperands().empty())
        return keepSeparate(function, alloc,
                            "it has a layout or a memory space");
      if (alloc.getAlignment().value_or(1) > kScratchAlignment)
        return keepSeparate(function, alloc, "its alignment is larger");
      std::optional<uint64_t> bytes =
          getStaticBytes(type, layout.getTypeSize(type.getElementType()));
      if (!bytes || *bytes > kMaxPlannedBytes)
        return keepSeparate(function, alloc, "its size is out of range");
      candidates.push_back(
          {alloc, known.dealloc, {known.lifetime, *bytes, {}}});
    });
    return candidates;
  }

  /// Leaves out the buffers whose sizes cannot be hoisted. False if the first
  /// is among them, and others are left: then the point may move.
  bool keepHoistable(FunctionOpInterface function,
                     SmallVectorImpl<Candidate> &candidates, Hoister &hoister) {
    memref::AllocOp first = candidates.front().alloc;
    llvm::erase_if(candidates, [&](Candidate &candidate) {
      memref::AllocOp alloc = candidate.alloc;
      OperandRange sizes = alloc.getDynamicSizes();
      const char *reason = nullptr;
      if (alloc->getParentOp() != function && !llvm::all_of(sizes, isSize))
        reason = "its size may have no meaning where it does not run";
      else if (!llvm::all_of(
                   sizes, [&](Value size) { return hoister.canHoist(size); }))
        reason = "its size is not known in front of the first buffer";
      if (reason)
        keepSeparate(function, alloc, reason);
      return reason != nullptr;
    });
    return candidates.empty() || candidates.front().alloc == first;
  }
};

} // namespace
} // namespace mlir::frit

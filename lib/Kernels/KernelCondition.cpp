//===- KernelCondition.cpp ------------------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Answers requirements at compile time, and makes the common conditions.
//
//===----------------------------------------------------------------------===//

#include "frit/Kernels/KernelCondition.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/AffineMap.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"
#include "mlir/Interfaces/ValueBoundsOpInterface.h"
#include "llvm/Support/FormatVariadic.h"

#include <numeric>

using namespace mlir;
using namespace mlir::frit;

using Kind = KernelRequirement::Kind;

KernelRequirement frit::requireAtLeast(const KernelShape &shape, StringRef size,
                                       int64_t least, MLIRContext *context) {
  return {shape.getSymbol(size, context), Kind::AtLeast, least,
          llvm::formatv("{0} to be at least {1}", size, least)};
}

static KernelTruth toTruth(bool value) {
  return value ? KernelTruth::Yes : KernelTruth::No;
}

static KernelTruth decideConstant(const KernelRequirement &requirement,
                                  int64_t number) {
  switch (requirement.kind) {
  case Kind::MultipleOf:
    return toTruth(number % requirement.value == 0);
  case Kind::AtMost:
    return toTruth(number <= requirement.value);
  case Kind::AtLeast:
    return toTruth(number >= requirement.value);
  case Kind::EqualTo:
    return toTruth(number == requirement.value);
  }
  llvm_unreachable("unknown kind of requirement");
}

/// True where a size is no longer an exact sum or multiple of other sizes that
/// value bounds could tell.
static bool isExactLeaf(Value value) {
  Operation *definition = value.getDefiningOp();
  if (isa<IndexType>(value.getType()))
    return !isa_and_nonnull<affine::AffineApplyOp, arith::AddIOp, arith::MulIOp,
                            arith::SubIOp, arith::ConstantOp, memref::DimOp,
                            tensor::DimOp>(definition);
  return !isa_and_nonnull<ValueBoundsOpInterface, DestinationStyleOpInterface>(
      definition);
}

/// The tensor whose shape `value` has because ops update it on the way. Value
/// bounds would follow them too, in a time that grows faster than their number.
static Value findStartOfUpdates(Value value) {
  while (auto op = value.getDefiningOp<DestinationStyleOpInterface>())
    value = op.getTiedOpOperand(cast<OpResult>(value))->get();
  return value;
}

namespace {
/// An expression over dimensions of values, in place of named sizes.
struct DimExpr {
  AffineExpr expr;
  SmallVector<std::pair<Value, int64_t>> dims;

  DimExpr(AffineExpr overSizes, const KernelShape &shape) {
    MLIRContext *context = overSizes.getContext();
    SmallVector<AffineExpr> sizes;
    for (const KernelExtent &extent : shape.getExtents()) {
      AffineExpr size = getAffineConstantExpr(extent.factor, context);
      for (auto [value, position] : extent.dynamicDims) {
        std::pair<Value, int64_t> dim(findStartOfUpdates(value), position);
        auto *it = llvm::find(dims, dim);
        size = size * getAffineSymbolExpr(it - dims.begin(), context);
        if (it == dims.end())
          dims.push_back(dim);
      }
      sizes.push_back(size);
    }
    expr = simplifyAffineExpr(overSizes.replaceSymbols(sizes), /*numDims=*/0,
                              dims.size());
  }

  ValueBoundsConstraintSet::Variable getVariable() const {
    SmallVector<ValueBoundsConstraintSet::Variable> operands;
    for (auto [value, dim] : dims)
      operands.emplace_back(value, dim);
    return {AffineMap::get(/*dimCount=*/0, dims.size(), expr), operands};
  }
};
} // namespace

/// Asks value bounds whether an expression is a multiple of `factor`.
static KernelTruth decideMultiple(const DimExpr &number, int64_t factor) {
  if (number.expr.isMultipleOf(factor))
    return KernelTruth::Yes;
  if (!number.expr.isPureAffine() ||
      llvm::all_of(number.dims, [](std::pair<Value, int64_t> dim) {
        return isExactLeaf(dim.first);
      }))
    return KernelTruth::Unknown;
  AffineMap bound;
  ValueDimList operands;
  if (failed(ValueBoundsConstraintSet::computeBound(
          bound, operands, presburger::BoundType::EQ, number.getVariable(),
          [](Value value, std::optional<int64_t>, ValueBoundsConstraintSet &) {
            return isExactLeaf(value);
          })))
    return KernelTruth::Unknown;
  AffineExpr expr = bound.getResult(0);
  if (auto constant = dyn_cast<AffineConstantExpr>(expr))
    return toTruth(constant.getValue() % factor == 0);
  return expr.isMultipleOf(factor) ? KernelTruth::Yes : KernelTruth::Unknown;
}

KernelTruth frit::decideRequirement(const KernelRequirement &requirement,
                                    const KernelShape &shape) {
  AffineExpr known = shape.substituteStatic(requirement.expr);
  if (auto constant = dyn_cast<AffineConstantExpr>(known))
    return decideConstant(requirement, constant.getValue());

  DimExpr number(known, shape);
  if (requirement.kind == Kind::MultipleOf)
    return decideMultiple(number, requirement.value);
  if (!number.expr.isPureAffine())
    return KernelTruth::Unknown;
  auto bound = [&](presburger::BoundType type) {
    return ValueBoundsConstraintSet::computeConstantBound(
        type, number.getVariable(), /*stopCondition=*/nullptr,
        /*closedUB=*/true);
  };
  FailureOr<int64_t> lower = bound(presburger::BoundType::LB);
  FailureOr<int64_t> upper = bound(presburger::BoundType::UB);
  int64_t value = requirement.value;
  bool isBelow = succeeded(upper) && *upper < value;
  bool isAbove = succeeded(lower) && *lower > value;
  bool isAtMost = succeeded(upper) && *upper <= value;
  bool isAtLeast = succeeded(lower) && *lower >= value;
  switch (requirement.kind) {
  case Kind::AtMost:
    return isAtMost  ? KernelTruth::Yes
           : isAbove ? KernelTruth::No
                     : KernelTruth::Unknown;
  case Kind::AtLeast:
    return isAtLeast ? KernelTruth::Yes
           : isBelow ? KernelTruth::No
                     : KernelTruth::Unknown;
  case Kind::EqualTo:
    return isAtMost && isAtLeast ? KernelTruth::Yes
           : isBelow || isAbove  ? KernelTruth::No
                                 : KernelTruth::Unknown;
  case Kind::MultipleOf:
    break;
  }
  llvm_unreachable("unknown kind of requirement");
}

std::string frit::describeSizes(const KernelRequirement &requirement,
                                const KernelShape &shape) {
  SmallVector<std::string> sizes;
  for (auto [position, extent] : llvm::enumerate(shape.getExtents())) {
    if (!requirement.expr.isFunctionOfSymbol(position))
      continue;
    if (std::optional<int64_t> size = extent.getStaticSize())
      sizes.push_back(llvm::formatv("{0} is {1}", extent.name, *size));
    else
      sizes.push_back(extent.name + " is known only at run time");
  }
  return llvm::join(sizes, " and ");
}

void frit::combineRequirements(
    SmallVectorImpl<KernelRequirement> &requirements) {
  SmallVector<KernelRequirement> combined;
  for (KernelRequirement &next : requirements) {
    auto *same = llvm::find_if(combined, [&](const KernelRequirement &other) {
      return other.expr == next.expr && other.kind == next.kind &&
             (other.kind != Kind::EqualTo || other.value == next.value);
    });
    if (same == combined.end()) {
      combined.push_back(std::move(next));
      continue;
    }
    if (same->kind == Kind::MultipleOf && next.value % same->value != 0 &&
        same->value % next.value != 0) {
      same->value = std::lcm(same->value, next.value);
      same->needs += " and " + next.needs;
      continue;
    }
    bool isTighter = same->kind == Kind::AtMost ? next.value < same->value
                                                : next.value > same->value;
    if (isTighter)
      *same = std::move(next);
  }
  requirements.assign(std::make_move_iterator(combined.begin()),
                      std::make_move_iterator(combined.end()));
}

static KernelCondition makeSizeCondition(StringRef id, StringRef size,
                                         Kind kind, int64_t value,
                                         StringRef relation) {
  std::string needs = llvm::formatv("{0} to be {1} {2}", size, relation, value);
  auto check = [size = size.str(), kind, value,
                needs](KernelOpInterface op, const KernelShape &shape) {
    AffineExpr expr = shape.getSymbol(size, op.getContext());
    if (!expr)
      return KernelFinding::notMet("needs " + needs +
                                   ", but the op has no size of that name");
    return KernelFinding{"", {KernelRequirement{expr, kind, value, needs}}};
  };
  return {id.str(), needs, check};
}

KernelCondition KernelCondition::multipleOf(StringRef id, StringRef size,
                                            int64_t value) {
  return makeSizeCondition(id, size, Kind::MultipleOf, value, "a multiple of");
}

KernelCondition KernelCondition::atMost(StringRef id, StringRef size,
                                        int64_t value) {
  return makeSizeCondition(id, size, Kind::AtMost, value, "at most");
}

KernelCondition KernelCondition::atLeast(StringRef id, StringRef size,
                                         int64_t value) {
  return makeSizeCondition(id, size, Kind::AtLeast, value, "at least");
}

KernelCondition KernelCondition::equalTo(StringRef id, StringRef size,
                                         int64_t value) {
  return makeSizeCondition(id, size, Kind::EqualTo, value, "exactly");
}

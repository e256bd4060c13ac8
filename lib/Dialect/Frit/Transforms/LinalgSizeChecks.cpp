//===- LinalgSizeChecks.cpp -----------------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Checks that the operands of a linalg op, which may be a user's own, agree on
// the size of each loop and hold every element that the loops reach.
//
//===----------------------------------------------------------------------===//

#include "RuntimeChecks.h"

#include "mlir/Dialect/Affine/Utils.h"

using namespace mlir;
using namespace mlir::frit;

/// The dimension that gives each loop its size. A verified op has one for each.
using LoopSizes = SmallVector<std::optional<NamedDim>>;

/// A dimension of an operand, numbered as in the op's ins and outs. Of the
/// value before casts: canonicalization gives operands the sizes of each other.
static NamedDim nameDim(linalg::LinalgOp op, OpOperand &operand, int64_t dim) {
  unsigned number = operand.getOperandNumber();
  std::string name =
      op.isDpsInput(&operand)
          ? "input " + std::to_string(number)
          : "output " + std::to_string(number - op.getNumDpsInputs());
  Value value = operand.get();
  while (auto cast = value.getDefiningOp<tensor::CastOp>()) {
    if (!isa<RankedTensorType>(cast.getSource().getType()))
      break;
    value = cast.getSource();
  }
  return {name, value, dim};
}

static void
forEachDim(linalg::LinalgOp op,
           function_ref<void(const NamedDim &dim, AffineExpr index)> body) {
  for (OpOperand &operand : op->getOpOperands())
    for (auto [dim, index] :
         llvm::enumerate(op.getMatchingIndexingMap(&operand).getResults()))
      body(nameDim(op, operand, dim), index);
}

/// The first dimension that a loop runs over, or the first whose size the type
/// says: the verifier has compared those with each other.
static LoopSizes findLoopSizes(linalg::LinalgOp op) {
  LoopSizes sizes(op.getNumLoops());
  forEachDim(op, [&](const NamedDim &dim, AffineExpr index) {
    auto loop = dyn_cast<AffineDimExpr>(index);
    if (!loop)
      return;
    std::optional<NamedDim> &size = sizes[loop.getPosition()];
    if (!size || (size->isDynamic() && !dim.isDynamic()))
      size = dim;
  });
  return sizes;
}

/// How an index changes as one loop goes on, whatever the others do.
enum class Trend { None, Rising, Falling, Unknown };

static Trend getTrend(AffineExpr index, unsigned loop) {
  if (!index.isFunctionOfDim(loop))
    return Trend::None;
  if (isa<AffineDimExpr>(index))
    return Trend::Rising;
  auto binary = cast<AffineBinaryOpExpr>(index);
  Trend left = getTrend(binary.getLHS(), loop);
  auto factor = dyn_cast<AffineConstantExpr>(binary.getRHS());
  switch (index.getKind()) {
  case AffineExprKind::Add: {
    Trend right = getTrend(binary.getRHS(), loop);
    if (right == Trend::None || right == left)
      return left;
    return left == Trend::None ? right : Trend::Unknown;
  }
  case AffineExprKind::Mul:
    if (!factor)
      return Trend::Unknown;
    if (factor.getValue() > 0 || left == Trend::Unknown)
      return left;
    return left == Trend::Rising ? Trend::Falling : Trend::Rising;
  case AffineExprKind::FloorDiv:
  case AffineExprKind::CeilDiv:
    return left;
  default:
    return Trend::Unknown;
  }
}

namespace {
/// The least and the greatest index that the loops of an op reach in one
/// dimension. Loops over which the index only rises or falls reach them at an
/// end; over others (as of a remainder) it is searched for.
class Reach {
public:
  Reach(CheckBuilder &checks, ArrayRef<Value> trips, AffineExpr index)
      : checks(checks), index(index) {
    Value zero = checks.constant(0);
    for (auto [loop, size] : llvm::enumerate(trips)) {
      Trend trend = getTrend(index, loop);
      Value last = trend == Trend::None
                       ? zero
                       : arith::SubIOp::create(checks.b, checks.loc, size,
                                               checks.constant(1));
      leastAt.push_back(trend == Trend::Falling ? last : zero);
      greatestAt.push_back(trend == Trend::Rising ? last : zero);
      if (trend == Trend::Unknown)
        searched.push_back(loop);
    }
    if (searched.empty())
      evaluate(checks.b);
    else
      search(trips);
  }

  Value getLeast() const { return least; }
  Value getGreatest() const { return greatest; }

private:
  void evaluate(OpBuilder &builder) {
    least = affine::expandAffineExpr(builder, checks.loc, index, leastAt, {});
    greatest =
        affine::expandAffineExpr(builder, checks.loc, index, greatestAt, {});
  }

  void search(ArrayRef<Value> trips) {
    SmallVector<Value> begins(searched.size(), checks.constant(0));
    SmallVector<Value> steps(searched.size(), checks.constant(1));
    SmallVector<Value> ends = llvm::map_to_vector(
        searched, [&](unsigned loop) { return trips[loop]; });
    // An index of 0 is asked for in any case.
    Value bounds[] = {begins.front(), begins.front()};
    scf::LoopNest nest = scf::buildLoopNest(
        checks.b, checks.loc, begins, ends, steps, bounds,
        [&](OpBuilder &builder, Location loc, ValueRange places,
            ValueRange found) -> scf::ValueVector {
          for (auto [loop, place] : llvm::zip_equal(searched, places))
            leastAt[loop] = greatestAt[loop] = place;
          evaluate(builder);
          return {arith::MinSIOp::create(builder, loc, found[0], least),
                  arith::MaxSIOp::create(builder, loc, found[1], greatest)};
        });
    least = nest.results[0];
    greatest = nest.results[1];
  }

  CheckBuilder &checks;
  AffineExpr index;
  /// The place of each loop where the index is least, and greatest.
  SmallVector<Value> leastAt;
  SmallVector<Value> greatestAt;
  SmallVector<unsigned> searched;
  Value least;
  Value greatest;
};
} // namespace

/// True where the op's verifier has compared all that there is: it looks at the
/// two ends of loops of known sizes.
static bool isVerified(const NamedDim &dim, AffineExpr index,
                       const LoopSizes &loopSizes) {
  if (dim.isDynamic())
    return false;
  for (auto [loop, size] : llvm::enumerate(loopSizes)) {
    Trend trend = getTrend(index, loop);
    if (trend != Trend::None && (trend != Trend::Rising || size->isDynamic()))
      return false;
  }
  return true;
}

/// A divisor that is not positive has no meaning, and lowering the op fails.
static bool hasMeaning(AffineExpr index) {
  bool valid = true;
  index.walk([&](AffineExpr part) {
    auto binary = dyn_cast<AffineBinaryOpExpr>(part);
    if (!binary || part.getKind() == AffineExprKind::Add ||
        part.getKind() == AffineExprKind::Mul)
      return;
    auto divisor = dyn_cast<AffineConstantExpr>(binary.getRHS());
    valid &= divisor && divisor.getValue() > 0;
  });
  return valid;
}

/// Checks that the indices of a dimension, as of a window that moves over an
/// image, are not negative and stay below its size.
static void checkReach(const NamedDim &dim, AffineExpr index,
                       const LoopSizes &loopSizes, CheckBuilder &checks) {
  if (isVerified(dim, index, loopSizes) || !hasMeaning(index))
    return;
  OpBuilder &b = checks.b;
  Value zero = checks.constant(0);
  Value isEmpty = arith::ConstantIntOp::create(b, checks.loc, 0, 1);
  SmallVector<Value> trips;
  for (const std::optional<NamedDim> &size : loopSizes) {
    trips.push_back(checks.sizeOf(*size));
    isEmpty = arith::OrIOp::create(b, checks.loc, isEmpty,
                                   checks.isEqual(trips.back(), zero));
  }
  Reach reach(checks, trips, index);
  Value needed = arith::AddIOp::create(b, checks.loc, reach.getGreatest(),
                                       checks.constant(1));
  needed = arith::SelectOp::create(b, checks.loc, isEmpty, zero, needed);
  Value least =
      arith::SelectOp::create(b, checks.loc, isEmpty, zero, reach.getLeast());
  checks.check(checks.isNotNegative(least),
               "the loops reach below " + dim.str());
  checks.check(checks.isAtMost(needed, checks.sizeOf(dim)),
               "the size that the loops need exceeds " + dim.str());
}

void frit::generateSizeChecks(linalg::LinalgOp op, CheckBuilder &checks) {
  LoopSizes loopSizes = findLoopSizes(op);
  forEachDim(op, [&](const NamedDim &dim, AffineExpr index) {
    auto loop = dyn_cast<AffineDimExpr>(index);
    if (!loop)
      return checkReach(dim, index, loopSizes, checks);
    const NamedDim &size = *loopSizes[loop.getPosition()];
    if (size.value != dim.value || size.dim != dim.dim)
      checks.checkSame(size, dim);
  });
}

//===- PackProjections.cpp ------------------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The pass frit-pack-projections: one matmul for all projections of one input.
//
//===----------------------------------------------------------------------===//

#include "../PlainConstants.h"
#include "../Raise/MatmulElement.h"
#include "../Raise/Raiser.h"
#include "../RemarkOptions.h"

#include "frit/Dialect/Frit/Transforms/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"

namespace mlir::frit {

#define GEN_PASS_DEF_PACKPROJECTIONSPASS
#include "frit/Dialect/Frit/Transforms/Passes.h.inc"

namespace {

/// A matmul of rows by the transpose of a weight.
struct Projection {
  OpResult result;
  Value x;
  Value weight;
  /// Null where the weight is no constant.
  ElementsAttr constant;

  RankedTensorType getType() const {
    return cast<RankedTensorType>(result.getType());
  }
};

/// The projection that a linalg op computes, with sums in f32 that start from
/// 0; none if it is another op.
std::optional<Projection> matchProjection(linalg::LinalgOp op) {
  if (!op.hasPureTensorSemantics() || op->getNumResults() != 1 ||
      op.getNumReductionLoops() != 1)
    return std::nullopt;
  auto type = dyn_cast<RankedTensorType>(op->getResult(0).getType());
  if (!type || type.getRank() != 2 || !type.getElementType().isF32() ||
      type.isDynamicDim(1))
    return std::nullopt;
  RowElement element = RowElement::of(RowTensor::ofLastAxis(op->getResult(0)));
  element.peel();
  std::optional<SumOfProducts> sum = matchSum(*element.walker, element.expr);
  if (!sum || !sum->type.isF32() || !sum->startsFromZero)
    return std::nullopt;
  for (auto [input, factor] :
       {std::pair(sum->lhs, sum->rhs), std::pair(sum->rhs, sum->lhs)}) {
    MatmulWeight weight;
    std::optional<MatmulWeight> wide;
    if (!matchWeights(element.with(factor), element.getColumn(),
                      element.getColumns(), sum->index, sum->extent, weight,
                      wide) ||
        weight.adapter || weight.isTransposed())
      continue;
    if (input->is<arith::ExtFOp>())
      input = input->getOperand(0);
    std::optional<RowTensor> x = element.with(input).getRowTensor(sum->index);
    auto weightType = cast<RankedTensorType>(weight.tensor.getType());
    auto xType = x ? x->getType() : RankedTensorType();
    if (!x || xType.getRank() != 2 || x->columnAxis != 1 ||
        !element.isCoveredBy(*x, sum->extent) ||
        weightType.getShape() !=
            ArrayRef<int64_t>({type.getDimSize(1), sum->extent.size}))
      continue;
    Projection projection{op->getResult(0), x->tensor, weight.tensor, {}};
    matchPattern(weight.tensor, m_Constant(&projection.constant));
    return projection;
  }
  return std::nullopt;
}

/// Whether two projections can be one matmul.
bool canPack(const Projection &lhs, const Projection &rhs) {
  return lhs.x == rhs.x &&
         lhs.result.getOwner()->getBlock() ==
             rhs.result.getOwner()->getBlock() &&
         getElementTypeOrSelf(lhs.weight.getType()) ==
             getElementTypeOrSelf(rhs.weight.getType());
}

/// The element-wise op on one tensor that is the only user of a value, such as
/// a truncation; null if there is none.
linalg::GenericOp getUnaryUser(Value value) {
  if (!value.hasOneUse())
    return {};
  auto op = dyn_cast<linalg::GenericOp>(*value.getUsers().begin());
  bool isUnary = op && op.getNumDpsInputs() == 1 && op.getNumDpsInits() == 1 &&
                 op.getDpsInputs().front() == value &&
                 op.hasPureTensorSemantics() &&
                 op.getNumReductionLoops() == 0 &&
                 llvm::all_of(op.getIndexingMapsArray(),
                              [](AffineMap map) { return map.isIdentity(); });
  if (!isUnary || !op.getBody()->getArguments().back().use_empty())
    return {};
  bool isLocal = llvm::all_of(*op.getBody(), [&](Operation &inner) {
    return !isa<linalg::IndexOp>(inner) &&
           llvm::all_of(inner.getOperands(), [&](Value operand) {
             return operand.getParentBlock() == op.getBody();
           });
  });
  return isLocal ? op : linalg::GenericOp();
}

bool haveEqualBodies(linalg::GenericOp lhs, linalg::GenericOp rhs) {
  return OperationEquivalence::isRegionEquivalentTo(
      &lhs.getRegion(), &rhs.getRegion(),
      OperationEquivalence::Flags::IgnoreLocations);
}

class PackProjectionsPass
    : public impl::PackProjectionsPassBase<PackProjectionsPass> {
public:
  using PackProjectionsPassBase::PackProjectionsPassBase;

  void runOnOperation() override {
    SmallVector<SmallVector<Projection>> groups;
    getOperation()->walk([&](linalg::LinalgOp op) {
      std::optional<Projection> projection = matchProjection(op);
      if (!projection)
        return;
      auto *group = llvm::find_if(groups, [&](const auto &other) {
        return canPack(other.front(), *projection);
      });
      if (group == groups.end())
        groups.push_back({*projection});
      else
        group->push_back(*projection);
    });
    bool isChanged = false;
    for (ArrayRef<Projection> group : groups)
      isChanged |= group.size() > 1 && packGroup(group);
    if (isChanged) {
      IRRewriter rewriter(&getContext());
      mergeLoraSlices(getOperation(), rewriter);
    }
  }

private:
  static remark::RemarkOpts getOpts(Operation *op) {
    return getRemarkOpts(op, "projections", "frit-pack-projections");
  }

  /// Packs the projections of a group that have constant weights, if there are
  /// several.
  bool packGroup(ArrayRef<Projection> group) {
    SmallVector<Projection> packable;
    for (const Projection &projection : group) {
      if (projection.constant && isPlain(projection.constant)) {
        packable.push_back(projection);
        continue;
      }
      remark::missed(projection.result.getLoc(),
                     getOpts(projection.result.getOwner()))
          << remark::reason("{0}", "its weight is not constant");
    }
    if (packable.size() < 2)
      return false;
    remark::passed(packable.front().result.getLoc(),
                   getOpts(packable.front().result.getOwner()))
        << remark::add("{0} projections of one input are one matmul",
                       packable.size());
    numPacked += packable.size();
    IRRewriter rewriter(&getContext());
    Value packed = buildMatmul(packable, rewriter);
    splitBehindUsers(packable, packed, rewriter);
    return true;
  }

  /// The matmul by all weights, before the first projection.
  static Value buildMatmul(ArrayRef<Projection> group, IRRewriter &rewriter) {
    const Projection &first = group.front();
    Location loc = first.result.getLoc();
    rewriter.setInsertionPoint(first.result.getOwner());
    ElementsAttr constant =
        concatRows(llvm::map_to_vector(group, [](const Projection &projection) {
          return projection.constant;
        }));
    Value weight = arith::ConstantOp::create(rewriter, loc, constant);
    auto type = cast<RankedTensorType>(weight.getType());
    OpFoldResult width = rewriter.getIndexAttr(type.getDimSize(0));
    Value transposedEmpty = tensor::EmptyOp::create(
        rewriter, loc,
        ArrayRef<int64_t>{type.getDimSize(1), type.getDimSize(0)},
        type.getElementType());
    Value transposed =
        linalg::TransposeOp::create(rewriter, loc, weight, transposedEmpty,
                                    ArrayRef<int64_t>{1, 0})
            ->getResult(0);
    Type f32 = rewriter.getF32Type();
    Value empty = tensor::EmptyOp::create(
        rewriter, loc, {tensor::getMixedSize(rewriter, loc, first.x, 0), width},
        f32);
    Value zero = arith::ConstantOp::create(rewriter, loc,
                                           rewriter.getF32FloatAttr(0.0f));
    Value init =
        linalg::FillOp::create(rewriter, loc, zero, empty).getResult(0);
    return linalg::MatmulOp::create(
               rewriter, loc, ValueRange{first.x, transposed}, ValueRange{init})
        ->getResult(0);
  }

  /// Puts the parts of the packed value in place of the projections, behind
  /// what is done to all of them alike.
  static void splitBehindUsers(ArrayRef<Projection> group, Value packed,
                               IRRewriter &rewriter) {
    SmallVector<Value> results = llvm::map_to_vector(
        group, [](const Projection &p) -> Value { return p.result; });
    for (;;) {
      SmallVector<linalg::GenericOp> users =
          llvm::map_to_vector(results, getUnaryUser);
      if (!llvm::all_of(users, [&](linalg::GenericOp user) {
            return user && haveEqualBodies(user, users.front());
          }))
        break;
      packed = clonePacked(users.front(), packed, rewriter);
      results = llvm::map_to_vector(users, [](linalg::GenericOp user) -> Value {
        return user.getResult(0);
      });
    }
    int64_t offset = 0;
    for (Value result : results) {
      Location loc = result.getLoc();
      auto type = cast<RankedTensorType>(result.getType());
      OpFoldResult rows = tensor::getMixedSize(rewriter, loc, packed, 0);
      SmallVector<OpFoldResult> offsets{rewriter.getIndexAttr(0),
                                        rewriter.getIndexAttr(offset)};
      SmallVector<OpFoldResult> sizes{
          rows, rewriter.getIndexAttr(type.getDimSize(1))};
      SmallVector<OpFoldResult> strides(2, rewriter.getIndexAttr(1));
      Value part = tensor::ExtractSliceOp::create(rewriter, loc, packed,
                                                  offsets, sizes, strides);
      if (part.getType() != type)
        part = tensor::CastOp::create(rewriter, loc, type, part);
      rewriter.replaceAllUsesWith(result, part);
      offset += type.getDimSize(1);
    }
    for (const Projection &projection : group)
      eraseDead(projection.result.getOwner(), rewriter);
  }

  /// A unary op of one projection, on all of them.
  static Value clonePacked(linalg::GenericOp op, Value packed,
                           IRRewriter &rewriter) {
    Location loc = op.getLoc();
    Value empty = tensor::EmptyOp::create(
        rewriter, loc, tensor::getMixedSizes(rewriter, loc, packed),
        getElementTypeOrSelf(op.getResult(0).getType()));
    auto clone = linalg::GenericOp::create(
        rewriter, loc, empty.getType(), packed, empty,
        op.getIndexingMapsArray(), op.getIteratorTypesArray());
    IRMapping mapping;
    op.getRegion().cloneInto(&clone.getRegion(), mapping);
    return clone.getResult(0);
  }

  /// Erases an op and the unary ops behind it, as far as nothing uses them.
  static void eraseDead(Operation *op, IRRewriter &rewriter) {
    SmallVector<Operation *> chain{op};
    while (linalg::GenericOp user = getUnaryUser(chain.back()->getResult(0)))
      chain.push_back(user);
    for (Operation *dead : llvm::reverse(chain))
      if (isOpTriviallyDead(dead))
        rewriter.eraseOp(dead);
  }
};

} // namespace
} // namespace mlir::frit

//===- GraphMutations.cpp -------------------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each mutation picks one place at random and changes it, or does nothing where
// the module has no such place. All of them keep a module valid.
//
//===----------------------------------------------------------------------===//

#include "GraphMutations.h"

#include "GraphPlaces.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/SmallPtrSet.h"

#include <cmath>

using namespace mlir;
using namespace mlir::frit::test;

namespace {

//===----------------------------------------------------------------------===//
// Numbers
//===----------------------------------------------------------------------===//

void multiply(OpOperand &operand, double factor) {
  OpBuilder builder(operand.getOwner());
  Location loc = operand.getOwner()->getLoc();
  Type type = operand.get().getType();
  Value number = arith::ConstantOp::create(builder, loc,
                                           builder.getFloatAttr(type, factor));
  operand.set(arith::MulFOp::create(builder, loc, operand.get(), number));
}

/// By a power of two at one place, and often by its inverse at another, so that
/// what lies between may overflow or be subnormal.
bool multiplyByPowers(ModuleOp module, Random &random) {
  OpOperand *first = pickFloat(module, random);
  OpOperand *second = pickFloat(module, random);
  if (!first || !second)
    return false;
  auto largest = [](Value value) { return value.getType().isF16() ? 15 : 120; };
  int64_t most = std::min(largest(first->get()), largest(second->get()));
  auto exponent = static_cast<int>(random.integer(1, most));
  if (random.chance(0.5))
    exponent = -exponent;
  bool isBack = second != first && random.chance(0.7);
  multiply(*first, std::ldexp(1, exponent));
  if (isBack)
    multiply(*second, std::ldexp(1, -exponent));
  return true;
}

/// A number that is near to a constant, or of its order.
bool changeConstant(ModuleOp module, Random &random) {
  OpOperand *operand = pickFloat(module, random);
  FloatAttr number;
  if (!operand || !matchPattern(operand->get(), m_Constant(&number)))
    return false;
  double factor =
      random.pick({1 + 0x1p-23, 1 - 0x1p-7, 1 + 0x1p-10, 1.5, 2.0, -1.0});
  OpBuilder builder(operand->getOwner());
  operand->set(arith::ConstantOp::create(
      builder, operand->getOwner()->getLoc(),
      builder.getFloatAttr(number.getType(),
                           number.getValueAsDouble() * factor)));
  return true;
}

bool subtract(ModuleOp module, Random &random) {
  auto op = pick<arith::AddFOp>(module, random, [](arith::AddFOp op) {
    auto generic = dyn_cast<linalg::GenericOp>(op->getParentOp());
    return generic && generic.getNumReductionLoops() == 0;
  });
  if (!op)
    return false;
  OpBuilder builder(op);
  Value difference =
      arith::SubFOp::create(builder, op.getLoc(), op.getLhs(), op.getRhs());
  op.replaceAllUsesWith(difference);
  op.erase();
  return true;
}

/// A sum that starts from 1.
bool startFromOne(ModuleOp module, Random &random) {
  auto op = pick<linalg::LinalgOp>(module, random, [](linalg::LinalgOp op) {
    return op.hasPureTensorSemantics() && op.getNumReductionLoops() != 0 &&
           op.getDpsInits().front().getDefiningOp<linalg::FillOp>();
  });
  if (!op)
    return false;
  OpBuilder builder(op);
  Location loc = op.getLoc();
  auto fill = op.getDpsInits().front().getDefiningOp<linalg::FillOp>();
  Type type = getElementTypeOrSelf(fill.getResult(0).getType());
  Value one =
      arith::ConstantOp::create(builder, loc, builder.getFloatAttr(type, 1));
  op.getDpsInitsMutable()[0].set(
      linalg::FillOp::create(builder, loc, one, fill.getOutputs()[0])
          .getResult(0));
  return true;
}

//===----------------------------------------------------------------------===//
// Precision
//===----------------------------------------------------------------------===//

/// A float tensor in f64, filled with 0.
Value createWideZeros(OpBuilder &builder, Location loc, Value like) {
  Type f64 = builder.getF64Type();
  Value zero =
      arith::ConstantOp::create(builder, loc, builder.getFloatAttr(f64, 0));
  Value empty = tensor::EmptyOp::create(
      builder, loc, tensor::getMixedSizes(builder, loc, like), f64);
  return linalg::FillOp::create(builder, loc, zero, empty).getResult(0);
}

Value truncate(OpBuilder &builder, Location loc, Value tensor, Type element) {
  auto type = cast<RankedTensorType>(tensor.getType());
  Value empty = tensor::EmptyOp::create(
      builder, loc, tensor::getMixedSizes(builder, loc, tensor), element);
  SmallVector<AffineMap> maps(2,
                              builder.getMultiDimIdentityMap(type.getRank()));
  SmallVector<utils::IteratorType> loops(type.getRank(),
                                         utils::IteratorType::parallel);
  auto cast = linalg::GenericOp::create(
      builder, loc, empty.getType(), tensor, empty, maps, loops,
      [&](OpBuilder &body, Location bodyLoc, ValueRange arguments) {
        Value narrow =
            arith::TruncFOp::create(body, bodyLoc, element, arguments.front());
        linalg::YieldOp::create(body, bodyLoc, narrow);
      });
  return cast.getResult(0);
}

bool isMatmul(Operation *op) {
  return isa<linalg::MatmulOp, linalg::BatchMatmulOp>(op);
}

/// The same kind of matmul on other operands, whose types may be others.
Value createMatmul(OpBuilder &builder, Operation *like, ValueRange inputs,
                   Value init) {
  Location loc = like->getLoc();
  if (isa<linalg::MatmulOp>(like))
    return linalg::MatmulOp::create(builder, loc, init.getType(), inputs, init)
        .getResult(0);
  return linalg::BatchMatmulOp::create(builder, loc, init.getType(), inputs,
                                       init)
      .getResult(0);
}

/// A matmul in f64. Its result is rounded before it is used, but not by other
/// matmuls: those round it themselves, or have their own turn here.
bool widenMatmul(ModuleOp module, Random &random) {
  auto op = pick<linalg::LinalgOp>(module, random, [&](linalg::LinalgOp op) {
    return isMatmul(op) &&
           getElementTypeOrSelf(op->getResult(0).getType()).isF32();
  });
  if (!op)
    return false;
  OpBuilder builder(op);
  Location loc = op.getLoc();
  Value result = op->getResult(0);
  Value wide =
      createMatmul(builder, op, op.getDpsInputs(),
                   createWideZeros(builder, loc, op.getDpsInits().front()));
  Value narrow = truncate(builder, loc, wide, builder.getF32Type());
  if (narrow.getType() != result.getType())
    narrow = tensor::CastOp::create(builder, loc, result.getType(), narrow);
  SmallVector<Operation *> users(result.getUsers());
  for (Operation *user :
       llvm::SmallPtrSet<Operation *, 4>(users.begin(), users.end())) {
    auto matmul = dyn_cast<linalg::LinalgOp>(user);
    if (!matmul || !isMatmul(user) || matmul.getDpsInits().front() == result)
      continue;
    SmallVector<Value> inputs(matmul.getDpsInputs());
    llvm::replace(inputs, result, wide);
    builder.setInsertionPoint(user);
    user->replaceAllUsesWith(ValueRange(
        createMatmul(builder, user, inputs, matmul.getDpsInits().front())));
    user->erase();
  }
  result.replaceAllUsesWith(narrow);
  op.erase();
  return true;
}

/// A step of a generic's body in f64, rounded at once.
bool widenBody(ModuleOp module, Random &random) {
  auto op = pick<Operation *>(module, random, [](Operation *op) {
    return isInBody(op) && isa<arith::AddFOp, arith::MulFOp>(op) &&
           !op->getResult(0).getType().isF64();
  });
  if (!op)
    return false;
  OpBuilder builder(op);
  Location loc = op->getLoc();
  Type f64 = builder.getF64Type();
  SmallVector<Value> operands;
  for (Value operand : op->getOperands())
    operands.push_back(arith::ExtFOp::create(builder, loc, f64, operand));
  OperationState state(loc, op->getName(), operands, f64);
  Value result = builder.create(state)->getResult(0);
  Value narrow =
      arith::TruncFOp::create(builder, loc, op->getResult(0).getType(), result);
  op->replaceAllUsesWith(ValueRange(narrow));
  op->erase();
  return true;
}

/// A step of a generic's body rounded to a type of 16 bits that is not its own,
/// and back.
bool roundBody(ModuleOp module, Random &random) {
  auto op = pick<Operation *>(module, random, [](Operation *op) {
    return isInBody(op) &&
           isa<arith::AddFOp, arith::SubFOp, arith::MulFOp, arith::DivFOp,
               math::SqrtOp, math::ErfOp, math::TanhOp>(op);
  });
  if (!op)
    return false;
  OpBuilder builder(op->getContext());
  builder.setInsertionPointAfter(op);
  Location loc = op->getLoc();
  Value result = op->getResult(0);
  Type type = result.getType(), f32 = builder.getF32Type();
  Type narrow = builder.getBF16Type();
  if (type.isBF16() || (!type.isF16() && random.chance(0.5)))
    narrow = builder.getF16Type();
  Operation *first = nullptr;
  Value value = result;
  auto cast = [&](Type to) {
    if (value.getType() == to)
      return;
    bool widens =
        value.getType().getIntOrFloatBitWidth() < to.getIntOrFloatBitWidth();
    value = widens
                ? arith::ExtFOp::create(builder, loc, to, value).getResult()
                : arith::TruncFOp::create(builder, loc, to, value).getResult();
    first = first ? first : value.getDefiningOp();
  };
  for (Type step : {f32, narrow, f32, type})
    cast(step);
  result.replaceAllUsesExcept(value, first);
  return true;
}

//===----------------------------------------------------------------------===//
// Parts of tensors
//===----------------------------------------------------------------------===//

/// Reads an input from the start of a larger tensor.
bool embedInput(ModuleOp module, Random &random) {
  OpOperand *operand = pickInput(module, random);
  if (!operand)
    return false;
  auto type = cast<RankedTensorType>(operand->get().getType());
  if (type.getRank() == 0 || !isa<FloatType>(type.getElementType()))
    return false;
  OpBuilder builder(operand->getOwner());
  Location loc = operand->getOwner()->getLoc();
  SmallVector<OpFoldResult> sizes =
      tensor::getMixedSizes(builder, loc, operand->get());
  SmallVector<OpFoldResult> larger = sizes;
  int64_t axis = random.integer(0, type.getRank() - 1);
  if (type.isDynamicDim(axis)) {
    Value two = arith::ConstantIndexOp::create(builder, loc, 2);
    larger[axis] =
        arith::AddIOp::create(builder, loc, cast<Value>(sizes[axis]), two)
            .getResult();
  } else {
    larger[axis] = builder.getIndexAttr(type.getDimSize(axis) + 2);
  }
  Value three = arith::ConstantOp::create(
      builder, loc, builder.getFloatAttr(type.getElementType(), 3));
  Value empty =
      tensor::EmptyOp::create(builder, loc, larger, type.getElementType());
  Value filled =
      linalg::FillOp::create(builder, loc, three, empty).getResult(0);
  SmallVector<OpFoldResult> starts(type.getRank(), builder.getIndexAttr(0));
  SmallVector<OpFoldResult> strides(type.getRank(), builder.getIndexAttr(1));
  Value inserted = tensor::InsertSliceOp::create(
      builder, loc, operand->get(), filled, starts, sizes, strides);
  operand->set(tensor::ExtractSliceOp::create(builder, loc, type, inserted,
                                              starts, sizes, strides));
  return true;
}

/// Extracts an element of an input in the body of the generic.
bool extractInput(ModuleOp module, Random &random) {
  OpOperand *operand = pickInput(module, random);
  if (!operand)
    return false;
  auto op = cast<linalg::GenericOp>(operand->getOwner());
  AffineMap map = op.getMatchingIndexingMap(operand);
  BlockArgument argument = op.getMatchingBlockArgument(operand);
  if (argument.use_empty() || !map.isProjectedPermutation() ||
      !isa<FloatType>(argument.getType()))
    return false;
  OpBuilder builder = OpBuilder::atBlockBegin(op.getBody());
  SmallVector<Value> indices;
  for (AffineExpr index : map.getResults())
    indices.push_back(linalg::IndexOp::create(
        builder, op.getLoc(), cast<AffineDimExpr>(index).getPosition()));
  argument.replaceAllUsesWith(
      tensor::ExtractOp::create(builder, op.getLoc(), operand->get(), indices));
  return true;
}

/// Has an op write to one column of a tensor with more, and reads that one or
/// another.
bool writeColumn(ModuleOp module, Random &random) {
  auto isColumn = [](linalg::GenericOp op) {
    AffineMap map = op.getIndexingMapsArray().back();
    return op.hasPureTensorSemantics() && op.getNumDpsInits() == 1 &&
           map.getNumResults() != 0 &&
           isa<AffineConstantExpr>(map.getResults().back()) &&
           cast<RankedTensorType>(op.getResult(0).getType())
                   .getShape()
                   .back() == 1 &&
           op.getDpsInits().front().getDefiningOp<linalg::FillOp>();
  };
  auto op = pick<linalg::GenericOp>(module, random, isColumn);
  if (!op)
    return false;
  OpBuilder builder(op);
  Location loc = op.getLoc();
  auto fill = op.getDpsInits().front().getDefiningOp<linalg::FillOp>();
  Value init = fill.getResult(0);
  auto type = cast<RankedTensorType>(init.getType());
  SmallVector<OpFoldResult> sizes = tensor::getMixedSizes(builder, loc, init);
  SmallVector<OpFoldResult> larger = sizes;
  larger.back() = builder.getIndexAttr(4);
  Value empty =
      tensor::EmptyOp::create(builder, loc, larger, type.getElementType());
  Value filled =
      linalg::FillOp::create(builder, loc, fill.getInputs()[0], empty)
          .getResult(0);
  SmallVector<Value> operands(op.getDpsInputs());
  operands.push_back(filled);
  Operation *wide = clone(builder, op, filled.getType(), operands);
  SmallVector<OpFoldResult> starts(type.getRank(), builder.getIndexAttr(0));
  SmallVector<OpFoldResult> strides(type.getRank(), builder.getIndexAttr(1));
  starts.back() = builder.getIndexAttr(random.integer(0, 1));
  op->replaceAllUsesWith(ValueRange(tensor::ExtractSliceOp::create(
      builder, loc, cast<RankedTensorType>(op.getResult(0).getType()),
      wide->getResult(0), starts, sizes, strides)));
  op.erase();
  return true;
}

/// Leaves out the last term of the sums of a matmul.
bool shortenSum(ModuleOp module, Random &random) {
  auto op = pick<linalg::LinalgOp>(module, random, [](linalg::LinalgOp op) {
    return isa<linalg::MatmulOp, linalg::BatchMatmulOp>(op) &&
           op.hasPureTensorSemantics();
  });
  if (!op)
    return false;
  SmallVector<unsigned> loops;
  op.getReductionDims(loops);
  AffineExpr loop = getAffineDimExpr(loops.front(), op.getContext());
  OpBuilder builder(op);
  for (OpOperand *operand : op.getDpsInputOperands()) {
    Value tensor = operand->get();
    auto type = cast<RankedTensorType>(tensor.getType());
    std::optional<unsigned> axis =
        op.getMatchingIndexingMap(operand).getResultPosition(loop);
    if (!axis || type.isDynamicDim(*axis) || type.getDimSize(*axis) < 2)
      return false;
  }
  for (OpOperand *operand : op.getDpsInputOperands()) {
    Value tensor = operand->get();
    auto type = cast<RankedTensorType>(tensor.getType());
    unsigned axis = *op.getMatchingIndexingMap(operand).getResultPosition(loop);
    SmallVector<OpFoldResult> sizes =
        tensor::getMixedSizes(builder, op.getLoc(), tensor);
    sizes[axis] = builder.getIndexAttr(type.getDimSize(axis) - 1);
    SmallVector<OpFoldResult> starts(type.getRank(), builder.getIndexAttr(0));
    SmallVector<OpFoldResult> strides(type.getRank(), builder.getIndexAttr(1));
    operand->set(tensor::ExtractSliceOp::create(builder, op.getLoc(), tensor,
                                                starts, sizes, strides));
  }
  return true;
}

struct Mutation {
  const char *name;
  bool (*apply)(ModuleOp, Random &);
};

constexpr Mutation kMutations[] = {
    {"multiply-by-powers", multiplyByPowers},
    {"multiply-by-powers", multiplyByPowers},
    {"change-constant", changeConstant},
    {"subtract", subtract},
    {"start-from-one", startFromOne},
    {"widen-matmul", widenMatmul},
    {"widen-body", widenBody},
    {"round-body", roundBody},
    {"round-body", roundBody},
    {"embed-input", embedInput},
    {"extract-input", extractInput},
    {"write-column", writeColumn},
    {"shorten-sum", shortenSum},
};

} // namespace

std::string frit::test::mutateRandomly(ModuleOp module, Random &random,
                                       int64_t count) {
  // A place may be missing.
  constexpr int64_t attempts = 16;
  std::string done;
  int64_t made = 0;
  for (int64_t i = 0; i < attempts && made < count; ++i) {
    const Mutation &mutation = kMutations[random.integer(
        0, static_cast<int64_t>(std::size(kMutations)) - 1)];
    if (!mutation.apply(module, random))
      continue;
    ++made;
    done += std::string(done.empty() ? "" : ", ") + mutation.name;
  }
  return done;
}

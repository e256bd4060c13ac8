//===- Outlining.cpp
//---------------------------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Moves the bodies of parallel loops into functions of their own.
//
//===----------------------------------------------------------------------===//

#include "ParallelToRuntime.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Transforms/RegionUtils.h"

using namespace mlir;
using namespace mlir::frit;

namespace {

/// One dimension of a parallel loop.
struct Dimension {
  Value lowerBound, step;
  /// Number of iterations, an index that is 0 or more.
  Value tripCount;
};

/// Builds the function that runs a range of the iterations of a loop.
class BodyBuilder {
public:
  BodyBuilder(scf::ParallelOp op, func::FuncOp function)
      : op(op), function(function), loc(op.getLoc()),
        builder(OpBuilder::atBlockBegin(function.addEntryBlock())) {}

  /// Moves the loop's body; `captures` are the closure's values, `constants`
  /// the results of operations to repeat.
  void build(const Closure &closure, ArrayRef<Value> captures,
             ArrayRef<Value> constants, ArrayRef<Dimension> dimensions);

private:
  void buildLoops(ArrayRef<Dimension> dimensions);
  void moveBody(ValueRange indices);
  void placeAllocas();

  Value buildIndex(const Dimension &dimension, Value iteration) {
    Value scaled = builder.createOrFold<arith::MulIOp>(
        loc, iteration, mapping.lookup(dimension.step));
    return builder.createOrFold<arith::AddIOp>(
        loc, scaled, mapping.lookup(dimension.lowerBound));
  }

  scf::ParallelOp op;
  func::FuncOp function;
  Location loc;
  OpBuilder builder;
  IRMapping mapping;
};

} // namespace

void BodyBuilder::build(const Closure &closure, ArrayRef<Value> captures,
                        ArrayRef<Value> constants,
                        ArrayRef<Dimension> dimensions) {
  mapping.map(*getContextArgument(op), function.getArgument(0));
  for (Value constant : constants)
    if (!mapping.contains(constant))
      builder.clone(*constant.getDefiningOp(), mapping);
  mapping.map(captures,
              closure.buildLoad(builder, loc, function.getArgument(1)));
  Value status =
      arith::ConstantIntOp::create(builder, loc, builder.getI32Type(), 0);
  auto returnOp = func::ReturnOp::create(builder, loc, status);
  builder.setInsertionPoint(returnOp);
  buildLoops(dimensions);
  placeAllocas();
}

/// Loops over the range. All dimensions but the innermost are one loop here,
/// whose index is taken apart; the innermost is a loop that covers the part of
/// it that is in the range.
void BodyBuilder::buildLoops(ArrayRef<Dimension> dimensions) {
  auto toIndex = [&](Value value) {
    return arith::IndexCastOp::create(builder, loc, builder.getIndexType(),
                                      value)
        .getResult();
  };
  Value begin = toIndex(function.getArgument(2));
  Value end = toIndex(function.getArgument(3));
  Value zero = arith::ConstantIndexOp::create(builder, loc, 0);
  Value one = arith::ConstantIndexOp::create(builder, loc, 1);

  if (dimensions.size() == 1) {
    auto loop = scf::ForOp::create(builder, loc, begin, end, one);
    builder.setInsertionPointToStart(loop.getBody());
    moveBody(buildIndex(dimensions.front(), loop.getInductionVar()));
    return;
  }

  Value length = mapping.lookup(dimensions.back().tripCount);
  Value firstRow = arith::DivUIOp::create(builder, loc, begin, length);
  Value last = arith::SubIOp::create(builder, loc, end, one);
  Value lastRow = arith::DivUIOp::create(builder, loc, last, length);
  Value endRow = arith::AddIOp::create(builder, loc, lastRow, one);
  auto rowLoop = scf::ForOp::create(builder, loc, firstRow, endRow, one);
  builder.setInsertionPointToStart(rowLoop.getBody());

  Value row = rowLoop.getInductionVar();
  SmallVector<Value> indices(dimensions.size());
  Value rest = row;
  for (size_t i = dimensions.size() - 2; i > 0; --i) {
    Value tripCount = mapping.lookup(dimensions[i].tripCount);
    Value iteration = arith::RemUIOp::create(builder, loc, rest, tripCount);
    rest = arith::DivUIOp::create(builder, loc, rest, tripCount);
    indices[i] = buildIndex(dimensions[i], iteration);
  }
  indices[0] = buildIndex(dimensions[0], rest);

  Value rowStart = arith::MulIOp::create(builder, loc, row, length);
  Value from = arith::SubIOp::create(builder, loc, begin, rowStart);
  from = arith::MaxSIOp::create(builder, loc, from, zero);
  Value to = arith::SubIOp::create(builder, loc, end, rowStart);
  to = arith::MinSIOp::create(builder, loc, to, length);
  auto columnLoop = scf::ForOp::create(builder, loc, from, to, one);
  builder.setInsertionPointToStart(columnLoop.getBody());
  indices.back() = buildIndex(dimensions.back(), columnLoop.getInductionVar());
  moveBody(indices);
}

/// Moves the operations of the loop to the insertion point.
void BodyBuilder::moveBody(ValueRange indices) {
  Block *body = op.getBody();
  body->getTerminator()->erase();
  for (auto [argument, index] : llvm::zip_equal(body->getArguments(), indices))
    argument.replaceAllUsesWith(index);
  body->walk([&](Operation *nested) {
    for (OpOperand &operand : nested->getOpOperands())
      if (Value mapped = mapping.lookupOrNull(operand.get()))
        operand.set(mapped);
  });
  builder.getInsertionBlock()->getOperations().splice(
      builder.getInsertionPoint(), body->getOperations());
}

/// Keeps stack memory from growing with the iterations: buffers of a fixed size
/// move to the start of the function, and an iteration that has others gives
/// back what it took.
void BodyBuilder::placeAllocas() {
  Block *iteration = builder.getInsertionBlock();
  bool hasOthers = false;
  iteration->walk<WalkOrder::PreOrder>([&](Operation *nested) {
    if (isa<memref::AllocaScopeOp>(nested))
      return WalkResult::skip();
    auto alloca = dyn_cast<memref::AllocaOp>(nested);
    if (!alloca)
      return WalkResult::advance();
    if (alloca->getNumOperands() == 0)
      alloca->moveBefore(&function.front(), function.front().begin());
    else
      hasOthers = true;
    return WalkResult::advance();
  });
  if (!hasOthers)
    return;
  builder.setInsertionPointToStart(iteration);
  Value stack = LLVM::StackSaveOp::create(
      builder, loc, LLVM::LLVMPointerType::get(builder.getContext()));
  builder.setInsertionPoint(iteration->getTerminator());
  LLVM::StackRestoreOp::create(builder, loc, stack);
}

/// The dimensions of a loop, with trip counts computed before it.
static SmallVector<Dimension> buildDimensions(OpBuilder &builder,
                                              scf::ParallelOp op) {
  Location loc = op.getLoc();
  SmallVector<Dimension> dimensions;
  Value zero = arith::ConstantIndexOp::create(builder, loc, 0);
  Value one = arith::ConstantIndexOp::create(builder, loc, 1);
  for (auto [lowerBound, upperBound, step] :
       llvm::zip_equal(op.getLowerBound(), op.getUpperBound(), op.getStep())) {
    Value distance =
        builder.createOrFold<arith::SubIOp>(loc, upperBound, lowerBound);
    distance = builder.createOrFold<arith::MaxSIOp>(loc, distance, zero);
    if (!isConstantIntValue(step, 1)) {
      // Rounded up; unsigned, so that the sum cannot overflow.
      Value roundUp = builder.createOrFold<arith::SubIOp>(loc, step, one);
      distance = builder.createOrFold<arith::AddIOp>(loc, distance, roundUp);
      distance = builder.createOrFold<arith::DivUIOp>(loc, distance, step);
    }
    dimensions.push_back({lowerBound, step, distance});
  }
  return dimensions;
}

/// Sorts what a loop uses from outside into values to capture and operations
/// that are repeated inside, because they cost less than a memory access.
static void collectCaptures(scf::ParallelOp op, ArrayRef<Dimension> dimensions,
                            Value context, SetVector<Value> &captures,
                            SetVector<Value> &constants) {
  SetVector<Value> used;
  getUsedValuesDefinedAbove(op.getRegion(), used);
  for (const Dimension &dimension : dimensions) {
    used.insert(dimension.lowerBound);
    used.insert(dimension.step);
    // Of the first, only the range says how far it goes.
    if (&dimension != &dimensions.front())
      used.insert(dimension.tripCount);
  }
  for (Value value : used) {
    Operation *definition = value.getDefiningOp();
    if (value == context)
      continue;
    if (definition && (definition->hasTrait<OpTrait::ConstantLike>() ||
                       isa<memref::GetGlobalOp>(definition)))
      constants.insert(value);
    else
      captures.insert(value);
  }
}

LogicalResult
frit::outlineParallelLoop(scf::ParallelOp op, RuntimeCalls &runtime,
                          StackBuffer &closureBuffer,
                          const LLVMTypeConverter &typeConverter) {
  FailureOr<Value> context = getContextArgument(op);
  if (failed(context))
    return failure();
  Location loc = op.getLoc();
  OpBuilder builder(op);
  SmallVector<Dimension> dimensions = buildDimensions(builder, op);
  SetVector<Value> captures, constants;
  collectCaptures(op, dimensions, *context, captures, constants);
  FailureOr<Closure> closure =
      Closure::create(op, captures.getArrayRef(), typeConverter);
  if (failed(closure))
    return failure();
  int64_t grain = getGrain(op);

  Type i32 = builder.getI32Type(), i64 = builder.getI64Type();
  auto pointerType = LLVM::LLVMPointerType::get(op.getContext());
  auto parent = op->getParentOfType<func::FuncOp>();
  auto bodyType =
      builder.getFunctionType({pointerType, pointerType, i64, i64}, {i32});
  auto body = func::FuncOp::create(
      loc, (parent.getSymName() + "_parallel").str(), bodyType);
  body.setPrivate();
  body->setAttr("llvm.linkage", LLVM::LinkageAttr::get(
                                    op.getContext(), LLVM::Linkage::Internal));
  runtime.getSymbolTable().insert(body, std::next(parent->getIterator()));
  BodyBuilder(op, body).build(*closure, captures.getArrayRef(),
                              constants.getArrayRef(), dimensions);

  Value total = dimensions.front().tripCount;
  for (const Dimension &dimension : ArrayRef(dimensions).drop_front())
    total =
        builder.createOrFold<arith::MulIOp>(loc, total, dimension.tripCount);
  total = arith::IndexCastOp::create(builder, loc, i64, total);
  Value zero = arith::ConstantIntOp::create(builder, loc, i64, 0);
  Value grainValue = arith::ConstantIntOp::create(builder, loc, i64, grain);
  Value address = closureBuffer.getAddress(closure->getType());
  closure->buildStore(builder, loc, address);
  Value bodyValue = func::ConstantOp::create(
      builder, loc, bodyType, FlatSymbolRefAttr::get(body.getSymNameAttr()));
  Value bodyPointer =
      UnrealizedConversionCastOp::create(builder, loc, pointerType, bodyValue)
          .getResult(0);
  FailureOr<LLVM::CallOp> call =
      runtime.call(builder, loc, runtime_symbol::fritParallelFor, i32,
                   {*context, zero, total, grainValue, bodyPointer, address});
  if (failed(call))
    return failure();
  Value ok = arith::ConstantIntOp::create(builder, loc, i32, 0);
  propagateErrorUnless(builder, loc,
                       arith::CmpIOp::create(builder, loc,
                                             arith::CmpIPredicate::eq,
                                             call->getResult(), ok));
  op.erase();
  return success();
}

//===- AddOutParams.cpp ---------------------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The pass frit-add-out-params: results of functions over tensors become
// destinations, before bufferization, so that it can compute in them.
//
//===----------------------------------------------------------------------===//

#include "BoundaryType.h"

#include "frit/Execution/Passes.h"

#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/Dominance.h"

namespace mlir::frit {

#define GEN_PASS_DEF_ADDOUTPARAMSPASS
#include "frit/Execution/Passes.h.inc"

namespace {

constexpr StringLiteral kWritable =
    bufferization::BufferizationDialect::kWritableAttrName;

bool isScalar(Type type) { return type.isSignlessIntOrIndexOrFloat(); }

/// True for integers that carry a sign, which no op of arith takes.
bool hasSign(Type type) {
  Type element = getElementTypeOrSelf(type);
  return element.isInteger() && !element.isSignlessInteger();
}

/// Null where `type` cannot be returned.
MemRefType getDestinationType(Type type) {
  if (isScalar(type))
    return getBoundaryType(RankedTensorType::get({}, type));
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (!tensor || !isScalar(tensor.getElementType()))
    return {};
  return getBoundaryType(tensor);
}

bool isArgumentType(Type type) {
  if (auto memref = dyn_cast<MemRefType>(type))
    return !hasSign(memref);
  return isScalar(type) || getDestinationType(type);
}

/// What a message says of a type that cannot be taken.
StringRef getHint(Type type) {
  return hasSign(type) ? " of signless integers (i8 for si8 and ui8)" : "";
}

/// Why the inliner left a call of a function with a body.
std::string getReasonNotInlined(CallOpInterface call, func::FuncOp callee) {
  if (callee.getNoInline() || call->hasAttr(callee.getNoInlineAttrName()))
    return "it is marked no_inline";
  Operation *parent = call->getParentOp();
  if (!callee.getBody().hasOneBlock() && !isa<func::FuncOp>(parent))
    return ("the function has " + Twine(callee.getBody().getBlocks().size()) +
            " blocks, and the region of '" + parent->getName().getStringRef() +
            "' takes one")
        .str();
  return "recursive functions are not supported";
}

LogicalResult checkCalls(ModuleOp module) {
  SymbolTableCollection symbols;
  WalkResult result = module.walk([&](CallOpInterface call) {
    auto callee = dyn_cast_if_present<func::FuncOp>(
        call.resolveCallableInTable(&symbols));
    InFlightDiagnostic diagnostic = call->emitError();
    if (!callee)
      diagnostic << "calls a function that is not known at compile time";
    else if (callee.isExternal())
      diagnostic << "calls '@" << callee.getName()
                 << "', which has no body in this module";
    else
      diagnostic << "the call of '@" << callee.getName()
                 << "' cannot be inlined: "
                 << getReasonNotInlined(call, callee);
    if (callee)
      diagnostic.attachNote(callee.getLoc()) << "the function is here";
    return WalkResult::interrupt();
  });
  return failure(result.wasInterrupted());
}

LogicalResult checkTypes(func::FuncOp function) {
  for (auto [index, type] : llvm::enumerate(function.getArgumentTypes()))
    if (!isArgumentType(type))
      return function.emitError()
             << "argument " << index << " of '@" << function.getName()
             << "' is " << type
             << ", but only ranked tensors, memrefs and scalars"
             << getHint(type) << " can be taken";
  for (auto [index, type] : llvm::enumerate(function.getResultTypes()))
    if (!getDestinationType(type))
      return function.emitError()
             << "result " << index << " of '@" << function.getName() << "' is "
             << type << ", but only ranked tensors and scalars" << getHint(type)
             << " can be returned";
  return success();
}

/// Writes `value` to `destination` in front of a return. `exclusive`: nothing
/// else in the function accesses the destination.
void writeResult(OpBuilder &builder, Location loc, Value value,
                 Value destination, bool exclusive) {
  if (!isa<TensorType>(value.getType())) {
    memref::StoreOp::create(builder, loc, value, destination, ValueRange());
    return;
  }
  // `restrict`, since a destination also overlaps no argument, which callers
  // must ensure.
  bufferization::MaterializeInDestinationOp::create(
      builder, loc, TypeRange(), value, destination, exclusive,
      /*writable=*/true);
}

LogicalResult addOutParams(func::FuncOp function) {
  if (failed(checkTypes(function)))
    return failure();
  OpBuilder builder(function.getContext());
  for (auto [index, type] : llvm::enumerate(function.getArgumentTypes()))
    if (isa<TensorType>(type) && !function.getArgAttr(index, kWritable))
      function.setArgAttr(index, kWritable, builder.getBoolAttr(false));

  SmallVector<Value> destinations;
  for (Type type : llvm::to_vector(function.getResultTypes())) {
    if (failed(function.insertArgument(function.getNumArguments(),
                                       getDestinationType(type), {},
                                       function.getLoc())))
      return failure();
    destinations.push_back(function.getArguments().back());
  }
  auto returns = llvm::to_vector(function.getOps<func::ReturnOp>());
  DominanceInfo dominance(function);
  for (func::ReturnOp op : returns) {
    builder.setInsertionPoint(op);
    // A result that another one is computed from is written before that one is,
    // and so may lie in the other's destination.
    auto order = llvm::to_vector(llvm::seq(op.getNumOperands()));
    llvm::sort(order, [&](unsigned left, unsigned right) {
      Operation *first = op.getOperand(left).getDefiningOp();
      Operation *second = op.getOperand(right).getDefiningOp();
      if (first == second)
        return left < right;
      return second && (!first || dominance.properlyDominates(first, second));
    });
    for (unsigned index : order)
      writeResult(builder, op.getLoc(), op.getOperand(index),
                  destinations[index], returns.size() == 1);
    func::ReturnOp::create(builder, op.getLoc());
    op.erase();
  }
  function.setType(builder.getFunctionType(function.getArgumentTypes(), {}));
  function.removeResAttrsAttr();
  return success();
}

class AddOutParamsPass : public impl::AddOutParamsPassBase<AddOutParamsPass> {
public:
  using AddOutParamsPassBase::AddOutParamsPassBase;

  void runOnOperation() override {
    if (failed(checkCalls(getOperation())))
      return signalPassFailure();
    for (func::FuncOp function : getOperation().getOps<func::FuncOp>())
      if (!function.isExternal() && failed(addOutParams(function)))
        return signalPassFailure();
  }
};

} // namespace
} // namespace mlir::frit

//===- EmitResultShapes.cpp -----------------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The pass frit-emit-result-shapes: functions that compute the sizes of results
// from the arguments.
//
//===----------------------------------------------------------------------===//

#include "frit/Dialect/Frit/IR/Frit.h"
#include "frit/Execution/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/Transforms/Transforms.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/ValueBoundsOpInterface.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "mlir/Transforms/RegionUtils.h"

namespace mlir::frit {

#define GEN_PASS_DEF_EMITRESULTSHAPESPASS
#include "frit/Execution/Passes.h.inc"

std::string getResultShapesName(StringRef name) {
  return (name + "__shapes").str();
}

namespace {

bool hasDynamicResult(func::FuncOp function) {
  return llvm::any_of(function.getResultTypes(), [](Type type) {
    auto tensor = dyn_cast<RankedTensorType>(type);
    return tensor && !tensor.hasStaticShape();
  });
}

/// Replaces the operands of a return by their sizes.
void returnSizes(func::ReturnOp op, RankedTensorType type) {
  OpBuilder builder(op);
  Location loc = op.getLoc();
  SmallVector<Value> sizes;
  for (Value value : op.getOperands()) {
    auto tensor = dyn_cast<RankedTensorType>(value.getType());
    if (!tensor)
      continue;
    for (auto [dimension, size] : llvm::enumerate(tensor.getShape()))
      sizes.push_back(
          ShapedType::isDynamic(size)
              ? tensor::DimOp::create(builder, loc, value, dimension)
                    .getResult()
              : arith::ConstantIndexOp::create(builder, loc, size).getResult());
  }
  // Insertions, unlike tensor.from_elements, write where the caller wants them.
  Value all = tensor::EmptyOp::create(builder, loc, type, ValueRange());
  for (auto [index, size] : llvm::enumerate(sizes))
    all = tensor::InsertOp::create(
        builder, loc, size, all,
        ValueRange{arith::ConstantIndexOp::create(builder, loc, index)});
  op->setOperands(all);
}

/// A tensor that a loop updates has the size that it has before the loop.
struct ResolveLoopSize : OpRewritePattern<tensor::DimOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(tensor::DimOp op,
                                PatternRewriter &rewriter) const override {
    std::optional<int64_t> dimension = op.getConstantIndex();
    auto result = dyn_cast<OpResult>(op.getSource());
    auto loop = result ? dyn_cast<scf::ForOp>(result.getOwner()) : scf::ForOp();
    if (!loop || !dimension)
      return failure();
    BlockArgument before = loop.getRegionIterArg(result.getResultNumber());
    Value after = loop.getTiedLoopYieldedValue(before)->get();
    FailureOr<bool> isKept = ValueBoundsConstraintSet::areEqual(
        {before, *dimension}, {after, *dimension});
    if (failed(isKept) || !*isKept)
      return failure();
    rewriter.modifyOpInPlace(op, [&] {
      op.getSourceMutable().assign(loop.getTiedLoopInit(result)->get());
    });
    return success();
  }
};

class EmitResultShapesPass
    : public impl::EmitResultShapesPassBase<EmitResultShapesPass> {
public:
  using EmitResultShapesPassBase::EmitResultShapesPassBase;

  LogicalResult initialize(MLIRContext *context) override {
    RewritePatternSet set(context);
    memref::populateResolveRankedShapedTypeResultDimsPatterns(set);
    memref::populateResolveShapedTypeResultDimsPatterns(set);
    set.add<ResolveLoopSize>(context);
    for (Dialect *dialect : context->getLoadedDialects())
      dialect->getCanonicalizationPatterns(set);
    for (RegisteredOperationName op : context->getRegisteredOperations())
      op.getCanonicalizationPatterns(set, context);
    patterns = FrozenRewritePatternSet(std::move(set));
    return success();
  }

  void runOnOperation() override {
    SymbolTable symbols(getOperation());
    for (auto function :
         llvm::to_vector(getOperation().getOps<func::FuncOp>())) {
      if (function.isExternal() || !function.isPublic() ||
          !hasDynamicResult(function))
        continue;
      if (failed(emitResultShapes(function, symbols)))
        return signalPassFailure();
      ++numEmitted;
    }
  }

private:
  LogicalResult emitResultShapes(func::FuncOp function, SymbolTable &symbols) {
    std::string name = getResultShapesName(function.getName());
    if (Operation *other = symbols.lookup(name)) {
      InFlightDiagnostic diagnostic =
          function.emitError()
          << "the sizes of the results of '@" << function.getName()
          << "' are computed by '@" << name << "', which exists already";
      diagnostic.attachNote(other->getLoc()) << "it is here";
      return diagnostic;
    }
    int64_t count = 0;
    for (Type type : function.getResultTypes())
      if (auto tensor = dyn_cast<RankedTensorType>(type))
        count += tensor.getRank();

    func::FuncOp shapes = function.clone();
    shapes.setName(name);
    shapes->setAttr(FritDialect::getHostAttrName(),
                    UnitAttr::get(shapes.getContext()));
    symbols.insert(shapes, ++function->getIterator());
    auto type =
        RankedTensorType::get(count, IndexType::get(shapes.getContext()));
    shapes.removeResAttrsAttr();
    shapes.setType(FunctionType::get(shapes.getContext(),
                                     shapes.getArgumentTypes(), type));
    shapes.walk([&](func::ReturnOp op) { returnSizes(op, type); });
    return applyPatternsGreedily(shapes, patterns);
  }

  FrozenRewritePatternSet patterns;
};

} // namespace
} // namespace mlir::frit

//===- TransposeWeights.cpp -----------------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The pass frit-transpose-weights.
//
//===----------------------------------------------------------------------===//

#include "frit/Dialect/Frit/Transforms/Passes.h"

#include "Build.h"
#include "Choice.h"
#include "WeightUses.h"

#include "../PlainConstants.h"
#include "../RemarkOptions.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/Support/FormatVariadic.h"

namespace mlir::frit {

#define GEN_PASS_DEF_TRANSPOSEWEIGHTSPASS
#include "frit/Dialect/Frit/Transforms/Passes.h.inc"

namespace {

/// The function that a value is an argument of; null where it is none.
func::FuncOp getFunctionOfArgument(Value value) {
  auto argument = dyn_cast<BlockArgument>(value);
  auto function =
      argument ? dyn_cast<func::FuncOp>(argument.getOwner()->getParentOp())
               : func::FuncOp();
  return function && argument.getOwner()->isEntryBlock() ? function
                                                         : func::FuncOp();
}

class TransposeWeightsPass
    : public impl::TransposeWeightsPassBase<TransposeWeightsPass> {
public:
  using TransposeWeightsPassBase::TransposeWeightsPassBase;

  void runOnOperation() override {
    ModuleOp module = getOperation();
    FailureOr<SparseFfnChoice> choice = SparseFfnChoice::get(
        module, getArgument(), target, policy, assumeFiniteWeights);
    if (failed(choice))
      return signalPassFailure();
    SmallVector<GeluAndMulSparseOp> activations;
    module->walk([&](GeluAndMulSparseOp op) { activations.push_back(op); });
    IRRewriter rewriter(&getContext());
    for (GeluAndMulSparseOp activation : activations) {
      // Why there is no chain frit-form-sparse-ffn says.
      std::string reason;
      FailureOr<DenseChain> chain = matchDenseChain(activation, reason);
      if (failed(chain) || failed(choice->check(*chain, reason)) ||
          !gains(*chain, *choice, rewriter))
        continue;
      remark::RemarkOpts opts =
          getRemarkOpts(activation, "down-weights", getArgument());
      Location loc = activation.getLoc();
      if (succeeded(transpose(chain->down.weights, rewriter, reason))) {
        remark::passed(loc, opts) << remark::add("{0}", reason);
        ++numTransposed;
      } else {
        remark::missed(loc, opts)
            << remark::reason("the weights of down stay as [H, d], since they "
                              "{0}",
                              reason);
      }
    }
  }

private:
  /// Whether the op is formed of a chain, and faster, where the weights of down
  /// are stored by columns.
  static bool gains(const DenseChain &chain, const SparseFfnChoice &choice,
                    RewriterBase &rewriter) {
    if (!chain.down.isByOutput)
      return false;
    Operation *last = chain.getResult().getDefiningOp();
    rewriter.setInsertionPoint(last);
    auto getLimit = [&](const DenseChain &chain) {
      std::string ignored;
      SparseFfnOp op = buildSparseFfn(chain, rewriter);
      TokenLimit limit = choice.getLimit(op, ignored);
      eraseWithOperands(op, rewriter);
      return limit;
    };
    // The widths are known, though the type of the weights need not have them.
    auto type = cast<RankedTensorType>(chain.gate.x.getType());
    auto columns = cast<RankedTensorType>(chain.down.x.getType());
    DenseChain byColumn = chain;
    byColumn.down.isByOutput = false;
    byColumn.down.weights = tensor::EmptyOp::create(
        rewriter, last->getLoc(),
        ArrayRef<int64_t>{columns.getDimSize(1), type.getDimSize(1)},
        type.getElementType());
    TokenLimit then = getLimit(byColumn), now = getLimit(chain);
    // Unknown numbers of tokens are below all others.
    int64_t tokens = type.getDimSize(0);
    if (then.tokens == 0 || tokens > then.tokens)
      return false;
    return now.tokens == 0 || tokens > now.tokens ||
           then.one.fused < now.one.fused;
  }

  /// Exchanges the axes of weights for good. `reason` says so, or, to follow
  /// "they", why it cannot be.
  LogicalResult transpose(Value weights, RewriterBase &rewriter,
                          std::string &reason) {
    ElementsAttr constant = getPlainConstant(weights);
    func::FuncOp function = getFunctionOfArgument(weights);
    if (!constant && !function) {
      reason = "are neither constant nor an argument";
      return failure();
    }
    auto type = cast<RankedTensorType>(weights.getType());
    if (!type.hasStaticShape()) {
      reason = "are of sizes that their type does not have";
      return failure();
    }
    if ((function && failed(checkArgument(function, reason))) ||
        failed(checkReadEitherWay(weights, reason)))
      return failure();
    int64_t bytes = type.getNumElements() * type.getElementTypeBitWidth() / 8;
    if (constant)
      transposeConstant(weights, constant, rewriter);
    else
      transposeArgument(cast<BlockArgument>(weights), function, rewriter);
    reason = llvm::formatv(
        "the weights of down are stored as [d, H] from load on: {0} bytes in "
        "place of as many",
        bytes);
    return success();
  }

  /// Whether the caller can be asked for another tensor.
  LogicalResult checkArgument(func::FuncOp function, std::string &reason) {
    if (!arguments) {
      reason = "are an argument, whose type only the option arguments changes";
      return failure();
    }
    if (!function.isPublic() ||
        !SymbolTable::symbolKnownUseEmpty(function, getOperation())) {
      reason = "are an argument of a function that is not only called from "
               "outside";
      return failure();
    }
    return success();
  }

  static void transposeConstant(Value weights, ElementsAttr constant,
                                RewriterBase &rewriter) {
    Operation *old = weights.getDefiningOp();
    rewriter.setInsertionPointAfter(old);
    Value transposed = arith::ConstantOp::create(rewriter, old->getLoc(),
                                                 transposeMatrix(constant));
    replaceByTransposed(weights, transposed, rewriter);
    rewriter.eraseOp(old);
  }

  static void transposeArgument(BlockArgument weights, func::FuncOp function,
                                RewriterBase &rewriter) {
    auto type = cast<RankedTensorType>(weights.getType());
    unsigned number = weights.getArgNumber();
    weights.setType(type.clone({type.getDimSize(1), type.getDimSize(0)}));
    function.setType(rewriter.getFunctionType(
        function.front().getArgumentTypes(), function.getResultTypes()));
    constexpr StringLiteral name = "frit.transposed";
    if (!function.removeArgAttr(number, name))
      function.setArgAttr(number, name, rewriter.getUnitAttr());
    if (auto dims = function.getArgAttrOfType<ArrayAttr>(number, "frit.dims"))
      function.setArgAttr(number, "frit.dims",
                          rewriter.getArrayAttr({dims[1], dims[0]}));
    rewriter.setInsertionPointToStart(&function.front());
    replaceByTransposed(weights, weights, rewriter);
  }
};

} // namespace
} // namespace mlir::frit

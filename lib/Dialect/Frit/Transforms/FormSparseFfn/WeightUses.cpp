//===- WeightUses.cpp -----------------------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A matmul reads a transposed matrix by another form or another map: no copy is
// made in a call.
//
//===----------------------------------------------------------------------===//

#include "WeightUses.h"

#include "../FormMatmuls/Contraction.h"
#include "../FormMatmuls/OperandView.h"

#include "frit/Dialect/Frit/IR/Frit.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mlir::frit;

/// True where an op reads a value and its result has the same elements in some
/// order, for matmuls to look through.
static bool isCopied(OpOperand &use) {
  auto copy = dyn_cast<linalg::LinalgOp>(use.getOwner());
  if (!copy || copy->getNumResults() != 1 || !copy.isDpsInput(&use))
    return false;
  Value result = copy->getResult(0);
  auto type = dyn_cast<RankedTensorType>(result.getType());
  if (!type)
    return false;
  OperandView view{result, llvm::to_vector<4>(llvm::seq<unsigned>(
                               0, static_cast<unsigned>(type.getRank())))};
  return view.followCopies(/*widens=*/true).tensor != result;
}

static bool isMatmul(OpOperand &use) {
  Operation *op = use.getOwner();
  if (auto matmul = dyn_cast<MatmulOp>(op))
    return !matmul.isBatched() && &use == &matmul.getBMutable();
  auto linalgOp = dyn_cast<linalg::LinalgOp>(op);
  std::string ignored;
  return linalgOp && isSumOfProducts(linalgOp) && linalgOp.isDpsInput(&use) &&
         succeeded(matchMatmul(linalgOp, ignored));
}

LogicalResult frit::checkReadEitherWay(Value weights, std::string &reason) {
  for (OpOperand &use : weights.getUses()) {
    Operation *op = use.getOwner();
    if (isa<tensor::DimOp>(op) || isMatmul(use))
      continue;
    if (!isCopied(use)) {
      reason =
          ("are also read by '" + op->getName().getStringRef() + "'").str();
      return failure();
    }
    if (failed(checkReadEitherWay(op->getResult(0), reason)))
      return failure();
  }
  return success();
}

void frit::replaceByTransposed(Value weights, Value transposed,
                               RewriterBase &rewriter) {
  Location loc = transposed.getLoc();
  auto type = cast<RankedTensorType>(transposed.getType());
  Value empty = tensor::EmptyOp::create(
      rewriter, loc, ArrayRef<int64_t>{type.getDimSize(1), type.getDimSize(0)},
      type.getElementType());
  auto back = linalg::TransposeOp::create(rewriter, loc, transposed, empty,
                                          ArrayRef<int64_t>{1, 0});
  for (OpOperand &use : llvm::make_early_inc_range(weights.getUses())) {
    Operation *user = use.getOwner();
    if (user == back)
      continue;
    if (auto matmul = dyn_cast<MatmulOp>(user)) {
      rewriter.modifyOpInPlace(matmul, [&] {
        use.set(transposed);
        matmul.setTransposeB(!matmul.getTransposeB());
      });
      continue;
    }
    auto copy = dyn_cast<linalg::TransposeOp>(user);
    if (copy && copy.getInput() == use.get() &&
        copy.getPermutation() == ArrayRef<int64_t>({1, 0}))
      rewriter.replaceOp(copy, transposed);
    else
      rewriter.modifyOpInPlace(user, [&] { use.set(back->getResult(0)); });
  }
  if (back->use_empty()) {
    rewriter.eraseOp(back);
    rewriter.eraseOp(empty.getDefiningOp());
  }
}

//===- ValueBoundsOpInterfaceImpl.cpp -------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What is known of the sizes of a result: they are those of its destination,
// its tokens are those of the inputs, and its columns follow from the inputs
// or have room for the slices.
//
//===----------------------------------------------------------------------===//

#include "ExternalModelsImpl.h"

#include "mlir/Interfaces/ValueBoundsOpInterface.h"

using namespace mlir;
using namespace mlir::frit;

/// The tokens of a result are those of each operand that has tokens.
static void boundTokens(TokenOpInterface op, OpOperand &out, Value result,
                        int64_t dim, ValueBoundsConstraintSet &cstr) {
  SmallVector<int64_t> outDims = op.getTokenDims(out);
  const auto *loop = llvm::find(outDims, dim);
  if (loop == outDims.end())
    return;
  for (OpOperand &operand : op->getOpOperands()) {
    SmallVector<int64_t> dims = op.getTokenDims(operand);
    if (!dims.empty())
      cstr.bound(result)[dim] ==
          cstr.getExpr(operand.get(), dims[loop - outDims.begin()]);
  }
}

template <typename GatedOp>
static void boundColumns(GatedOp op, Value result, int64_t dim,
                         ValueBoundsConstraintSet &cstr) {
  if (dim + 1 != cast<ShapedType>(result.getType()).getRank())
    return;
  AffineExpr columns = cstr.getExpr(result, dim);
  AffineExpr inputColumns = cstr.getExpr(op.getX(), dim);
  if (op.isPacked())
    cstr.bound(op.getX())[dim] == columns * 2;
  else
    cstr.bound(result)[dim] == inputColumns;
}

template <typename ExpandingOp>
static void boundSlices(ExpandingOp op, Value result, int64_t dim,
                        ValueBoundsConstraintSet &cstr) {
  if (dim != 1)
    return;
  AffineExpr end = getAffineConstantExpr(op.getOffset(), op->getContext());
  for (unsigned slice = 0; slice < op.getNumSlices(); ++slice)
    end = end + cstr.getExpr(op.getB(slice), 1);
  cstr.bound(result)[dim] >= end;
}
static void boundColumns(LoraMatmulOp op, Value result, int64_t dim,
                         ValueBoundsConstraintSet &cstr) {
  boundSlices(op, result, dim, cstr);
}
static void boundColumns(LoraExpandOp op, Value result, int64_t dim,
                         ValueBoundsConstraintSet &cstr) {
  boundSlices(op, result, dim, cstr);
}
static void boundColumns(LoraShrinkOp op, Value result, int64_t dim,
                         ValueBoundsConstraintSet &cstr) {
  if (dim == 0)
    cstr.bound(result)[dim] == op.getNumSlices();
  if (dim == 2)
    cstr.bound(result)[dim] == cstr.getExpr(op.getA(0), 1);
}

static void boundColumns(MatmulOp op, Value result, int64_t dim,
                         ValueBoundsConstraintSet &cstr) {
  for (const SmallVector<MatmulOp::Dim, 3> &dims :
       {op.getColumns(), op.getMatrices()})
    if (llvm::is_contained(dims, MatmulOp::Dim(&op.getOutMutable(), dim)))
      for (auto [operand, operandDim] : dims)
        cstr.bound(result)[dim] == cstr.getExpr(operand->get(), operandDim);
}

static void boundColumns(LoraGeluAndMulSparseOp op, Value result, int64_t dim,
                         ValueBoundsConstraintSet &cstr) {
  if (dim != 1)
    return;
  AffineExpr columns = cstr.getExpr(result, dim);
  cstr.bound(op.getY())[dim] == columns * 2;
  for (Value b : op.getWeights())
    cstr.bound(result)[dim] == cstr.getExpr(b, 1);
}

static void boundColumns(SparseFfnOp op, Value result, int64_t dim,
                         ValueBoundsConstraintSet &cstr) {
  if (dim == 1)
    cstr.bound(result)[dim] == cstr.getExpr(op.getX(), 1);
}

namespace {

template <typename OpTy>
struct FritValueBounds
    : ValueBoundsOpInterface::ExternalModel<FritValueBounds<OpTy>, OpTy> {
  void populateBoundsForShapedValueDim(Operation *op, Value value, int64_t dim,
                                       ValueBoundsConstraintSet &cstr) const {
    auto frit = cast<OpTy>(op);
    OpOperand &out = *frit.getDpsInitOperand(0);
    cstr.bound(value)[dim] == cstr.getExpr(out.get(), dim);
    boundTokens(cast<TokenOpInterface>(op), out, value, dim, cstr);
    boundColumns(frit, value, dim, cstr);
  }
};

} // namespace

// The sizes of lora_group's results are those of its destinations, which the
// analysis knows of every destination-passing op.
void frit::registerValueBoundsOpInterfaceModels(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, FritDialect *) {
    attachToOps<FritValueBounds, GeluAndMulSparseOp, ActAndMulOp, LoraMatmulOp,
                LoraShrinkOp, LoraExpandOp, LoraGeluAndMulSparseOp, MatmulOp,
                SparseFfnOp>(context);
  });
}

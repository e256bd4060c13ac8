//===- ActivationOps.cpp --------------------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Verifiers, interface methods and canonicalization of the gated activations.
//
//===----------------------------------------------------------------------===//

#include "OpSupport.h"

using namespace mlir;
using namespace mlir::frit;

/// Checks shapes and types of a gated activation.
template <typename GatedOp> static LogicalResult verifyGated(GatedOp op) {
  NamedOperand x{op.isPacked() ? "x" : "gate", op.getX()};
  NamedOperand out{"out", op.getOut()};
  SmallVector<NamedOperand, 3> operands{x};
  if (!op.isPacked())
    operands.push_back({"up", op.getUp()});
  operands.push_back(out);
  if (failed(verifyDestinationStyle(op, operands)))
    return failure();

  int64_t rank = out.getType().getRank();
  if (rank == 0)
    return op.emitOpError() << "'out' must have rank 1 or more, but has 0";
  if (failed(verifyTokenCount(op, out)))
    return failure();
  for (NamedOperand input : ArrayRef(operands).drop_back()) {
    if (failed(verifySameElementType(op, input, out)) ||
        failed(verifyRank(op, input, rank)))
      return failure();
    for (int64_t dim = 0; dim < rank - (op.isPacked() ? 1 : 0); ++dim)
      if (failed(verifySameDim(op, input, dim, out, dim)))
        return failure();
  }
  if (!op.isPacked())
    return success();

  int64_t packed = x.getType().getDimSize(rank - 1);
  int64_t width = out.getType().getDimSize(rank - 1);
  if (ShapedType::isDynamic(packed))
    return success();
  if (packed % 2 != 0)
    return op.emitOpError()
           << "last dimension of packed 'x' must be even, but is " << packed;
  if (!ShapedType::isDynamic(width) && packed / 2 != width)
    return op.emitOpError()
           << "half of the last dimension of packed 'x' is " << packed / 2
           << ", but the last dimension of 'out' is " << width;
  return success();
}

//===----------------------------------------------------------------------===//
// GeluAndMulSparseOp
//===----------------------------------------------------------------------===//

LogicalResult GeluAndMulSparseOp::verify() {
  if (failed(verifyGated(*this)))
    return failure();
  return verifySparseGate(*this, getCorrection(), getStdMultiplierAttr());
}

//===----------------------------------------------------------------------===//
// ActAndMulOp
//===----------------------------------------------------------------------===//

LogicalResult ActAndMulOp::verify() { return verifyGated(*this); }

//===- Contiguous.cpp - Operands without gaps -----------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Some kernels take operands, such as weights, only where rows follow each
// other without gaps. Function arguments have any strides, so that only run
// time can tell: one version of the op takes them as they are, the other takes
// copies. The kernel is the same in both, and so are a result's bits.
//
//===----------------------------------------------------------------------===//

#include "FritToGpu.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/Utils/Utils.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace mlir::frit;

/// Whether the elements of a memref follow each other in memory.
static Value isContiguous(Value memref, RewriterBase &rewriter) {
  Location loc = memref.getLoc();
  auto metadata =
      memref::ExtractStridedMetadataOp::create(rewriter, loc, memref);
  SmallVector<OpFoldResult> sizes = metadata.getConstifiedMixedSizes();
  SmallVector<OpFoldResult> strides = metadata.getConstifiedMixedStrides();
  auto toValue = [&](OpFoldResult number) {
    return getValueOrCreateConstantIndexOp(rewriter, loc, number);
  };
  auto isEqual = [&](Value lhs, Value rhs) {
    return rewriter.createOrFold<arith::CmpIOp>(loc, arith::CmpIPredicate::eq,
                                                lhs, rhs);
  };
  Value one = arith::ConstantIndexOp::create(rewriter, loc, 1);
  Value result = arith::ConstantIntOp::create(rewriter, loc, 1, /*width=*/1);
  Value dense = one;
  for (auto [size, stride] : llvm::reverse(llvm::zip_equal(sizes, strides))) {
    // The stride of a dimension of one element is never used.
    Value fits = rewriter.createOrFold<arith::OrIOp>(
        loc, isEqual(toValue(stride), dense), isEqual(toValue(size), one));
    result = rewriter.createOrFold<arith::AndIOp>(loc, result, fits);
    dense = rewriter.createOrFold<arith::MulIOp>(loc, dense, toValue(size));
  }
  return result;
}

/// A contiguous copy of a memref, in scratch memory.
static Value createCopy(Value memref, RewriterBase &rewriter) {
  Location loc = memref.getLoc();
  auto type = cast<MemRefType>(memref.getType());
  SmallVector<Value> dynamicSizes;
  for (int64_t dim = 0; dim < type.getRank(); ++dim)
    if (type.isDynamicDim(dim))
      dynamicSizes.push_back(
          rewriter.createOrFold<memref::DimOp>(loc, memref, dim));
  Value copy = memref::AllocOp::create(
      rewriter, loc, MemRefType::get(type.getShape(), type.getElementType()),
      dynamicSizes);
  linalg::makeMemRefCopyOp(rewriter, loc, memref, copy);
  return copy;
}

/// The op with copies of those operands, which live as long as it runs.
static KernelOpInterface cloneWithCopies(KernelOpInterface op,
                                         ArrayRef<unsigned> positions,
                                         RewriterBase &rewriter) {
  SmallVector<Value> copies;
  for (unsigned position : positions)
    copies.push_back(createCopy(op->getOperand(position), rewriter));
  Operation *clone = rewriter.clone(*op);
  for (auto [position, copy] : llvm::zip_equal(positions, copies)) {
    clone->setOperand(position, copy);
    memref::DeallocOp::create(rewriter, op.getLoc(), copy);
  }
  return cast<KernelOpInterface>(clone);
}

SmallVector<KernelOpInterface>
frit::makeContiguous(KernelOpInterface op, ArrayRef<unsigned> positions,
                     RewriterBase &rewriter) {
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPoint(op);
  Location loc = op.getLoc();
  SmallVector<unsigned> unknown;
  Value condition;
  for (unsigned position : positions) {
    Value memref = op->getOperand(position);
    if (cast<MemRefType>(memref.getType()).getLayout().isIdentity())
      continue;
    Value fits = isContiguous(memref, rewriter);
    if (matchPattern(fits, m_NonZero()))
      continue;
    unknown.push_back(position);
    condition = condition
                    ? rewriter.createOrFold<arith::AndIOp>(loc, condition, fits)
                    : fits;
  }
  if (unknown.empty())
    return {op};

  SmallVector<KernelOpInterface> done;
  if (matchPattern(condition, m_Zero())) {
    done.push_back(cloneWithCopies(op, unknown, rewriter));
  } else {
    auto ifOp = scf::IfOp::create(rewriter, loc, condition,
                                  /*withElseRegion=*/true);
    rewriter.setInsertionPointToStart(ifOp.thenBlock());
    done.push_back(cast<KernelOpInterface>(rewriter.clone(*op)));
    rewriter.setInsertionPointToStart(ifOp.elseBlock());
    done.push_back(cloneWithCopies(op, unknown, rewriter));
  }
  rewriter.eraseOp(op);
  return done;
}

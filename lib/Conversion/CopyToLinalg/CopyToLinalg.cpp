//===- CopyToLinalg.cpp ---------------------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The pass convert-strided-copy-to-linalg: copies that are not one run of bytes
// become loops like any other op; upstream's lowering calls a C++ library.
//
//===----------------------------------------------------------------------===//

#include "frit/Conversion/Passes.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Utils/Utils.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

namespace mlir::frit {

#define GEN_PASS_DEF_CONVERTSTRIDEDCOPYTOLINALGPASS
#include "frit/Conversion/Passes.h.inc"

namespace {

/// True where upstream lowers to a memcpy.
bool isContiguous(Value value) {
  auto type = dyn_cast<MemRefType>(value.getType());
  return type && type.getLayout().isIdentity();
}

class ConvertStridedCopyToLinalgPass
    : public impl::ConvertStridedCopyToLinalgPassBase<
          ConvertStridedCopyToLinalgPass> {
public:
  using ConvertStridedCopyToLinalgPassBase::ConvertStridedCopyToLinalgPassBase;

  void runOnOperation() override {
    getOperation()->walk([&](memref::CopyOp op) {
      if (isContiguous(op.getSource()) && isContiguous(op.getTarget()))
        return;
      OpBuilder builder(op);
      linalg::makeMemRefCopyOp(builder, op.getLoc(), op.getSource(),
                               op.getTarget());
      op.erase();
      ++numConverted;
    });
  }
};

} // namespace
} // namespace mlir::frit

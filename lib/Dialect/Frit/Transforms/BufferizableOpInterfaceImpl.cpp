//===- BufferizableOpInterfaceImpl.cpp ------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Bufferization of Frit's ops. Each destination becomes the result's buffer. A
// buffer whose inner stride is not known to be 1 is copied to one where it is,
// and a remark says so, because the ops take no other.
//
//===----------------------------------------------------------------------===//

#include "ExternalModelsImpl.h"

#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Bufferization/IR/DstBufferizableOpInterfaceImpl.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Utils/StructuredOpsUtils.h"
#include "mlir/IR/Remarks.h"

using namespace mlir;
using namespace mlir::bufferization;
using namespace mlir::frit;

/// Allocates a buffer of the shape of `buffer` with the identity layout, and
/// copies into it where asked.
static FailureOr<Value> allocateDense(RewriterBase &rewriter, Operation *op,
                                      Value buffer, bool copy,
                                      const BufferizationOptions &options) {
  Location loc = op->getLoc();
  auto type = cast<MemRefType>(buffer.getType());
  remark::missed(loc, remark::RemarkOpts::name("operand-copied")
                          .category("frit-bufferize")
                          .subCategory(op->getName().getStringRef()))
      << remark::reason("inner stride of {0} is not known to be 1: copied",
                        type);
  auto dense =
      MemRefType::get(type.getShape(), type.getElementType(),
                      MemRefLayoutAttrInterface(), type.getMemorySpace());
  SmallVector<Value> dynamicSizes;
  for (int64_t dim = 0; dim < type.getRank(); ++dim)
    if (type.isDynamicDim(dim))
      dynamicSizes.push_back(memref::DimOp::create(rewriter, loc, buffer, dim));
  FailureOr<Value> result =
      options.createAlloc(rewriter, loc, dense, dynamicSizes);
  if (failed(result))
    return failure();
  if (copy && failed(options.createMemCpy(rewriter, loc, buffer, *result)))
    return failure();
  return result;
}

namespace {
template <typename OpTy>
struct FritBufferization
    : DstBufferizableOpInterfaceExternalModel<FritBufferization<OpTy>, OpTy> {
  bool bufferizesToMemoryRead(Operation *op, OpOperand &operand,
                              const AnalysisState &) const {
    auto frit = cast<OpTy>(op);
    return !frit.isDpsInit(&operand) || frit.readsDestination();
  }

  LogicalResult bufferize(Operation *op, RewriterBase &rewriter,
                          const BufferizationOptions &options,
                          BufferizationState &state) const {
    auto frit = cast<OpTy>(op);
    if (frit.hasPureBufferSemantics())
      return success();
    OpBuilder::InsertionGuard guard(rewriter);
    rewriter.setInsertionPoint(op);
    SmallVector<Value> operands, results;
    /// Dense stand-ins of destinations, and what they stand in for.
    SmallVector<std::pair<Value, Value>> copiesBack;
    for (OpOperand &operand : op->getOpOperands()) {
      FailureOr<Value> buffer =
          getBuffer(rewriter, operand.get(), options, state);
      if (failed(buffer))
        return failure();
      bool isDestination = frit.isDpsInit(&operand);
      if (isDestination)
        results.push_back(*buffer);
      if (!hasUnitInnerStride(cast<MemRefType>(buffer->getType()))) {
        FailureOr<Value> dense =
            allocateDense(rewriter, op, *buffer,
                          !isDestination || frit.readsDestination(), options);
        if (failed(dense))
          return failure();
        if (isDestination)
          copiesBack.emplace_back(*dense, *buffer);
        buffer = dense;
      }
      operands.push_back(*buffer);
    }
    clone(rewriter, op, /*newResultTypes=*/TypeRange(), operands);
    for (auto [dense, destination] : copiesBack)
      if (failed(
              options.createMemCpy(rewriter, op->getLoc(), dense, destination)))
        return failure();
    replaceOpWithBufferizedValues(rewriter, op, results);
    return success();
  }
};
} // namespace

void frit::registerBufferizableOpInterfaceModels(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, FritDialect *) {
    attachToAllOps<FritBufferization>(context);
    context->loadDialect<memref::MemRefDialect>();
  });
}

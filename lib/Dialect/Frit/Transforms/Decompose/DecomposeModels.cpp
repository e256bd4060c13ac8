//===- DecomposeModels.cpp ------------------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// linalg::AggregatedOpInterface of Frit's ops, and the choice of the native
// form by the kind of op.
//
//===----------------------------------------------------------------------===//

#include "../ExternalModelsImpl.h"

#include "frit/Dialect/Frit/Transforms/Decompose.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace mlir::frit;

namespace {
template <typename FritOp>
struct DecomposeModel
    : linalg::AggregatedOpInterface::ExternalModel<DecomposeModel<FritOp>,
                                                   FritOp> {
  FailureOr<SmallVector<Value>> decomposeOperation(Operation *op,
                                                   OpBuilder &builder) const {
    return decompose(cast<FritOp>(op), builder);
  }
};
} // namespace

void frit::registerDecomposeModels(DialectRegistry &registry) {
  // The native form is made of these, also where a pass that declares fewer
  // dialects asks for it.
  registry.insert<linalg::LinalgDialect, math::MathDialect,
                  memref::MemRefDialect, scf::SCFDialect>();
  registry.addExtension(+[](MLIRContext *context, FritDialect *dialect) {
    context->loadDialect<linalg::LinalgDialect, math::MathDialect,
                         memref::MemRefDialect, scf::SCFDialect>();
    attachToAllOps<DecomposeModel>(context);
  });
}

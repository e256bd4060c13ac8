//===- RuntimeVerifiableOpInterfaceImpl.cpp -------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Checks at run time of what verifiers cannot know: sizes that are dynamic,
// adapters and ranks that are out of range, and a grouping that disagrees with
// the ids. Sizes that are known are not checked again.
//
//===----------------------------------------------------------------------===//

#include "ExternalModelsImpl.h"
#include "RuntimeChecks.h"

#include "mlir/Interfaces/RuntimeVerifiableOpInterface.h"

using namespace mlir;
using namespace mlir::frit;

namespace {
template <typename OpTy>
struct FritRuntimeVerification
    : RuntimeVerifiableOpInterface::ExternalModel<FritRuntimeVerification<OpTy>,
                                                  OpTy> {
  void generateRuntimeVerification(Operation *op, OpBuilder &builder,
                                   Location loc, MessageFn getMessage) const {
    CheckBuilder checks(builder, loc, op, getMessage);
    generateSizeChecks(cast<OpTy>(op), checks);
    if constexpr (llvm::is_one_of<OpTy, LoraMatmulOp, LoraShrinkOp,
                                  LoraExpandOp, LoraGeluAndMulSparseOp,
                                  SparseFfnOp>::value)
      generateDataChecks(cast<OpTy>(op), checks);
  }
};
} // namespace

void frit::registerRuntimeVerifiableOpInterfaceModels(
    DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, FritDialect *) {
    attachToAllOps<FritRuntimeVerification>(context);
    context->loadDialect<arith::ArithDialect, cf::ControlFlowDialect,
                         memref::MemRefDialect, scf::SCFDialect,
                         tensor::TensorDialect>();
  });
}

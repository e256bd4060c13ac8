//===- ExternalModelsImpl.h -------------------------------------*- C++ -*-===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the files of external models share: one registration each.
//
//===----------------------------------------------------------------------===//

#ifndef FRIT_LIB_DIALECT_FRIT_TRANSFORMS_EXTERNALMODELSIMPL_H
#define FRIT_LIB_DIALECT_FRIT_TRANSFORMS_EXTERNALMODELSIMPL_H

#include "frit/Dialect/Frit/IR/Frit.h"

namespace mlir::frit {

/// Attaches `Model<Op>` to each op of the list.
template <template <typename> class Model, typename... Ops>
void attachToOps(MLIRContext *context) {
  (Ops::template attachInterface<Model<Ops>>(*context), ...);
}

/// Attaches `Model<Op>` to every op of the dialect.
template <template <typename> class Model>
void attachToAllOps(MLIRContext *context) {
  attachToOps<Model, GeluAndMulSparseOp, ActAndMulOp, LoraMatmulOp,
              LoraShrinkOp, LoraExpandOp, LoraGeluAndMulSparseOp, LoraGroupOp,
              MatmulOp, SparseFfnOp>(context);
}

void registerBufferizableOpInterfaceModels(DialectRegistry &registry);
void registerDecomposeModels(DialectRegistry &registry);
void registerRuntimeVerifiableOpInterfaceModels(DialectRegistry &registry);
void registerTilingInterfaceModels(DialectRegistry &registry);
void registerValueBoundsOpInterfaceModels(DialectRegistry &registry);

} // namespace mlir::frit

#endif // FRIT_LIB_DIALECT_FRIT_TRANSFORMS_EXTERNALMODELSIMPL_H

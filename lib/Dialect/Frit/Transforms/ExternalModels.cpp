//===- ExternalModels.cpp -------------------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Collects the external models of all files here.
//
//===----------------------------------------------------------------------===//

#include "frit/Dialect/Frit/Transforms/ExternalModels.h"

#include "ExternalModelsImpl.h"

void mlir::frit::registerFritExternalModels(DialectRegistry &registry) {
  registerBufferizableOpInterfaceModels(registry);
  registerDecomposeModels(registry);
  registerRuntimeVerifiableOpInterfaceModels(registry);
  registerTilingInterfaceModels(registry);
  registerValueBoundsOpInterfaceModels(registry);
}

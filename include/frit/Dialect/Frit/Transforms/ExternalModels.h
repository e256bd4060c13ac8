//===- ExternalModels.h -----------------------------------------*- C++ -*-===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Implementations of upstream interfaces by Frit's ops that live outside the
// dialect's own library.
//
//===----------------------------------------------------------------------===//

#ifndef FRIT_DIALECT_FRIT_TRANSFORMS_EXTERNALMODELS_H
#define FRIT_DIALECT_FRIT_TRANSFORMS_EXTERNALMODELS_H

namespace mlir {
class DialectRegistry;
} // namespace mlir

namespace mlir::frit {

/// All external models of this library.
void registerFritExternalModels(DialectRegistry &registry);

} // namespace mlir::frit

#endif // FRIT_DIALECT_FRIT_TRANSFORMS_EXTERNALMODELS_H

//===- ImageTranslation.h - Device code in host modules ---------*- C++ -*-===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Translation of gpu.binary ops with a #frit.image to LLVM IR.
//
//===----------------------------------------------------------------------===//

#ifndef FRIT_LIB_EXECUTION_IMAGETRANSLATION_H
#define FRIT_LIB_EXECUTION_IMAGETRANSLATION_H

#include "mlir/IR/DialectRegistry.h"

namespace mlir::frit {

/// Registers the translation of gpu.binary ops: the bytes of the image become
/// the value of the global that launches refer to. An image that this build
/// does not have, or that has another hash than the one compiled for, is an
/// error.
void registerImageTranslation(DialectRegistry &registry);

} // namespace mlir::frit

#endif // FRIT_LIB_EXECUTION_IMAGETRANSLATION_H

//===- ConcatConstants.h - One constant of several --------------*- C++ -*-===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Concatenates the data of constants, in the module or in resources.
//
//===----------------------------------------------------------------------===//

#ifndef FRIT_TRANSFORMS_PACKPROJECTIONS_CONCATCONSTANTS_H
#define FRIT_TRANSFORMS_PACKPROJECTIONS_CONCATCONSTANTS_H

#include "mlir/IR/BuiltinAttributes.h"

namespace mlir::frit {

/// Whether the data of a constant can be read: float elements of whole bytes.
bool canConcat(ElementsAttr constant);

/// The constants, of one element type and equal but for their first axis,
/// behind each other along it. A resource, as what is packed is large.
ElementsAttr concatRows(ArrayRef<ElementsAttr> constants);

} // namespace mlir::frit

#endif // FRIT_TRANSFORMS_PACKPROJECTIONS_CONCATCONSTANTS_H

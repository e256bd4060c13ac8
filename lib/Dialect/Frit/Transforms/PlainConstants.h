//===- PlainConstants.h - Constants whose bytes can be read -----*- C++ -*-===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What passes do to weights that are constants, in the module or in resources,
// once at compile time.
//
//===----------------------------------------------------------------------===//

#ifndef FRIT_TRANSFORMS_PLAINCONSTANTS_H
#define FRIT_TRANSFORMS_PLAINCONSTANTS_H

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Value.h"

namespace mlir::frit {

/// Whether the data of a constant can be read: float elements of whole bytes.
bool isPlain(ElementsAttr constant);

/// The plain constant that a value is; null where it is none.
ElementsAttr getPlainConstant(Value value);

/// Whether no element of a plain constant is an infinity or NaN.
bool isFinite(ElementsAttr constant);

/// The plain constants, of one element type and equal but for their first axis,
/// behind each other along it. A resource, as what is packed is large.
ElementsAttr concatRows(ArrayRef<ElementsAttr> constants);

/// A plain matrix with its axes exchanged, as a resource.
ElementsAttr transposeMatrix(ElementsAttr constant);

} // namespace mlir::frit

#endif // FRIT_TRANSFORMS_PLAINCONSTANTS_H

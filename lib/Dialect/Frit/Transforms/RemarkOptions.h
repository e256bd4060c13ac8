//===- RemarkOptions.h ------------------------------------------*- C++ -*-===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What every remark of Frit's passes says beside its text.
//
//===----------------------------------------------------------------------===//

#ifndef FRIT_TRANSFORMS_REMARKOPTIONS_H
#define FRIT_TRANSFORMS_REMARKOPTIONS_H

#include "mlir/IR/Remarks.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

namespace mlir::frit {

/// Name, category (the pass' argument) and function of a remark on an op.
inline remark::RemarkOpts getRemarkOpts(Operation *op, StringRef name,
                                        StringRef category) {
  auto function = op->getParentOfType<FunctionOpInterface>();
  return remark::RemarkOpts::name(name).category(category).function(
      function ? function.getName() : StringRef());
}

} // namespace mlir::frit

#endif // FRIT_TRANSFORMS_REMARKOPTIONS_H

//===- LargeConstant.h ---------------------------------------- -*- C++ -*-===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Which constants of a module in LLVM's dialect are kept out of LLVM.
//
//===----------------------------------------------------------------------===//

#ifndef FRIT_LIB_EXECUTION_PASSES_LARGECONSTANT_H
#define FRIT_LIB_EXECUTION_PASSES_LARGECONSTANT_H

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

namespace mlir::frit {

/// Constants of fewer bytes may help the optimizer.
constexpr uint64_t kLeastLargeBytes = uint64_t(1) << 16;

/// The bytes of a value as they lie in memory; none where it has one value for
/// all of several elements, or elements that are no whole bytes.
ArrayRef<char> getContiguousData(ElementsAttr value);

/// The same of a constant; none where the global is no
/// constant or has fewer than `leastBytes`.
ArrayRef<char> getLargeData(LLVM::GlobalOp global, uint64_t leastBytes);

} // namespace mlir::frit

#endif // FRIT_LIB_EXECUTION_PASSES_LARGECONSTANT_H

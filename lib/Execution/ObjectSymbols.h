//===- ObjectSymbols.h - What object files need -----------------*- C++ -*-===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Binds object files to Frit's runtime alone.
//
//===----------------------------------------------------------------------===//

#ifndef FRIT_LIB_EXECUTION_OBJECTSYMBOLS_H
#define FRIT_LIB_EXECUTION_OBJECTSYMBOLS_H

#include "llvm/Support/Error.h"
#include "llvm/Support/MemoryBuffer.h"

#include <memory>

namespace mlir::frit {

/// The object with the mathematical functions that it calls replaced by the
/// runtime's, so that it needs nothing but the runtime and the C library's
/// functions on memory. Errors: other symbols that it needs, by name.
llvm::Expected<std::unique_ptr<llvm::MemoryBuffer>>
bindToRuntime(const llvm::MemoryBuffer &object);

} // namespace mlir::frit

#endif // FRIT_LIB_EXECUTION_OBJECTSYMBOLS_H

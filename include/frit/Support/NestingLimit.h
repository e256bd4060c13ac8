//===- NestingLimit.h -------------------------------------------*- C++ -*-===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A check of IR text before it is parsed. MLIR's parser, verifier and printer
// recurse into regions, types, attributes, locations and affine expressions
// without a limit, so that deeply nested text overflows the stack. Tools call
// this first and report an error instead.
//
//===----------------------------------------------------------------------===//

#ifndef FRIT_SUPPORT_NESTINGLIMIT_H
#define FRIT_SUPPORT_NESTINGLIMIT_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/LogicalResult.h"
#include "llvm/Support/MemoryBufferRef.h"

#include <optional>
#include <string>

namespace mlir {
class MLIRContext;
} // namespace mlir

namespace mlir::frit {

/// The limits of the check. Upstream's parser overflows a stack of 8 MiB at
/// about ten times these.
struct NestingLimits {
  /// Brackets of any kind that are open at once. An alias of an attribute or a
  /// type counts as deep as its definition.
  unsigned depth = 512;
  /// Arithmetic operators of one expression outside of inner brackets: each is
  /// a level of recursion.
  unsigned operators = 4096;
};

/// The first place where a text exceeds a limit. Lines and columns are counted
/// from 1.
struct NestingError {
  unsigned line;
  unsigned column;
  /// Names what was counted and the limit.
  std::string message;
};

/// Looks through IR text, which need not be well-formed. Bytecode passes: it is
/// not parsed as text.
std::optional<NestingError> findNestingError(llvm::StringRef text,
                                             const NestingLimits &limits = {});

/// Fails with a diagnostic at the place in `buffer` that exceeds a limit.
llvm::LogicalResult checkNesting(MLIRContext *context,
                                 llvm::MemoryBufferRef buffer,
                                 const NestingLimits &limits = {});

} // namespace mlir::frit

#endif // FRIT_SUPPORT_NESTINGLIMIT_H

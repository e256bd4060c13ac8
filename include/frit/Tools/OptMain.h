//===- OptMain.h ------------------------------------------------*- C++ -*-===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The main function of opt tools: frit-opt, and those of compilers that embed
// Frit.
//
//===----------------------------------------------------------------------===//

#ifndef FRIT_TOOLS_OPTMAIN_H
#define FRIT_TOOLS_OPTMAIN_H

#include "llvm/ADT/StringRef.h"

namespace mlir {
class DialectRegistry;
} // namespace mlir

namespace mlir::frit {

/// MLIR's own main of opt tools, with the same options and
/// --frit-list-kernels, behind the check of the input's nesting. Registers
/// everything of MLIR and of Frit but the fused kernels; the caller registers
/// its own passes before, and puts dialects and kernels into `registry`.
/// `header` is the first line of --help. Returns the exit code.
int optMain(int argc, char **argv, llvm::StringRef header,
            DialectRegistry &registry);

} // namespace mlir::frit

#endif // FRIT_TOOLS_OPTMAIN_H

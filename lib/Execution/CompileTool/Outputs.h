//===- Outputs.h ------------------------------------------------*- C++ -*-===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The files that frit-compile writes.
//
//===----------------------------------------------------------------------===//

#ifndef FRIT_LIB_EXECUTION_COMPILETOOL_OUTPUTS_H
#define FRIT_LIB_EXECUTION_COMPILETOOL_OUTPUTS_H

#include "Options.h"

namespace mlir::frit {

/// Modules in LLVM's dialect, with exported entries.
struct LoweredModules {
  OwningOpRef<ModuleOp> code;
  /// With kernels as PTX; null unless PTX is to be written.
  OwningOpRef<ModuleOp> ptx;
  /// The weights that the code does not contain.
  SmallVector<ExternalConstant> constants;
};

/// The bytes of all outputs, in order; none of weights, which may be many.
/// Errors: what cannot be compiled, and weights where the code needs none.
llvm::Expected<SmallVector<std::string>>
makeOutputs(const LoweredModules &modules, ArrayRef<CompileTarget> targets,
            const CompileToolOptions &options);

/// Writes the outputs, each whole or not at all.
llvm::Error writeOutputs(ArrayRef<std::string> bytes,
                         ArrayRef<ExternalConstant> constants,
                         const CompileToolOptions &options);

} // namespace mlir::frit

#endif // FRIT_LIB_EXECUTION_COMPILETOOL_OUTPUTS_H

//===- Passes.h -------------------------------------------------*- C++ -*-===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The passes that make functions over tensors callable, and the names they
// give. What each does is documented in Passes.td.
//
//===----------------------------------------------------------------------===//

#ifndef FRIT_EXECUTION_PASSES_H
#define FRIT_EXECUTION_PASSES_H

#include "mlir/Pass/Pass.h"

#include <string>

namespace mlir::frit {

/// The symbol of the entry point that frit-emit-entry-points makes for `name`:
/// `int32_t symbol(FritContext *context, void **arguments)`.
std::string getEntryPointName(llvm::StringRef name);

/// The function that frit-emit-result-shapes makes for `name`.
std::string getResultShapesName(llvm::StringRef name);

/// The constant that frit-emit-entry-metadata makes for `name`: a FritEntry.
std::string getEntryMetadataName(llvm::StringRef name);

/// The FritWeights that frit-externalize-constants makes.
llvm::StringRef getWeightsName();

/// The attribute of a module with what it externalized.
llvm::StringRef getWeightsAttrName();

/// The metadata for one of several GPU architectures, as "sm_90a".
std::string getVariantMetadataName(llvm::StringRef name, llvm::StringRef chip);

/// The attribute of a module that names the instructions which its code on the
/// host may use beyond those of the oldest processor: strings of
/// ProcessorFeatures.def.
llvm::StringRef getProcessorFeaturesAttrName();

#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "frit/Execution/Passes.h.inc"

} // namespace mlir::frit

#endif // FRIT_EXECUTION_PASSES_H

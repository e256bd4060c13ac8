//===- KernelChoices.cpp --------------------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Which kernels a compilation will pick, asked before anything is compiled.
//
//===----------------------------------------------------------------------===//

#include "frit/Execution/KernelChoices.h"

#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;
using namespace mlir::frit;

LogicalResult
mlir::frit::chooseKernels(ModuleOp module, const GraphOptions &options,
                          function_ref<void(ArrayRef<KernelDecision>)> use) {
  // What precedes selection in the pipelines.
  OwningOpRef<ModuleOp> copy = module.clone();
  PassManager pm(module.getContext());
  pm.addPass(createInlinerPass());
  pm.addPass(createSymbolDCEPass());
  addFormingPasses(pm, options);
  if (failed(pm.run(*copy)))
    return failure();

  const KernelTable *table = KernelTable::get(module.getContext());
  auto emitError = [&] {
    return module.emitError("kernels cannot be chosen: ");
  };
  FailureOr<KernelSelectionOptions> selection = KernelSelectionOptions::parse(
      options.target, options.policy, {}, table, emitError);
  if (failed(selection))
    return failure();
  FailureOr<std::vector<KernelDecision>> decisions =
      decideKernels(*copy, *table, *selection);
  if (failed(decisions))
    return failure();
  use(*decisions);
  return success();
}

//===- ExternalConstants.cpp ----------------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Takes large constants out of lowered modules.
//
//===----------------------------------------------------------------------===//

#include "../Passes/LargeConstant.h"

#include "frit/Execution/Compiler.h"
#include "frit/Execution/Passes.h"

#include "mlir/Pass/PassManager.h"

namespace mlir::frit {

FailureOr<SmallVector<ExternalConstant>>
externalizeConstants(ModuleOp module, uint64_t leastBytes) {
  PassManager pm(module.getContext());
  ExternalizeConstantsPassOptions options;
  options.leastBytes = leastBytes;
  pm.addPass(createExternalizeConstantsPass(options));
  if (failed(pm.run(module)))
    return failure();
  SmallVector<ExternalConstant> constants;
  if (auto all = module->getAttrOfType<ArrayAttr>(getWeightsAttrName()))
    for (auto constant : all.getAsRange<DictionaryAttr>()) {
      auto value = constant.getAs<ElementsAttr>("value");
      constants.push_back({constant.getAs<StringAttr>("name").str(), value,
                           getContiguousData(value)});
    }
  module->removeAttr(getWeightsAttrName());
  return constants;
}

} // namespace mlir::frit

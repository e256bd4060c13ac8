//===- Passes.cpp ---------------------------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The C API of passes, which is generated, and of pipelines.
//
//===----------------------------------------------------------------------===//

#include "frit-c/Passes.h"

#include "frit/InitAll.h"

#include "mlir/CAPI/Pass.h"
#include "mlir/CAPI/Support.h"
#include "mlir/CAPI/Utils.h"

#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace mlir::frit;

// Their prototypes are in frit-c/Passes.h.
extern "C" {
#include "frit/Conversion/Passes.capi.cpp.inc"
#include "frit/Dialect/Frit/Transforms/Passes.capi.cpp.inc"
#include "frit/Execution/Passes.capi.cpp.inc"
}

template <typename Options>
static MlirLogicalResult
addPipeline(void (*build)(OpPassManager &, const Options &), StringRef name,
            MlirOpPassManager manager, MlirStringRef text,
            MlirStringCallback report, void *userData) {
  Options options;
  std::string reason;
  llvm::raw_string_ostream stream(reason);
  if (succeeded(options.parseFromString(unwrap(text), stream))) {
    build(*unwrap(manager), options);
    return mlirLogicalResultSuccess();
  }
  if (report) {
    std::string message = ("options of " + name + ": '" + unwrap(text) +
                           "': " + StringRef(reason).rtrim())
                              .str();
    report(wrap(StringRef(message)), userData);
  }
  return mlirLogicalResultFailure();
}

void fritRegisterPasses(void) { registerPasses(); }

MlirLogicalResult fritAddCpuPipeline(MlirOpPassManager manager,
                                     MlirStringRef options,
                                     MlirStringCallback report,
                                     void *userData) {
  return addPipeline(buildCpuPipeline, "frit-to-cpu", manager, options, report,
                     userData);
}

MlirLogicalResult fritAddCudaPipeline(MlirOpPassManager manager,
                                      MlirStringRef options,
                                      MlirStringCallback report,
                                      void *userData) {
  return addPipeline(buildCudaPipeline, "frit-to-cuda", manager, options,
                     report, userData);
}

MlirLogicalResult fritAddReferencePipeline(MlirOpPassManager manager,
                                           MlirStringRef options,
                                           MlirStringCallback report,
                                           void *userData) {
  return addPipeline(buildReferencePipeline, "frit-native-reference", manager,
                     options, report, userData);
}

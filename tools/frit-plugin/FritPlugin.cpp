//===- FritPlugin.cpp -----------------------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Frit as a plugin of tools that are built on MlirOptMain, such as the stock
// mlir-opt: the dialect with its external models and kernels, and the passes
// and pipelines.
//
// MLIR ends the process where a name is registered twice with different code,
// so a library that comes second says so and adds nothing.
//
//===----------------------------------------------------------------------===//

#include "frit/InitAll.h"

#include "mlir/Tools/Plugins/DialectPlugin.h"
#include "mlir/Tools/Plugins/PassPlugin.h"

#include "llvm/Support/raw_ostream.h"

using namespace mlir;

static constexpr const char *pluginName = "FritPlugin";

static void warnOfOther(StringRef what) {
  llvm::errs() << "warning: " << pluginName << ": " << what
               << " already registered in this process; the plugin adds "
                  "nothing\n";
}

/// False if the process has passes of another Frit.
static bool registerPassesOnce() {
  static const bool registered = [] {
    if (PassInfo::lookup(frit::createSelectKernelsPass()->getArgument()))
      return false;
    frit::registerPasses();
    return true;
  }();
  return registered;
}

static void registerDialect(DialectRegistry *registry) {
  if (registry->getDialectAllocator(frit::FritDialect::getDialectNamespace())) {
    warnOfOther("the dialect 'frit' is");
    return;
  }
  // Passes and dialect of different libraries do not go together.
  if (!registerPassesOnce()) {
    warnOfOther("passes of Frit are");
    return;
  }
  frit::registerDialect(*registry);
  frit::registerCudaKernels(*registry);
}

static void registerPasses() {
  if (!registerPassesOnce())
    warnOfOther("passes of Frit are");
}

extern "C" DialectPluginLibraryInfo mlirGetDialectPluginInfo() {
  return {MLIR_PLUGIN_API_VERSION, pluginName, FRIT_VERSION, registerDialect};
}

extern "C" PassPluginLibraryInfo mlirGetPassPluginInfo() {
  return {MLIR_PLUGIN_API_VERSION, pluginName, FRIT_VERSION, registerPasses};
}

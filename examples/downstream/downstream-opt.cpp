//===- downstream-opt.cpp -------------------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The opt tool of a compiler that embeds Frit.
//
//===----------------------------------------------------------------------===//

#include "Downstream.h"

#include "frit/InitAll.h"
#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/InitAllPasses.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"

int main(int argc, char **argv) {
  mlir::DialectRegistry registry;
  mlir::registerAllDialects(registry);
  mlir::registerAllExtensions(registry);
  mlir::registerAllPasses();
  mlir::frit::registerAll(registry);
  registry.insert<downstream::DownstreamDialect>();
  downstream::registerPasses();
  return mlir::asMainReturnCode(
      mlir::MlirOptMain(argc, argv, "A compiler that embeds Frit\n", registry));
}

//===- frit-test-opt.cpp --------------------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// frit-opt with the kernels of a third party, for tests.
//
//===----------------------------------------------------------------------===//

#include "../Kernels/TestKernels.h"

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
  mlir::frit::test::registerTestKernels(registry);
  if (mlir::frit::listKernelsIfAsked({argv, static_cast<size_t>(argc)},
                                     registry, llvm::outs()))
    return 0;
  return mlir::asMainReturnCode(
      mlir::MlirOptMain(argc, argv, "Frit optimizer for tests\n", registry));
}

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

#include "frit/Tools/OptMain.h"

#include "mlir/IR/DialectRegistry.h"

int main(int argc, char **argv) {
  mlir::DialectRegistry registry;
  mlir::frit::test::registerTestKernels(registry);
  return mlir::frit::optMain(argc, argv, "Frit optimizer for tests\n",
                             registry);
}

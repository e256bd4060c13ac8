//===- OptToolMain.cpp ----------------------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The opt tool: MLIR's own main with upstream's and Frit's dialects and passes,
// and the listing of the kernel table.
//
//===----------------------------------------------------------------------===//

#include "../ToolMains.h"

#include "frit/Kernels/KernelTable.h"
#include "frit/Tools/OptMain.h"

#include "mlir/IR/DialectRegistry.h"

int mlir::frit::fritOptToolMain(int argc, char **argv) {
  mlir::DialectRegistry registry;
  mlir::frit::registerCudaKernels(registry);
  return mlir::frit::optMain(
      argc, argv,
      "Frit optimizer driver (--frit-list-kernels prints the kernel table)\n",
      registry);
}

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

#include "frit/Kernels/KernelTable.h"
#include "frit/Tools/OptMain.h"
#include "mlir/IR/DialectRegistry.h"

int main(int argc, char **argv) {
  mlir::DialectRegistry registry;
  registry.insert<downstream::DownstreamDialect>();
  downstream::registerPasses();
  downstream::registerKernels(registry);
  mlir::frit::registerCudaKernels(registry);
  return mlir::frit::optMain(argc, argv, "A compiler that embeds Frit\n",
                             registry);
}

//===- KernelImages.cpp ---------------------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Looks up the embedded kernel images.
//
//===----------------------------------------------------------------------===//

#include "frit/Kernels/KernelImages.h"

#include "KernelImageTable.h"

using namespace mlir::frit;

const KernelImageTable &mlir::frit::getKernelImages() {
  return kernelImageTable;
}

const KernelImage *mlir::frit::lookupKernelImage(std::string_view name) {
  for (const KernelImage &image : kernelImageTable)
    if (image.name == name)
      return &image;
  return nullptr;
}

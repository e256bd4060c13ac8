//===- KernelImageTable.h ---------------------------------------*- C++ -*-===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The table that the build generates from the images.
//
//===----------------------------------------------------------------------===//

#ifndef FRIT_KERNELS_KERNELIMAGETABLE_H
#define FRIT_KERNELS_KERNELIMAGETABLE_H

#include "frit/Kernels/KernelImages.h"

namespace mlir::frit {

extern const KernelImageTable kernelImageTable;

} // namespace mlir::frit

#endif // FRIT_KERNELS_KERNELIMAGETABLE_H

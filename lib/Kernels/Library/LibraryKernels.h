//===- LibraryKernels.h -----------------------------------------*- C++ -*-===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The entries of Frit's kernel table that a library of the platform executes.
//
//===----------------------------------------------------------------------===//

#ifndef FRIT_LIB_KERNELS_LIBRARY_LIBRARYKERNELS_H
#define FRIT_LIB_KERNELS_LIBRARY_LIBRARYKERNELS_H

namespace mlir::frit {

class KernelTable;

/// The matmuls of cuBLASLt.
void addCublasLtKernels(KernelTable &table);

/// The matmuls of oneDNN.
void addOneDnnKernels(KernelTable &table);

} // namespace mlir::frit

#endif // FRIT_LIB_KERNELS_LIBRARY_LIBRARYKERNELS_H

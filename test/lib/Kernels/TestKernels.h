//===- TestKernels.h ------------------------------------------ -*- C++ -*-===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Entries that a third party could add to the kernel table: what the tests of
// selection pick from.
//
//===----------------------------------------------------------------------===//

#ifndef FRIT_TEST_LIB_KERNELS_TESTKERNELS_H
#define FRIT_TEST_LIB_KERNELS_TESTKERNELS_H

namespace mlir {
class DialectRegistry;
} // namespace mlir

namespace mlir::frit::test {

/// Adds the entries `test.*` to every context with this registry.
void registerTestKernels(DialectRegistry &registry);

} // namespace mlir::frit::test

#endif // FRIT_TEST_LIB_KERNELS_TESTKERNELS_H

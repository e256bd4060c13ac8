//===- Passes.td -------------------------------------------*- tablegen -*-===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Passes on Frit ops as they stand in a graph, and checks of what they become.
//
//===----------------------------------------------------------------------===//

#ifndef FRIT_TRANSFORMS_PASSES_TD
#define FRIT_TRANSFORMS_PASSES_TD

include "mlir/Pass/PassBase.td"

#endif // FRIT_TRANSFORMS_PASSES_TD

//===- FritOps.td ------------------------------------------*- tablegen -*-===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// All operations of the frit dialect.
//
//===----------------------------------------------------------------------===//

#ifndef FRIT_OPS_TD
#define FRIT_OPS_TD

include "frit/Dialect/Frit/IR/ActivationOps.td"
include "frit/Dialect/Frit/IR/FfnOps.td"
include "frit/Dialect/Frit/IR/LoraActivationOp.td"
include "frit/Dialect/Frit/IR/LoraOps.td"
include "frit/Dialect/Frit/IR/MatmulOp.td"

#endif // FRIT_OPS_TD

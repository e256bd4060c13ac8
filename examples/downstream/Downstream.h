//===- Downstream.h ---------------------------------------------*- C++ -*-===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The dialect of a compiler that embeds Frit, and its pipeline.
//
//===----------------------------------------------------------------------===//

#ifndef DOWNSTREAM_H
#define DOWNSTREAM_H

#include "frit/Dialect/Frit/IR/Frit.h"

#include "DownstreamDialect.h.inc"

#define GET_OP_CLASSES
#include "DownstreamOps.h.inc"

namespace downstream {

/// Registers `downstream-to-frit`, which turns the dialect's ops into Frit's,
/// and `downstream-to-cpu`, which goes on with Frit's pipeline.
void registerPasses();

} // namespace downstream

#endif // DOWNSTREAM_H

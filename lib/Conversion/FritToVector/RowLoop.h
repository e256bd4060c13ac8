//===- RowLoop.h ------------------------------------------------*- C++ -*-===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A parallel loop over the rows of memrefs of any rank and strides.
//
//===----------------------------------------------------------------------===//

#ifndef FRIT_LIB_CONVERSION_FRITTOVECTOR_ROWLOOP_H
#define FRIT_LIB_CONVERSION_FRITTOVECTOR_ROWLOOP_H

#include "../Utils/RowSlice.h"

namespace mlir::frit {

/// The columns of an activation that are worth a thread's start: several
/// microseconds of work.
constexpr int64_t activationGrain = 16384;

/// Makes an `scf.parallel` over blocks of rows and in it an `scf.for` over the
/// rows of a block. `prologue` fills a block's start, and the stack that it
/// takes is given back at the block's end; `body` fills the loop and receives a
/// view of rank 1 and inner stride 1 of each slice, and then of each slice's
/// next row of the block (of the last row itself), to prefetch. Both build at
/// the builder's insertion point. The leading dimensions need not collapse to
/// one stride: a row's index is taken apart. A block holds so many rows that
/// about `grain` columns of the first slice are worth a thread's start.
void buildRowLoop(OpBuilder &builder, Location loc, ArrayRef<RowSlice> slices,
                  int64_t grain, function_ref<void()> prologue,
                  function_ref<void(ValueRange, ValueRange)> body);

} // namespace mlir::frit

#endif // FRIT_LIB_CONVERSION_FRITTOVECTOR_ROWLOOP_H

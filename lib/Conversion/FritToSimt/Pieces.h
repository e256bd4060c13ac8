//===- Pieces.h -------------------------------------------------*- C++ -*-===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Access to memory in pieces of 16 bytes and more, and sums over the lanes of a
// warp.
//
//===----------------------------------------------------------------------===//

#ifndef FRIT_LIB_CONVERSION_FRITTOSIMT_PIECES_H
#define FRIT_LIB_CONVERSION_FRITTOSIMT_PIECES_H

#include "../Utils/VectorEmitter.h"

#include "frit/Dialect/Frit/Transforms/NumericsBuilder.h"

namespace mlir::frit {

constexpr int64_t warpSize = 32;
/// Loads and stores of so many bytes are the widest.
constexpr int64_t pieceBytes = 16;

/// The elements of a type in 16 bytes.
int64_t getPieceLength(Type elementType);

/// Loads or stores a vector of elements along the last dimension of a memref,
/// from `indices` on: by the widest accesses if `isWide`, which needs aligned
/// addresses, and else by elements.
Value loadPiece(VectorEmitter &emit, Value memref, ValueRange indices,
                int64_t length, bool isWide);
void storePiece(VectorEmitter &emit, Value piece, Value memref,
                ValueRange indices, bool isWide);

/// Loads the same elements, each in f32.
SmallVector<Value> loadElements(NumericsBuilder &numerics, VectorEmitter &emit,
                                Value memref, ValueRange indices,
                                int64_t length, bool isWide);

/// Whether a piece that begins at the column `first` of a memref, or any number
/// of pieces beyond, is aligned whatever the leading indices: i1. By code for
/// the host.
///
/// Were the choice made in a kernel, LLVM would see that both branches load the
/// same and keep only the loads of elements; so there are two kernels.
Value buildIsAligned(VectorEmitter &emit, Value memref, OpFoldResult first);

/// Builds `build(true)` where all of `conditions` hold, else `build(false)`.
void buildWideOrNot(VectorEmitter &emit, ValueRange conditions,
                    llvm::function_ref<void(bool isWide)> build);

/// Sums over groups of `width` neighboring lanes, in all of them: a butterfly,
/// whose halves add the same, so that all get the same bits.
Value sumLanes(NumericsBuilder &numerics, VectorEmitter &emit, Value value,
               int64_t width);

/// The sums of some values, a power of two of them, over groups of `width`
/// lanes: with the bits of `sumLanes`, but each in some lanes only, which takes
/// fewer shuffles. Lane l of a group gets the l-th of `width` equal parts of
/// the sums; where they are fewer, neighboring lanes get the same one.
SmallVector<Value> sumLanesOfEach(NumericsBuilder &numerics,
                                  VectorEmitter &emit, ArrayRef<Value> values,
                                  Value lane, int64_t width);

/// The sum of a vector's elements, halves first.
Value sumElements(NumericsBuilder &numerics, VectorEmitter &emit, Value vector);

} // namespace mlir::frit

#endif // FRIT_LIB_CONVERSION_FRITTOSIMT_PIECES_H

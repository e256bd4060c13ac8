//===- ByteCount.h ----------------------------------------------*- C++ -*-===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Code that computes sizes of memory without wraparound.
//
//===----------------------------------------------------------------------===//

#ifndef FRIT_LIB_CONVERSION_UTILS_BYTECOUNT_H
#define FRIT_LIB_CONVERSION_UTILS_BYTECOUNT_H

#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinTypes.h"

#include <optional>

namespace mlir::frit {

/// The bytes of the elements that the static sizes of a type give: all of them,
/// or those for each unit of the product of the dynamic sizes. None where they
/// do not fit.
std::optional<uint64_t> getStaticBytes(MemRefType type, uint64_t elementBytes);

/// `bytes` times the factors, which are of type index, as an i64, unsigned; all
/// bits set where the product does not fit or a factor is negative, which the
/// runtime refuses.
Value buildByteCount(OpBuilder &builder, Location loc, uint64_t bytes,
                     ValueRange factors);

} // namespace mlir::frit

#endif // FRIT_LIB_CONVERSION_UTILS_BYTECOUNT_H

//===- ByteCount.cpp ------------------------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Multiplies sizes with a check for overflow.
//
//===----------------------------------------------------------------------===//

#include "ByteCount.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

#include "llvm/Support/CheckedArithmetic.h"

using namespace mlir;

std::optional<uint64_t> mlir::frit::getStaticBytes(MemRefType type,
                                                   uint64_t elementBytes) {
  std::optional<uint64_t> bytes = elementBytes;
  for (int64_t size : type.getShape())
    if (bytes && ShapedType::isStatic(size))
      bytes = llvm::checkedMulUnsigned<uint64_t>(*bytes, size);
  return bytes;
}

Value mlir::frit::buildByteCount(OpBuilder &builder, Location loc,
                                 uint64_t bytes, ValueRange factors) {
  Type i64 = builder.getI64Type();
  Value count = arith::ConstantIntOp::create(builder, loc, i64,
                                             static_cast<int64_t>(bytes));
  if (factors.empty())
    return count;
  Value zero = arith::ConstantIntOp::create(builder, loc, i64, 0);
  Value tooLarge;
  for (Value size : factors) {
    // A negative size is a huge one here, and refused as such.
    Value factor = arith::IndexCastOp::create(builder, loc, i64, size);
    auto product = arith::MulUIExtendedOp::create(builder, loc, count, factor);
    Value overflow = arith::CmpIOp::create(
        builder, loc, arith::CmpIPredicate::ne, product.getHigh(), zero);
    tooLarge = tooLarge ? arith::OrIOp::create(builder, loc, tooLarge, overflow)
                        : overflow;
    count = product.getLow();
  }
  Value largest = arith::ConstantIntOp::create(builder, loc, i64, -1);
  return arith::SelectOp::create(builder, loc, tooLarge, largest, count);
}

//===- VectorEmitter.h ------------------------------------------*- C++ -*-===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the generators of matrix code have in common: index arithmetic that
// folds, structured loops, loads that widen to the type of the sum, and the two
// register-only rearrangements (horizontal sum, transposition).
//
//===----------------------------------------------------------------------===//

#ifndef FRIT_LIB_CONVERSION_UTILS_VECTOREMITTER_H
#define FRIT_LIB_CONVERSION_UTILS_VECTOREMITTER_H

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

#include <utility>

namespace mlir::frit {

/// Emits at the insertion point of its builder, all at one location.
class VectorEmitter {
public:
  /// `lanes` is the number of elements of `sumType` (f32 or f64) in a register.
  VectorEmitter(ImplicitLocOpBuilder &builder, int64_t lanes, Type sumType)
      : builder(builder), lanes(lanes), sumType(sumType) {}
  VectorEmitter(ImplicitLocOpBuilder &builder, int64_t lanes)
      : VectorEmitter(builder, lanes, builder.getF32Type()) {}

  ImplicitLocOpBuilder &getBuilder() { return builder; }
  int64_t getLanes() const { return lanes; }
  Type getSumType() const { return sumType; }
  /// One register of sums.
  VectorType getVectorType() const { return VectorType::get(lanes, sumType); }

  /// @name Index arithmetic
  /// On non-negative values.
  /// @{
  Value index(int64_t value);
  Value add(Value lhs, Value rhs);
  Value add(Value lhs, int64_t rhs) { return add(lhs, index(rhs)); }
  Value sub(Value lhs, Value rhs);
  Value mul(Value lhs, Value rhs);
  Value mul(Value lhs, int64_t rhs) { return mul(lhs, index(rhs)); }
  Value div(Value lhs, Value rhs);
  Value rem(Value lhs, Value rhs);
  Value ceilDiv(Value lhs, Value rhs);
  Value ceilDiv(Value lhs, int64_t rhs) { return ceilDiv(lhs, index(rhs)); }
  Value roundDown(Value value, int64_t multiple);
  Value min(Value lhs, Value rhs);
  Value max(Value lhs, Value rhs);
  Value select(Value condition, Value ifTrue, Value ifFalse);
  Value compare(arith::CmpIPredicate predicate, Value lhs, Value rhs);
  Value less(Value lhs, Value rhs) {
    return compare(arith::CmpIPredicate::ult, lhs, rhs);
  }
  Value dim(Value memref, int64_t dimension);
  /// Entry of an i32 memref, sign-extended.
  Value loadIndex(Value memref, ValueRange indices);
  /// @}

  /// @name Control flow
  /// The callbacks emit the body.
  /// @{
  using LoopBody =
      llvm::function_ref<SmallVector<Value>(Value iv, ValueRange values)>;
  SmallVector<Value> loop(Value begin, Value end, int64_t step,
                          ValueRange inits, LoopBody body);
  void loop(Value begin, Value end, int64_t step,
            llvm::function_ref<void(Value iv)> body);
  /// An iteration is the scope of its stack buffers. Where it is known how many
  /// products an iteration sums, a thread gets as many iterations as are worth
  /// it; else that is estimated from the code.
  void parallel(Value count, llvm::function_ref<void(Value iv)> body,
                std::optional<int64_t> products = std::nullopt);
  void ifThen(Value condition, llvm::function_ref<void()> body);
  void ifThenElse(Value condition, llvm::function_ref<void()> thenBody,
                  llvm::function_ref<void()> elseBody);
  /// Calls `body` for each of some numbers, one of which `value` is, to emit
  /// code that is for this number alone.
  void switchOver(Value value, ArrayRef<int64_t> numbers,
                  llvm::function_ref<void(int64_t number)> body);
  /// @}

  /// @name Data
  /// @{
  Value zero();
  Value broadcast(Value scalar);
  /// `a * b + sum`, rounded once. Not vector.fma: it becomes llvm.fmuladd,
  /// which may round twice.
  Value fma(Value a, Value b, Value sum);
  /// A vector or scalar as `sumType`. Exact.
  Value widen(Value value);
  /// `lanes` elements as they are. With `count` only the first so many are read
  /// and the others are 0.
  Value loadElements(Value memref, ValueRange indices, Value count = {});
  /// The same, widened.
  Value load(Value memref, ValueRange indices, Value count = {});
  /// A register of equally long pieces, one from each place, widened.
  Value loadPieces(ArrayRef<std::pair<Value, SmallVector<Value>>> places);
  /// One element, widened.
  Value loadScalar(Value memref, ValueRange indices);
  /// Two registers of bf16 elements, widened: those at even and those at odd
  /// positions. Cheaper than two loads in order.
  std::pair<Value, Value> loadPairs(Value memref, ValueRange indices);
  /// Stores elements of the memref's type, with `count` only the first so many.
  void store(Value vector, Value memref, ValueRange indices, Value count = {});
  /// A temporary of static shape on the stack.
  Value stackBuffer(ArrayRef<int64_t> shape, Type elementType);
  /// The sum of all lanes, halves first: a fixed order.
  Value horizontalSum(Value vector);
  /// Transposes in place the squares of rows.size() lanes, a power of two, that
  /// lie side by side in the registers.
  void transpose(MutableArrayRef<Value> rows);
  /// @}

private:
  Value createMask(Value count);
  /// The buffer of the parallel iteration through which parts of a register of
  /// 16-bit elements are loaded and stored.
  Value getStaging();

  ImplicitLocOpBuilder &builder;
  int64_t lanes;
  Type sumType;
  Block *iteration = nullptr;
  Value staging;
};

/// A memref as one whose inner stride is statically 1: where its inner size is
/// 1 the type may say otherwise, and vector loads refuse it.
Value withUnitInnerStride(ImplicitLocOpBuilder &builder, Value memref);

} // namespace mlir::frit

#endif // FRIT_LIB_CONVERSION_UTILS_VECTOREMITTER_H

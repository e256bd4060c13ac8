//===- RuntimeChecks.h ------------------------------------------*- C++ -*-===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Builds checks at run time in front of an op.
//
//===----------------------------------------------------------------------===//

#ifndef FRIT_LIB_DIALECT_FRIT_TRANSFORMS_RUNTIMECHECKS_H
#define FRIT_LIB_DIALECT_FRIT_TRANSFORMS_RUNTIMECHECKS_H

#include "frit/Dialect/Frit/IR/Frit.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

#include <string>

namespace mlir::frit {

using MessageFn = function_ref<std::string(Operation *, StringRef)>;

/// A dimension with the words that messages name it by.
struct NamedDim {
  std::string name;
  Value value;
  int64_t dim;

  bool isDynamic() const {
    return cast<ShapedType>(value.getType()).isDynamicDim(dim);
  }
  std::string str() const {
    return "dimension " + std::to_string(dim) + " of '" + name + "'";
  }
};

/// Builds checks in front of an op.
class CheckBuilder {
public:
  CheckBuilder(OpBuilder &builder, Location loc, Operation *op,
               MessageFn getMessage)
      : b(builder), loc(loc), op(op), getMessage(getMessage) {}

  Value constant(int64_t value) {
    return arith::ConstantIndexOp::create(b, loc, value);
  }
  Value sizeOf(Value value, int64_t dim);
  Value sizeOf(const NamedDim &dim) { return sizeOf(dim.value, dim.dim); }

  /// Reads an i32 element as an index, sign-extended.
  Value readIndex(Value shaped, ValueRange indices) {
    Value element =
        isa<TensorType>(shaped.getType())
            ? tensor::ExtractOp::create(b, loc, shaped, indices).getResult()
            : memref::LoadOp::create(b, loc, shaped, indices).getResult();
    return arith::IndexCastOp::create(b, loc, b.getIndexType(), element);
  }

  Value compare(arith::CmpIPredicate predicate, Value lhs, Value rhs) {
    return arith::CmpIOp::create(b, loc, predicate, lhs, rhs);
  }
  Value isEqual(Value lhs, Value rhs) {
    return compare(arith::CmpIPredicate::eq, lhs, rhs);
  }
  Value isAtMost(Value lhs, Value rhs) {
    return compare(arith::CmpIPredicate::sle, lhs, rhs);
  }
  Value isNotNegative(Value value) {
    return compare(arith::CmpIPredicate::sge, value, constant(0));
  }
  /// 0 <= value < end, for an end that is not negative.
  Value isBelow(Value value, Value end) {
    return compare(arith::CmpIPredicate::ult, value, end);
  }
  Value isNot(Value condition) {
    Value yes = arith::ConstantIntOp::create(b, loc, 1, 1);
    return arith::XOrIOp::create(b, loc, condition, yes);
  }

  void check(Value condition, const Twine &message) {
    cf::AssertOp::create(b, loc, condition, getMessage(op, message.str()));
  }
  void checkSame(const NamedDim &lhs, const NamedDim &rhs) {
    // A constant stands on the right, where folding would move it: failing
    // checks report the values in the order of the comparison.
    if (!lhs.isDynamic() && rhs.isDynamic())
      return checkSame(rhs, lhs);
    if (lhs.isDynamic())
      check(isEqual(sizeOf(lhs), sizeOf(rhs)),
            lhs.str() + " and " + rhs.str() + " differ");
  }
  void checkSize(const NamedDim &dim, int64_t size, StringRef what) {
    if (dim.isDynamic())
      check(isEqual(sizeOf(dim), constant(size)),
            dim.str() + " is not " + what);
  }

  void forEach(Value begin, Value end, function_ref<void(Value)> body) {
    auto loop = scf::ForOp::create(b, loc, begin, end, constant(1));
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(loop.getBody());
    body(loop.getInductionVar());
  }

  /// The sum of a hash of `get(i)` for i below `end`. Two lists of the same
  /// length with different elements have different sums but for one chance in
  /// 2^64, and comparing sums needs no memory.
  Value sumOfHashes(Value end, function_ref<Value(Value)> get) {
    auto constant64 = [&](int64_t value) -> Value {
      return arith::ConstantIntOp::create(b, loc, value, 64);
    };
    auto mix = [&](Value x, int64_t shift, int64_t factor) -> Value {
      Value high = arith::ShRUIOp::create(b, loc, x, constant64(shift));
      x = arith::XOrIOp::create(b, loc, x, high);
      return arith::MulIOp::create(b, loc, x, constant64(factor));
    };
    auto loop = scf::ForOp::create(b, loc, constant(0), end, constant(1),
                                   constant64(0));
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(loop.getBody());
    Value hash = arith::IndexCastOp::create(b, loc, b.getI64Type(),
                                            get(loop.getInductionVar()));
    hash = arith::AddIOp::create(b, loc, hash, constant64(kHashStart));
    hash = mix(mix(hash, 30, kHashFactor0), 27, kHashFactor1);
    Value sum = arith::AddIOp::create(b, loc, loop.getRegionIterArg(0), hash);
    scf::YieldOp::create(b, loc, sum);
    return loop.getResult(0);
  }

  OpBuilder &b;
  Location loc;

private:
  /// Odd numbers without structure.
  static constexpr int64_t kHashStart = 0x5851f42d4c957f2d;
  static constexpr int64_t kHashFactor0 = 0x14057b7ef767814f;
  static constexpr int64_t kHashFactor1 = 0x2545f4914f6cdd1d;

  Operation *op;
  MessageFn getMessage;
};

/// The dimension that counts the groups of a grouped LoRA op.
template <typename LoraOp>
NamedDim getGroups(LoraOp op, const NamedDim &adapters) {
  if (op.getActive())
    return {"active", op.getActive(), 0};
  return adapters;
}

/// Checks of the sizes that are dynamic: a few comparisons, none of them on
/// data, that keep an op inside of its operands.
/// The weights that have the adapters and the largest rank in their first
/// dimensions; there is a LoRA.
NamedDim getAdapters(SparseFfnOp op);

void generateSizeChecks(ActAndMulOp op, CheckBuilder &checks);
void generateSizeChecks(GeluAndMulSparseOp op, CheckBuilder &checks);
void generateSizeChecks(LoraMatmulOp op, CheckBuilder &checks);
void generateSizeChecks(LoraShrinkOp op, CheckBuilder &checks);
void generateSizeChecks(LoraExpandOp op, CheckBuilder &checks);
void generateSizeChecks(LoraGeluAndMulSparseOp op, CheckBuilder &checks);
void generateSizeChecks(LoraGroupOp op, CheckBuilder &checks);
void generateSizeChecks(MatmulOp op, CheckBuilder &checks);
void generateSizeChecks(SparseFfnOp op, CheckBuilder &checks);
void generateSizeChecks(linalg::LinalgOp op, CheckBuilder &checks);
void generateSizeChecks(tensor::ConcatOp op, CheckBuilder &checks);
void generateSizeChecks(tensor::EmptyOp op, CheckBuilder &checks);
void generateSizeChecks(tensor::ExpandShapeOp op, CheckBuilder &checks);
void generateSizeChecks(tensor::PadOp op, CheckBuilder &checks);

/// Checks that a given grouping leads to no place outside of the operands,
/// whatever its elements are; the sizes must have been checked before.
void generateGroupingChecks(LoraMatmulOp op, CheckBuilder &checks);
void generateGroupingChecks(LoraShrinkOp op, CheckBuilder &checks);
void generateGroupingChecks(LoraExpandOp op, CheckBuilder &checks);
void generateGroupingChecks(LoraGeluAndMulSparseOp op, CheckBuilder &checks);

/// Checks of what the operands hold; the sizes must have been checked before.
void generateDataChecks(LoraMatmulOp op, CheckBuilder &checks);
void generateDataChecks(LoraShrinkOp op, CheckBuilder &checks);
void generateDataChecks(LoraExpandOp op, CheckBuilder &checks);
void generateDataChecks(LoraGeluAndMulSparseOp op, CheckBuilder &checks);
void generateDataChecks(SparseFfnOp op, CheckBuilder &checks);

} // namespace mlir::frit

#endif // FRIT_LIB_DIALECT_FRIT_TRANSFORMS_RUNTIMECHECKS_H

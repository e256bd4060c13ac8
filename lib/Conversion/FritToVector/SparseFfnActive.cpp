//===- SparseFfnActive.cpp ------------------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// From the gate of all tokens to the list of active columns.
//
//===----------------------------------------------------------------------===//

#include "RowCutoff.h"
#include "SparseFfnCode.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace mlir::frit;

/// A row of a matrix as a memref of rank 1.
static Value getRow(VectorEmitter &e, Value matrix, Value row) {
  ImplicitLocOpBuilder &b = e.getBuilder();
  auto type = cast<MemRefType>(matrix.getType());
  // A subview takes no offset into a dimension of size 0, not even 0. A row
  // without elements may begin anywhere.
  if (type.getDimSize(1) == 0)
    return memref::ReinterpretCastOp::create(
        b, MemRefType::get({0}, type.getElementType()), matrix,
        /*offset=*/b.getIndexAttr(0), /*sizes=*/{b.getIndexAttr(0)},
        /*strides=*/{b.getIndexAttr(1)});
  SmallVector<OpFoldResult> offsets{row, b.getIndexAttr(0)};
  SmallVector<OpFoldResult> sizes{
      b.getIndexAttr(1), memref::getMixedSize(b, b.getLoc(), matrix, 1)};
  SmallVector<OpFoldResult> strides(2, b.getIndexAttr(1));
  MemRefType rowType = memref::SubViewOp::inferRankReducedResultType(
      {type.getDimSize(1)}, type, offsets, sizes, strides);
  return memref::SubViewOp::create(b, rowType, matrix, offsets, sizes, strides);
}

ActiveColumns ActiveColumns::ofToken(VectorEmitter &e, Value token) const {
  return {getRow(e, list, token), getRow(e, starts, token)};
}

Value ActiveColumns::getCount(VectorEmitter &e) const {
  Value last = e.sub(e.dim(starts, 0), e.index(1));
  return e.loadIndex(starts, last);
}

void frit::emitActivatedGate(const SparseFfnEmitter &f, Value gate,
                             Value activation) {
  VectorEmitter &e = f.e;
  SparseFfnOp op = f.op;
  int64_t lanes = e.getLanes();
  Value columns = e.dim(gate, 1);
  e.parallel(e.dim(gate, 0), [&](Value token) {
    Value cutoff =
        buildRowCutoff(f.numerics, op, getRow(e, gate, token), columns, lanes);
    cutoff = e.broadcast(cutoff);
    auto activate = [&](Value column, Value count) {
      Value elements = e.load(gate, {token, column}, count);
      Value a = f.numerics.sparseGate(elements, cutoff, op.getApproximate(),
                                      op.getRounding(), f.getElementType());
      e.store(a, activation, {token, column}, count);
    };
    Value fullEnd = e.roundDown(columns, lanes);
    e.loop(e.index(0), fullEnd, lanes,
           [&](Value column) { activate(column, Value()); });
    e.ifThen(e.less(fullEnd, columns),
             [&] { activate(fullEnd, e.sub(columns, fullEnd)); });
  });
}

/// The bits of f32 values without their signs: 0 for both zeros alone.
static Value getMagnitudeBits(ImplicitLocOpBuilder &b, Value value) {
  Type type = b.getI32Type();
  TypedAttr mask = b.getI32IntegerAttr(0x7fffffff);
  if (auto vector = dyn_cast<VectorType>(value.getType())) {
    type = vector.clone(type);
    mask =
        DenseElementsAttr::get(cast<VectorType>(type), APInt(32, 0x7fffffff));
  }
  Value bits = arith::BitcastOp::create(b, type, value);
  return arith::AndIOp::create(b, bits, arith::ConstantOp::create(b, mask));
}

/// Whether the activation of some token is not zero, of one column or of a
/// vector of them.
static Value emitIsActive(const SparseFfnEmitter &f, Value activation,
                          Value begin, Value end, Value column, bool isVector) {
  VectorEmitter &e = f.e;
  ImplicitLocOpBuilder &b = e.getBuilder();
  Type type = b.getI32Type();
  if (isVector)
    type = VectorType::get(e.getLanes(), type);
  Value zero = arith::ConstantOp::create(b, b.getZeroAttr(type));
  Value bits =
      e.loop(begin, end, 1, zero,
             [&](Value token, ValueRange in) -> SmallVector<Value> {
               Value a = isVector ? e.load(activation, {token, column})
                                  : e.loadScalar(activation, {token, column});
               return {arith::OrIOp::create(b, in[0], getMagnitudeBits(b, a))};
             })
          .front();
  return arith::CmpIOp::create(b, arith::CmpIPredicate::ne, bits, zero);
}

void frit::emitActiveColumns(const SparseFfnEmitter &f, Value activation,
                             Value begin, Value end,
                             const ActiveColumns &active) {
  VectorEmitter &e = f.e;
  ImplicitLocOpBuilder &b = e.getBuilder();
  int64_t lanes = e.getLanes();
  Value columns = e.dim(activation, 1);
  auto store = [&](Value index, Value memref, Value at) {
    Value entry = arith::IndexCastOp::create(b, b.getI32Type(), index);
    memref::StoreOp::create(b, entry, memref, at);
  };
  // The next active column takes the place of one that is not.
  auto append = [&](Value column, Value isActive, Value count) {
    store(column, active.list, count);
    return e.add(count,
                 arith::IndexCastUIOp::create(b, b.getIndexType(), isActive));
  };
  Value size = e.index(ActiveColumns::kRange);
  Value numRanges = e.ceilDiv(columns, ActiveColumns::kRange);
  auto emitRange = [&](Value range, ValueRange in) -> SmallVector<Value> {
    Value count = in[0];
    store(count, active.starts, range);
    Value first = e.mul(range, size);
    Value last = e.min(e.add(first, size), columns);
    Value fullEnd = e.add(first, e.roundDown(e.sub(last, first), lanes));
    count = e.loop(first, fullEnd, lanes, count,
                   [&](Value column, ValueRange in) -> SmallVector<Value> {
                     Value isActive =
                         emitIsActive(f, activation, begin, end, column,
                                      /*isVector=*/true);
                     Value count = in[0];
                     for (int64_t lane = 0; lane < lanes; ++lane)
                       count = append(
                           e.add(column, lane),
                           vector::ExtractOp::create(b, isActive, lane), count);
                     return {count};
                   })
                .front();
    return e.loop(fullEnd, last, 1, count,
                  [&](Value column, ValueRange in) -> SmallVector<Value> {
                    Value isActive =
                        emitIsActive(f, activation, begin, end, column,
                                     /*isVector=*/false);
                    return {append(column, isActive, in[0])};
                  });
  };
  Value count = e.loop(e.index(0), numRanges, 1, e.index(0), emitRange).front();
  store(count, active.starts, numRanges);
}

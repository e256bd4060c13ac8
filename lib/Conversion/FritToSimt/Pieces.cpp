//===- Pieces.cpp ---------------------------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Builds the accesses, and what the host needs to know to choose them.
//
//===----------------------------------------------------------------------===//

#include "Pieces.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

namespace mlir::frit {

int64_t getPieceLength(Type elementType) {
  return pieceBytes * 8 / elementType.getIntOrFloatBitWidth();
}

/// `indices` with the last one advanced.
static SmallVector<Value> advance(VectorEmitter &emit, ValueRange indices,
                                  int64_t distance) {
  SmallVector<Value> result(indices);
  result.back() = emit.add(result.back(), distance);
  return result;
}

Value loadPiece(VectorEmitter &emit, Value memref, ValueRange indices,
                int64_t length, bool isWide) {
  ImplicitLocOpBuilder &builder = emit.getBuilder();
  auto type = VectorType::get(
      length, cast<MemRefType>(memref.getType()).getElementType());
  if (isWide)
    return vector::LoadOp::create(builder, type, memref, indices,
                                  /*nontemporal=*/false,
                                  llvm::Align(pieceBytes));
  SmallVector<Value> elements;
  for (int64_t i = 0; i < length; ++i)
    elements.push_back(
        memref::LoadOp::create(builder, memref, advance(emit, indices, i)));
  return vector::FromElementsOp::create(builder, type, elements);
}

void storePiece(VectorEmitter &emit, Value piece, Value memref,
                ValueRange indices, bool isWide) {
  ImplicitLocOpBuilder &builder = emit.getBuilder();
  if (isWide) {
    vector::StoreOp::create(builder, piece, memref, indices,
                            /*nontemporal=*/false, llvm::Align(pieceBytes));
    return;
  }
  int64_t length = cast<VectorType>(piece.getType()).getDimSize(0);
  for (int64_t i = 0; i < length; ++i)
    memref::StoreOp::create(builder,
                            vector::ExtractOp::create(builder, piece, i),
                            memref, advance(emit, indices, i));
}

SmallVector<Value> loadElements(NumericsBuilder &numerics, VectorEmitter &emit,
                                Value memref, ValueRange indices,
                                int64_t length, bool isWide) {
  ImplicitLocOpBuilder &builder = emit.getBuilder();
  Value piece = loadPiece(emit, memref, indices, length, isWide);
  SmallVector<Value> elements;
  bool isBF16 = cast<VectorType>(piece.getType()).getElementType().isBF16();
  if (!isWide || !isBF16) {
    for (int64_t i = 0; i < length; ++i)
      elements.push_back(
          numerics.extend(vector::ExtractOp::create(builder, piece, i)));
    return elements;
  }
  // A bf16 is the upper half of the f32 of the same value: one instruction for
  // each element of a pair, where LLVM takes two for the second.
  Type wordType = builder.getI32Type();
  auto constant = [&](int64_t bits) -> Value {
    return arith::ConstantOp::create(
        builder, IntegerAttr::get(wordType, APInt(32, bits)));
  };
  Value words = vector::BitCastOp::create(
      builder, VectorType::get(length / 2, wordType), piece);
  for (int64_t i = 0; i < length / 2; ++i) {
    Value pair = vector::ExtractOp::create(builder, words, i);
    Value even = arith::ShLIOp::create(builder, pair, constant(16));
    Value odd = arith::AndIOp::create(builder, pair, constant(0xffff0000));
    for (Value bits : {even, odd})
      elements.push_back(
          arith::BitcastOp::create(builder, builder.getF32Type(), bits));
  }
  return elements;
}

Value buildIsAligned(VectorEmitter &emit, Value memref, OpFoldResult first) {
  ImplicitLocOpBuilder &builder = emit.getBuilder();
  auto type = cast<MemRefType>(memref.getType());
  Value elementBytes = emit.index(type.getElementTypeBitWidth() / 8);
  auto metadata = memref::ExtractStridedMetadataOp::create(builder, memref);
  Value element = emit.add(
      metadata.getOffset(),
      getValueOrCreateConstantIndexOp(builder, builder.getLoc(), first));
  Value base = memref::ExtractAlignedPointerAsIndexOp::create(
      builder, metadata.getBaseBuffer());
  Value bits = emit.add(base, emit.mul(element, elementBytes));
  for (auto [size, stride] :
       llvm::zip_equal(metadata.getSizes().drop_back(),
                       metadata.getStrides().drop_back())) {
    // The stride of a dimension of size 1 means nothing.
    Value isSingle = emit.less(size, emit.index(2));
    Value step = emit.select(isSingle, emit.index(0), stride);
    bits =
        builder.createOrFold<arith::OrIOp>(bits, emit.mul(step, elementBytes));
  }
  return emit.compare(arith::CmpIPredicate::eq,
                      emit.rem(bits, emit.index(pieceBytes)), emit.index(0));
}

void buildWideOrNot(VectorEmitter &emit, ValueRange conditions,
                    llvm::function_ref<void(bool isWide)> build) {
  Value isWide = conditions.front();
  for (Value condition : conditions.drop_front())
    isWide = emit.getBuilder().createOrFold<arith::AndIOp>(isWide, condition);
  emit.ifThenElse(isWide, [&] { build(true); }, [&] { build(false); });
}

Value sumLanes(NumericsBuilder &numerics, VectorEmitter &emit, Value value,
               int64_t width) {
  for (int64_t offset = width / 2; offset > 0; offset /= 2) {
    Value other = gpu::ShuffleOp::create(emit.getBuilder(), value,
                                         static_cast<int32_t>(offset), warpSize,
                                         gpu::ShuffleMode::XOR)
                      .getShuffleResult();
    value = numerics.addTerm(other, value);
  }
  return value;
}

SmallVector<Value> sumLanesOfEach(NumericsBuilder &numerics,
                                  VectorEmitter &emit, ArrayRef<Value> values,
                                  Value lane, int64_t width) {
  ImplicitLocOpBuilder &builder = emit.getBuilder();
  SmallVector<Value> sums(values);
  int64_t offset = width / 2;
  for (; offset > 0 && sums.size() > 1; offset /= 2) {
    Value isUpper =
        emit.compare(arith::CmpIPredicate::ne,
                     arith::AndIOp::create(builder, lane, emit.index(offset)),
                     emit.index(0));
    size_t half = sums.size() / 2;
    for (size_t i = 0; i < half; ++i) {
      Value lower = sums[i], upper = sums[i + half];
      Value other =
          gpu::ShuffleOp::create(builder, emit.select(isUpper, lower, upper),
                                 static_cast<int32_t>(offset), warpSize,
                                 gpu::ShuffleMode::XOR)
              .getShuffleResult();
      sums[i] = numerics.addTerm(other, emit.select(isUpper, upper, lower));
    }
    sums.truncate(half);
  }
  if (offset > 0)
    sums.front() = sumLanes(numerics, emit, sums.front(), 2 * offset);
  return sums;
}

Value sumElements(NumericsBuilder &numerics, VectorEmitter &emit,
                  Value vector) {
  ImplicitLocOpBuilder builder(numerics.getFmaLoc(), emit.getBuilder());
  int64_t length = cast<VectorType>(vector.getType()).getDimSize(0);
  return VectorEmitter(builder, length).horizontalSum(vector);
}

} // namespace mlir::frit

//===- VectorEmitter.cpp --------------------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Emission of loops, index arithmetic and register-level vector code.
//
//===----------------------------------------------------------------------===//

#include "VectorEmitter.h"

#include "frit/Dialect/Frit/IR/Frit.h"

#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace mlir::frit;

//===----------------------------------------------------------------------===//
// Index arithmetic
//===----------------------------------------------------------------------===//

Value VectorEmitter::index(int64_t value) {
  return arith::ConstantIndexOp::create(builder, value);
}

Value VectorEmitter::add(Value lhs, Value rhs) {
  return builder.createOrFold<arith::AddIOp>(lhs, rhs);
}

Value VectorEmitter::sub(Value lhs, Value rhs) {
  return builder.createOrFold<arith::SubIOp>(lhs, rhs);
}

Value VectorEmitter::mul(Value lhs, Value rhs) {
  return builder.createOrFold<arith::MulIOp>(lhs, rhs);
}

Value VectorEmitter::div(Value lhs, Value rhs) {
  return builder.createOrFold<arith::DivUIOp>(lhs, rhs);
}

Value VectorEmitter::rem(Value lhs, Value rhs) {
  return builder.createOrFold<arith::RemUIOp>(lhs, rhs);
}

Value VectorEmitter::ceilDiv(Value lhs, Value rhs) {
  return div(add(lhs, sub(rhs, index(1))), rhs);
}

Value VectorEmitter::roundDown(Value value, int64_t multiple) {
  return mul(div(value, index(multiple)), multiple);
}

Value VectorEmitter::min(Value lhs, Value rhs) {
  return builder.createOrFold<arith::MinUIOp>(lhs, rhs);
}

Value VectorEmitter::max(Value lhs, Value rhs) {
  return builder.createOrFold<arith::MaxUIOp>(lhs, rhs);
}

Value VectorEmitter::select(Value condition, Value ifTrue, Value ifFalse) {
  return builder.createOrFold<arith::SelectOp>(condition, ifTrue, ifFalse);
}

Value VectorEmitter::compare(arith::CmpIPredicate predicate, Value lhs,
                             Value rhs) {
  return builder.createOrFold<arith::CmpIOp>(predicate, lhs, rhs);
}

Value VectorEmitter::dim(Value memref, int64_t dimension) {
  return builder.createOrFold<memref::DimOp>(memref, dimension);
}

Value VectorEmitter::loadIndex(Value memref, ValueRange indices) {
  Value entry = memref::LoadOp::create(builder, memref, indices);
  return arith::IndexCastOp::create(builder, builder.getIndexType(), entry);
}

//===----------------------------------------------------------------------===//
// Control flow
//===----------------------------------------------------------------------===//

SmallVector<Value> VectorEmitter::loop(Value begin, Value end, int64_t step,
                                       ValueRange inits, LoopBody body) {
  auto loop = scf::ForOp::create(builder, begin, end, index(step), inits);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(loop.getBody());
  SmallVector<Value> results =
      body(loop.getInductionVar(), loop.getRegionIterArgs());
  if (!inits.empty())
    scf::YieldOp::create(builder, results);
  return SmallVector<Value>(loop.getResults());
}

void VectorEmitter::loop(Value begin, Value end, int64_t step,
                         llvm::function_ref<void(Value iv)> body) {
  loop(begin, end, step, ValueRange(), [&](Value iv, ValueRange) {
    body(iv);
    return SmallVector<Value>();
  });
}

/// Products whose sum is worth a thread: some microseconds, several times what
/// the hand-over costs.
static constexpr int64_t kWorthwhileProducts = 1 << 17;

void VectorEmitter::parallel(Value count,
                             llvm::function_ref<void(Value iv)> body,
                             std::optional<int64_t> products) {
  auto loop = scf::ParallelOp::create(builder, ValueRange(index(0)),
                                      ValueRange(count), ValueRange(index(1)));
  if (products)
    loop->setAttr(
        FritDialect::getGrainAttrName(),
        builder.getI64IntegerAttr(std::max<int64_t>(
            kWorthwhileProducts / std::max<int64_t>(*products, 1), 1)));
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(loop.getBody());
  auto scope = memref::AllocaScopeOp::create(builder, TypeRange());
  iteration = builder.createBlock(&scope.getBodyRegion());
  staging = Value();
  body(loop.getInductionVars().front());
  memref::AllocaScopeReturnOp::create(builder, ValueRange());
  iteration = nullptr;
}

void VectorEmitter::ifThen(Value condition, llvm::function_ref<void()> body) {
  auto branch = scf::IfOp::create(builder, condition, /*withElseRegion=*/false);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(branch.thenBlock());
  body();
}

void VectorEmitter::ifThenElse(Value condition,
                               llvm::function_ref<void()> thenBody,
                               llvm::function_ref<void()> elseBody) {
  auto branch = scf::IfOp::create(builder, condition, /*withElseRegion=*/true);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(branch.thenBlock());
  thenBody();
  builder.setInsertionPointToStart(branch.elseBlock());
  elseBody();
}

void VectorEmitter::switchOver(Value value, ArrayRef<int64_t> numbers,
                               llvm::function_ref<void(int64_t number)> body) {
  if (numbers.size() == 1)
    return body(numbers.front());
  auto op = scf::IndexSwitchOp::create(builder, TypeRange(), value,
                                       numbers.drop_back(), numbers.size() - 1);
  OpBuilder::InsertionGuard guard(builder);
  auto emit = [&](Region &region, int64_t number) {
    builder.createBlock(&region);
    body(number);
    scf::YieldOp::create(builder);
  };
  for (auto [region, number] : llvm::zip(op.getCaseRegions(), numbers))
    emit(region, number);
  emit(op.getDefaultRegion(), numbers.back());
}

//===----------------------------------------------------------------------===//
// Data
//===----------------------------------------------------------------------===//

/// The type `like` with another element type: both scalars or both vectors.
static Type withElementType(Type like, Type elementType) {
  if (auto vector = dyn_cast<VectorType>(like))
    return vector.clone(elementType);
  return elementType;
}

static MemRefType memrefType(Value memref) {
  return cast<MemRefType>(memref.getType());
}

Value VectorEmitter::zero() {
  return arith::ConstantOp::create(builder,
                                   builder.getZeroAttr(getVectorType()));
}

Value VectorEmitter::broadcast(Value scalar) {
  return vector::BroadcastOp::create(builder, getVectorType(), scalar);
}

Value VectorEmitter::fma(Value a, Value b, Value sum) {
  return math::FmaOp::create(builder, a, b, sum);
}

Value VectorEmitter::widen(Value value) {
  Type type = withElementType(value.getType(), sumType);
  return type == value.getType()
             ? value
             : arith::ExtFOp::create(builder, type, value).getResult();
}

Value VectorEmitter::createMask(Value count) {
  return vector::CreateMaskOp::create(
      builder, VectorType::get(lanes, builder.getI1Type()), count);
}

// Masked loads and stores of elements of 16 bits are single instructions in few
// vector sets. In the others each lane becomes a branch, and a bf16 is even
// converted to f32 and back: so these take the way through memory, as integers.
static bool hasMaskedAccess(Type elementType) {
  return elementType.getIntOrFloatBitWidth() != 16;
}

Value VectorEmitter::getStaging() {
  assert(iteration && "outside of a parallel iteration");
  if (!staging) {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(iteration);
    staging = stackBuffer({lanes}, builder.getI16Type());
  }
  return staging;
}

/// `indices` with the last one advanced.
static SmallVector<Value> advance(VectorEmitter &e, ValueRange indices,
                                  Value distance) {
  SmallVector<Value> result(indices);
  result.back() = e.add(result.back(), distance);
  return result;
}

Value VectorEmitter::loadElements(Value memref, ValueRange indices,
                                  Value count) {
  Type elementType = memrefType(memref).getElementType();
  auto type = VectorType::get(lanes, elementType);
  if (!count)
    return vector::LoadOp::create(builder, type, memref, indices);
  if (hasMaskedAccess(elementType)) {
    Value rest = arith::ConstantOp::create(builder, builder.getZeroAttr(type));
    return vector::MaskedLoadOp::create(builder, type, memref, indices,
                                        createMask(count), rest);
  }
  auto bitsType = VectorType::get(lanes, builder.getI16Type());
  Value buffer = getStaging(), first = index(0);
  Value rest =
      arith::ConstantOp::create(builder, builder.getZeroAttr(bitsType));
  vector::StoreOp::create(builder, rest, buffer, first);
  loop(index(0), count, 1, [&](Value i) {
    Value element =
        memref::LoadOp::create(builder, memref, advance(*this, indices, i));
    Value bits =
        arith::BitcastOp::create(builder, builder.getI16Type(), element);
    memref::StoreOp::create(builder, bits, buffer, i);
  });
  Value bits = vector::LoadOp::create(builder, bitsType, buffer, first);
  return vector::BitCastOp::create(builder, type, bits);
}

Value VectorEmitter::load(Value memref, ValueRange indices, Value count) {
  return widen(loadElements(memref, indices, count));
}

Value VectorEmitter::loadPieces(
    ArrayRef<std::pair<Value, SmallVector<Value>>> places) {
  int64_t size = lanes / places.size();
  Type element = memrefType(places.front().first).getElementType();
  auto type = VectorType::get(size, element);
  SmallVector<Value> pieces;
  for (const auto &[memref, indices] : places)
    pieces.push_back(vector::LoadOp::create(builder, type, memref, indices));
  // A few short elements are moved as one number; LLVM would move each by
  // itself.
  int64_t bits = size * element.getIntOrFloatBitWidth();
  if (places.size() > 1 && size > 1 && bits <= 64) {
    type = VectorType::get(1, builder.getIntegerType(bits));
    for (Value &piece : pieces)
      piece = vector::BitCastOp::create(builder, type, piece);
    size = 1;
  }
  for (; pieces.size() > 1; size *= 2) {
    SmallVector<Value> pairs;
    auto all = llvm::to_vector(llvm::seq<int64_t>(0, 2 * size));
    for (size_t i = 0; i < pieces.size(); i += 2)
      pairs.push_back(
          vector::ShuffleOp::create(builder, pieces[i], pieces[i + 1], all));
    pieces = pairs;
  }
  auto whole = VectorType::get(lanes, element);
  if (pieces.front().getType() != whole)
    pieces.front() = vector::BitCastOp::create(builder, whole, pieces.front());
  return widen(pieces.front());
}

Value VectorEmitter::loadScalar(Value memref, ValueRange indices) {
  return widen(memref::LoadOp::create(builder, memref, indices));
}

std::pair<Value, Value> VectorEmitter::loadPairs(Value memref,
                                                 ValueRange indices) {
  auto words = VectorType::get(lanes, builder.getI32Type());
  Value loaded = vector::LoadOp::create(
      builder, VectorType::get(2 * lanes, builder.getBF16Type()), memref,
      indices);
  Value pairs = vector::BitCastOp::create(builder, words, loaded);
  auto constant = [&](uint32_t bits) -> Value {
    return arith::ConstantOp::create(
        builder, DenseElementsAttr::get(words, APInt(32, bits)));
  };
  // A bf16 is the upper half of the f32 of the same value.
  Value even = arith::ShLIOp::create(builder, pairs, constant(16));
  Value odd = arith::AndIOp::create(builder, pairs, constant(0xffff0000));
  return {vector::BitCastOp::create(builder, getVectorType(), even),
          vector::BitCastOp::create(builder, getVectorType(), odd)};
}

void VectorEmitter::store(Value vector, Value memref, ValueRange indices,
                          Value count) {
  Type elementType = memrefType(memref).getElementType();
  if (!count) {
    vector::StoreOp::create(builder, vector, memref, indices);
    return;
  }
  if (hasMaskedAccess(elementType)) {
    vector::MaskedStoreOp::create(builder, memref, indices, createMask(count),
                                  vector);
    return;
  }
  auto bitsType = VectorType::get(lanes, builder.getI16Type());
  Value buffer = getStaging();
  vector::StoreOp::create(builder,
                          vector::BitCastOp::create(builder, bitsType, vector),
                          buffer, index(0));
  loop(index(0), count, 1, [&](Value i) {
    Value bits = memref::LoadOp::create(builder, buffer, i);
    Value element = arith::BitcastOp::create(builder, elementType, bits);
    memref::StoreOp::create(builder, element, memref,
                            advance(*this, indices, i));
  });
}

Value VectorEmitter::stackBuffer(ArrayRef<int64_t> shape, Type elementType) {
  return memref::AllocaOp::create(builder, MemRefType::get(shape, elementType),
                                  builder.getI64IntegerAttr(64));
}

Value VectorEmitter::horizontalSum(Value vector) {
  for (int64_t size = lanes / 2; size >= 1; size /= 2) {
    auto low = llvm::to_vector(llvm::seq<int64_t>(0, size));
    auto high = llvm::to_vector(llvm::seq<int64_t>(size, 2 * size));
    vector = arith::AddFOp::create(
        builder, vector::ShuffleOp::create(builder, vector, vector, low),
        vector::ShuffleOp::create(builder, vector, vector, high));
  }
  return vector::ExtractOp::create(builder, vector, 0);
}

void VectorEmitter::transpose(MutableArrayRef<Value> rows) {
  // Swap the off-diagonal blocks of ever smaller squares.
  int64_t numRows = rows.size();
  for (int64_t size = numRows / 2; size >= 1; size /= 2) {
    SmallVector<int64_t> low, high;
    for (int64_t lane = 0; lane < lanes; ++lane) {
      bool fromSecond = lane & size;
      low.push_back(fromSecond ? lanes + lane - size : lane);
      high.push_back(fromSecond ? lanes + lane : lane + size);
    }
    for (int64_t row = 0; row < numRows; ++row) {
      if (row & size)
        continue;
      Value first = rows[row], second = rows[row + size];
      rows[row] = vector::ShuffleOp::create(builder, first, second, low);
      rows[row + size] =
          vector::ShuffleOp::create(builder, first, second, high);
    }
  }
}

Value frit::withUnitInnerStride(ImplicitLocOpBuilder &builder, Value memref) {
  MemRefType type = memrefType(memref);
  auto [strides, offset] = type.getStridesAndOffset();
  if (strides.empty() || strides.back() == 1)
    return memref;
  auto metadata = memref::ExtractStridedMetadataOp::create(builder, memref);
  SmallVector<OpFoldResult> mixedStrides = metadata.getConstifiedMixedStrides();
  mixedStrides.back() = builder.getIndexAttr(1);
  strides.back() = 1;
  auto result = MemRefType::get(
      type.getShape(), type.getElementType(),
      StridedLayoutAttr::get(builder.getContext(), offset, strides),
      type.getMemorySpace());
  return memref::ReinterpretCastOp::create(
      builder, result, metadata.getBaseBuffer(),
      metadata.getConstifiedMixedOffset(), metadata.getConstifiedMixedSizes(),
      mixedStrides);
}

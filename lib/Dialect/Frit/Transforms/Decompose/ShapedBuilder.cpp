//===- ShapedBuilder.cpp --------------------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Accesses and loops that are written alike for tensors and memrefs.
//
//===----------------------------------------------------------------------===//

#include "ShapedBuilder.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mlir::frit;

static bool isTensor(Value value) { return isa<TensorType>(value.getType()); }

Part &Part::at(OpFoldResult index, OpBuilder &builder) {
  offsets.push_back(index);
  sizes.push_back(builder.getIndexAttr(1));
  dropped.push_back(true);
  return *this;
}

Part &Part::range(OpFoldResult offset, OpFoldResult size) {
  offsets.push_back(offset);
  sizes.push_back(size);
  dropped.push_back(false);
  return *this;
}

/// The types of an op's results where it changes `dest`.
static SmallVector<Type> getResultTypes(Value dest) {
  return isTensor(dest) ? SmallVector<Type>{dest.getType()}
                        : SmallVector<Type>{};
}

/// The static shape of a part, without its dropped dimensions.
static SmallVector<int64_t> getShape(const Part &part) {
  SmallVector<int64_t> shape;
  for (auto [size, dropped] : llvm::zip(part.sizes, part.dropped))
    if (!dropped)
      shape.push_back(getConstantIntValue(size).value_or(ShapedType::kDynamic));
  return shape;
}

Value ShapedBuilder::index(OpFoldResult value) {
  return getValueOrCreateConstantIndexOp(builder, loc, value);
}

Value ShapedBuilder::index(int64_t value) {
  return arith::ConstantIndexOp::create(builder, loc, value);
}

OpFoldResult ShapedBuilder::dim(Value shaped, int64_t dim) {
  return isTensor(shaped) ? tensor::getMixedSize(builder, loc, shaped, dim)
                          : memref::getMixedSize(builder, loc, shaped, dim);
}

SmallVector<OpFoldResult> ShapedBuilder::dims(Value shaped) {
  return isTensor(shaped) ? tensor::getMixedSizes(builder, loc, shaped)
                          : memref::getMixedSizes(builder, loc, shaped);
}

OpFoldResult ShapedBuilder::add(OpFoldResult lhs, OpFoldResult rhs) {
  std::optional<int64_t> left = getConstantIntValue(lhs);
  std::optional<int64_t> right = getConstantIntValue(rhs);
  if (left && right)
    return builder.getIndexAttr(*left + *right);
  return arith::AddIOp::create(builder, loc, index(lhs), index(rhs))
      .getResult();
}

Value ShapedBuilder::load(Value shaped, ValueRange indices) {
  if (isTensor(shaped))
    return tensor::ExtractOp::create(builder, loc, shaped, indices);
  return memref::LoadOp::create(builder, loc, shaped, indices);
}

Value ShapedBuilder::loadWithin(Value shaped, ValueRange indices,
                                OpFoldResult largest) {
  Value entry = arith::IndexCastOp::create(builder, loc, builder.getIndexType(),
                                           load(shaped, indices));
  entry = arith::MinSIOp::create(builder, loc, entry, index(largest));
  return arith::MaxSIOp::create(builder, loc, entry, index(0));
}

Value ShapedBuilder::store(Value element, Value shaped, ValueRange indices) {
  if (isTensor(shaped))
    return tensor::InsertOp::create(builder, loc, element, shaped, indices);
  memref::StoreOp::create(builder, loc, element, shaped, indices);
  return shaped;
}

/// Whether a part of `shaped` has no element, whatever the sizes at run time
/// are. Slices of such parts do not verify: an offset of 0 counts as out of
/// bounds.
static bool isEmpty(Value shaped, const Part &part) {
  return llvm::is_contained(cast<ShapedType>(shaped.getType()).getShape(), 0) ||
         llvm::any_of(part.sizes,
                      [](OpFoldResult size) { return isZeroInteger(size); });
}

Value ShapedBuilder::sliceOfNothing(Value shaped, const Part &part) {
  SmallVector<OpFoldResult> sizes;
  for (auto [size, dropped] : llvm::zip_equal(part.sizes, part.dropped))
    if (!dropped)
      sizes.push_back(size);
  Type elementType = getElementTypeOrSelf(shaped.getType());
  if (isTensor(shaped))
    return tensor::EmptyOp::create(builder, loc, sizes, elementType);
  SmallVector<int64_t> shape = getShape(part);
  SmallVector<int64_t> unit(shape.size(), 1);
  auto type = MemRefType::get(
      shape, elementType,
      StridedLayoutAttr::get(builder.getContext(), /*offset=*/0, unit),
      cast<MemRefType>(shaped.getType()).getMemorySpace());
  SmallVector<OpFoldResult> strides(shape.size(), builder.getIndexAttr(1));
  return memref::ReinterpretCastOp::create(
      builder, loc, type, shaped, builder.getIndexAttr(0), sizes, strides);
}

Value ShapedBuilder::slice(Value shaped, const Part &part) {
  if (isEmpty(shaped, part))
    return sliceOfNothing(shaped, part);
  SmallVector<OpFoldResult> strides(part.sizes.size(), builder.getIndexAttr(1));
  if (isTensor(shaped)) {
    auto type = RankedTensorType::get(getShape(part),
                                      getElementTypeOrSelf(shaped.getType()));
    return tensor::ExtractSliceOp::create(builder, loc, type, shaped,
                                          part.offsets, part.sizes, strides);
  }
  MemRefType type = memref::SubViewOp::inferRankReducedResultType(
      getShape(part), cast<MemRefType>(shaped.getType()), part.offsets,
      part.sizes, strides);
  return memref::SubViewOp::create(builder, loc, type, shaped, part.offsets,
                                   part.sizes, strides);
}

Value ShapedBuilder::insert(Value changed, Value shaped, const Part &part) {
  if (!isTensor(shaped) || isEmpty(shaped, part))
    return shaped;
  SmallVector<OpFoldResult> strides(part.sizes.size(), builder.getIndexAttr(1));
  return tensor::InsertSliceOp::create(builder, loc, changed, shaped,
                                       part.offsets, part.sizes, strides);
}

Value ShapedBuilder::create(Type like, ArrayRef<OpFoldResult> sizes,
                            Type elementType) {
  if (isa<TensorType>(like))
    return tensor::EmptyOp::create(builder, loc, sizes, elementType);
  SmallVector<int64_t> shape;
  SmallVector<Value> dynamicSizes;
  dispatchIndexOpFoldResults(sizes, dynamicSizes, shape);
  return memref::AllocOp::create(
      builder, loc, MemRefType::get(shape, elementType), dynamicSizes);
}

void ShapedBuilder::release(Value shaped) {
  if (!isTensor(shaped))
    memref::DeallocOp::create(builder, loc, shaped);
}

Value ShapedBuilder::fill(Value dest, Value element) {
  auto fill = linalg::FillOp::create(builder, loc, element, dest);
  return isTensor(dest) ? fill.getResult(0) : dest;
}

Value ShapedBuilder::copy(Value source, Value dest) {
  auto copy = linalg::CopyOp::create(builder, loc, source, dest);
  return isTensor(dest) ? copy.getResult(0) : dest;
}

Value ShapedBuilder::map(ValueRange inputs, Value dest,
                         function_ref<Value(ValueRange args)> fn) {
  SmallVector<AffineMap> maps(inputs.size() + 1,
                              builder.getMultiDimIdentityMap(1));
  auto generic = linalg::GenericOp::create(
      builder, loc, getResultTypes(dest), inputs, dest, maps,
      {utils::IteratorType::parallel},
      [&](OpBuilder &nested, Location, ValueRange args) {
        OpBuilder::InsertionGuard guard(builder);
        builder.restoreInsertionPoint(nested.saveInsertionPoint());
        linalg::YieldOp::create(builder, loc, fn(args));
      });
  return isTensor(dest) ? generic.getResult(0) : dest;
}

Value ShapedBuilder::mapIndexed(Value dest,
                                function_ref<Value(Value i, Value old)> fn) {
  return map({}, dest, [&](ValueRange args) {
    return fn(linalg::IndexOp::create(builder, loc, 0), args.back());
  });
}

Value ShapedBuilder::forEach(
    ArrayRef<OpFoldResult> sizes, Value dest,
    function_ref<Part(ArrayRef<OpFoldResult> ivs)> partOf,
    function_ref<Value(ArrayRef<OpFoldResult> ivs, Value part)> fn) {
  if (sizes.empty())
    return fn({}, dest);
  SmallVector<Value> outputs =
      isTensor(dest) ? SmallVector<Value>{dest} : SmallVector<Value>{};
  auto forall = scf::ForallOp::create(builder, loc, sizes, outputs,
                                      /*mapping=*/std::nullopt);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPoint(forall.getTerminator());
  SmallVector<OpFoldResult> ivs = getAsOpFoldResult(forall.getInductionVars());
  Value shared = isTensor(dest) ? forall.getRegionIterArgs().front() : dest;
  Part part = partOf(ivs);
  Value changed = fn(ivs, slice(shared, part));
  if (!isTensor(dest) || isEmpty(dest, part))
    return dest;
  SmallVector<OpFoldResult> strides(part.sizes.size(), builder.getIndexAttr(1));
  builder.setInsertionPointToEnd(forall.getTerminator().getBody());
  tensor::ParallelInsertSliceOp::create(builder, loc, changed, shared,
                                        part.offsets, part.sizes, strides);
  return forall.getResult(0);
}

SmallVector<Value> ShapedBuilder::loop(
    Value lower, Value upper, ValueRange dests,
    function_ref<SmallVector<Value>(Value iv, ValueRange dests)> fn) {
  bool tensors = isTensor(dests.front());
  auto loop = scf::ForOp::create(builder, loc, lower, upper, index(1),
                                 tensors ? dests : ValueRange());
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(loop.getBody());
  SmallVector<Value> changed =
      fn(loop.getInductionVar(),
         tensors ? ValueRange(loop.getRegionIterArgs()) : dests);
  if (!tensors)
    return SmallVector<Value>(dests);
  scf::YieldOp::create(builder, loc, changed);
  return SmallVector<Value>(loop.getResults());
}

Value ShapedBuilder::ifThen(Value condition, Value dest,
                            function_ref<Value(Value dest)> fn) {
  bool tensor = isTensor(dest);
  auto branch = scf::IfOp::create(builder, loc, getResultTypes(dest), condition,
                                  /*withElseRegion=*/tensor);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(branch.thenBlock());
  Value changed = fn(dest);
  if (!tensor)
    return dest;
  scf::YieldOp::create(builder, loc, changed);
  builder.setInsertionPointToStart(branch.elseBlock());
  scf::YieldOp::create(builder, loc, dest);
  return branch.getResult(0);
}

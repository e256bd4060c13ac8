//===- ShapedBuilder.h ------------------------------------------*- C++ -*-===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Emits accesses and loops that are written alike for tensors and memrefs.
//
//===----------------------------------------------------------------------===//

#ifndef FRIT_LIB_DIALECT_FRIT_TRANSFORMS_DECOMPOSE_SHAPEDBUILDER_H
#define FRIT_LIB_DIALECT_FRIT_TRANSFORMS_DECOMPOSE_SHAPEDBUILDER_H

#include "mlir/IR/Builders.h"

namespace mlir::frit {

/// A rectangular part of a tensor or memref, with unit strides. Dimensions
/// marked in `dropped` have size 1 and do not appear in the part's type.
struct Part {
  SmallVector<OpFoldResult> offsets;
  SmallVector<OpFoldResult> sizes;
  SmallVector<bool> dropped;

  /// Appends a dimension: one index of it, which is dropped, or a range.
  Part &at(OpFoldResult index, OpBuilder &builder);
  Part &range(OpFoldResult offset, OpFoldResult size);
};

/// What changes a tensor returns the changed tensor; what changes a memref
/// returns the memref. So code that threads the result through works on both.
class ShapedBuilder {
public:
  ShapedBuilder(OpBuilder &builder, Location loc)
      : builder(builder), loc(loc) {}

  OpBuilder &getBuilder() { return builder; }
  Location getLoc() const { return loc; }

  Value index(OpFoldResult value);
  Value index(int64_t value);
  /// Size of a dimension: a constant where it is static.
  OpFoldResult dim(Value shaped, int64_t dim);
  SmallVector<OpFoldResult> dims(Value shaped);

  /// The sum of two sizes; folded where both are static.
  OpFoldResult add(OpFoldResult lhs, OpFoldResult rhs);

  Value load(Value shaped, ValueRange indices);
  /// An i32 entry as an index, kept within [0, largest].
  Value loadWithin(Value shaped, ValueRange indices, OpFoldResult largest);
  Value store(Value element, Value shaped, ValueRange indices);

  /// The part of `shaped`: an extracted tensor, or a view.
  Value slice(Value shaped, const Part &part);
  /// Puts a changed part back.
  Value insert(Value changed, Value shaped, const Part &part);

  /// A new tensor, or a new allocation that `release` frees after the last use.
  Value create(Type like, ArrayRef<OpFoldResult> sizes, Type elementType);
  void release(Value shaped);
  /// Sets all elements, or those of a shape of the same size.
  Value fill(Value dest, Value element);
  Value copy(Value source, Value dest);

  /// dest[i] = fn(inputs[i]..., dest[i]) for 1-D shapes of one size.
  Value map(ValueRange inputs, Value dest,
            function_ref<Value(ValueRange args)> fn);
  /// dest[i] = fn(i, dest[i]) for a 1-D destination.
  Value mapIndexed(Value dest, function_ref<Value(Value i, Value old)> fn);

  /// A parallel loop over `sizes`. `partOf` gives the part of `dest` that an
  /// iteration owns and `fn` changes it. No sizes: `fn` runs once.
  Value forEach(ArrayRef<OpFoldResult> sizes, Value dest,
                function_ref<Part(ArrayRef<OpFoldResult> ivs)> partOf,
                function_ref<Value(ArrayRef<OpFoldResult> ivs, Value part)> fn);

  /// A sequential loop over [lower, upper) that changes `dests`.
  SmallVector<Value>
  loop(Value lower, Value upper, ValueRange dests,
       function_ref<SmallVector<Value>(Value iv, ValueRange dests)> fn);

  /// Changes `dest` only where `condition` holds.
  Value ifThen(Value condition, Value dest, function_ref<Value(Value dest)> fn);

private:
  /// What `slice` gives for a part that has no element.
  Value sliceOfNothing(Value shaped, const Part &part);

  OpBuilder &builder;
  Location loc;
};

} // namespace mlir::frit

#endif // FRIT_LIB_DIALECT_FRIT_TRANSFORMS_DECOMPOSE_SHAPEDBUILDER_H

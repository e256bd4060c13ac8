//===- TensorSizeChecks.cpp -----------------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Checks of the dynamic sizes of ops that make a tensor of others: of parts, in
// another shape, with a margin. Upstream's run-time verification leaves them
// out, and each would write beyond its result.
//
//===----------------------------------------------------------------------===//

#include "RuntimeChecks.h"

#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Interfaces/ShapedOpInterfaces.h"

#include <functional>

using namespace mlir;
using namespace mlir::frit;

static Value getIndex(CheckBuilder &checks, OpFoldResult size) {
  return getValueOrCreateConstantIndexOp(checks.b, checks.loc, size);
}

/// Checks the sum or product of sizes, of which one at least is dynamic,
/// against what a result's type says of it.
static void checkResult(CheckBuilder &checks, Value size, int64_t expected,
                        const Twine &what, int64_t dim) {
  if (!ShapedType::isDynamic(expected))
    checks.check(checks.isEqual(size, checks.constant(expected)),
                 what + " is not dimension " + Twine(dim) + " of the result");
}

void frit::generateSizeChecks(tensor::EmptyOp op, CheckBuilder &checks) {
  for (auto [dim, size] : llvm::enumerate(op.getMixedSizes())) {
    auto value = dyn_cast<Value>(size);
    // A dimension is not negative.
    if (value && !value.getDefiningOp<ShapedDimOpInterface>())
      checks.check(checks.isNotNegative(value),
                   "size " + Twine(dim) + " is negative");
  }
}

void frit::generateSizeChecks(tensor::ConcatOp op, CheckBuilder &checks) {
  RankedTensorType type = op.getResultType();
  auto getInput = [&](unsigned number, int64_t dim) -> NamedDim {
    return {"input " + std::to_string(number), op.getInputs()[number], dim};
  };
  auto concatenated = static_cast<int64_t>(op.getDim());
  unsigned numInputs = op.getInputs().size();
  for (int64_t dim = 0; dim < type.getRank(); ++dim) {
    if (dim == concatenated)
      continue;
    for (unsigned number = 1; number < numInputs; ++number)
      checks.checkSame(getInput(number, dim), getInput(0, dim));
    if (!type.isDynamicDim(dim))
      checks.checkSize(getInput(0, dim), type.getDimSize(dim),
                       ("dimension " + Twine(dim) + " of the result").str());
  }
  Value sum = checks.constant(0);
  bool isDynamic = false;
  for (unsigned number = 0; number < numInputs; ++number) {
    NamedDim input = getInput(number, concatenated);
    isDynamic |= input.isDynamic();
    sum =
        arith::AddIOp::create(checks.b, checks.loc, sum, checks.sizeOf(input));
  }
  if (isDynamic)
    checkResult(checks, sum, type.getDimSize(concatenated),
                "the sum of the sizes of the inputs", concatenated);
}

void frit::generateSizeChecks(tensor::ExpandShapeOp op, CheckBuilder &checks) {
  SmallVector<OpFoldResult> sizes = op.getMixedOutputShape();
  for (auto [dim, group] : llvm::enumerate(op.getReassociationIndices())) {
    NamedDim source{"src", op.getSrc(), static_cast<int64_t>(dim)};
    auto isKnown = [&](int64_t index) { return isa<Attribute>(sizes[index]); };
    auto isZero = [&](int64_t index) {
      return isConstantIntValue(sizes[index], 0);
    };
    // One negative size has a negative product, unless another one is zero.
    size_t numUnknown = llvm::count_if(group, std::not_fn(isKnown));
    bool mayHideSigns = numUnknown > 1 || llvm::any_of(group, isZero);
    Value product = checks.constant(1);
    for (int64_t index : group) {
      Value size = getIndex(checks, sizes[index]);
      if (mayHideSigns && !isKnown(index))
        checks.check(checks.isNotNegative(size),
                     "size " + Twine(index) + " of 'output_shape' is negative");
      product = arith::MulIOp::create(checks.b, checks.loc, product, size);
    }
    if (source.isDynamic() || numUnknown > 0)
      checks.check(checks.isEqual(product, checks.sizeOf(source)),
                   "the product of the sizes that " + source.str() +
                       " expands to differs from it");
  }
}

void frit::generateSizeChecks(tensor::PadOp op, CheckBuilder &checks) {
  RankedTensorType type = op.getResultType();
  SmallVector<OpFoldResult> low = op.getMixedLowPad();
  SmallVector<OpFoldResult> high = op.getMixedHighPad();
  for (int64_t dim = 0; dim < type.getRank(); ++dim) {
    NamedDim source{"source", op.getSource(), dim};
    bool isDynamic = source.isDynamic();
    Value sum = checks.sizeOf(source);
    for (auto [name, margin] :
         {std::pair<StringRef, OpFoldResult>("low", low[dim]),
          std::pair<StringRef, OpFoldResult>("high", high[dim])}) {
      Value size = getIndex(checks, margin);
      sum = arith::AddIOp::create(checks.b, checks.loc, sum, size);
      isDynamic |= isa<Value>(margin);
      std::optional<int64_t> known = getConstantIntValue(margin);
      if (!known || *known < 0)
        checks.check(checks.isNotNegative(size),
                     "the padding '" + name + "' of dimension " + Twine(dim) +
                         " is negative");
    }
    if (isDynamic)
      checkResult(checks, sum, type.getDimSize(dim), "the padded size", dim);
  }
}

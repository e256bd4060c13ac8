//===- RecordSignatures.cpp -----------------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The pass frit-record-signatures: keeps what callers must know of functions.
//
//===----------------------------------------------------------------------===//

#include "frit/Dialect/Frit/IR/Frit.h"
#include "frit/Execution/EntrySignature.h"
#include "frit/Execution/Passes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringMap.h"

namespace mlir::frit {

#define GEN_PASS_DEF_RECORDSIGNATURESPASS
#include "frit/Execution/Passes.h.inc"

namespace {

/// The name of the argument's dimension that `size` is; empty where it is
/// another value. Names the dimension if it has no name.
std::string getDimName(Value size, EntrySignature &signature) {
  Value source;
  std::optional<int64_t> dimension;
  if (auto dim = size.getDefiningOp<tensor::DimOp>()) {
    source = dim.getSource();
    dimension = dim.getConstantIndex();
  } else if (auto dim = size.getDefiningOp<memref::DimOp>()) {
    source = dim.getSource();
    dimension = dim.getConstantIndex();
  }
  auto argument = dyn_cast_if_present<BlockArgument>(source);
  if (!argument || !dimension || !argument.getOwner()->isEntryBlock())
    return {};
  unsigned index = argument.getArgNumber();
  std::string &name = signature.arguments[index].dims[*dimension];
  if (name.empty())
    name = ("arg" + Twine(index) + "." + Twine(*dimension)).str();
  return name;
}

/// Finds out which sizes of the results are sizes of arguments, from the
/// function that frit-emit-result-shapes made.
void readResultSizes(func::FuncOp shapes, EntrySignature &signature) {
  if (!shapes.getBody().hasOneBlock())
    return;
  // The sizes that are inserted, by their place.
  llvm::SmallDenseMap<int64_t, Value> sizes;
  Value all = shapes.getBody().front().getTerminator()->getOperand(0);
  while (auto insert = all.getDefiningOp<tensor::InsertOp>()) {
    std::optional<int64_t> place =
        getConstantIntValue(insert.getIndices().front());
    if (!place)
      return;
    sizes.try_emplace(*place, insert.getScalar());
    all = insert.getDest();
  }
  int64_t place = 0;
  for (EntryValue &result : signature.results)
    for (auto [size, dim] : llvm::zip_equal(result.getShape(), result.dims)) {
      Value value = sizes.lookup(place++);
      if (ShapedType::isDynamic(size) && value)
        dim = getDimName(value, signature);
    }
}

/// Static sizes of dimensions of one name must be equal.
LogicalResult checkStaticSizes(func::FuncOp function,
                               const EntrySignature &signature) {
  llvm::StringMap<std::pair<int64_t, unsigned>> known;
  for (auto [index, value] : llvm::enumerate(signature.arguments))
    for (auto [size, dim] : llvm::zip_equal(value.getShape(), value.dims)) {
      if (dim.empty() || ShapedType::isDynamic(size))
        continue;
      auto [entry, isNew] = known.try_emplace(dim, size, index);
      if (!isNew && entry->second.first != size)
        return function.emitError()
               << "dimension '" << dim << "' has size " << size
               << " in the type of argument " << index << ", but "
               << entry->second.first << " in that of argument "
               << entry->second.second;
    }
  return success();
}

class RecordSignaturesPass
    : public impl::RecordSignaturesPassBase<RecordSignaturesPass> {
public:
  using RecordSignaturesPassBase::RecordSignaturesPassBase;

  void runOnOperation() override {
    SymbolTable symbols(getOperation());
    for (auto function : getOperation().getOps<func::FuncOp>()) {
      if (function.isExternal() || !function.isPublic() ||
          function->hasAttr(FritDialect::getHostAttrName()))
        continue;
      llvm::Expected<EntrySignature> signature = EntrySignature::get(function);
      if (!signature) {
        // It can still be called by its entry point.
        llvm::consumeError(signature.takeError());
        continue;
      }
      if (auto sizes = symbols.lookup<func::FuncOp>(
              getResultShapesName(function.getName())))
        readResultSizes(sizes, *signature);
      if (failed(checkStaticSizes(function, *signature)))
        return signalPassFailure();
      signature->write(function);
      ++numRecorded;
    }
  }
};

} // namespace
} // namespace mlir::frit

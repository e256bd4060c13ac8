//===- KernelLaunch.cpp - How a kernel is launched ------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The sizes that launch plans are written over, and plans as text.
//
//===----------------------------------------------------------------------===//

#include "frit/Kernels/KernelLaunch.h"

#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace mlir::frit;

KernelPlanSizes::KernelPlanSizes(const KernelShape &shape, int64_t elementBytes,
                                 DictionaryAttr params, MLIRContext *context)
    : context(context), isOfOp(true), elementBytes(elementBytes),
      params(params) {
  for (const KernelExtent &extent : shape.getExtents())
    names.push_back(extent.name);
  names.push_back("multiprocessors");
}

AffineExpr KernelPlanSizes::get(StringRef name) const {
  const auto *known = llvm::find(names, name);
  size_t position = known - names.begin();
  if (known == names.end())
    names.push_back(name.str());
  return getAffineSymbolExpr(position, context);
}

AffineExpr KernelPlanSizes::operator()(StringRef name) const {
  if (!isOfOp || llvm::is_contained(names, name))
    return get(name);
  if (auto number = params ? params.getAs<IntegerAttr>(name) : IntegerAttr())
    return getConstant(number.getInt());
  unknown.push_back(name.str());
  return getConstant(1);
}

AffineExpr KernelPlanSizes::getElementBytes() const {
  return isOfOp ? getConstant(elementBytes) : get("sizeof(E)");
}

std::string KernelPlanSizes::str(AffineExpr expr) const {
  std::string text, result;
  llvm::raw_string_ostream(text) << expr;
  // MLIR writes symbol 3 as s3.
  StringRef rest = text;
  while (!rest.empty()) {
    if (rest.consume_front("s")) {
      unsigned position = 0;
      rest.consumeInteger(10, position);
      result += names[position];
      continue;
    }
    result += rest.front();
    rest = rest.drop_front();
  }
  return result;
}

bool KernelLaunchPlan::usesSymbol(unsigned position) const {
  auto uses = [&](const KernelPlanValue &value) {
    auto isFunctionOf = [&](AffineExpr expr) {
      return expr.isFunctionOfSymbol(position);
    };
    return llvm::any_of(value.expressions, isFunctionOf) ||
           (value.least && isFunctionOf(value.least));
  };
  return llvm::any_of(grid, uses) || llvm::any_of(block, uses) ||
         llvm::any_of(cluster, uses) || uses(dynamicSharedMemory);
}

static std::string describe(const KernelPlanValue &value,
                            const KernelPlanSizes &sizes) {
  if (value.isAbsent())
    return "1";
  auto texts = llvm::map_range(
      value.expressions, [&](AffineExpr expr) { return sizes.str(expr); });
  std::string all = llvm::join(texts, ", ");
  if (value.expressions.size() > 1)
    all = "min(" + all + ")";
  return value.least ? "max(" + all + ", " + sizes.str(value.least) + ")" : all;
}

static std::string describe(const std::array<KernelPlanValue, 3> &values,
                            const KernelPlanSizes &sizes) {
  SmallVector<std::string> texts;
  for (const KernelPlanValue &value : values)
    texts.push_back(describe(value, sizes));
  while (texts.size() > 1 && texts.back() == "1")
    texts.pop_back();
  return llvm::join(texts, " x ");
}

std::string KernelLaunchPlan::str(const KernelPlanSizes &sizes) const {
  std::string text =
      "grid " + describe(grid, sizes) + ", block " + describe(block, sizes);
  if (!cluster[0].isAbsent())
    text += ", cluster " + describe(cluster, sizes);
  if (!dynamicSharedMemory.isAbsent())
    text += ", shared bytes " + describe(dynamicSharedMemory, sizes);
  return text;
}

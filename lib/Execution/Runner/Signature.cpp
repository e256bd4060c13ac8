//===- Signature.cpp ------------------------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reads the signature of a function over tensors.
//
//===----------------------------------------------------------------------===//

#include "Signature.h"

#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace mlir::frit;

static std::optional<ElementType> getElementType(Type type) {
  if (type.isIndex())
    return ElementType::I64;
  // Files have unsigned integers, but no op of arith takes them.
  if (type.isInteger() && !type.isSignlessInteger())
    return std::nullopt;
  std::string name;
  llvm::raw_string_ostream(name) << type;
  return parseElementType(name);
}

static std::string print(Type type) {
  std::string text;
  llvm::raw_string_ostream(text) << type;
  return text;
}

/// nullopt for a type that has no form on the host.
static std::optional<ValueInfo> getValueInfo(Type type) {
  ValueInfo info;
  Type element = type;
  if (auto tensor = dyn_cast<RankedTensorType>(type)) {
    info.isTensor = true;
    llvm::append_range(info.spec.shape, tensor.getShape());
    element = tensor.getElementType();
  }
  std::optional<ElementType> known = getElementType(element);
  if (!known)
    return std::nullopt;
  info.spec.type = *known;
  return info;
}

static void readNames(func::FuncOp function, ArgumentInfo &argument) {
  unsigned index = argument.index;
  if (auto name = function.getArgAttrOfType<StringAttr>(index, "frit.tensor"))
    argument.tensor = name.str();
  argument.isTransposed = bool(function.getArgAttr(index, "frit.transposed"));
  auto dims = function.getArgAttrOfType<ArrayAttr>(index, "frit.dims");
  for (size_t d = 0; d < argument.spec.shape.size(); ++d) {
    StringRef name;
    if (dims && d < dims.size())
      name = cast<StringAttr>(dims[d]).getValue();
    argument.dims.push_back(name.empty()
                                ? llvm::formatv("arg{0}.{1}", index, d).str()
                                : name.str());
  }
}

llvm::Expected<Signature> Signature::get(func::FuncOp function) {
  Signature signature;
  signature.name = function.getName().str();
  for (auto [index, type] : llvm::enumerate(function.getArgumentTypes())) {
    std::optional<ValueInfo> info = getValueInfo(type);
    if (!info)
      return llvm::createStringError(
          "argument " + Twine(index) + " of '@" + function.getName() + "' is " +
          print(type) +
          ": only ranked tensors and scalars of i1, i8 to i64, index, f16, "
          "bf16, f32 and f64 can be given");
    ArgumentInfo argument;
    static_cast<ValueInfo &>(argument) = *info;
    argument.index = index;
    readNames(function, argument);
    signature.arguments.push_back(std::move(argument));
  }
  for (auto [index, type] : llvm::enumerate(function.getResultTypes())) {
    std::optional<ValueInfo> info = getValueInfo(type);
    if (!info)
      return llvm::createStringError(
          "result " + Twine(index) + " of '@" + function.getName() + "' is " +
          print(type) +
          ": only ranked tensors and scalars of i1, i8 to i64, index, f16, "
          "bf16, f32 and f64 can be returned");
    signature.results.push_back(*info);
  }
  return signature;
}

std::string ArgumentInfo::describe() const {
  std::string text = "argument " + std::to_string(index);
  if (!tensor.empty())
    text += " ('" + tensor + "')";
  return text;
}

std::string mlir::frit::toString(const ValueInfo &value) {
  std::string text;
  for (int64_t size : value.spec.shape)
    text += (ShapedType::isDynamic(size) ? std::string("?")
                                         : std::to_string(size)) +
            "x";
  return text + getName(value.spec.type).str();
}

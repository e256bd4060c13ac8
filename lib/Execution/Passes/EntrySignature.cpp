//===- EntrySignature.cpp - What callers know of a function ---------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The signature as an attribute: {name = "f", type = (tensor<?x8xf32>) ->
// tensor<?x8xf32>, values = ["x", ""], dims = [["tokens", ""], ["tokens",
// ""]]}.
//
//===----------------------------------------------------------------------===//

#include "frit/Execution/EntrySignature.h"

#include "frit-c/Tensor.h"

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/TypeUtilities.h"

#include "llvm/ADT/StringSet.h"

namespace mlir::frit {

std::optional<int32_t> getTypeCode(Type element) {
  if (element.isIndex())
    return FRIT_TYPE_I64;
  if (auto integer = dyn_cast<IntegerType>(element)) {
    if (!integer.isSignless())
      return std::nullopt;
    switch (integer.getWidth()) {
    case 1:
      return FRIT_TYPE_I1;
    case 8:
    case 16:
    case 32:
    case 64:
      return static_cast<int32_t>(integer.getWidth());
    default:
      return std::nullopt;
    }
  }
  if (element.isBF16())
    return FRIT_TYPE_BF16;
  if (element.isF16())
    return FRIT_TYPE_F16;
  if (element.isF32())
    return FRIT_TYPE_F32;
  if (element.isF64())
    return FRIT_TYPE_F64;
  return std::nullopt;
}

ArrayRef<int64_t> EntryValue::getShape() const {
  auto shaped = dyn_cast<ShapedType>(type);
  return shaped ? shaped.getShape() : ArrayRef<int64_t>();
}

SmallVector<int64_t> EntryValue::getStrides() const {
  if (auto memref = dyn_cast<MemRefType>(type))
    return memref.getStridesAndOffset().first;
  SmallVector<int64_t> strides(getShape().size(), ShapedType::kDynamic);
  if (!strides.empty())
    strides.back() = 1;
  return strides;
}

bool EntryValue::isContiguous() const {
  auto memref = dyn_cast<MemRefType>(type);
  return memref && memref.getLayout().isIdentity();
}

/// A memref that a plain address with sizes and strides can stand for.
static bool isPlainMemRef(MemRefType type) {
  SmallVector<int64_t> strides;
  int64_t offset = 0;
  return !type.getMemorySpace() &&
         succeeded(type.getStridesAndOffset(strides, offset)) &&
         (offset == 0 || ShapedType::isDynamic(offset)) &&
         llvm::all_of(strides, [](int64_t stride) {
           return stride > 0 || ShapedType::isDynamic(stride);
         });
}

static std::optional<EntryValue> getValue(Type type) {
  if (auto memref = dyn_cast<MemRefType>(type)) {
    if (!isPlainMemRef(memref))
      return std::nullopt;
  } else if (isa<ShapedType>(type) && !isa<RankedTensorType>(type)) {
    return std::nullopt;
  }
  if (!getTypeCode(getElementTypeOrSelf(type)))
    return std::nullopt;
  EntryValue value;
  value.type = type;
  value.dims.resize(value.getShape().size());
  return value;
}

static llvm::Error makeTypeError(func::FuncOp function, StringRef kind,
                                 size_t index, Type type) {
  std::string text;
  llvm::raw_string_ostream(text) << type;
  return llvm::createStringError(
      kind + " " + Twine(index) + " of '@" + function.getName() + "' is " +
      text +
      ": callers can pass ranked tensors, memrefs in default memory and "
      "scalars, of i1, i8 to i64, index, f16, bf16, f32 and f64");
}

llvm::Expected<EntrySignature> EntrySignature::get(func::FuncOp function) {
  EntrySignature signature;
  signature.name = function.getName().str();
  for (auto [index, type] : llvm::enumerate(function.getArgumentTypes())) {
    std::optional<EntryValue> value = getValue(type);
    if (!value)
      return makeTypeError(function, "argument", index, type);
    if (auto name = function.getArgAttrOfType<StringAttr>(index, "frit.tensor"))
      value->name = name.str();
    if (auto dims = function.getArgAttrOfType<ArrayAttr>(index, "frit.dims"))
      for (auto [dim, name] : llvm::zip_equal(value->dims, dims))
        dim = cast<StringAttr>(name).str();
    signature.arguments.push_back(std::move(*value));
  }
  for (auto [index, type] : llvm::enumerate(function.getResultTypes())) {
    std::optional<EntryValue> value = getValue(type);
    if (!value || isa<MemRefType>(type))
      return makeTypeError(function, "result", index, type);
    signature.results.push_back(std::move(*value));
  }
  return signature;
}

void EntrySignature::write(Operation *op) const {
  Builder builder(op->getContext());
  SmallVector<Type> inputs;
  SmallVector<Type> outputs;
  SmallVector<Attribute> names;
  SmallVector<Attribute> dims;
  auto add = [&](const EntryValue &value, SmallVector<Type> &types) {
    types.push_back(value.type);
    names.push_back(builder.getStringAttr(value.name));
    SmallVector<StringRef> texts(value.dims.begin(), value.dims.end());
    dims.push_back(builder.getStrArrayAttr(texts));
  };
  for (const EntryValue &value : arguments)
    add(value, inputs);
  for (const EntryValue &value : results)
    add(value, outputs);
  op->setAttr(
      getAttrName(),
      builder.getDictionaryAttr({
          builder.getNamedAttr("name", builder.getStringAttr(name)),
          builder.getNamedAttr(
              "type", TypeAttr::get(builder.getFunctionType(inputs, outputs))),
          builder.getNamedAttr("values", builder.getArrayAttr(names)),
          builder.getNamedAttr("dims", builder.getArrayAttr(dims)),
      }));
}

/// Reads one value, of which the attribute says `name` and `dims`.
static std::optional<EntryValue> readValue(Type type, Attribute name,
                                           Attribute dims) {
  std::optional<EntryValue> value = getValue(type);
  auto text = dyn_cast<StringAttr>(name);
  auto list = dyn_cast<ArrayAttr>(dims);
  if (!value || !text || !list || list.size() != value->dims.size() ||
      !llvm::all_of(list, llvm::IsaPred<StringAttr>))
    return std::nullopt;
  value->name = text.str();
  for (auto [dim, entry] : llvm::zip_equal(value->dims, list))
    dim = cast<StringAttr>(entry).str();
  return value;
}

FailureOr<std::optional<EntrySignature>> EntrySignature::read(Operation *op) {
  Attribute attribute = op->getAttr(getAttrName());
  if (!attribute)
    return std::optional<EntrySignature>();
  auto emitMalformed = [&]() -> LogicalResult {
    return op->emitOpError()
           << "'" << getAttrName() << "' is malformed: " << attribute;
  };
  auto fields = dyn_cast<DictionaryAttr>(attribute);
  if (!fields)
    return emitMalformed();
  auto name = fields.getAs<StringAttr>("name");
  auto typeAttr = fields.getAs<TypeAttr>("type");
  auto names = fields.getAs<ArrayAttr>("values");
  auto dims = fields.getAs<ArrayAttr>("dims");
  auto type =
      typeAttr ? dyn_cast<FunctionType>(typeAttr.getValue()) : FunctionType();
  if (!name || !type || !names || !dims ||
      names.size() != type.getNumInputs() + type.getNumResults() ||
      dims.size() != names.size())
    return emitMalformed();
  EntrySignature signature;
  signature.name = name.str();
  for (size_t index = 0; index < names.size(); ++index) {
    bool isArgument = index < type.getNumInputs();
    std::optional<EntryValue> value =
        readValue(isArgument ? type.getInput(index)
                             : type.getResult(index - type.getNumInputs()),
                  names[index], dims[index]);
    if (!value)
      return emitMalformed();
    (isArgument ? signature.arguments : signature.results)
        .push_back(std::move(*value));
  }
  return std::optional<EntrySignature>(std::move(signature));
}

bool EntrySignature::hasKnownResultSizes() const {
  llvm::StringSet<> known;
  for (const EntryValue &value : arguments)
    for (const std::string &dim : value.dims)
      known.insert(dim);
  return llvm::all_of(results, [&](const EntryValue &value) {
    return llvm::all_of(llvm::zip_equal(value.getShape(), value.dims),
                        [&](auto pair) {
                          auto [size, dim] = pair;
                          return !ShapedType::isDynamic(size) ||
                                 (!dim.empty() && known.contains(dim));
                        });
  });
}

} // namespace mlir::frit

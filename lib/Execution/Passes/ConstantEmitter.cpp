//===- ConstantEmitter.cpp - Constant data in LLVM's dialect --------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Makes constant globals.
//
//===----------------------------------------------------------------------===//

#include "ConstantEmitter.h"

namespace mlir::frit {

LLVM::GlobalOp ConstantEmitter::emit(StringRef name, Type type, Attribute value,
                                     LLVM::Linkage linkage) {
  auto global = LLVM::GlobalOp::create(builder, loc, type, /*isConstant=*/true,
                                       linkage, name, value);
  symbols.insert(global);
  return global;
}

FlatSymbolRefAttr ConstantEmitter::emitString(StringRef name, StringRef text) {
  std::string bytes = text.str();
  bytes.push_back('\0');
  auto type = LLVM::LLVMArrayType::get(builder.getI8Type(), bytes.size());
  return FlatSymbolRefAttr::get(
      emit(name, type, builder.getStringAttr(bytes), LLVM::Linkage::Internal));
}

FlatSymbolRefAttr ConstantEmitter::emitNumbers(StringRef name,
                                               ArrayRef<int64_t> values) {
  if (values.empty())
    return {};
  auto type = LLVM::LLVMArrayType::get(builder.getI64Type(), values.size());
  return FlatSymbolRefAttr::get(emit(
      name, type, builder.getI64TensorAttr(values), LLVM::Linkage::Internal));
}

FlatSymbolRefAttr ConstantEmitter::emitNumbers(StringRef name,
                                               ArrayRef<int32_t> values) {
  if (values.empty())
    return {};
  auto type = LLVM::LLVMArrayType::get(builder.getI32Type(), values.size());
  return FlatSymbolRefAttr::get(emit(
      name, type, builder.getI32TensorAttr(values), LLVM::Linkage::Internal));
}

Type ConstantEmitter::getType(const Struct &fields) {
  SmallVector<Type> types;
  for (const Field &field : fields) {
    if (std::holds_alternative<int32_t>(field))
      types.push_back(builder.getI32Type());
    else if (std::holds_alternative<int64_t>(field))
      types.push_back(builder.getI64Type());
    else
      types.push_back(LLVM::LLVMPointerType::get(builder.getContext()));
  }
  return LLVM::LLVMStructType::getLiteral(builder.getContext(), types);
}

Value ConstantEmitter::build(OpBuilder &body, const Struct &fields) {
  auto pointer = LLVM::LLVMPointerType::get(body.getContext());
  Value result = LLVM::PoisonOp::create(body, loc, getType(fields));
  for (auto [index, field] : llvm::enumerate(fields)) {
    Value value;
    if (const auto *number = std::get_if<int32_t>(&field))
      value = LLVM::ConstantOp::create(body, loc, body.getI32Type(), *number);
    else if (const auto *number = std::get_if<int64_t>(&field))
      value = LLVM::ConstantOp::create(body, loc, body.getI64Type(), *number);
    else if (const auto *part = std::get_if<FieldAddress>(&field))
      value =
          LLVM::GEPOp::create(body, loc, pointer, part->structType,
                              LLVM::AddressOfOp::create(
                                  body, loc, pointer, part->symbol.getValue()),
                              ArrayRef<LLVM::GEPArg>{0, part->field});
    else if (auto symbol = std::get<FlatSymbolRefAttr>(field))
      value = LLVM::AddressOfOp::create(body, loc, pointer, symbol.getValue());
    else
      value = LLVM::ZeroOp::create(body, loc, pointer);
    result = LLVM::InsertValueOp::create(body, loc, result, value,
                                         static_cast<int64_t>(index));
  }
  return result;
}

FlatSymbolRefAttr ConstantEmitter::emitStructs(StringRef name,
                                               ArrayRef<Struct> structs) {
  if (structs.empty())
    return {};
  Type type =
      LLVM::LLVMArrayType::get(getType(structs.front()), structs.size());
  LLVM::GlobalOp global =
      emit(name, type, Attribute(), LLVM::Linkage::Internal);
  OpBuilder body =
      OpBuilder::atBlockBegin(&global.getInitializerRegion().emplaceBlock());
  Value all = LLVM::PoisonOp::create(body, loc, type);
  for (auto [index, fields] : llvm::enumerate(structs))
    all = LLVM::InsertValueOp::create(body, loc, all, build(body, fields),
                                      static_cast<int64_t>(index));
  LLVM::ReturnOp::create(body, loc, all);
  return FlatSymbolRefAttr::get(global);
}

LLVM::GlobalOp ConstantEmitter::emitExportedStruct(StringRef name,
                                                   const Struct &fields) {
  LLVM::GlobalOp global =
      emit(name, getType(fields), Attribute(), LLVM::Linkage::External);
  OpBuilder body =
      OpBuilder::atBlockBegin(&global.getInitializerRegion().emplaceBlock());
  LLVM::ReturnOp::create(body, loc, build(body, fields));
  return global;
}

} // namespace mlir::frit

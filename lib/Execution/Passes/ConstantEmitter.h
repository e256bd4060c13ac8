//===- ConstantEmitter.h - Constant data in LLVM's dialect ------*- C++ -*-===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Makes constant globals: strings, numbers, and structs that point to them.
//
//===----------------------------------------------------------------------===//

#ifndef FRIT_LIB_EXECUTION_PASSES_CONSTANTEMITTER_H
#define FRIT_LIB_EXECUTION_PASSES_CONSTANTEMITTER_H

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/SymbolTable.h"

#include <variant>

namespace mlir::frit {

class ConstantEmitter {
public:
  /// The address of a field of a global that is a struct.
  struct FieldAddress {
    FlatSymbolRefAttr symbol;
    Type structType;
    int32_t field;
  };
  /// A field of a struct: the address of a symbol (null: a null pointer) or of
  /// a field of one, or a number of 32 or 64 bits.
  using Field = std::variant<FlatSymbolRefAttr, int32_t, int64_t, FieldAddress>;
  using Struct = SmallVector<Field>;

  explicit ConstantEmitter(ModuleOp module)
      : symbols(module), builder(module.getBodyRegion()), loc(module.getLoc()) {
  }

  /// Globals that only the module sees. The name may get a suffix. Null where
  /// there is nothing: C has no arrays of no element.
  FlatSymbolRefAttr emitString(StringRef name, StringRef text);
  FlatSymbolRefAttr emitNumbers(StringRef name, ArrayRef<int64_t> values);
  FlatSymbolRefAttr emitNumbers(StringRef name, ArrayRef<int32_t> values);
  FlatSymbolRefAttr emitStructs(StringRef name, ArrayRef<Struct> structs);

  /// A struct that other modules see; `name` must be free.
  LLVM::GlobalOp emitExportedStruct(StringRef name, const Struct &fields);

  /// A pointer field.
  static Field null() { return FlatSymbolRefAttr(); }

  SymbolTable &getSymbols() { return symbols; }

private:
  LLVM::GlobalOp emit(StringRef name, Type type, Attribute value,
                      LLVM::Linkage linkage);
  Type getType(const Struct &fields);
  Value build(OpBuilder &body, const Struct &fields);

  SymbolTable symbols;
  OpBuilder builder;
  Location loc;
};

} // namespace mlir::frit

#endif // FRIT_LIB_EXECUTION_PASSES_CONSTANTEMITTER_H

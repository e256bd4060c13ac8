//===- RuntimeCalls.h
//--------------------------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Calls of Frit's runtime from code that is being lowered. The names come from
// the table that the runtime's own tests check.
//
//===----------------------------------------------------------------------===//

#ifndef FRIT_LIB_CONVERSION_RUNTIMECALLS_RUNTIMECALLS_H
#define FRIT_LIB_CONVERSION_RUNTIMECALLS_RUNTIMECALLS_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/SymbolTable.h"

namespace mlir::frit {

/// Names of the runtime's functions: runtime_symbol::fritParallelFor and so on.
namespace runtime_symbol {
#define FRIT_RUNTIME_FUNCTION(name)                                            \
  inline constexpr llvm::StringLiteral name = #name;
#include "frit-c/RuntimeSymbols.def"
} // namespace runtime_symbol

/// Message of a cf.assert whose failing means that the runtime has recorded an
/// error, which the function is to return.
inline constexpr llvm::StringLiteral kPropagateErrorMessage =
    "frit.propagate-error";

/// The context of the function around `op`: the leading !llvm.ptr argument.
/// Reports an error on `op` where there is none.
FailureOr<Value> getContextArgument(Operation *op);

/// Makes the function return the runtime's recorded error unless `condition`
/// (an i1) holds.
void propagateErrorUnless(OpBuilder &builder, Location loc, Value condition);

/// Declares the runtime's functions in a module, each when it is first called.
class RuntimeCalls {
public:
  explicit RuntimeCalls(ModuleOp module)
      : module(module), symbolTable(module) {}

  /// Calls a function with the types of `arguments`; `resultType` is null for
  /// none. Reports an error if the module uses the name for something else.
  FailureOr<LLVM::CallOp> call(OpBuilder &builder, Location loc, StringRef name,
                               Type resultType, ValueRange arguments);

  /// Calls a function that returns a status, which must be a success.
  LogicalResult callChecked(OpBuilder &builder, Location loc, StringRef name,
                            ValueRange arguments);

  /// Calls a function that returns a pointer, which must not be null.
  FailureOr<Value> callForPointer(OpBuilder &builder, Location loc,
                                  StringRef name, ValueRange arguments);

  SymbolTable &getSymbolTable() { return symbolTable; }

private:
  ModuleOp module;
  SymbolTable symbolTable;
};

} // namespace mlir::frit

#endif // FRIT_LIB_CONVERSION_RUNTIMECALLS_RUNTIMECALLS_H

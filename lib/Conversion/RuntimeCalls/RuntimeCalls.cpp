//===- RuntimeCalls.cpp
//------------------------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Builds calls of Frit's runtime.
//
//===----------------------------------------------------------------------===//

#include "RuntimeCalls.h"

#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"

using namespace mlir;
using namespace mlir::frit;

FailureOr<Value> frit::getContextArgument(Operation *op) {
  auto function = op->getParentOfType<func::FuncOp>();
  if (!function)
    return op->emitError("is in no func.func, so that there is no context for "
                         "the runtime");
  if (function.getNumArguments() == 0 ||
      !isa<LLVM::LLVMPointerType>(function.getArgument(0).getType()))
    return op->emitError("is in function '")
           << function.getSymName()
           << "', which has no context argument; run frit-add-context first";
  return Value(function.getArgument(0));
}

void frit::propagateErrorUnless(OpBuilder &builder, Location loc,
                                Value condition) {
  cf::AssertOp::create(builder, loc, condition, kPropagateErrorMessage);
}

FailureOr<LLVM::CallOp> RuntimeCalls::call(OpBuilder &builder, Location loc,
                                           StringRef name, Type resultType,
                                           ValueRange arguments) {
  MLIRContext *context = module.getContext();
  auto type = LLVM::LLVMFunctionType::get(
      resultType ? resultType : LLVM::LLVMVoidType::get(context),
      llvm::to_vector(arguments.getTypes()));
  Operation *existing = symbolTable.lookup(name);
  auto function = dyn_cast_if_present<LLVM::LLVMFuncOp>(existing);
  if (existing && (!function || function.getFunctionType() != type)) {
    InFlightDiagnostic diagnostic = emitError(loc)
                                    << "the runtime's function '" << name
                                    << "' of type " << type << " is needed";
    diagnostic.attachNote(existing->getLoc())
        << "but the module uses the name for this";
    return diagnostic;
  }
  if (!function) {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(module.getBody());
    function = LLVM::LLVMFuncOp::create(builder, module.getLoc(), name, type);
    symbolTable.insert(function);
  }
  return LLVM::CallOp::create(builder, loc, function, arguments);
}

LogicalResult RuntimeCalls::callChecked(OpBuilder &builder, Location loc,
                                        StringRef name, ValueRange arguments) {
  Type i32 = builder.getI32Type();
  FailureOr<LLVM::CallOp> status = call(builder, loc, name, i32, arguments);
  if (failed(status))
    return failure();
  Value zero =
      LLVM::ConstantOp::create(builder, loc, builder.getI32IntegerAttr(0));
  propagateErrorUnless(builder, loc,
                       LLVM::ICmpOp::create(builder, loc,
                                            LLVM::ICmpPredicate::eq,
                                            status->getResult(), zero));
  return success();
}

FailureOr<Value> RuntimeCalls::callForPointer(OpBuilder &builder, Location loc,
                                              StringRef name,
                                              ValueRange arguments) {
  auto pointerType = LLVM::LLVMPointerType::get(builder.getContext());
  FailureOr<LLVM::CallOp> pointer =
      call(builder, loc, name, pointerType, arguments);
  if (failed(pointer))
    return failure();
  Value null = LLVM::ZeroOp::create(builder, loc, pointerType);
  propagateErrorUnless(builder, loc,
                       LLVM::ICmpOp::create(builder, loc,
                                            LLVM::ICmpPredicate::ne,
                                            pointer->getResult(), null));
  return pointer->getResult();
}

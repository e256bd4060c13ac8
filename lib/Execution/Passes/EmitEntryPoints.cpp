//===- EmitEntryPoints.cpp ------------------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The pass frit-emit-entry-points: one signature for all functions, so that a
// program can call a function whose types it learns at run time.
//
//===----------------------------------------------------------------------===//

#include "../../Conversion/RuntimeCalls/RuntimeCalls.h"

#include "frit/Dialect/Frit/IR/Frit.h"
#include "frit/Execution/EntrySignature.h"
#include "frit/Execution/Passes.h"

#include "mlir/Conversion/LLVMCommon/TypeConverter.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

namespace mlir::frit {

#define GEN_PASS_DEF_EMITENTRYPOINTSPASS
#include "frit/Execution/Passes.h.inc"

std::string getEntryPointName(StringRef name) {
  return ("_frit_" + name).str();
}

namespace {

/// What a function is called behind its entry point. No library that the
/// program is linked with has such a name.
std::string getBodyName(StringRef name) {
  return getEntryPointName(name) + ".body";
}

bool hasContextAndStatus(FunctionType type) {
  return type.getNumInputs() >= 1 &&
         isa<LLVM::LLVMPointerType>(type.getInput(0)) &&
         type.getNumResults() == 1 && type.getResult(0).isInteger(32);
}

class EmitEntryPointsPass
    : public impl::EmitEntryPointsPassBase<EmitEntryPointsPass> {
public:
  using EmitEntryPointsPassBase::EmitEntryPointsPassBase;

  void runOnOperation() override {
    RuntimeCalls runtime(getOperation());
    LLVMTypeConverter types(&getContext());
    for (auto function :
         llvm::to_vector(getOperation().getOps<func::FuncOp>())) {
      if (function.isExternal() || !function.isPublic())
        continue;
      if (failed(checkFunction(function, runtime.getSymbolTable())) ||
          failed(emitEntryPoint(function, types, runtime)))
        return signalPassFailure();
      ++numEmitted;
    }
  }

private:
  static LogicalResult checkFunction(func::FuncOp function,
                                     const SymbolTable &symbols) {
    if (!hasContextAndStatus(function.getFunctionType()))
      return function.emitError()
             << "'@" << function.getName() << "' has type "
             << function.getFunctionType()
             << ", but an entry point needs a leading !llvm.ptr context and an "
                "i32 status (run frit-add-context first)";
    for (const std::string &name : {getEntryPointName(function.getName()),
                                    getBodyName(function.getName())})
      if (Operation *other = symbols.lookup(name)) {
        InFlightDiagnostic diagnostic = function.emitError()
                                        << "the entry point of '@"
                                        << function.getName() << "' needs '@"
                                        << name << "', which exists already";
        diagnostic.attachNote(other->getLoc()) << "it is here";
        return diagnostic;
      }
    return success();
  }

  LogicalResult emitEntryPoint(func::FuncOp function,
                               const LLVMTypeConverter &types,
                               RuntimeCalls &runtime) {
    Location loc = function.getLoc();
    std::string name = function.getName().str();
    // First, because the name may be one of the runtime's.
    if (failed(hide(function, runtime.getSymbolTable())))
      return failure();
    OpBuilder builder(function->getBlock(), ++function->getIterator());
    auto pointer = LLVM::LLVMPointerType::get(&getContext());
    Type i32 = builder.getI32Type();
    auto entry =
        func::FuncOp::create(builder, loc, getEntryPointName(name),
                             builder.getFunctionType({pointer, pointer}, i32));
    runtime.getSymbolTable().insert(entry);
    // The signature is what callers of the entry point know.
    if (Attribute signature =
            function->removeAttr(EntrySignature::getAttrName()))
      entry->setAttr(EntrySignature::getAttrName(), signature);
    Block *begin = entry.addEntryBlock();
    Block *run = builder.createBlock(&entry.getBody());
    Block *end = builder.createBlock(&entry.getBody(), {}, i32, loc);
    func::ReturnOp::create(builder, loc, end->getArgument(0));

    // A context that another call uses, or that holds an error, runs nothing.
    Value context = begin->getArgument(0);
    builder.setInsertionPointToStart(begin);
    FailureOr<LLVM::CallOp> status =
        runtime.call(builder, loc, runtime_symbol::fritBeginCall, i32, context);
    if (failed(status))
      return failure();
    Value zero = arith::ConstantIntOp::create(builder, loc, i32, 0);
    Value ok = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq,
                                     status->getResult(), zero);
    cf::CondBranchOp::create(builder, loc, ok, run, ValueRange(), end,
                             status->getResult());

    builder.setInsertionPointToStart(run);
    SmallVector<Value> operands = {context};
    for (auto [index, type] :
         llvm::enumerate(function.getArgumentTypes().drop_front())) {
      Value slot = LLVM::GEPOp::create(
          builder, loc, pointer, pointer, begin->getArgument(1),
          ArrayRef<LLVM::GEPArg>{static_cast<int32_t>(index)});
      Value address = LLVM::LoadOp::create(builder, loc, pointer, slot);
      FailureOr<Value> value = loadArgument(builder, loc, address, type, types);
      if (failed(value))
        return function.emitError()
               << "argument " << index << " of '@" << name << "' is " << type
               << ", which has no form in memory";
      operands.push_back(*value);
    }
    auto call = func::CallOp::create(builder, loc, function, operands);
    status = runtime.call(builder, loc, runtime_symbol::fritEndCall, i32,
                          {context, call.getResult(0)});
    if (failed(status))
      return failure();
    cf::BranchOp::create(builder, loc, status->getResult(), end);
    return success();
  }

  /// Names of arguments are in the signature, and mean nothing to LLVM, whose
  /// translation warns of them.
  static void removeFritArgumentAttributes(func::FuncOp function) {
    for (unsigned index = 0; index < function.getNumArguments(); ++index)
      for (NamedAttribute attribute : ArrayRef<NamedAttribute>(
               function_interface_impl::getArgAttrs(function, index)))
        if (isa_and_present<FritDialect>(attribute.getNameDialect()))
          function.removeArgAttr(index, attribute.getName());
  }

  /// Makes a function one that only this module sees, under a name that cannot
  /// be taken for a function of the C library or of the code generator.
  static LogicalResult hide(func::FuncOp function, SymbolTable &symbols) {
    function.setPrivate();
    removeFritArgumentAttributes(function);
    function->setAttr(
        "llvm.linkage",
        LLVM::LinkageAttr::get(function.getContext(), LLVM::Linkage::Internal));
    return symbols.rename(function, getBodyName(function.getName()));
  }

  static FailureOr<Value> loadArgument(OpBuilder &builder, Location loc,
                                       Value address, Type type,
                                       const LLVMTypeConverter &types) {
    Type converted = types.convertType(type);
    if (!converted)
      return failure();
    // A byte, as the elements of a buffer of i1 are.
    if (type.isInteger(1)) {
      Value byte =
          LLVM::LoadOp::create(builder, loc, builder.getI8Type(), address);
      return LLVM::TruncOp::create(builder, loc, type, byte).getResult();
    }
    Value value = LLVM::LoadOp::create(builder, loc, converted, address);
    if (converted == type)
      return value;
    return UnrealizedConversionCastOp::create(builder, loc, type, value)
        .getResult(0);
  }
};

} // namespace
} // namespace mlir::frit

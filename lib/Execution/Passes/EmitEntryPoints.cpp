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

#include "frit/Execution/Passes.h"

#include "mlir/Conversion/LLVMCommon/TypeConverter.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

namespace mlir::frit {

#define GEN_PASS_DEF_EMITENTRYPOINTSPASS
#include "frit/Execution/Passes.h.inc"

std::string getEntryPointName(StringRef name) {
  return ("_frit_" + name).str();
}

namespace {

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
    SymbolTable symbols(getOperation());
    LLVMTypeConverter types(&getContext());
    for (auto function :
         llvm::to_vector(getOperation().getOps<func::FuncOp>())) {
      if (function.isExternal() || !function.isPublic())
        continue;
      if (failed(emitEntryPoint(function, types, symbols)))
        return signalPassFailure();
      ++numEmitted;
    }
  }

private:
  LogicalResult emitEntryPoint(func::FuncOp function,
                               const LLVMTypeConverter &types,
                               SymbolTable &symbols) {
    if (!hasContextAndStatus(function.getFunctionType()))
      return function.emitError()
             << "'@" << function.getName() << "' has type "
             << function.getFunctionType()
             << ", but an entry point needs a leading !llvm.ptr context and an "
                "i32 status (run frit-add-context first)";
    std::string name = getEntryPointName(function.getName());
    if (Operation *other = symbols.lookup(name)) {
      InFlightDiagnostic diagnostic = function.emitError()
                                      << "the entry point of '@"
                                      << function.getName() << "' is named '@"
                                      << name << "', which exists already";
      diagnostic.attachNote(other->getLoc()) << "it is here";
      return diagnostic;
    }

    Location loc = function.getLoc();
    OpBuilder builder(function->getBlock(), ++function->getIterator());
    auto pointer = LLVM::LLVMPointerType::get(&getContext());
    auto entry = func::FuncOp::create(
        builder, loc, name,
        builder.getFunctionType({pointer, pointer}, builder.getI32Type()));
    symbols.insert(entry);
    Block *block = entry.addEntryBlock();
    builder.setInsertionPointToStart(block);

    SmallVector<Value> operands = {block->getArgument(0)};
    for (auto [index, type] :
         llvm::enumerate(function.getArgumentTypes().drop_front())) {
      Value slot = LLVM::GEPOp::create(
          builder, loc, pointer, pointer, block->getArgument(1),
          ArrayRef<LLVM::GEPArg>{static_cast<int32_t>(index)});
      Value address = LLVM::LoadOp::create(builder, loc, pointer, slot);
      FailureOr<Value> value = loadArgument(builder, loc, address, type, types);
      if (failed(value))
        return function.emitError()
               << "argument " << index << " of '@" << function.getName()
               << "' is " << type << ", which has no form in memory";
      operands.push_back(*value);
    }
    auto call = func::CallOp::create(builder, loc, function, operands);
    func::ReturnOp::create(builder, loc, call.getResults());
    return success();
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

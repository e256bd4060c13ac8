//===- AssertToRuntime.cpp
//---------------------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The pass convert-assert-to-frit-runtime.
//
//===----------------------------------------------------------------------===//

#include "../RuntimeCalls/RuntimeCalls.h"

#include "frit-c/Runtime.h"
#include "frit/Conversion/Passes.h"

#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"

namespace mlir::frit {

#define GEN_PASS_DEF_CONVERTASSERTTOFRITRUNTIMEPASS
#include "frit/Conversion/Passes.h.inc"

namespace {

/// The strings of a module's assertions, each once.
class Messages {
public:
  explicit Messages(SymbolTable &symbolTable) : symbolTable(symbolTable) {}

  LLVM::GlobalOp get(StringRef message, Location loc) {
    LLVM::GlobalOp &global = globals[message];
    if (global)
      return global;
    auto module = cast<ModuleOp>(symbolTable.getOp());
    OpBuilder builder = OpBuilder::atBlockBegin(module.getBody());
    std::string text = message.str();
    text.push_back('\0');
    auto type = LLVM::LLVMArrayType::get(builder.getI8Type(), text.size());
    global = LLVM::GlobalOp::create(
        builder, loc, type, /*isConstant=*/true, LLVM::Linkage::Private,
        "frit_assert_message", builder.getStringAttr(text));
    symbolTable.insert(global);
    return global;
  }

private:
  SymbolTable &symbolTable;
  llvm::StringMap<LLVM::GlobalOp> globals;
};

/// The blocks of a function that failing assertions branch to: one that reports
/// the message it is given, one that returns the runtime's error.
class FailureBlocks {
public:
  FailureBlocks(func::FuncOp function, Value context, RuntimeCalls &runtime)
      : function(function), context(context), runtime(runtime),
        builder(function.getContext()) {}

  FailureOr<Block *> getReport(Location loc) {
    if (report)
      return report;
    report = &function.getBody().emplaceBlock();
    Value message = report->addArgument(
        LLVM::LLVMPointerType::get(function.getContext()), loc);
    builder.setInsertionPointToStart(report);
    Value status = LLVM::ConstantOp::create(
        builder, loc, builder.getI32IntegerAttr(FRIT_STATUS_ASSERTION_FAILED));
    return finish(report, loc, runtime_symbol::fritReportError,
                  {context, status, message});
  }

  FailureOr<Block *> getPropagate(Location loc) {
    if (propagate)
      return propagate;
    propagate = &function.getBody().emplaceBlock();
    builder.setInsertionPointToStart(propagate);
    return finish(propagate, loc, runtime_symbol::fritPropagateError,
                  {context});
  }

private:
  FailureOr<Block *> finish(Block *block, Location loc, StringRef name,
                            ValueRange arguments) {
    FailureOr<LLVM::CallOp> call =
        runtime.call(builder, loc, name, builder.getI32Type(), arguments);
    if (failed(call))
      return failure();
    func::ReturnOp::create(builder, loc, call->getResult());
    return block;
  }

  func::FuncOp function;
  Value context;
  RuntimeCalls &runtime;
  OpBuilder builder;
  Block *report = nullptr;
  Block *propagate = nullptr;
};

class ConvertAssertToFritRuntimePass
    : public impl::ConvertAssertToFritRuntimePassBase<
          ConvertAssertToFritRuntimePass> {
public:
  using ConvertAssertToFritRuntimePassBase::ConvertAssertToFritRuntimePassBase;

  void runOnOperation() override {
    RuntimeCalls runtime(getOperation());
    Messages messages(runtime.getSymbolTable());
    // By function, because each has failure blocks of its own.
    llvm::MapVector<Operation *, SmallVector<cf::AssertOp>> assertions;
    getOperation().walk([&](cf::AssertOp op) {
      assertions[op->getParentOfType<func::FuncOp>()].push_back(op);
    });
    for (auto &[function, ops] : assertions) {
      FailureOr<Value> context = getContextArgument(ops.front());
      if (failed(context) || failed(convert(cast<func::FuncOp>(function), ops,
                                            *context, runtime, messages)))
        return signalPassFailure();
      numAssertions += ops.size();
    }
  }

private:
  static LogicalResult convert(func::FuncOp function,
                               ArrayRef<cf::AssertOp> ops, Value context,
                               RuntimeCalls &runtime, Messages &messages) {
    if (function.getNumResults() != 1 ||
        !function.getResultTypes().front().isInteger(32))
      return function.emitError("function '")
             << function.getSymName() << "' has result types ("
             << function.getResultTypes()
             << "), but an assertion in it returns a status, one i32";
    FailureBlocks failureBlocks(function, context, runtime);
    for (cf::AssertOp op : ops) {
      if (op->getParentOp() != function)
        return op.emitError("is nested in '")
               << op->getParentOp()->getName()
               << "'; an early return needs the function's own blocks (run "
                  "convert-scf-to-cf first)";
      Location loc = op.getLoc();
      OpBuilder builder(op);
      FailureOr<Block *> target;
      SmallVector<Value, 1> arguments;
      if (op.getMsg() == kPropagateErrorMessage) {
        target = failureBlocks.getPropagate(loc);
      } else {
        target = failureBlocks.getReport(loc);
        arguments.push_back(LLVM::AddressOfOp::create(
            builder, loc, messages.get(op.getMsg(), loc)));
      }
      if (failed(target))
        return failure();
      Block *block = op->getBlock();
      Block *rest = block->splitBlock(std::next(op->getIterator()));
      builder.setInsertionPointToEnd(block);
      cf::CondBranchOp::create(builder, loc, op.getArg(), rest, ValueRange(),
                               *target, arguments);
      op.erase();
    }
    return success();
  }
};

} // namespace
} // namespace mlir::frit

//===- AssertToRuntime.cpp ------------------------------------------------===//
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

#include "mlir/Dialect/Arith/IR/Arith.h"
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
    // The runtime takes what ends with the first NUL.
    std::string text;
    for (char c : message)
      text += c == '\0' ? StringRef("\\00") : StringRef(&c, 1);
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
/// the message it is given, one that reports it with two values, one that
/// returns the runtime's error.
class FailureBlocks {
public:
  FailureBlocks(func::FuncOp function, Value context, RuntimeCalls &runtime)
      : function(function), context(context), runtime(runtime),
        builder(function.getContext()) {}

  FailureOr<Block *> getReport(Location loc) {
    if (failed(report))
      report = createReport(loc, runtime_symbol::fritReportError,
                            LLVM::LLVMPointerType::get(function.getContext()));
    return report;
  }

  FailureOr<Block *> getMismatch(Location loc) {
    Type i64 = builder.getI64Type();
    if (failed(mismatch))
      mismatch = createReport(
          loc, runtime_symbol::fritReportMismatch,
          {LLVM::LLVMPointerType::get(function.getContext()), i64, i64});
    return mismatch;
  }

  FailureOr<Block *> getPropagate(Location loc) {
    if (failed(propagate)) {
      Block *block = &function.getBody().emplaceBlock();
      builder.setInsertionPointToStart(block);
      propagate =
          finish(block, loc, runtime_symbol::fritPropagateError, {context});
    }
    return propagate;
  }

private:
  /// A block that passes its arguments on to a function of the runtime.
  FailureOr<Block *> createReport(Location loc, StringRef name,
                                  TypeRange types) {
    Block *block = &function.getBody().emplaceBlock();
    builder.setInsertionPointToStart(block);
    SmallVector<Value> arguments = {
        context, LLVM::ConstantOp::create(
                     builder, loc,
                     builder.getI32IntegerAttr(FRIT_STATUS_ASSERTION_FAILED))};
    for (Type type : types)
      arguments.push_back(block->addArgument(type, loc));
    return finish(block, loc, name, arguments);
  }

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
  FailureOr<Block *> report;
  FailureOr<Block *> mismatch;
  FailureOr<Block *> propagate;
};

/// An integer of a comparison as an i64, with its sign where that counts.
Value asInt64(OpBuilder &builder, Location loc, Value value,
              arith::CmpIPredicate predicate) {
  Type i64 = builder.getI64Type();
  if (value.getType().isIndex())
    return arith::IndexCastOp::create(builder, loc, i64, value);
  if (value.getType() == i64)
    return value;
  switch (predicate) {
  case arith::CmpIPredicate::ult:
  case arith::CmpIPredicate::ule:
  case arith::CmpIPredicate::ugt:
  case arith::CmpIPredicate::uge:
    return arith::ExtUIOp::create(builder, loc, i64, value);
  default:
    return arith::ExtSIOp::create(builder, loc, i64, value);
  }
}

/// The comparison that an assertion is about, if it is one of scalars that a
/// message can show.
arith::CmpIOp getComparison(cf::AssertOp op) {
  auto comparison = op.getArg().getDefiningOp<arith::CmpIOp>();
  if (!comparison)
    return nullptr;
  Type type = comparison.getLhs().getType();
  auto integer = dyn_cast<IntegerType>(type);
  bool isShown = type.isIndex() || (integer && integer.getWidth() > 1 &&
                                    integer.getWidth() <= 64);
  return isShown ? comparison : nullptr;
}

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
      SmallVector<Value, 3> arguments;
      if (op.getMsg() == kPropagateErrorMessage) {
        target = failureBlocks.getPropagate(loc);
      } else {
        arguments.push_back(LLVM::AddressOfOp::create(
            builder, loc, messages.get(op.getMsg(), loc)));
        if (arith::CmpIOp comparison = getComparison(op)) {
          target = failureBlocks.getMismatch(loc);
          for (Value value : comparison.getOperands())
            arguments.push_back(
                asInt64(builder, loc, value, comparison.getPredicate()));
        } else {
          target = failureBlocks.getReport(loc);
        }
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

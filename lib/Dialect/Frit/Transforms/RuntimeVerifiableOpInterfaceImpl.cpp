//===- RuntimeVerifiableOpInterfaceImpl.cpp -------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Checks at run time of what verifiers cannot know: sizes that are dynamic,
// adapters and ranks that are out of range, and a grouping that disagrees with
// the ids. Sizes that are known are not checked again.
//
//===----------------------------------------------------------------------===//

#include "ExternalModelsImpl.h"
#include "RuntimeChecks.h"

#include "mlir/Interfaces/RuntimeVerifiableOpInterface.h"

#include <limits>

using namespace mlir;
using namespace mlir::frit;

//===----------------------------------------------------------------------===//
// Gated ops
//===----------------------------------------------------------------------===//

template <typename GatedOp>
static void generateChecks(GatedOp op, CheckBuilder &checks) {
  int64_t last = cast<ShapedType>(op.getOut().getType()).getRank() - 1;
  SmallVector<std::pair<StringRef, Value>, 2> inputs;
  inputs.emplace_back(op.isPacked() ? "x" : "gate", op.getX());
  if (!op.isPacked())
    inputs.emplace_back("up", op.getUp());
  for (auto [name, value] : inputs)
    for (int64_t dim = 0; dim < last + (op.isPacked() ? 0 : 1); ++dim)
      checks.checkSame({name.str(), value, dim}, {"out", op.getOut(), dim});
  NamedDim packed{"x", op.getX(), last}, out{"out", op.getOut(), last};
  if (!op.isPacked() || (!packed.isDynamic() && !out.isDynamic()))
    return;
  Value columns = checks.sizeOf(out);
  Value twice = arith::AddIOp::create(checks.b, checks.loc, columns, columns);
  checks.check(checks.isEqual(checks.sizeOf(packed), twice),
               packed.str() + " is not twice " + out.str());
}

//===----------------------------------------------------------------------===//
// LoRA ops
//===----------------------------------------------------------------------===//

static void generateChecks(LoraMatmulOp op, CheckBuilder &checks) {
  generateLoraChecks(op, checks);
}
static void generateChecks(LoraShrinkOp op, CheckBuilder &checks) {
  generateLoraChecks(op, checks);
}
static void generateChecks(LoraExpandOp op, CheckBuilder &checks) {
  generateLoraChecks(op, checks);
}

static void generateChecks(LoraGroupOp op, CheckBuilder &checks) {
  NamedDim ids{"ids", op.getIds(), 0}, starts{"starts", op.getStarts(), 0};
  checks.checkSame(ids, {"order", op.getOrder(), 0});
  if (starts.isDynamic())
    checks.check(checks.isAtMost(checks.constant(1), checks.sizeOf(starts)),
                 starts.str() + " is 0");
  if (ids.isDynamic())
    checks.check(
        checks.isAtMost(checks.sizeOf(ids),
                        checks.constant(std::numeric_limits<int32_t>::max())),
        ids.str() + " exceeds the range of i32");
}

//===----------------------------------------------------------------------===//
// The model
//===----------------------------------------------------------------------===//

namespace {
template <typename OpTy>
struct FritRuntimeVerification
    : RuntimeVerifiableOpInterface::ExternalModel<FritRuntimeVerification<OpTy>,
                                                  OpTy> {
  void generateRuntimeVerification(Operation *op, OpBuilder &builder,
                                   Location loc, MessageFn getMessage) const {
    CheckBuilder checks(builder, loc, op, getMessage);
    generateChecks(cast<OpTy>(op), checks);
  }
};
} // namespace

void frit::registerRuntimeVerifiableOpInterfaceModels(
    DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, FritDialect *) {
    attachToAllOps<FritRuntimeVerification>(context);
    context->loadDialect<arith::ArithDialect, cf::ControlFlowDialect,
                         memref::MemRefDialect, scf::SCFDialect,
                         tensor::TensorDialect>();
  });
}

//===- CheckSizes.cpp -----------------------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The pass frit-check-sizes.
//
//===----------------------------------------------------------------------===//

#include "OnHost.h"
#include "RuntimeChecks.h"

#include "frit/Dialect/Frit/Transforms/Passes.h"

#include "mlir/Interfaces/FunctionInterfaces.h"

#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/Path.h"

namespace mlir::frit {

#define GEN_PASS_DEF_CHECKSIZESPASS
#include "frit/Dialect/Frit/Transforms/Passes.h.inc"

namespace {

/// "'frit.lora_matmul' at model.mlir:3:10: " and the message. Without the
/// folder, so that code does not depend on where its source lies.
std::string getMessage(Operation *op, StringRef message) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  stream << "'" << op->getName() << "'";
  if (auto place = op->getLoc()->findInstanceOf<FileLineColLoc>())
    stream << " at " << llvm::sys::path::filename(place.getFilename()) << ":"
           << place.getLine() << ":" << place.getColumn();
  stream << ": " << message;
  return text;
}

class CheckSizesPass : public impl::CheckSizesPassBase<CheckSizesPass> {
public:
  using CheckSizesPassBase::CheckSizesPassBase;

  void runOnOperation() override {
    getOperation()->walk([&](Operation *op) {
      if (isa_and_present<linalg::LinalgDialect, tensor::TensorDialect>(
              op->getDialect()) &&
          linalgOnHost && !isOnHost(op))
        return;
      llvm::TypeSwitch<Operation *>(op)
          .Case<ActAndMulOp, GeluAndMulSparseOp, LoraMatmulOp, LoraShrinkOp,
                LoraExpandOp, LoraGeluAndMulSparseOp, LoraGroupOp, MatmulOp,
                SparseFfnOp, linalg::LinalgOp, tensor::ConcatOp,
                tensor::EmptyOp, tensor::ExpandShapeOp, tensor::PadOp>(
              [this](auto op) {
                OpBuilder builder(op);
                CheckBuilder checks(builder, op->getLoc(), op, getMessage);
                generateSizeChecks(op, checks);
                if constexpr (llvm::is_one_of<decltype(op), LoraMatmulOp,
                                              LoraShrinkOp, LoraExpandOp,
                                              LoraGeluAndMulSparseOp>::value)
                  if (groupings)
                    generateGroupingChecks(op, checks);
              });
    });
  }
};

} // namespace
} // namespace mlir::frit

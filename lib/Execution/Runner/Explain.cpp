//===- Explain.cpp --------------------------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Says which kernel executes each op and why, before anything is compiled.
//
//===----------------------------------------------------------------------===//

#include "Explain.h"

#include "frit/Execution/KernelChoices.h"

#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/Remarks.h"

using namespace mlir;
using namespace mlir::frit;

namespace {
/// Prints what ops were formed, or not: sparse networks because of estimates of
/// times, and activations that read the result of a LoRA.
class FormedPrinter : public remark::detail::MLIRRemarkStreamerBase {
public:
  explicit FormedPrinter(raw_ostream &stream) : stream(stream) {}

  void streamOptimizationRemark(const remark::detail::Remark &remark) override {
    StringRef text, estimate;
    for (const remark::detail::Remark::Arg &arg : remark.getArgs())
      (arg.key == "Times" ? estimate : text) = arg.val;
    bool isMissed = remark.getRemarkType() == llvm::remarks::Type::Missed;
    if (remark.getRemarkName() == "lora-activation") {
      printPlace(remark);
      stream << "'frit.gelu_and_mul_sparse' "
             << (isMissed ? "stays apart from the LoRA that it reads: " : "")
             << text << "\n";
    } else if (!estimate.empty()) {
      printPlace(remark);
      stream << "'frit.sparse_ffn' " << (isMissed ? "not formed: " : "formed: ")
             << text << " (" << estimate << ")\n";
    }
  }

private:
  void printPlace(const remark::detail::Remark &remark) {
    if (auto place = remark.getLocation()->findInstanceOf<FileLineColLoc>())
      stream << place.getFilename().getValue() << ":" << place.getLine() << ":"
             << place.getColumn() << ": ";
  }

  raw_ostream &stream;
};
} // namespace

LogicalResult mlir::frit::explainKernels(ModuleOp module, StringRef target,
                                         const CompileOptions &options,
                                         raw_ostream &stream) {
  MLIRContext *context = module.getContext();
  remark::RemarkCategories categories;
  categories.passed = categories.missed =
      "frit-form-sparse-ffn|frit-form-lora-activations";
  if (failed(remark::enableOptimizationRemarks(
          *context, std::make_unique<FormedPrinter>(stream),
          std::make_unique<remark::RemarkEmittingPolicyAll>(), categories)))
    return failure();
  LogicalResult result =
      chooseKernels(module, options.getGraphOptions(target),
                    [&](ArrayRef<KernelDecision> decisions) {
                      printKernelDecisions(stream, decisions);
                    });
  context->setRemarkEngine(nullptr);
  return result;
}

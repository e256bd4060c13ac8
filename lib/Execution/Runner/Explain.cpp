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
/// Prints what ops were formed, or not, because of estimates of times.
class EstimatePrinter : public remark::detail::MLIRRemarkStreamerBase {
public:
  explicit EstimatePrinter(raw_ostream &stream) : stream(stream) {}

  void streamOptimizationRemark(const remark::detail::Remark &remark) override {
    StringRef text, estimate;
    for (const remark::detail::Remark::Arg &arg : remark.getArgs())
      (arg.key == "Times" ? estimate : text) = arg.val;
    if (estimate.empty())
      return;
    if (auto place = remark.getLocation()->findInstanceOf<FileLineColLoc>())
      stream << place.getFilename().getValue() << ":" << place.getLine() << ":"
             << place.getColumn() << ": ";
    stream << "'frit.sparse_ffn' "
           << (remark.getRemarkType() == llvm::remarks::Type::Missed
                   ? "not formed: "
                   : "formed: ")
           << text << " (" << estimate << ")\n";
  }

private:
  raw_ostream &stream;
};
} // namespace

LogicalResult mlir::frit::explainKernels(ModuleOp module, StringRef target,
                                         const CompileOptions &options,
                                         raw_ostream &stream) {
  MLIRContext *context = module.getContext();
  remark::RemarkCategories categories;
  categories.passed = categories.missed = "frit-form-sparse-ffn";
  if (failed(remark::enableOptimizationRemarks(
          *context, std::make_unique<EstimatePrinter>(stream),
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

//===- Reporting.cpp ------------------------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Hands the diagnostics and remarks of one compilation to the caller.
//
//===----------------------------------------------------------------------===//

#include "Reporting.h"

#include "DiagnosticLog.h"
#include "Text.h"

#include "mlir/IR/Remarks.h"

#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace mlir::frit;

static FritSeverity getSeverity(DiagnosticSeverity severity) {
  switch (severity) {
  case DiagnosticSeverity::Note:
    return FRIT_SEVERITY_NOTE;
  case DiagnosticSeverity::Remark:
    return FRIT_SEVERITY_REMARK;
  case DiagnosticSeverity::Warning:
    return FRIT_SEVERITY_WARNING;
  case DiagnosticSeverity::Error:
    return FRIT_SEVERITY_ERROR;
  }
  llvm_unreachable("unknown severity");
}

DiagnosticReporter::DiagnosticReporter(MLIRContext &context,
                                       const FritCompilerOptions &options)
    : options(options), handler(&context, [this](Diagnostic &diagnostic) {
        report(diagnostic);
        for (const Diagnostic &note : diagnostic.getNotes())
          report(note);
        return success();
      }) {}

void DiagnosticReporter::report(const Diagnostic &diagnostic) {
  Text text;
  FritDiagnostic shown;
  shown.location = text.keep(diagnostic.getLocation());
  std::string message = diagnostic.str();
  shown.message = message.c_str();
  shown.severity = getSeverity(diagnostic.getSeverity());

  // A note belongs to the diagnostic before it.
  bool isNote = shown.severity == FRIT_SEVERITY_NOTE;
  if (!isNote)
    inError = shown.severity == FRIT_SEVERITY_ERROR;
  if (inError) {
    llvm::raw_string_ostream stream(errors);
    if (shown.location.line)
      stream << shown.location.file << ":" << shown.location.line << ":"
             << shown.location.column << ": ";
    stream << (isNote ? "note: " : "error: ") << message << "\n";
  }
  DiagnosticLog::get().add(shown);
  if (options.onDiagnostic)
    options.onDiagnostic(options.userData, &shown);
}

namespace {
class RemarkReporter : public remark::detail::MLIRRemarkStreamerBase {
public:
  explicit RemarkReporter(const FritCompilerOptions &options)
      : options(options) {}

  void streamOptimizationRemark(const remark::detail::Remark &remark) override {
    Text text;
    FritRemark shown;
    shown.location = text.keep(remark.getLocation());
    shown.category = text.keep(remark.getCombinedCategoryName());
    shown.name = text.keep(remark.getRemarkName());
    shown.function = text.keep(remark.getFunction());
    std::string message = remark.getMsg();
    shown.message = message.c_str();
    shown.kind = getKind(remark.getRemarkType());
    options.onRemark(options.userData, &shown);
  }

private:
  static FritRemarkKind getKind(llvm::remarks::Type type) {
    switch (type) {
    case llvm::remarks::Type::Passed:
      return FRIT_REMARK_PASSED;
    case llvm::remarks::Type::Missed:
      return FRIT_REMARK_MISSED;
    case llvm::remarks::Type::Failure:
      return FRIT_REMARK_FAILED;
    default:
      return FRIT_REMARK_ANALYSIS;
    }
  }

  const FritCompilerOptions &options;
};
} // namespace

LogicalResult mlir::frit::enableRemarks(MLIRContext &context,
                                        const FritCompilerOptions &options) {
  if (!options.onRemark)
    return success();
  remark::RemarkCategories categories;
  categories.passed = categories.missed = ".*";
  categories.analysis = categories.failed = ".*";
  return remark::enableOptimizationRemarks(
      context, std::make_unique<RemarkReporter>(options),
      std::make_unique<remark::RemarkEmittingPolicyAll>(), categories);
}

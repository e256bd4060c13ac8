//===- KernelListing.cpp --------------------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Prints the kernel table and the decisions of selection.
//
//===----------------------------------------------------------------------===//

#include "frit/Kernels/KernelSelection.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"

using namespace mlir;
using namespace mlir::frit;

/// All conditions of an entry in one cell.
static std::string describeConditions(const KernelEntry &entry) {
  if (entry.conditions.empty())
    return "none";
  return llvm::join(llvm::map_range(entry.conditions,
                                    [](const KernelCondition &condition) {
                                      return "`" + condition.id + "`: needs " +
                                             condition.needs;
                                    }),
                    "; ");
}

/// The launch plans of an entry in one cell.
static std::string describeLaunch(const KernelEntry &entry,
                                  MLIRContext *context) {
  if (entry.provider == KernelProvider::Library)
    return "chosen by the library";
  if (!entry.launchPlan)
    return "generated";
  KernelPlanSizes sizes(context);
  return llvm::join(llvm::map_range(entry.getSteps(),
                                    [&](const KernelStep &step) {
                                      return step.launchPlan(sizes).str(sizes);
                                    }),
                    "; then ");
}

void KernelTable::print(raw_ostream &os) const {
  os << "| op | kernel | provider | targets | element types | priority | "
        "conditions | launch | build |\n"
     << "|---|---|---|---|---|---|---|---|---|\n";
  for (const KernelEntry *entry : getEntries())
    os << "| `" << entry->op << "` | `" << entry->id << "` | "
       << stringifyKernelProvider(entry->provider) << " | "
       << entry->targets.str() << " | " << llvm::join(entry->elementTypes, ", ")
       << " | " << entry->priority << " | " << describeConditions(*entry)
       << " | " << describeLaunch(*entry, getContext()) << " | "
       << entry->describeBuild() << " |\n";
}

bool frit::listKernelsIfAsked(ArrayRef<char *> arguments,
                              const DialectRegistry &registry,
                              raw_ostream &os) {
  if (llvm::none_of(arguments, [](StringRef argument) {
        return argument == "--frit-list-kernels" ||
               argument == "-frit-list-kernels";
      }))
    return false;
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  context.getOrLoadDialect<FritDialect>();
  if (const KernelTable *table = KernelTable::get(&context))
    table->print(os);
  return true;
}

/// What an op is called in a table: its name and where it stands.
static std::string describeOp(Operation *op) {
  std::string text;
  llvm::raw_string_ostream os(text);
  os << op->getName() << " at ";
  Location location = op->getLoc();
  if (auto fileLocation = location->findInstanceOf<FileLineColLoc>())
    os << fileLocation.getLine() << ":" << fileLocation.getColumn();
  else
    os << location;
  return text;
}

static StringRef stringifyOutcome(KernelVerdict::Outcome outcome) {
  switch (outcome) {
  case KernelVerdict::Outcome::Picked:
    return "picked";
  case KernelVerdict::Outcome::Guarded:
    return "guarded";
  case KernelVerdict::Outcome::Admissible:
    return "admissible";
  case KernelVerdict::Outcome::Refused:
    return "refused";
  }
  llvm_unreachable("unknown outcome");
}

void frit::printKernelDecisions(raw_ostream &os,
                                ArrayRef<KernelDecision> decisions) {
  SmallVector<std::array<std::string, 4>> rows;
  rows.push_back({"op", "kernel", "outcome", "reason"});
  for (const KernelDecision &decision : decisions)
    for (const auto &[position, verdict] :
         llvm::enumerate(decision.candidates)) {
      StringRef outcome = stringifyOutcome(verdict.outcome);
      // A reason that stands alone in a remark says the outcome first.
      StringRef reason = verdict.reason;
      if (reason.consume_front(outcome))
        reason.consume_front(", ");
      rows.push_back({position == 0 ? describeOp(decision.op) : "",
                      verdict.entry->id, outcome.str(), reason.str()});
    }
  std::array<size_t, 3> widths = {};
  for (const auto &row : rows)
    for (auto [width, cell] : llvm::zip_first(widths, row))
      width = std::max(width, cell.size());
  for (const auto &row : rows) {
    for (auto [width, cell] : llvm::zip_first(widths, row))
      os << llvm::left_justify(cell, width) << "  ";
    os << row.back() << "\n";
  }
}

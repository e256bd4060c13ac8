//===- VerifyNumericsPass.cpp ---------------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The pass frit-verify-numerics.
//
//===----------------------------------------------------------------------===//

#include "NumericsRules.h"

#include "frit/Dialect/Frit/Transforms/Origin.h"
#include "frit/Dialect/Frit/Transforms/Passes.h"

#include "mlir/IR/Remarks.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallPtrSet.h"

namespace mlir::frit {

#define GEN_PASS_DEF_FRITVERIFYNUMERICSPASS
#include "frit/Dialect/Frit/Transforms/Passes.h.inc"

namespace {

class FritVerifyNumericsPass
    : public impl::FritVerifyNumericsPassBase<FritVerifyNumericsPass> {
public:
  using FritVerifyNumericsPassBase::FritVerifyNumericsPassBase;

  void runOnOperation() override {
    bool valid = true;
    Counts counts;
    llvm::SmallPtrSet<Operation *, 16> functions;
    getOperation()->walk([&](Operation *op) {
      OriginAttr origin = lookUpOrigin(op->getLoc());
      if (origin) {
        valid &= verify(op, origin, functions, counts);
      } else if (requireOrigin && isFloatArithmetic(op)) {
        op->emitOpError("computes with floats, but does not say which Frit op "
                        "it comes from");
        valid = false;
      }
    });
    numArithmetic += counts.arithmetic;
    numStrict += counts.strict;
    remark::analysis(
        getOperation()->getLoc(),
        remark::RemarkOpts::name("origins").category("frit-verify-numerics"))
        << remark::add("{0} float ops come from Frit ops, {1} of them strict",
                       counts.arithmetic, counts.strict);
    if (!valid)
      return signalPassFailure();
    markAllAnalysesPreserved();
  }

private:
  /// Float ops with an origin.
  struct Counts {
    int64_t arithmetic = 0;
    int64_t strict = 0;
  };

  /// Many ops share a location, and a location can be deep.
  OriginAttr lookUpOrigin(Location loc) {
    auto [entry, isNew] = origins.try_emplace(loc);
    if (isNew)
      entry->second = getOrigin(loc);
    return entry->second;
  }

  bool verify(Operation *op, OriginAttr origin,
              llvm::SmallPtrSetImpl<Operation *> &functions, Counts &counts) {
    bool arithmetic = isFloatArithmetic(op);
    if (arithmetic) {
      ++counts.arithmetic;
      counts.strict += origin.getMode() == FpMode::Strict;
    }
    bool valid = true;
    for (NumericsRule rule :
         {checkFastMathFlags, checkFusedMultiplyAdd, checkNarrowArithmetic,
          checkApproximation, checkFlushing, checkRounding}) {
      std::string problem = rule(op, origin.getMode());
      if (!problem.empty())
        valid = report(op, origin, problem);
    }
    // The function counts where it holds arithmetic, and is named once.
    auto function = op->getParentOfType<FunctionOpInterface>();
    if (arithmetic && function && functions.insert(function).second) {
      std::string problem = checkFunctionAttributes(function);
      if (!problem.empty())
        valid = report(function, origin, problem);
    }
    return valid;
  }

  static bool report(Operation *op, OriginAttr origin, StringRef problem) {
    op->emitOpError() << problem << " in " << stringifyFpMode(origin.getMode())
                      << " code of '" << origin.getOp() << "'";
    return false;
  }

  /// Lives as long as the pass: locations are unique in their context.
  DenseMap<Location, OriginAttr> origins;
};

} // namespace
} // namespace mlir::frit

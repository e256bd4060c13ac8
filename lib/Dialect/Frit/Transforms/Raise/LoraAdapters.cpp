//===- LoraAdapters.cpp ---------------------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Finds the ids behind the index of a gather and behind the condition of a
// mask.
//
//===----------------------------------------------------------------------===//

#include "LoraAdapters.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace mlir::frit;

using Expr = ElementWalker::Expr;

namespace {
/// The index of a gather.
struct GatherIndex {
  Value ids;
  /// Whether an id below 0 reads the first weights, and not beyond them.
  bool isClamped = false;
};
} // namespace

static std::optional<int64_t> getInteger(ElementWalker &walker, Expr expr) {
  auto number = dyn_cast_or_null<IntegerAttr>(walker.peel(expr)->constant);
  return number ? std::optional(number.getValue().getSExtValue())
                : std::nullopt;
}

/// What an expression is before conversions to wider integers and to index.
static Expr stripExtensions(ElementWalker &walker, Expr expr) {
  for (;;) {
    Expr peeled = walker.peel(expr);
    if (!peeled->is<arith::IndexCastOp, arith::ExtSIOp>())
      return expr;
    expr = peeled->getOperand(0);
  }
}

/// `select(index < 0, index + size, index)`: PyTorch counts indices below 0
/// from the end. The index itself; null if it is another expression.
static Expr matchWrap(ElementWalker &walker, Expr expr) {
  if (!expr->is<arith::SelectOp>())
    return nullptr;
  Expr condition = walker.peel(expr->getOperand(0));
  Expr index = expr->getOperand(2);
  Expr shifted = walker.peel(expr->getOperand(1));
  auto predicate =
      condition->is<arith::CmpIOp>()
          ? condition->getAttr<arith::CmpIPredicateAttr>("predicate")
          : arith::CmpIPredicateAttr();
  if (!predicate || predicate.getValue() != arith::CmpIPredicate::slt ||
      getInteger(walker, condition->getOperand(1)) != 0 ||
      !walker.areEqual(condition->getOperand(0), index) ||
      !shifted->is<arith::AddIOp>() ||
      llvm::none_of(shifted->operands, [&](Expr operand) {
        return walker.areEqual(operand, index);
      }))
    return nullptr;
  return index;
}

static std::optional<GatherIndex> matchGatherIndex(const RowElement &element,
                                                   std::string &reason) {
  ElementWalker &walker = *element.walker;
  GatherIndex index;
  Expr expr = stripExtensions(walker, element.expr);
  Expr inner = matchWrap(walker, walker.peel(expr));
  bool wraps = inner != nullptr;
  if (inner)
    expr = stripExtensions(walker, inner);
  if (Expr clamp = walker.peel(expr); clamp->is<arith::MaxSIOp>())
    for (unsigned i : {0, 1})
      if (getInteger(walker, clamp->getOperand(i)) == 0) {
        index.isClamped = true;
        expr = stripExtensions(walker, clamp->getOperand(1 - i));
        break;
      }
  index.ids = element.with(expr).getRowVector();
  if (!index.ids) {
    reason = "weights are gathered by what is no tensor of ids";
    return std::nullopt;
  }
  if (!element.hasRowsOf(index.ids, /*columnAxis=*/-1)) {
    reason = "the ids are a part of a tensor";
    return std::nullopt;
  }
  if (wraps && !index.isClamped) {
    reason = "an id below 0 counts adapters from the last one";
    return std::nullopt;
  }
  return index;
}

/// The ids of which the condition says that they are not below 0.
static Value matchMaskIds(const RowElement &condition, bool isInverted) {
  ElementWalker &walker = *condition.walker;
  Expr compare = walker.peel(condition.expr);
  if (!compare->is<arith::CmpIOp>())
    return {};
  auto attr = compare->getAttr<arith::CmpIPredicateAttr>("predicate");
  std::optional<int64_t> bound = getInteger(walker, compare->getOperand(1));
  if (!attr || !bound)
    return {};
  arith::CmpIPredicate predicate = attr.getValue();
  if (isInverted)
    predicate = arith::invertPredicate(predicate);
  bool isMask = (predicate == arith::CmpIPredicate::sge && *bound == 0) ||
                (predicate == arith::CmpIPredicate::sgt && *bound == -1);
  if (!isMask)
    return {};
  return condition.with(stripExtensions(walker, compare->getOperand(0)))
      .getRowVector();
}

/// The number of adapters that weights or factors are of.
static int64_t getNumAdapters(Value tensor) {
  return cast<RankedTensorType>(tensor.getType()).getDimSize(0);
}

/// Whether two tensors may be of the same adapters.
static bool mayHaveSameNumber(Value lhs, Value rhs) {
  int64_t numLhs = getNumAdapters(lhs), numRhs = getNumAdapters(rhs);
  return ShapedType::isDynamic(numLhs) || ShapedType::isDynamic(numRhs) ||
         numLhs == numRhs;
}

std::string frit::checkFactors(const LoraBranch &branch, Value ids) {
  for (ArrayRef<LoraStep> steps :
       {ArrayRef(branch.between), ArrayRef(branch.after)})
    for (const LoraStep &step : steps) {
      const LoraFactor &factor = step.factor;
      if (!factor.tensor)
        continue;
      if (!factor.adapter) {
        if (ids && getNumAdapters(branch.a.tensor) != 1)
          return "one factor that is known at run time is that of all adapters";
        continue;
      }
      if (!ids)
        return "each row has its own factor, and there is one adapter for all";
      std::string reason;
      std::optional<GatherIndex> index =
          matchGatherIndex(*factor.adapter, reason);
      if (!index || index->ids != ids)
        return "factors are gathered by other ids than weights";
      if (!mayHaveSameNumber(factor.tensor, branch.a.tensor))
        return llvm::formatv("there are {0} factors of {1} adapters",
                             getNumAdapters(factor.tensor),
                             getNumAdapters(branch.a.tensor));
    }
  return {};
}

Value frit::matchAdapterIds(const LoraBranch &branch, const RowElement &root,
                            const std::optional<LoraMask> &mask,
                            std::string &reason) {
  if (!branch.a.adapter || !branch.b.adapter) {
    reason = "one weight is gathered for each row, and the other is not";
    return {};
  }
  if (!mayHaveSameNumber(branch.a.tensor, branch.b.tensor)) {
    reason = llvm::formatv("A has {0} adapters and B has {1}",
                           getNumAdapters(branch.a.tensor),
                           getNumAdapters(branch.b.tensor));
    return {};
  }
  std::optional<GatherIndex> a = matchGatherIndex(*branch.a.adapter, reason);
  std::optional<GatherIndex> b = matchGatherIndex(*branch.b.adapter, reason);
  if (!a || !b)
    return {};
  if (a->ids != b->ids) {
    reason = "A and B are gathered by other ids";
    return {};
  }
  if (!mask) {
    if (a->isClamped || b->isClamped) {
      reason = "a row with an id below 0 gets adapter 0";
      return {};
    }
    return a->ids;
  }
  if (matchMaskIds(root.with(mask->condition), mask->isInverted) != a->ids) {
    reason = "rows are left out by another condition than an id below 0";
    return {};
  }
  return a->ids;
}

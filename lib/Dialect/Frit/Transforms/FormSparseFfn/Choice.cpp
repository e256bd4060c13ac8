//===- Choice.cpp ---------------------------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Asks constants whether they are finite, and the kernel table what is faster.
//
//===----------------------------------------------------------------------===//

#include "Choice.h"

#include "../PlainConstants.h"

#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace mlir::frit;

FailureOr<SparseFfnChoice> SparseFfnChoice::get(Operation *root, StringRef pass,
                                                StringRef target,
                                                StringRef policy,
                                                bool assumesFiniteWeights) {
  SparseFfnChoice choice;
  choice.table = KernelTable::get(root->getContext());
  FailureOr<KernelSelectionOptions> options =
      KernelSelectionOptions::parse(target, policy, {}, choice.table, [&] {
        return emitError(root->getLoc()) << pass << ": ";
      });
  if (failed(options))
    return failure();
  choice.options = std::move(*options);
  choice.target = target.str();
  choice.policy = policy.str();
  choice.assumesFiniteWeights = assumesFiniteWeights;
  return choice;
}

/// Whether all are finite that a product with a zero activation has: down, and
/// what up is made of.
static LogicalResult checkFinite(DenseChain chain, std::string &reason) {
  if (chain.activation.getElementType().isF16()) {
    reason = "in f16 up may overflow, whatever its weights are; the option "
             "assume-finite-weights says that it does not";
    return failure();
  }
  SmallVector<std::pair<Value, StringRef>> weights{
      {chain.up.weights, chain.isPacked ? "gate and up" : "up"},
      {chain.down.weights, "down"}};
  for (auto [projection, name] : {std::pair(&chain.up, "up's LoRA"),
                                  std::pair(&chain.down, "down's LoRA")}) {
    LoraMatmulOp lora = projection->lora;
    if (!lora)
      continue;
    if (!lora.getScale().isFinite()) {
      reason = llvm::formatv("the scale of {0} is not finite", name);
      return failure();
    }
    for (Value weight : lora.getWeights())
      weights.push_back({weight, name});
    if (Value scales = lora.getScales())
      weights.push_back({scales, name});
  }
  for (auto [value, name] : weights) {
    ElementsAttr constant = getPlainConstant(value);
    if (!constant) {
      reason = llvm::formatv(
          "the weights of {0} are no constant, and not known to be finite; the "
          "option assume-finite-weights says that they are",
          name);
      return failure();
    }
    if (!isFinite(constant)) {
      reason =
          llvm::formatv("the weights of {0} hold an infinity or NaN", name);
      return failure();
    }
  }
  return success();
}

LogicalResult SparseFfnChoice::check(const DenseChain &chain,
                                     std::string &reason) const {
  if (!assumesFiniteWeights && failed(checkFinite(chain, reason)))
    return failure();
  // The op and the chain give a token different bits, and which of the two is
  // faster depends on how many tokens there are beside it.
  if (options.policy.kind == KernelPolicy::Kind::BatchInvariant) {
    reason = llvm::formatv("whether the op is faster depends on the number of "
                           "tokens, which policy '{0}' does not allow",
                           policy);
    return failure();
  }
  return success();
}

/// Both times for the op's number of tokens.
static std::string describeEstimate(const KernelDecision &decision) {
  KernelOpInterface any = decision.op;
  auto op = cast<SparseFfnOp>(any.getOperation());
  int64_t tokens = cast<ShapedType>(op.getX().getType()).getDimSize(0);
  if (ShapedType::isDynamic(tokens))
    tokens = 1;
  const KernelEntry *entry = decision.getPickFor(tokens).entry;
  if (!entry->estimate)
    return {};
  KernelEstimate estimate = entry->estimate(decision.op, tokens);
  return llvm::formatv(
      "of {0} token{1}: '{2}' {3:F1} us, the ops one by one {4:F1} us", tokens,
      tokens == 1 ? "" : "s", entry->id, estimate.fused, estimate.separate);
}

TokenLimit SparseFfnChoice::getLimit(SparseFfnOp op,
                                     std::string &reason) const {
  FailureOr<KernelDecision> decision = failure();
  {
    // Where no kernel can execute the op it is not formed: no error.
    ScopedDiagnosticHandler quiet(op.getContext(),
                                  [](Diagnostic &) { return success(); });
    decision = decideKernel(op, *table, options);
  }
  if (failed(decision)) {
    reason = llvm::formatv("policy '{0}' admits no kernel for the op on '{1}'",
                           policy, target);
    return {};
  }
  const KernelEntry *entry = decision->getPickFor(1).entry;
  if (!entry->estimate) {
    reason = llvm::formatv("the kernel '{0}' has no estimate of its time",
                           entry->id);
    return {};
  }
  TokenLimit limit{frit::getTokenLimit(*decision), entry->estimate(op, 1), {}};
  limit.estimate = describeEstimate(*decision);
  if (limit.tokens == 0)
    reason = llvm::formatv(
        "for one token the kernel '{0}' is estimated to take {1:F1} us, and "
        "the ops one by one {2:F1} us",
        entry->id, limit.one.fused, limit.one.separate);
  else
    reason = llvm::formatv("by estimate '{0}' is faster than the ops one by "
                           "one up to {1} tokens",
                           decision->getPickFor(limit.tokens).entry->id,
                           limit.tokens);
  return limit;
}

void frit::eraseWithOperands(Operation *op, RewriterBase &rewriter) {
  SetVector<Operation *> worklist;
  worklist.insert(op);
  while (!worklist.empty()) {
    Operation *dead = worklist.pop_back_val();
    if (!isOpTriviallyDead(dead))
      continue;
    for (Value operand : dead->getOperands())
      if (Operation *producer = operand.getDefiningOp())
        worklist.insert(producer);
    rewriter.eraseOp(dead);
  }
}

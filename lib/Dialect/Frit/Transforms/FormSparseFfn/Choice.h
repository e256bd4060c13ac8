//===- Choice.h -------------------------------------------------*- C++ -*-===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Whether a dense chain may and should become frit.sparse_ffn: what
// frit-form-sparse-ffn and frit-transpose-weights ask alike.
//
//===----------------------------------------------------------------------===//

#ifndef FRIT_TRANSFORMS_FORMSPARSEFFN_CHOICE_H
#define FRIT_TRANSFORMS_FORMSPARSEFFN_CHOICE_H

#include "Chain.h"

#include "frit/Kernels/KernelEstimate.h"
#include "frit/Kernels/KernelSelection.h"

#include "mlir/IR/PatternMatch.h"

namespace mlir::frit {

/// How many tokens the op is for.
struct TokenLimit {
  /// Up to so many it is estimated to be faster than the chain; 0: never.
  int64_t tokens = 0;
  /// Of one token, where there is an estimate at all.
  KernelEstimate one{};
  /// The times that were compared, in words, for the op's number of tokens, or
  /// for one where that is unknown. Empty where there are none.
  std::string estimate;
};

class SparseFfnChoice {
public:
  /// Of the options of a pass; fails after an error that begins with its name.
  static FailureOr<SparseFfnChoice> get(Operation *root, StringRef pass,
                                        StringRef target, StringRef policy,
                                        bool assumesFiniteWeights);

  /// Whether zeros may be left out. Otherwise `reason` is why not.
  LogicalResult check(const DenseChain &chain, std::string &reason) const;

  /// True where weights are constants that were read and are finite, and not
  /// finite by assumption.
  bool provesFiniteWeights() const { return !assumesFiniteWeights; }

  /// The limit for an op; `reason` says it in words.
  TokenLimit getLimit(SparseFfnOp op, std::string &reason) const;

private:
  SparseFfnChoice() = default;

  const KernelTable *table = nullptr;
  KernelSelectionOptions options;
  std::string target, policy;
  bool assumesFiniteWeights = false;
};

/// Erases an op without users, and what only its operands were made for.
void eraseWithOperands(Operation *op, RewriterBase &rewriter);

} // namespace mlir::frit

#endif // FRIT_TRANSFORMS_FORMSPARSEFFN_CHOICE_H

//===- Raiser.h - What patterns of frit-raise share -------------*- C++ -*-===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The interface of a pattern of frit-raise, and what it raises with: the
// fidelity, the rewriter and the report.
//
//===----------------------------------------------------------------------===//

#ifndef FRIT_TRANSFORMS_RAISE_RAISER_H
#define FRIT_TRANSFORMS_RAISE_RAISER_H

#include "ElementWalker.h"

#include "frit/Dialect/Frit/Transforms/Raise.h"

#include "mlir/IR/PatternMatch.h"

#include <utility>

namespace mlir::frit {

/// A way in which an exporter's graph differs from what PyTorch computes.
/// Raising at `framework` repairs it.
struct Idiom {
  /// The remark's name, such as `rounded-divisor`.
  StringRef name;
  /// One sentence, with the values in it.
  std::string text;
};

/// What a structure needs for the op to stand for it: the lowest fidelity,
/// why, and the idioms that are repaired then.
class RaiseTerms {
public:
  Fidelity getFidelity() const { return fidelity; }
  ArrayRef<Idiom> getIdioms() const { return idioms; }
  /// Why the structure cannot be raised at a stricter fidelity than
  /// `getFidelity`; the first reason that was given for it.
  StringRef getReason() const { return reason; }

  /// The structure is an exporter's idiom: it needs `framework`.
  void addIdiom(StringRef name, const Twine &text);
  /// The structure needs at least this fidelity, for this reason.
  void require(Fidelity needed, const Twine &why);
  /// The structure has a part that needs this.
  void append(const RaiseTerms &part);

private:
  Fidelity fidelity = Fidelity::Exact;
  std::string reason;
  SmallVector<Idiom> idioms;
};

class Raiser {
public:
  /// `report` outlives the raiser.
  Raiser(Fidelity fidelity, MLIRContext *context,
         llvm::function_ref<void(const RaiseEvent &)> report)
      : rewriter(context), fidelity(fidelity), report(report) {}

  Fidelity getFidelity() const { return fidelity; }
  IRRewriter &getRewriter() { return rewriter; }
  unsigned getNumRaised() const { return numRaised; }

  /// Reports that `name` almost fits at `root`: `step` says what does not.
  void miss(OpResult root, StringRef name, const Twine &step);
  /// Whether the terms allow to raise `root` to `name`; reports why not, or
  /// each repair otherwise.
  bool accept(OpResult root, StringRef name, const RaiseTerms &terms);
  /// Has the patterns try what one of them created, if a linalg op did.
  void addRoot(OpResult root) {
    if (isa<linalg::LinalgOp>(root.getOwner()))
      newRoots.push_back(root);
  }
  /// The added roots that were not taken yet.
  SmallVector<OpResult> takeNewRoots() { return std::exchange(newRoots, {}); }
  /// A tensor to write the op's result to, in place of `root`.
  Value createDestination(OpResult root);
  /// Puts `value` in place of `root`, cast to its type where need be.
  void replace(OpResult root, Value value);

private:
  IRRewriter rewriter;
  Fidelity fidelity;
  llvm::function_ref<void(const RaiseEvent &)> report;
  SmallVector<OpResult> newRoots;
  unsigned numRaised = 0;
};

/// Finds one op in what computes a tensor.
class RaisePattern {
public:
  virtual ~RaisePattern() = default;
  /// Raises what computes `root`, a result of a linalg op, if it is what the
  /// pattern looks for, and leaves the IR as it is otherwise. The rewriter
  /// stands before the op. Old ops stay for their other users.
  virtual bool raise(OpResult root, ElementWalker &elements,
                     Raiser &raiser) const = 0;
};

using RaisePatternList = SmallVector<std::unique_ptr<RaisePattern>>;

/// gelu_and_mul_sparse, and the plain gated family after it.
void populateRaiseActivationPatterns(RaisePatternList &patterns);
void populateRaiseLoraPatterns(RaisePatternList &patterns);

/// Merges LoRA ops in `scope` that read one x and write side by side into one
/// op with slices. Returns the number of ops made.
unsigned mergeLoraSlices(Operation *scope, IRRewriter &rewriter);

} // namespace mlir::frit

#endif // FRIT_TRANSFORMS_RAISE_RAISER_H

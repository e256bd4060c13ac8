//===- KernelCondition.h -------------------------------------- -*- C++ -*-===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a kernel demands of an op, beyond its target and element type. A
// condition is answered at compile time, or names what is left for a run-time
// guard.
//
//===----------------------------------------------------------------------===//

#ifndef FRIT_KERNELS_KERNELCONDITION_H
#define FRIT_KERNELS_KERNELCONDITION_H

#include "frit/Dialect/Frit/IR/Frit.h"

#include <functional>
#include <string>

namespace mlir::frit {

/// A demand on a number that may be known only at run time.
struct KernelRequirement {
  enum class Kind { MultipleOf, AtMost, AtLeast, EqualTo };

  /// Over the sizes of the op's KernelShape.
  AffineExpr expr;
  Kind kind;
  int64_t value;
  /// What is needed, to follow the word "needs": "K to be a multiple of 8".
  std::string needs;
};

/// The demand that a size of the shape, named as there, be `least` or more.
KernelRequirement requireAtLeast(const KernelShape &shape, StringRef size,
                                 int64_t least, MLIRContext *context);

/// Whether a requirement is met; unknown where it takes a run-time value.
enum class KernelTruth { Yes, No, Unknown };

/// Answers a requirement from static sizes and from what
/// ValueBoundsOpInterface knows of the others.
KernelTruth decideRequirement(const KernelRequirement &requirement,
                              const KernelShape &shape);

/// The sizes that a requirement depends on, with those values that are known:
/// "K is 4100".
std::string describeSizes(const KernelRequirement &requirement,
                          const KernelShape &shape);

/// Joins requirements on the same number: multiples to their least common
/// multiple, limits to the tightest, equal ones to one.
void combineRequirements(SmallVectorImpl<KernelRequirement> &requirements);

/// What a condition finds on one op: a sentence that says why it is not met,
/// or what remains to be required (nothing where it is met).
struct KernelFinding {
  std::string failure;
  SmallVector<KernelRequirement, 1> requirements;

  static KernelFinding met() { return {}; }
  static KernelFinding notMet(std::string sentence) {
    return {std::move(sentence), {}};
  }
};

struct KernelCondition {
  /// Stable name, unique in an entry.
  std::string id;
  /// What is needed, for the listing: "K to be a multiple of 8".
  std::string needs;
  /// Asks an op. What depends on its sizes must be stated as a requirement, or
  /// policies and guards cannot see it.
  std::function<KernelFinding(KernelOpInterface op, const KernelShape &shape)>
      check;

  /// Conditions on one size of the op.
  static KernelCondition multipleOf(StringRef id, StringRef size,
                                    int64_t value);
  static KernelCondition atMost(StringRef id, StringRef size, int64_t value);
  static KernelCondition atLeast(StringRef id, StringRef size, int64_t value);
  static KernelCondition equalTo(StringRef id, StringRef size, int64_t value);
};

} // namespace mlir::frit

#endif // FRIT_KERNELS_KERNELCONDITION_H

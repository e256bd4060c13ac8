//===- Choices.h ------------------------------------------------*- C++ -*-===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The decisions about kernels as plain data.
//
//===----------------------------------------------------------------------===//

#ifndef FRIT_LIB_CAPI_COMPILER_CHOICES_H
#define FRIT_LIB_CAPI_COMPILER_CHOICES_H

#include "Text.h"

#include "frit/Kernels/KernelSelection.h"

#include <vector>

namespace mlir::frit {

/// Decisions that outlive the module and the kernel table.
class Choices {
public:
  void add(const KernelDecision &decision);

  int32_t size() const { return static_cast<int32_t>(choices.size()); }

  /// Null if an index is out of range.
  const FritChoice *getChoice(int32_t choice) const;
  const FritCandidate *getCandidate(int32_t choice, int32_t candidate) const;

private:
  Text text;
  std::vector<FritChoice> choices;
  std::vector<std::vector<FritCandidate>> candidates;
};

} // namespace mlir::frit

#endif // FRIT_LIB_CAPI_COMPILER_CHOICES_H

//===- OneDnnKernels.cpp --------------------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// oneDNN takes every form of an f32 frit.matmul that has something to sum. It
// comes before the generated code where it was measured to be faster:
// docs/kernels/Matmul.md has the figures, and why 16-bit types are not its.
//
//===----------------------------------------------------------------------===//

#include "LibraryKernels.h"

#include "frit/Kernels/KernelTable.h"

using namespace mlir;
using namespace mlir::frit;

/// From so many tokens on it is faster with the weights of a linear layer,
/// which it copies at every call.
static constexpr int64_t kManyTokens = 64;

static KernelCondition isLinearLayer() {
  auto check = [](KernelOpInterface op, const KernelShape &) {
    auto matmul = cast<MatmulOp>(op.getOperation());
    if (matmul.isBatched())
      return KernelFinding::notMet("needs one matmul, but there is a batch");
    if (matmul.getTransposeA() || !matmul.getTransposeB())
      return KernelFinding::notMet(
          "needs x by rows and weights [N, K], as transpose_b alone has it");
    return KernelFinding::met();
  };
  return {"form", "one matmul, transpose_b alone", check};
}

void frit::addOneDnnKernels(KernelTable &table) {
  auto add = [&](StringRef id, int64_t priority,
                 std::vector<KernelCondition> conditions) {
    KernelEntry entry{id.str(),
                      "frit.matmul",
                      KernelProvider::Library,
                      KernelTargets::cpuWithOneDnn(),
                      {"f32"},
                      priority};
    entry.conditions = std::move(conditions);
    entry.conditions.push_back(KernelCondition::atLeast("terms", "K", 1));
    entry.bitsFollowTokens = true;
    (void)table.add(std::move(entry));
  };
  // After the generated code: for who asks for the library.
  add("library.onednn", /*priority=*/5, {});
  add("library.onednn_many_tokens", /*priority=*/20,
      {isLinearLayer(), KernelCondition::atLeast("tokens", "T", kManyTokens)});
}

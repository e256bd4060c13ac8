//===- Raise.h - How closely raising keeps to a graph -----------*- C++ -*-===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The fidelities of the pass frit-raise, strictest first. Passes.td says what
// each allows.
//
//===----------------------------------------------------------------------===//

#ifndef FRIT_DIALECT_FRIT_TRANSFORMS_RAISE_H
#define FRIT_DIALECT_FRIT_TRANSFORMS_RAISE_H

#include "llvm/ADT/StringRef.h"

#include <optional>

namespace mlir::frit {

enum class Fidelity {
  /// The op computes what the graph computes.
  Exact,
  /// Also where it computes what the framework does for the graph's source.
  Framework,
  /// Also where it rounds less often than the framework.
  Fast,
};

llvm::StringRef stringifyFidelity(Fidelity fidelity);
/// The fidelity of this name; none if there is no such.
std::optional<Fidelity> symbolizeFidelity(llvm::StringRef name);

} // namespace mlir::frit

#endif // FRIT_DIALECT_FRIT_TRANSFORMS_RAISE_H

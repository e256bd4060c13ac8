//===- Raise.h - How closely raising keeps to a graph -----------*- C++ -*-===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Raising as a function: what the pass frit-raise does, and what it reports.
// Passes.td says what each fidelity allows.
//
//===----------------------------------------------------------------------===//

#ifndef FRIT_DIALECT_FRIT_TRANSFORMS_RAISE_H
#define FRIT_DIALECT_FRIT_TRANSFORMS_RAISE_H

#include "mlir/IR/Operation.h"

#include <optional>
#include <string>

namespace mlir::frit {

/// The strictest is first.
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

/// Something that raising found.
struct RaiseEvent {
  enum class Kind {
    /// The op `name` was put in place of what computed it.
    Raised,
    /// The idiom `name` was repaired in what is raised next.
    Repaired,
    /// The op `name` was not raised, though the structure almost fits.
    Missed,
  };

  Kind kind;
  /// The linalg op that computes the result.
  Operation *op;
  llvm::StringRef name;
  /// One sentence: the fidelity that was needed, what was repaired, or which
  /// step does not fit.
  std::string text;
};

/// Finds Frit ops in the graphs below `root` and reports each event. The
/// dialects that Passes.td lists for frit-raise are loaded.
void raiseToFrit(Operation *root, Fidelity fidelity,
                 llvm::function_ref<void(const RaiseEvent &)> report);

} // namespace mlir::frit

#endif // FRIT_DIALECT_FRIT_TRANSFORMS_RAISE_H

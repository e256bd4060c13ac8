//===- LoraAdapters.h - The adapter of each row -----------------*- C++ -*-===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An engine's graph gathers each row's weights by its adapter's id, with an id
// below 0 for a row that has none: the gather clamps it, and a select drops
// what was computed. The op reads the ids themselves.
//
//===----------------------------------------------------------------------===//

#ifndef FRIT_TRANSFORMS_RAISE_LORAADAPTERS_H
#define FRIT_TRANSFORMS_RAISE_LORAADAPTERS_H

#include "LoraBranch.h"

#include <string>

namespace mlir::frit {

/// The ids of a branch whose weights are gathered, one an index of rows; null
/// if they are not those of the op, and `reason` says why. `mask` is the
/// condition that the branch is added on, in terms of `root`.
Value matchAdapterIds(const LoraBranch &branch, const RowElement &root,
                      const std::optional<LoraMask> &mask, std::string &reason);

/// Why factors that are known at run time are not those of the op with these
/// ids, null where there is one adapter; empty if they are.
std::string checkFactors(const LoraBranch &branch, Value ids);

} // namespace mlir::frit

#endif // FRIT_TRANSFORMS_RAISE_LORAADAPTERS_H

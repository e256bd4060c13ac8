//===- SparseFfnSizeChecks.cpp --------------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Checks of the sizes of sparse_ffn at run time.
//
//===----------------------------------------------------------------------===//

#include "RuntimeChecks.h"

using namespace mlir;
using namespace mlir::frit;

/// The names that messages give the projections.
static constexpr StringLiteral kNames[] = {"gate", "up", "down"};

NamedDim frit::getAdapters(SparseFfnOp op) {
  unsigned projection = 0;
  while (!op.hasLora(projection))
    ++projection;
  return {("A_" + kNames[projection]).str(), op.getAnyA(), 0};
}

static void checkPerAdapter(CheckBuilder &checks, StringRef name, Value value,
                            const NamedDim &adapters) {
  if (!value)
    return;
  int64_t rank = cast<ShapedType>(value.getType()).getRank();
  checks.checkSame({name.str(), value, rank - 1}, adapters);
  if (rank == 2)
    checks.checkSize({name.str(), value, 0}, SparseFfnOp::kNumProjections,
                     "the number of projections");
}

void frit::generateSizeChecks(SparseFfnOp op, CheckBuilder &checks) {
  NamedDim tokens{"x", op.getX(), 0}, width{"x", op.getX(), 1};
  NamedDim columns{"gate", op.getGate(), 0};
  int64_t columnDim = op.getDownColumnDim();
  checks.checkSame({"out", op.getOut(), 0}, tokens);
  checks.checkSame({"out", op.getOut(), 1}, width);
  checks.checkSame({"gate", op.getGate(), 1}, width);
  checks.checkSame({"up", op.getUp(), 0}, columns);
  checks.checkSame({"up", op.getUp(), 1}, width);
  checks.checkSame({"down", op.getDown(), columnDim}, columns);
  checks.checkSame({"down", op.getDown(), 1 - columnDim}, width);
  if (!op.getIds())
    return;

  checks.checkSame({"ids", op.getIds(), 0}, tokens);
  NamedDim adapters = getAdapters(op);
  NamedDim maxRank{adapters.name, adapters.value, 1};
  for (auto [projection, name] : llvm::enumerate(kNames)) {
    if (!op.hasLora(projection))
      continue;
    Value a = op.getLora(projection)[0], b = op.getLora(projection)[1];
    std::string nameOfA = ("A_" + name).str(), nameOfB = ("B_" + name).str();
    bool isDown = projection == SparseFfnOp::Down;
    if (a != op.getAnyA()) {
      checks.checkSame({nameOfA, a, 0}, adapters);
      checks.checkSame({nameOfA, a, 1}, maxRank);
    }
    checks.checkSame({nameOfB, b, 0}, adapters);
    checks.checkSame({nameOfB, b, 2}, maxRank);
    checks.checkSame({nameOfA, a, 2}, isDown ? columns : width);
    checks.checkSame({nameOfB, b, 1}, isDown ? width : columns);
  }
  checkPerAdapter(checks, "scales", op.getScales(), adapters);
  checkPerAdapter(checks, "ranks", op.getRanks(), adapters);
}

//===- KernelEstimate.cpp -------------------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Estimates of times, and the limits that follow from them.
//
//===----------------------------------------------------------------------===//

#include "frit/Kernels/KernelEstimate.h"

#include "frit/Kernels/KernelEntry.h"

#include <cmath>

using namespace mlir;
using namespace mlir::frit;

int64_t frit::getTokenLimit(const KernelEntry &entry, KernelOpInterface op) {
  constexpr int64_t kMost = 4096;
  auto isFaster = [&](int64_t tokens) {
    KernelEstimate estimate = entry.estimate(op, tokens);
    return estimate.fused <= estimate.separate;
  };
  int64_t limit = 0;
  while (limit < kMost && isFaster(limit + 1))
    ++limit;
  return limit;
}

/// The share of columns that one token makes active: gates as of a normal
/// distribution.
static double getDensity(double stdMultiplier) {
  return 0.5 * std::erfc(stdMultiplier / std::sqrt(2.0));
}

KernelEstimate frit::estimateSparseFfnOnCpu(KernelOpInterface op,
                                            int64_t tokens) {
  auto ffn = cast<SparseFfnOp>(op.getOperation());
  KernelShape shape = op.getKernelShape();
  auto getSize = [&](StringRef name) {
    return static_cast<double>(
        shape.getExtents()[*shape.lookup(name)].getStaticSize().value_or(1));
  };
  double columns = getSize("d"), width = getSize("H");
  double weights = columns * width;
  auto t = static_cast<double>(tokens);
  double density = getDensity(ffn.getStdMultiplier().convertToDouble());
  double anyActive = 1 - std::pow(1 - density, t);

  // Microseconds, measured (d 16384, H 2048): to read a byte of weights, the
  // same where rows lie apart; a product in a tile, and one in a row that only
  // one token multiplies; a column of a token that is activated, and one that
  // is also listed.
  constexpr double kByte = 2.8e-5, kScatteredByte = 3.6e-5;
  constexpr double kTileProduct = 6e-6, kRowProduct = 1.6e-5;
  constexpr double kColumn = 1e-3, kListedColumn = 2e-3;
  double bytes = ffn.getElementType().getIntOrFloatBitWidth() / 8.0;
  double stream = bytes * kByte, scattered = bytes * kScatteredByte;
  double matrix = weights * std::max(stream, t * kTileProduct);

  double up = anyActive * weights * std::max(scattered, t * kTileProduct);
  double down =
      ffn.getDownLayout() == DownLayout::Dh
          ? weights * std::max(anyActive * scattered, density * t * kRowProduct)
          : weights * std::max(stream, t * kRowProduct);
  return {matrix + up + down + t * columns * kListedColumn,
          3 * matrix + t * columns * kColumn};
}

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

#include "frit/Kernels/KernelSelection.h"

#include <cmath>

using namespace mlir;
using namespace mlir::frit;

int64_t frit::getTokenLimit(const KernelDecision &decision) {
  constexpr int64_t kMost = 4096;
  auto isFaster = [&](int64_t tokens) {
    const KernelEntry &entry = *decision.getPickFor(tokens).entry;
    if (!entry.estimate)
      return false;
    KernelEstimate estimate = entry.estimate(decision.op, tokens);
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

namespace {
/// What both estimates ask of an op.
struct SparseFfnSizes {
  double columns, weights, bytes, density;

  explicit SparseFfnSizes(KernelOpInterface op) {
    auto ffn = cast<SparseFfnOp>(op.getOperation());
    KernelShape shape = op.getKernelShape();
    auto getSize = [&](StringRef name) {
      return static_cast<double>(
          shape.getExtents()[*shape.lookup(name)].getStaticSize().value_or(1));
    };
    columns = getSize("d");
    weights = columns * getSize("H");
    bytes = ffn.getElementType().getIntOrFloatBitWidth() / 8.0;
    density = getDensity(ffn.getStdMultiplier().convertToDouble());
  }

  /// The share of columns that some token makes active.
  double getAnyActive(double tokens) const {
    return 1 - std::pow(1 - density, tokens);
  }
};
} // namespace

KernelEstimate frit::estimateSparseFfnOnCpu(KernelOpInterface op,
                                            int64_t tokens) {
  auto ffn = cast<SparseFfnOp>(op.getOperation());
  SparseFfnSizes sizes(op);
  double weights = sizes.weights;
  auto t = static_cast<double>(tokens);
  double anyActive = sizes.getAnyActive(t);

  // Microseconds, measured (d 16384, H 2048): to read a byte of weights, the
  // same where rows lie apart; a product in a tile, and one in a row that only
  // one token multiplies; a column of a token that is activated, and one that
  // is also listed.
  constexpr double kByte = 2.8e-5, kScatteredByte = 3.6e-5;
  constexpr double kTileProduct = 6e-6, kRowProduct = 1.6e-5;
  constexpr double kColumn = 1e-3, kListedColumn = 2e-3;
  double stream = sizes.bytes * kByte, scattered = sizes.bytes * kScatteredByte;
  double matrix = weights * std::max(stream, t * kTileProduct);

  double up = anyActive * weights * std::max(scattered, t * kTileProduct);
  double down = ffn.getDownLayout() == DownLayout::Dh
                    ? weights * std::max(anyActive * scattered,
                                         sizes.density * t * kRowProduct)
                    : weights * std::max(stream, t * kRowProduct);
  return {matrix + up + down + t * sizes.columns * kListedColumn,
          3 * matrix + t * sizes.columns * kColumn};
}

// Microseconds on an H200, measured (d 8192 and 16384, H 2048): to read a byte
// of weights.
static constexpr double kCudaByte = 2.56e-7;

/// The dense layer of 1 to 16 tokens; with LoRAs of rank 16 on all three, and
/// adapters of four.
static double estimateDenseFfnOnCuda(double matrix, double tokens,
                                     bool hasLora) {
  constexpr double kDense = 5.3, kToken = 0.25, kLora = 5.3, kLoraToken = 0.5;
  return 3 * matrix + kDense + tokens * kToken +
         (hasLora ? kLora + tokens * kLoraToken : 0);
}

KernelEstimate frit::estimateSparseFfnOnCuda(KernelOpInterface op,
                                             int64_t tokens) {
  SparseFfnSizes sizes(op);
  // Of 1 to 8 tokens, and 16: what the kernels of gate and sum take beside the
  // gate's bytes, with more than one tile of tokens, and for each token; of the
  // rows' kernel a tile and each of its tokens, and what a tile saves that
  // another goes before.
  constexpr double kGateAndSum = 5.1, kWide = 2.6, kToken = 0.2;
  constexpr double kTile = 6.5, kTileToken = 0.7, kOverlap = 4.5;
  constexpr int64_t kTileTokens = 8;
  double matrix = sizes.weights * sizes.bytes * kCudaByte;
  auto tiles = static_cast<double>(llvm::divideCeil(tokens, kTileTokens));
  // A tile beside others is taken for a full one.
  auto own = static_cast<double>(tiles > 1 ? kTileTokens : tokens);
  double rows = 2 * sizes.getAnyActive(own) * matrix + kTile + own * kTileToken;
  double fused = matrix + kGateAndSum + (tiles > 1 ? kWide : 0) +
                 tiles * own * kToken + tiles * rows - (tiles - 1) * kOverlap;
  auto t = static_cast<double>(tokens);
  bool hasLora = cast<SparseFfnOp>(op.getOperation()).getAnyA() != nullptr;
  if (hasLora) {
    // As the dense layer's, of 1 to 8 tokens.
    constexpr double kLora = 8.5, kLoraToken = 0.4, kLoraColumn = 1e-4;
    fused += kLora + t * (kLoraToken + sizes.columns * kLoraColumn);
  }
  return {fused, estimateDenseFfnOnCuda(matrix, t, hasLora)};
}

KernelEstimate frit::estimateDealtSparseFfnOnCuda(KernelOpInterface op,
                                                  int64_t tokens) {
  SparseFfnSizes sizes(op);
  // Of 1 to 16 tokens, each of which reads its own rows: what the kernels take
  // beside the bytes where the gate starts in order. Early it is one less.
  constexpr double kKernels = 9.7;
  constexpr double kLora = 6.5, kLoraToken = 0.45, kLoraColumn = 2.5e-5;
  double matrix = sizes.weights * sizes.bytes * kCudaByte;
  auto t = static_cast<double>(tokens);
  bool hasLora = cast<SparseFfnOp>(op.getOperation()).getAnyA() != nullptr;
  double fused = matrix * (1 + 2 * t * sizes.density) + kKernels;
  if (hasLora)
    fused += kLora + t * (kLoraToken + sizes.columns * kLoraColumn);
  return {fused, estimateDenseFfnOnCuda(matrix, t, hasLora)};
}

//===- LoraAdapters.cpp ---------------------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Emits what depends on the adapter alone: its true rank and its coefficient.
//
//===----------------------------------------------------------------------===//

#include "LoraEmitter.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace mlir::frit;

Value LoraAdapters::getRank(VectorEmitter &e, Value slice, Value adapter,
                            Value maxRank) const {
  if (!ranks)
    return maxRank;
  SmallVector<Value> indices{adapter};
  if (cast<MemRefType>(ranks.getType()).getRank() == 2)
    indices.insert(indices.begin(), slice);
  ImplicitLocOpBuilder &b = e.getBuilder();
  // A rank out of range is reported by run-time verification; here it only must
  // not lead outside the weights.
  Value rank =
      arith::MaxSIOp::create(b, e.loadIndex(ranks, indices), e.index(0));
  return e.min(rank, maxRank);
}

Value LoraAdapters::getCoefficient(VectorEmitter &e, NumericsBuilder &numerics,
                                   Value adapter) const {
  ImplicitLocOpBuilder &b = e.getBuilder();
  Value own =
      scales ? memref::LoadOp::create(b, scales, adapter).getResult() : Value();
  return numerics.loraCoefficient(scale, own, b.getF32Type());
}

//===- LoraEmitter.h --------------------------------------------*- C++ -*-===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The two halves of a LoRA matmul as code on memrefs. Each token's sums run
// over k and r in an order that is the same in every tile, so its bits depend
// on its own row and adapter alone.
//
//===----------------------------------------------------------------------===//

#ifndef FRIT_LIB_CONVERSION_FRITTOVECTOR_LORAEMITTER_H
#define FRIT_LIB_CONVERSION_FRITTOVECTOR_LORAEMITTER_H

#include "../Utils/LoraTokens.h"

#include <optional>

namespace mlir::frit {

/// Adds the products of a part of a parallel task to those of other parts. None
/// where they are not known, because an extent is dynamic.
std::optional<int64_t> addTaskProducts(std::optional<int64_t> products,
                                       int64_t tokens, int64_t rows,
                                       int64_t columns);

void emitVectorCode(const LoraShrinkCode &code, VectorEmitter &e,
                    NumericsBuilder &numerics, const LoraTokens &tokens);
void emitVectorCode(const LoraExpandCode &code, VectorEmitter &e,
                    NumericsBuilder &numerics, const LoraTokens &tokens);

} // namespace mlir::frit

#endif // FRIT_LIB_CONVERSION_FRITTOVECTOR_LORAEMITTER_H

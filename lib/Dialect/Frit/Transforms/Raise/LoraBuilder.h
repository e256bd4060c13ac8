//===- LoraBuilder.h - Builds a raised frit.lora_matmul ---------*- C++ -*-===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Creates frit.lora_matmul for what a sum is raised to. The op has one axis of
// rows, so that leading axes are collapsed before it and expanded after.
//
//===----------------------------------------------------------------------===//

#ifndef FRIT_TRANSFORMS_RAISE_LORABUILDER_H
#define FRIT_TRANSFORMS_RAISE_LORABUILDER_H

#include "LoraForm.h"
#include "Raiser.h"

namespace mlir::frit {

class LoraBuilder {
public:
  LoraBuilder(Location loc, OpBuilder &builder) : loc(loc), builder(builder) {}

  /// Whether a tensor has its rows before its columns.
  static bool canFlatten(RowTensor tensor);
  /// The sum of `base` and a branch. Null ids: every row has the one adapter.
  Value build(const LoraForm &form, Value base, Value ids);

private:
  /// A tensor as [rows, columns].
  Value flatten(RowTensor tensor);
  /// `numRows` ids of adapter 0.
  Value createZeroIds(OpFoldResult numRows);
  /// Ids as [rows] in i32; what is below 0 stays so.
  Value convertIds(Value ids);
  /// One f32 as [1].
  Value convertScales(Value scales);

  Location loc;
  OpBuilder &builder;
};

} // namespace mlir::frit

#endif // FRIT_TRANSFORMS_RAISE_LORABUILDER_H

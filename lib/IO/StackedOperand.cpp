//===- StackedOperand.cpp -------------------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reads the names of stacked operands.
//
//===----------------------------------------------------------------------===//

#include "frit/IO/AdapterStack.h"

#include "llvm/ADT/SmallVector.h"

using namespace mlir::frit;

std::optional<StackedOperand> StackedOperand::parse(llvm::StringRef name) {
  static constexpr std::pair<llvm::StringLiteral, Kind> suffixes[] = {
      {"lora_A", Kind::A},
      {"lora_B", Kind::B},
      {"lora_ranks", Kind::Ranks},
      {"lora_scales", Kind::Scales}};
  for (const auto &[suffix, kind] : suffixes) {
    llvm::StringRef rest = name;
    if (!rest.consume_back(suffix))
      continue;
    const bool isWeight = kind == Kind::A || kind == Kind::B;
    StackedOperand operand;
    operand.kind = kind;
    if (rest.empty())
      return isWeight ? std::nullopt : std::optional(std::move(operand));
    if (!rest.consume_back("."))
      return std::nullopt;
    llvm::SmallVector<llvm::StringRef> modules;
    rest.split(modules, ',');
    if (llvm::is_contained(modules, "") || (isWeight && modules.size() != 1))
      return std::nullopt;
    operand.modules.assign(modules.begin(), modules.end());
    return operand;
  }
  return std::nullopt;
}

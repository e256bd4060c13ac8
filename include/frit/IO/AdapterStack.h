//===- AdapterStack.h -------------------------------------------*- C++ -*-===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Several adapters in the stacked form that frit.lora_matmul takes.
//
//===----------------------------------------------------------------------===//

#ifndef FRIT_IO_ADAPTERSTACK_H
#define FRIT_IO_ADAPTERSTACK_H

#include "frit/IO/Adapter.h"

namespace mlir::frit {

/// The operand of frit.lora_matmul that the name of a tensor stands for, with
/// L adapters and the largest rank R:
///
/// | name                    | tensor                                         |
/// |-------------------------|------------------------------------------------|
/// | `MODULE.lora_A`         | `[L, R, K]`                                    |
/// | `MODULE.lora_B`         | `[L, N, R]`                                    |
/// | `MODULES.lora_ranks`    | `[L]` i32, or `[S, L]` for S modules           |
/// | `MODULES.lora_scales`   | `[L]` f32: alpha / r or alpha / sqrt(r)        |
///
/// MODULES are one or more, with commas between. Without them `lora_ranks` and
/// `lora_scales` are for all modules of each adapter.
struct StackedOperand {
  enum class Kind { A, B, Ranks, Scales };

  Kind kind = Kind::A;
  std::vector<std::string> modules;

  /// Nothing for a name of another form.
  static std::optional<StackedOperand> parse(llvm::StringRef name);
};

/// Adapters by their ids, which count from 0 in the order of `add`.
class AdapterStack {
public:
  /// Errors: a name that is there already; a module whose sizes or element
  /// type differ from those of an adapter before, with both.
  llvm::Error add(Adapter adapter);

  llvm::ArrayRef<Adapter> getAdapters() const { return adapters; }

  /// The modules of all adapters, each once, sorted.
  std::vector<std::string> getModules() const;

  /// Whether any adapter has one of the operand's modules.
  bool has(const StackedOperand &operand) const;

  /// The operand's tensor. A size that is given holds: slots that no adapter
  /// takes and ranks beyond an adapter's own are zeros, as are adapters without
  /// the module, whose rank is 0. Sizes that are not given are the number of
  /// adapters and the largest rank of any module; those of K and N are not
  /// looked at. Errors: fewer slots than adapters, a rank that is larger than
  /// R, modules of one adapter that disagree in what one number stands for.
  llvm::Expected<HostTensor>
  make(const StackedOperand &operand,
       llvm::ArrayRef<std::optional<int64_t>> sizes) const;

private:
  llvm::Expected<HostTensor> makeWeights(const StackedOperand &operand,
                                         int64_t slots, int64_t rank) const;
  llvm::Expected<HostTensor> makeRanks(const StackedOperand &operand,
                                       int64_t slots, bool isPerModule) const;
  llvm::Expected<HostTensor> makeScales(const StackedOperand &operand,
                                        int64_t slots) const;
  llvm::Expected<int64_t> getSlots(llvm::ArrayRef<std::optional<int64_t>> sizes,
                                   size_t dim) const;
  int64_t getLargestRank() const;

  std::vector<Adapter> adapters;
};

} // namespace mlir::frit

#endif // FRIT_IO_ADAPTERSTACK_H

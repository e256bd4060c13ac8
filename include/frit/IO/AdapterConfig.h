//===- AdapterConfig.h ------------------------------------------*- C++ -*-===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The configuration of a LoRA adapter as peft saves it.
//
//===----------------------------------------------------------------------===//

#ifndef FRIT_IO_ADAPTERCONFIG_H
#define FRIT_IO_ADAPTERCONFIG_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/Regex.h"

#include <string>
#include <vector>

namespace mlir::frit {

/// A key of `rank_pattern` or `alpha_pattern`: a regular expression for the end
/// of a module's name, from one of its parts on.
class ModulePattern {
public:
  /// Python's regular expressions as far as POSIX reads them alike: letters,
  /// '.', '*', '+', '?', '|', groups, sets, anchors, escaped punctuation, \d
  /// and \w. The error says what is beyond that.
  static llvm::Expected<ModulePattern> parse(llvm::StringRef key);

  bool matches(llvm::StringRef module) const { return regex.match(module); }

private:
  explicit ModulePattern(llvm::StringRef expression) : regex(expression) {}
  llvm::Regex regex;
};

/// What `adapter_config.json` says of an adapter that `frit.lora_matmul` can
/// apply. Parsing refuses, with the field, its value and the reason, whatever
/// makes of an adapter more than a product of A and B for each module: DoRA,
/// biases, replaced modules, a base that initialization changes, and fields
/// that are not known unless they are null, false or empty.
struct AdapterConfig {
  /// r, at least 1.
  int64_t rank = 0;
  double alpha = 0;
  /// The factor is alpha / sqrt(r) in place of alpha / r.
  bool isRankStabilized = false;
  /// The first that matches a module replaces `rank` or `alpha`.
  std::vector<std::pair<ModulePattern, int64_t>> rankPatterns;
  std::vector<std::pair<ModulePattern, double>> alphaPatterns;
  /// The ends of the modules' names; empty: not given as names.
  std::vector<std::string> targetModules;

  /// `name` stands for the path in messages.
  static llvm::Expected<AdapterConfig> parse(llvm::StringRef json,
                                             llvm::StringRef name);

  int64_t getRank(llvm::StringRef module) const;
  double getAlpha(llvm::StringRef module) const;
  /// The factor of B A x.
  double getScale(llvm::StringRef module) const;
  bool isTarget(llvm::StringRef module) const;
};

} // namespace mlir::frit

#endif // FRIT_IO_ADAPTERCONFIG_H

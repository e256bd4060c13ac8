//===- OptionalPass.h -------------------------------------------*- C++ -*-===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The passes over whole graphs that pipelines can leave out. They make code
// faster, and nothing needs them: without one of them results keep the same
// bounds, so that what it gains can be measured.
//
//===----------------------------------------------------------------------===//

#ifndef FRIT_PIPELINES_OPTIONALPASS_H
#define FRIT_PIPELINES_OPTIONALPASS_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/CommandLine.h"

#include <optional>
#include <string>

namespace mlir::frit {

enum class OptionalPass {
  TransposeWeights,
  FormMatmuls,
  FormSparseFfn,
  GroupTokens,
  FormLoraActivations,
  SinkGroupings,
  PlanScratch,
  LaunchEarly
};

/// The name by which the pass runs: frit-group-tokens.
llvm::StringRef getName(OptionalPass pass);

/// The pass of that name; none where there is no such optional one.
std::optional<OptionalPass> parseOptionalPass(llvm::StringRef name);

/// Says of a name that it is none, and lists those there are.
std::string getOptionalPassError(llvm::StringRef name);

/// Reads names for options of pipelines.
class OptionalPassParser : public llvm::cl::basic_parser<OptionalPass> {
public:
  using basic_parser::basic_parser;

  /// True after an error.
  bool parse(llvm::cl::Option &option, llvm::StringRef argName,
             llvm::StringRef arg, OptionalPass &pass);
  static void print(llvm::raw_ostream &os, OptionalPass pass);
};

} // namespace mlir::frit

#endif // FRIT_PIPELINES_OPTIONALPASS_H

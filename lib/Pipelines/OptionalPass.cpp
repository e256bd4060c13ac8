//===- OptionalPass.cpp ---------------------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The names of the passes that pipelines can leave out.
//
//===----------------------------------------------------------------------===//

#include "frit/Pipelines/OptionalPass.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

#include <utility>

using namespace mlir::frit;

static constexpr std::pair<OptionalPass, llvm::StringLiteral> kNames[] = {
    {OptionalPass::TransposeWeights, "frit-transpose-weights"},
    {OptionalPass::FormMatmuls, "frit-form-matmuls"},
    {OptionalPass::FormSparseFfn, "frit-form-sparse-ffn"},
    {OptionalPass::GroupTokens, "frit-group-tokens"},
    {OptionalPass::FormLoraActivations, "frit-form-lora-activations"},
    {OptionalPass::SinkGroupings, "frit-sink-groupings"},
    {OptionalPass::PlanScratch, "frit-plan-scratch"},
    {OptionalPass::LaunchEarly, "frit-launch-early"},
};

llvm::StringRef mlir::frit::getName(OptionalPass pass) {
  return llvm::find_if(kNames, [&](auto &entry) { return entry.first == pass; })
      ->second;
}

std::optional<OptionalPass>
mlir::frit::parseOptionalPass(llvm::StringRef name) {
  for (auto &[pass, passName] : kNames)
    if (passName == name)
      return pass;
  return std::nullopt;
}

std::string mlir::frit::getOptionalPassError(llvm::StringRef name) {
  std::string names = llvm::join(llvm::make_second_range(kNames), ", ");
  return ("'" + name + "' is no pass that can be left out: those are " + names)
      .str();
}

bool OptionalPassParser::parse(llvm::cl::Option &option,
                               llvm::StringRef /*argName*/, llvm::StringRef arg,
                               OptionalPass &pass) {
  std::optional<OptionalPass> found = parseOptionalPass(arg);
  if (!found)
    return option.error(getOptionalPassError(arg));
  pass = *found;
  return false;
}

void OptionalPassParser::print(llvm::raw_ostream &os, OptionalPass pass) {
  os << getName(pass);
}

//===- KernelOptions.cpp --------------------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reads the options of selection.
//
//===----------------------------------------------------------------------===//

#include "frit/Kernels/KernelSelection.h"

using namespace mlir;
using namespace mlir::frit;

FailureOr<KernelPolicy>
KernelPolicy::parse(StringRef text,
                    function_ref<InFlightDiagnostic()> emitError) {
  if (text == "auto")
    return KernelPolicy{Kind::Auto};
  if (text == "native")
    return KernelPolicy{Kind::Native};
  if (text == "batch-invariant")
    return KernelPolicy{Kind::BatchInvariant};
  StringRef provider = text;
  if (provider.consume_front("require="))
    if (std::optional<KernelProvider> known = symbolizeKernelProvider(provider))
      return KernelPolicy{Kind::Require, *known};
  return emitError() << "unknown policy '" << text
                     << "', expected 'auto', 'native', 'batch-invariant', "
                        "'require=cuda', 'require=library' or "
                        "'require=native'";
}

bool KernelPolicy::admits(KernelProvider candidate) const {
  if (kind == Kind::Native)
    return candidate == KernelProvider::Native;
  return kind != Kind::Require || candidate == provider;
}

std::string KernelPolicy::str() const {
  switch (kind) {
  case Kind::Auto:
    return "auto";
  case Kind::Native:
    return "native";
  case Kind::BatchInvariant:
    return "batch-invariant";
  case Kind::Require:
    return "require=" + stringifyKernelProvider(provider).str();
  }
  llvm_unreachable("unknown policy");
}

FailureOr<KernelSelectionOptions> KernelSelectionOptions::parse(
    StringRef target, StringRef policy, ArrayRef<std::string> priorities,
    const KernelTable *table, function_ref<InFlightDiagnostic()> emitError) {
  if (!table)
    return emitError() << "the context has no kernel table; call "
                          "registerKernelTable on its dialect registry";
  KernelSelectionOptions options;
  FailureOr<KernelTarget> parsedTarget = KernelTarget::parse(target, emitError);
  if (failed(parsedTarget))
    return failure();
  options.target = *parsedTarget;
  FailureOr<KernelPolicy> parsedPolicy = KernelPolicy::parse(policy, emitError);
  if (failed(parsedPolicy))
    return failure();
  options.policy = *parsedPolicy;
  for (StringRef text : priorities) {
    auto [id, number] = text.rsplit(':');
    int64_t priority;
    if (number.getAsInteger(10, priority))
      return emitError() << "priority '" << text
                         << "' is not '<kernel id>:<number>'";
    if (!table->hasId(id))
      return emitError() << "priority '" << text << "' names kernel '" << id
                         << "', which is not in the kernel table";
    if (!options.priorities.try_emplace(id, priority).second)
      return emitError() << "priority '" << text << "' is a second one for '"
                         << id << "'";
  }
  return options;
}

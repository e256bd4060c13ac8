//===- OptionValues.cpp ---------------------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The structured values of frit-run's options: inputs, expectations and
// adapters.
//
//===----------------------------------------------------------------------===//

#include "Options.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Path.h"

using namespace llvm;

namespace mlir::frit {

static Error makeInputError(StringRef text, Error reason) {
  return createStringError("--input=" + text + ": " +
                           toString(std::move(reason)));
}

Expected<InputOption> InputOption::parse(StringRef text) {
  InputOption option;
  option.text = text.str();
  // What follows '@' may hold '=' itself.
  StringRef rest = text;
  SmallVector<StringRef> parts;
  while (!rest.starts_with("@") && rest.contains('=')) {
    auto [part, tail] = rest.split('=');
    parts.push_back(part);
    rest = tail;
  }
  if (parts.size() > 2)
    return createStringError("--input=" + text +
                             ": expected [ARGUMENT=][TYPE=]SOURCE");
  auto source = TensorSource::parse(rest);
  if (!source)
    return makeInputError(text, source.takeError());
  option.source = std::move(*source);
  if (parts.empty())
    return option;

  Expected<TensorSpec> spec = TensorSpec::parse(parts.back());
  if (spec) {
    option.spec = std::move(*spec);
    parts.pop_back();
  } else if (parts.size() == 2) {
    return makeInputError(text, spec.takeError());
  } else {
    consumeError(spec.takeError());
  }
  if (!parts.empty()) {
    // "4xBF16" is a mistaken type rather than a name.
    if (parts.front().empty() || isDigit(parts.front().front()))
      return createStringError("--input=" + text + ": '" + parts.front() +
                               "' is neither a type such as 4x16xbf16 nor the "
                               "name of an argument");
    option.argument = parts.front().str();
  }
  return option;
}

Expected<ExpectOption> ExpectOption::parse(StringRef text) {
  ExpectOption option;
  if (text == "native")
    return option;
  if (text.starts_with("@") && text.ends_with(".safetensors")) {
    option.kind = Kind::File;
    option.path = text.drop_front().str();
    return option;
  }
  option.kind = Kind::Tensor;
  if (text.starts_with("@")) {
    auto source = TensorSource::parse(text);
    if (source) {
      option.source = std::move(*source);
      return option;
    }
    consumeError(source.takeError());
  }
  return createStringError(
      "--expect=" + text +
      ": expected native, @FILE.npy, @FILE.safetensors#KEY or "
      "@FILE.safetensors (tensors out.0, out.1, ...)");
}

Expected<AdapterOption> AdapterOption::parse(StringRef text) {
  AdapterOption option;
  option.text = text.str();
  StringRef name;
  StringRef folder = text;
  if (text.contains('='))
    std::tie(name, folder) = text.split('=');
  else
    name = sys::path::filename(text.rtrim('/'));
  if (name.empty() || folder.empty())
    return createStringError("--adapter=" + text + ": expected [NAME=]DIR");
  option.name = name.str();
  option.folder = folder.str();
  return option;
}

} // namespace mlir::frit

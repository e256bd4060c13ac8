//===- Expect.cpp ---------------------------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Compares results with what `--expect` names.
//
//===----------------------------------------------------------------------===//

#include "Expect.h"

#include "frit/IO/Compare.h"
#include "frit/IO/Safetensors.h"

using namespace llvm;

namespace mlir::frit {

Expected<Expectations> Expectations::load(const Signature &signature,
                                          const RunnerOptions &options) {
  Expectations expectations;
  unsigned numResults = signature.results.size();
  // One `native` or one file stands for all results.
  if (options.expected.size() == 1) {
    const ExpectOption &only = options.expected.front();
    if (only.kind == ExpectOption::Kind::Native) {
      llvm::append_range(expectations.native, llvm::seq(numResults));
      return expectations;
    }
    if (only.kind == ExpectOption::Kind::File) {
      auto file = SafetensorsFile::open(only.path);
      if (!file)
        return file.takeError();
      for (unsigned result = 0; result < numResults; ++result) {
        std::string key = "out." + std::to_string(result);
        auto tensor = file->read(key);
        if (!tensor)
          return tensor.takeError();
        expectations.files.push_back(
            {result, only.path + "#" + key, std::move(*tensor)});
      }
      return expectations;
    }
  }
  if (options.expected.size() > numResults)
    return createStringError("--expect is given " +
                             Twine(options.expected.size()) + " times, but '@" +
                             signature.name + "' has " + Twine(numResults) +
                             " results");
  for (auto [result, option] : llvm::enumerate(options.expected)) {
    switch (option.kind) {
    case ExpectOption::Kind::Native:
      expectations.native.push_back(result);
      break;
    case ExpectOption::Kind::File:
      return createStringError("--expect=@" + option.path +
                               ": a file without #KEY stands for all results "
                               "and must be the only --expect");
    case ExpectOption::Kind::Tensor:
      auto tensor = option.source.readFile();
      if (!tensor)
        return tensor.takeError();
      expectations.files.push_back({static_cast<unsigned>(result),
                                    option.source.getPlace(),
                                    std::move(*tensor)});
      break;
    }
  }
  return expectations;
}

static bool compareOne(raw_ostream &stream, unsigned index, StringRef name,
                       const HostTensor &actual, const HostTensor &expected,
                       const RunnerOptions &options) {
  CompareOptions compare;
  compare.tolerance = Tolerance::getDefault(actual.getType());
  if (options.absoluteTolerance)
    compare.tolerance.absolute = *options.absoluteTolerance;
  if (options.relativeTolerance)
    compare.tolerance.relative = *options.relativeTolerance;
  compare.exactZeroMask = options.exactZeroMask;
  std::string title = ("result " + Twine(index) + " and " + name).str();
  auto comparison = compareTensors(actual, expected, compare);
  if (!comparison) {
    stream << title << ": " << llvm::toString(comparison.takeError()) << "\n";
    return false;
  }
  printComparison(stream, title, *comparison, actual, expected);
  return comparison->matches();
}

bool Expectations::compare(raw_ostream &stream,
                           const std::vector<HostTensor> &results,
                           const std::vector<HostTensor> &reference,
                           const RunnerOptions &options) const {
  bool matches = true;
  for (const FileExpectation &file : files)
    matches &= compareOne(stream, file.result, file.name, results[file.result],
                          file.tensor, options);
  for (unsigned result : native)
    matches &= compareOne(stream, result, "native", results[result],
                          reference[result], options);
  return matches;
}

} // namespace mlir::frit

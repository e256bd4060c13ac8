//===- Files.cpp ----------------------------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Finds out before anything is read or written that a run would destroy what it
// reads or one of its own outputs.
//
//===----------------------------------------------------------------------===//

#include "Files.h"

#include "frit/IO/Adapter.h"
#include "frit/IO/Checkpoint.h"
#include "frit/IO/OutputFile.h"

#include "llvm/Support/FileSystem.h"

#include <vector>

using namespace llvm;

namespace mlir::frit {

namespace {

struct NamedFile {
  std::string path;
  /// For messages.
  std::string name;
};

class ReadFiles {
public:
  explicit ReadFiles(const RunnerOptions &options) {
    bool isStandardInput = options.file == "-";
    add(isStandardInput ? "/dev/stdin" : options.file,
        isStandardInput ? "the source on standard input"
                        : "the source '" + options.file + "'");
    for (const InputOption &input : options.inputs)
      if (input.source.isFile())
        addOf(input.source.path, "--input=" + input.text);
    for (const std::string &weights : options.weights)
      addWeights(weights);
    for (const AdapterOption &adapter : options.adapters) {
      Adapter::Files files = Adapter::getFiles(adapter.folder);
      for (const std::string &path : {files.config, files.tensors})
        addOf(path, "--adapter=" + adapter.text);
    }
    for (const ExpectOption &expected : options.expected)
      if (expected.kind == ExpectOption::Kind::File)
        addOf(expected.path, "--expect=@" + expected.path);
      else if (expected.kind == ExpectOption::Kind::Tensor)
        addOf(expected.source.path, "--expect=@" + expected.source.getPlace());
  }

  /// The one that is `path`, or null.
  const NamedFile *find(StringRef path) const {
    const auto *found = find_if(files, [&](const NamedFile &file) {
      return isSameFile(file.path, path);
    });
    return found == files.end() ? nullptr : found;
  }

private:
  void add(std::string path, std::string name) {
    // What is not there cannot be replaced, nor can a pipe.
    if (sys::fs::is_regular_file(path))
      files.push_back({std::move(path), std::move(name)});
  }
  void addOf(const std::string &path, const std::string &option) {
    add(path, "'" + path + "' of " + option);
  }
  void addWeights(const std::string &weights) {
    auto paths = Checkpoint::findFiles(weights);
    // Whoever reads them reports it.
    if (!paths)
      return consumeError(paths.takeError());
    for (const std::string &path : *paths)
      addOf(path, "--weights=" + weights);
  }

  SmallVector<NamedFile> files;
};

std::string describeOutput(size_t result, const TensorSource &output) {
  return "--output=@" + output.getPlace() + " of result " +
         std::to_string(result);
}

Error makeOnePlaceError(const Twine &first, const Twine &second) {
  return createStringError(first + " and " + second + " would go to one place");
}

Error checkOutputPlaces(ArrayRef<TensorSource> outputs) {
  for (auto [second, output] : enumerate(outputs))
    for (size_t first = 0; first < second; ++first)
      if (outputs[first].isSamePlace(output))
        return makeOnePlaceError(describeOutput(first, outputs[first]),
                                 describeOutput(second, output));
  return Error::success();
}

} // namespace

Error checkFiles(const RunnerOptions &options) {
  if (Error error = checkOutputPlaces(options.outputs))
    return error;
  std::vector<NamedFile> written;
  for (auto [result, output] : enumerate(options.outputs))
    written.push_back({output.path, describeOutput(result, output)});
  if (!options.benchmarkOutput.empty() && options.benchmarkOutput != "-") {
    NamedFile times = {options.benchmarkOutput,
                       "--benchmark-output=" + options.benchmarkOutput};
    for (const NamedFile &output : written)
      if (isSameFile(output.path, times.path))
        return makeOnePlaceError(times.name, output.name);
    written.push_back(std::move(times));
  }
  if (options.dump && options.dumpOutput != "-")
    written.push_back(
        {options.dumpOutput, "--dump-output=" + options.dumpOutput});

  ReadFiles files(options);
  for (const NamedFile &output : written)
    if (const NamedFile *read = files.find(output.path))
      return createStringError(output.name + " would replace " + read->name +
                               ": expected another file");
  return Error::success();
}

} // namespace mlir::frit

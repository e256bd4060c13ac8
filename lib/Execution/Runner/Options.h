//===- Options.h ------------------------------------------------*- C++ -*-===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The command line of frit-run as data.
//
//===----------------------------------------------------------------------===//

#ifndef FRIT_LIB_EXECUTION_RUNNER_OPTIONS_H
#define FRIT_LIB_EXECUTION_RUNNER_OPTIONS_H

#include "frit/Dialect/Frit/Transforms/Raise.h"
#include "frit/Execution/Compiler.h"
#include "frit/IO/TensorSource.h"

#include "llvm/ADT/SmallVector.h"

#include <optional>
#include <string>
#include <utility>

namespace mlir::frit {

/// `[ARGUMENT=][TYPE=]SOURCE`.
struct InputOption {
  /// The option's text, for messages.
  std::string text;
  /// "argN" or the name of a tensor; empty: the next argument without a source.
  std::string argument;
  std::optional<TensorSpec> spec;
  TensorSource source;

  static llvm::Expected<InputOption> parse(llvm::StringRef text);
};

/// What a result is compared with.
struct ExpectOption {
  enum class Kind {
    /// The result of the pipeline frit-native-reference.
    Native,
    /// A tensor of a file.
    Tensor,
    /// The tensors `out.0`, `out.1`, ... of a safetensors file: all results.
    File,
  };

  Kind kind = Kind::Native;
  TensorSource source;
  std::string path;

  static llvm::Expected<ExpectOption> parse(llvm::StringRef text);
};

/// `[NAME=]DIR`.
struct AdapterOption {
  /// The option's text, for messages.
  std::string text;
  /// The name of the folder if none is given.
  std::string name;
  std::string folder;

  static llvm::Expected<AdapterOption> parse(llvm::StringRef text);
};

struct RunnerOptions {
  std::string file;
  std::string entry;
  TargetName target;
  /// The text of --target, for messages; may be empty.
  std::string targetText;
  CompileOptions compile;
  /// Also code that is only written takes weights as it reads them faster.
  bool transposeWeights = false;
  /// How closely raised ops keep to the graph; none: it is not raised.
  std::optional<Fidelity> fidelity;
  llvm::SmallVector<InputOption> inputs;
  /// The source of arguments that nothing else binds.
  std::optional<TensorSource> fill;
  llvm::SmallVector<std::string> weights;
  /// By id.
  llvm::SmallVector<AdapterOption> adapters;
  /// Sizes by name.
  llvm::SmallVector<std::pair<std::string, int64_t>> dims;
  uint64_t seed = 0;
  int32_t threads = 0;

  /// Files; no two are the same place.
  llvm::SmallVector<TensorSource> outputs;
  llvm::SmallVector<ExpectOption> expected;
  std::optional<double> relativeTolerance;
  std::optional<double> absoluteTolerance;
  bool exactZeroMask = false;
  bool print = false;
  bool explain = false;
  /// What to write in place of calling the function.
  std::optional<EmitKind> dump;
  std::string dumpOutput;

  bool benchmark = false;
  /// JSON goes there; empty: no JSON.
  std::string benchmarkOutput;
  unsigned benchmarkRepetitions = 50;
  /// Capture the call into a CUDA graph, and compare what replaying it gives.
  bool cudaGraph = false;
};

/// Parses the command line. Nothing is returned where it asked for help or the
/// version, which were printed; an error is a usage error.
llvm::Expected<std::optional<RunnerOptions>> parseRunnerOptions(int argc,
                                                                char **argv);

} // namespace mlir::frit

#endif // FRIT_LIB_EXECUTION_RUNNER_OPTIONS_H

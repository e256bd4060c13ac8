//===- Options.h ------------------------------------------------*- C++ -*-===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The command line of frit-compile as data.
//
//===----------------------------------------------------------------------===//

#ifndef FRIT_LIB_EXECUTION_COMPILETOOL_OPTIONS_H
#define FRIT_LIB_EXECUTION_COMPILETOOL_OPTIONS_H

#include "frit/Execution/Compiler.h"

#include <optional>
#include <string>

namespace mlir::frit {

/// A kind of file.
enum class OutputKind {
  Object,
  Header,
  SharedLibrary,
  Ptx,
  Llvm,
  Bytecode,
  Weights
};

/// How --emit calls it: "obj".
StringRef getName(OutputKind kind);

/// A file to write.
struct OutputFile {
  OutputKind kind;
  /// "-": standard output.
  std::string path;
};

struct CompileToolOptions {
  std::string file;
  /// No two have one kind.
  SmallVector<OutputFile> outputs;
  /// One, or several architectures of GPUs.
  SmallVector<TargetName> targets;
  /// The text of --target, for messages and headers.
  std::string targetText;
  /// What exported names begin with; a name of C.
  std::string prefix;
  SmallVector<std::string> entries;
  CompileOptions compile;
  /// Arguments may be taken transposed.
  bool transposeWeights = false;
  std::string linker;
  /// Constants of so many bytes are weights, if weights are written.
  uint64_t weightBytes = 0;

  bool writes(OutputKind kind) const;
};

/// Parses the command line. Nothing is returned where it asked for help or the
/// version, which were printed; an error is a usage error.
llvm::Expected<std::optional<CompileToolOptions>>
parseCompileToolOptions(int argc, char **argv);

} // namespace mlir::frit

#endif // FRIT_LIB_EXECUTION_COMPILETOOL_OPTIONS_H

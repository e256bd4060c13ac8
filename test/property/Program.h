//===- Program.h ---------------------------------------------- -*- C++ -*-===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Compiles a function through one of the pipelines and calls it, in this
// process.
//
//===----------------------------------------------------------------------===//

#ifndef FRIT_TEST_PROPERTY_PROGRAM_H
#define FRIT_TEST_PROPERTY_PROGRAM_H

#include "Buffer.h"

#include "frit-c/Runtime.h"
#include "frit/Execution/Executable.h"

#include <memory>
#include <string>

namespace mlir::frit::test {

/// One way to compile a program.
struct Route {
  enum class Kind { Vector, Linalg, Reference };

  Kind kind;
  /// Of the vector code, in bits.
  unsigned vectorWidth = 256;

  std::string describe() const;
};

/// A compiled function `@f`.
class Program {
public:
  /// Compiles MLIR text; an error has all diagnostics. Ops of the dialect get
  /// the kernel of the route.
  static llvm::Expected<std::unique_ptr<Program>> compile(llvm::StringRef text,
                                                          const Route &route);

  /// Calls `@f`; results come last. Returns an empty string, or the error.
  std::string call(llvm::ArrayRef<Buffer *> arguments);
  /// The same with descriptors, as Buffer::getDescriptor gives them.
  std::string call(std::vector<std::vector<int64_t>> descriptors);

private:
  std::unique_ptr<Executable> executable;
  Executable::EntryPoint entry = nullptr;
};

} // namespace mlir::frit::test

#endif // FRIT_TEST_PROPERTY_PROGRAM_H

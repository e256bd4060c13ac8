//===- Expect.h -------------------------------------------------*- C++ -*-===//
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

#ifndef FRIT_LIB_EXECUTION_RUNNER_EXPECT_H
#define FRIT_LIB_EXECUTION_RUNNER_EXPECT_H

#include "Options.h"
#include "Signature.h"

#include "llvm/ADT/STLFunctionalExtras.h"

namespace mlir::frit {

/// What each result is compared with: a tensor of a file, or the reference.
class Expectations {
public:
  /// Reads the files. Errors: more expectations than results, or a file that
  /// cannot be read or lacks a tensor.
  static llvm::Expected<Expectations> load(const Signature &signature,
                                           const RunnerOptions &options);

  bool needsReference() const { return !native.empty(); }
  bool empty() const { return files.empty() && native.empty(); }

  /// Prints one comparison for each expectation. `reference`: the results of
  /// frit-native-reference where they are needed. False where one does not
  /// match, of type or shape either.
  bool compare(llvm::raw_ostream &stream,
               const std::vector<HostTensor> &results,
               const std::vector<HostTensor> &reference,
               const RunnerOptions &options) const;

private:
  struct FileExpectation {
    unsigned result;
    std::string name;
    HostTensor tensor;
  };
  std::vector<FileExpectation> files;
  SmallVector<unsigned> native;
};

} // namespace mlir::frit

#endif // FRIT_LIB_EXECUTION_RUNNER_EXPECT_H

//===- RealGraphs.h - The exported graphs -----------------------*- C++ -*-===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The graphs of test/data/real, or of another folder.
//
//===----------------------------------------------------------------------===//

#ifndef FRIT_TEST_PROPERTY_REALGRAPHS_H
#define FRIT_TEST_PROPERTY_REALGRAPHS_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

#include <string>
#include <vector>

namespace mlir::frit::test {

struct RealGraph {
  /// The file's, without extension.
  std::string name;
  OwningOpRef<ModuleOp> module;
};

/// Loads all dialects and registers all passes, for what edits graphs.
void prepareContext(MLIRContext &context);

/// The graphs whose weights are no constants, by name; FRIT_REAL_GRAPHS names
/// another folder. Fails the test that runs where one cannot be read.
std::vector<RealGraph> readRealGraphs(MLIRContext &context);

} // namespace mlir::frit::test

#endif // FRIT_TEST_PROPERTY_REALGRAPHS_H

//===- RealGraphs.cpp -----------------------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reads the folder of graphs.
//
//===----------------------------------------------------------------------===//

#include "RealGraphs.h"

#include "frit/InitAll.h"

#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/InitAllPasses.h"
#include "mlir/Parser/Parser.h"

#include "gtest/gtest.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>

using namespace mlir;
using namespace mlir::frit;
using namespace mlir::frit::test;

void test::prepareContext(MLIRContext &context) {
  registerAllPasses();
  DialectRegistry registry;
  registerAllDialects(registry);
  registerAllExtensions(registry);
  frit::registerAll(registry);
  context.appendDialectRegistry(registry);
  context.loadAllAvailableDialects();
}

std::vector<RealGraph> test::readRealGraphs(MLIRContext &context) {
  const char *folder = std::getenv("FRIT_REAL_GRAPHS");
  std::vector<std::filesystem::path> paths;
  for (const auto &entry : std::filesystem::directory_iterator(
           folder ? folder : FRIT_REAL_GRAPHS_FOLDER))
    if (entry.path().extension() == ".mlir" &&
        entry.path().stem().string().find("_const") == std::string::npos)
      paths.push_back(entry.path());
  std::sort(paths.begin(), paths.end());
  std::vector<RealGraph> graphs;
  for (const std::filesystem::path &path : paths) {
    RealGraph graph{path.stem().string(),
                    parseSourceFile<ModuleOp>(path.string(), &context)};
    EXPECT_TRUE(graph.module) << graph.name;
    if (graph.module)
      graphs.push_back(std::move(graph));
  }
  EXPECT_FALSE(graphs.empty());
  return graphs;
}

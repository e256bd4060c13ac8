//===- InitAllTest.cpp ----------------------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// registerAll may be called by several parts of one embedding program.
//
//===----------------------------------------------------------------------===//

#include "frit/InitAll.h"

#include "gtest/gtest.h"

using namespace mlir;

TEST(InitAllTest, RegistersTheDialect) {
  DialectRegistry registry;
  frit::registerAll(registry);
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  EXPECT_NE(context.getOrLoadDialect("frit"), nullptr);
}

TEST(InitAllTest, MayBeCalledTwice) {
  DialectRegistry registry;
  frit::registerAll(registry);
  frit::registerAll(registry);
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  frit::registerAll(registry);
  context.appendDialectRegistry(registry);
  EXPECT_NE(context.getOrLoadDialect("frit"), nullptr);
}

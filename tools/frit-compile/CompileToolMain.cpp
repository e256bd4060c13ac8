//===- CompileToolMain.cpp ------------------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The compiler: registers everything and leaves the rest to FritCompileTool.
//
//===----------------------------------------------------------------------===//

#include "../ToolMains.h"

#include "frit/Execution/CompileTool.h"
#include "frit/InitAll.h"

#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"

int mlir::frit::fritCompileToolMain(int argc, char **argv) {
  mlir::DialectRegistry registry;
  mlir::registerAllDialects(registry);
  mlir::registerAllExtensions(registry);
  mlir::frit::registerAll(registry);
  return mlir::frit::fritCompileMain(argc, argv, registry);
}

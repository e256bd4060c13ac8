//===- frit.cpp -----------------------------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The multi-call binary: all tools in one file, so that a bundle holds MLIR
// once. It is the tool that it is called as (through a link), or that its first
// argument names.
//
//===----------------------------------------------------------------------===//

#include "../ToolMains.h"

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

using ToolMain = int (*)(int, char **);

static ToolMain findTool(llvm::StringRef path) {
  llvm::StringRef name = llvm::sys::path::stem(path);
  if (name == "frit-compile")
    return mlir::frit::fritCompileToolMain;
  if (name == "frit-opt")
    return mlir::frit::fritOptToolMain;
  if (name == "frit-run")
    return mlir::frit::fritRunToolMain;
  return nullptr;
}

int main(int argc, char **argv) {
  if (argc > 0)
    if (ToolMain tool = findTool(argv[0]))
      return tool(argc, argv);
  if (argc > 1)
    if (ToolMain tool = findTool(argv[1]))
      return tool(argc - 1, argv + 1);
  llvm::errs() << "frit: error: ";
  if (argc > 1)
    llvm::errs() << "there is no tool '" << argv[1] << "'; ";
  llvm::errs() << "usage: frit frit-compile|frit-opt|frit-run [arguments]\n";
  return 1;
}

//===- frit-compile.cpp ---------------------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The program frit-compile.
//
//===----------------------------------------------------------------------===//

#include "../ToolMains.h"

int main(int argc, char **argv) {
  return mlir::frit::fritCompileToolMain(argc, argv);
}

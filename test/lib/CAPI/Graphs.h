/*===- Graphs.h - What the tests in C compile ---------------------*- C -*-===*\
|*                                                                            *|
|* Part of the Frit project, under the Apache License v2.0 with LLVM          *|
|* Exceptions.                                                                *|
|* See https://llvm.org/LICENSE.txt for license information.                  *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                    *|
|*                                                                            *|
|*===----------------------------------------------------------------------===*|
|*                                                                            *|
|* A module with two entries and a helper, and helpers to compile it.         *|
|*                                                                            *|
\*===----------------------------------------------------------------------===*/

#ifndef FRIT_TEST_LIB_CAPI_GRAPHS_H
#define FRIT_TEST_LIB_CAPI_GRAPHS_H

#include "Check.h"

#include "frit-c/Compiler.h"

enum { WIDTH = 32 };

/** @swiglu: tensor<?x64xf32> -> tensor<?x32xf32>, silu(gate) * up.
 * @add: tensor<4xf32> plus 1, 2, 3, 4 plus a scalar. */
static const char graphs[] =
    "func.func @swiglu(%x: tensor<?x64xf32> {frit.tensor = \"x\"})\n"
    "    -> tensor<?x32xf32> {\n"
    "  %c0 = arith.constant 0 : index\n"
    "  %t = tensor.dim %x, %c0 : tensor<?x64xf32>\n"
    "  %e = tensor.empty(%t) : tensor<?x32xf32>\n"
    "  %y = frit.act_and_mul silu ins(%x : tensor<?x64xf32>)\n"
    "    outs(%e : tensor<?x32xf32>) -> tensor<?x32xf32>\n"
    "  return %y : tensor<?x32xf32>\n"
    "}\n"
    "func.func private @helper(%x: tensor<4xf32>, %s: f32) -> tensor<4xf32> {\n"
    "  %e = tensor.empty() : tensor<4xf32>\n"
    "  %y = linalg.fill ins(%s : f32) outs(%e : tensor<4xf32>)\n"
    "    -> tensor<4xf32>\n"
    "  %z = arith.addf %x, %y : tensor<4xf32>\n"
    "  return %z : tensor<4xf32>\n"
    "}\n"
    "func.func @add(%x: tensor<4xf32>, %s: f32) -> tensor<4xf32> {\n"
    "  %c = arith.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>\n"
    "  %y = arith.addf %x, %c : tensor<4xf32>\n"
    "  %z = func.call @helper(%y, %s) : (tensor<4xf32>, f32) -> tensor<4xf32>\n"
    "  return %z : tensor<4xf32>\n"
    "}\n";

static inline FritCompileOptions makeCpuOptions(void) {
  FritCompileOptions options = {0};
  options.size = sizeof(options);
  options.target = "cpu";
  return options;
}

/** The graphs, compiled for the CPU. */
static inline FritProgram *compileGraphs(const FritCompiler *compiler) {
  FritCompileOptions options = makeCpuOptions();
  FritProgram *program = NULL;
  FritStatus status = fritCompileSource(compiler, graphs, sizeof(graphs) - 1,
                                        "graphs.mlir", &options, &program);
  if (status != FRIT_STATUS_OK)
    fprintf(stderr, "%s\n", fritCompilerErrorMessage());
  CHECK(status == FRIT_STATUS_OK);
  CHECK(program);
  return program;
}

/** Calls @add of the graphs and checks its result. */
static inline void callAdd(const FritProgram *program, FritContext *context) {
  const FritEntry *add = fritProgramFindEntry(program, "add");
  CHECK(add);
  float x[4] = {10, 20, 30, 40}, scalar = 0.5f, y[4] = {0};
  const int64_t size = 4;
  FritTensor values[3];
  values[0] = fritHostTensor(x, FRIT_TYPE_F32, &size, 1);
  values[1] = fritHostTensor(&scalar, FRIT_TYPE_F32, NULL, 0);
  values[2] = fritHostTensor(y, FRIT_TYPE_F32, &size, 1);
  const FritTensor *pointers[] = {&values[0], &values[1], &values[2]};
  FritStatus status = fritEntryCall(context, add, pointers, 3);
  if (status != FRIT_STATUS_OK)
    fprintf(stderr, "%s\n", fritContextErrorMessage(context));
  CHECK(status == FRIT_STATUS_OK);
  for (int i = 0; i < 4; ++i)
    CHECK(y[i] == 11.0f * (float)(i + 1) + 0.5f);
}

#endif /* FRIT_TEST_LIB_CAPI_GRAPHS_H */

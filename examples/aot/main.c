/*===- main.c - A program that calls compiled functions -----------*- C -*-===*\
|*                                                                            *|
|* Part of the Frit project, under the Apache License v2.0 with LLVM          *|
|* Exceptions.                                                                *|
|* See https://llvm.org/LICENSE.txt for license information.                  *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                    *|
|*                                                                            *|
|*===----------------------------------------------------------------------===*|
|*                                                                            *|
|* Calls the object that frit-compile made of swiglu.mlir, with memory of its *|
|* own, and shows what a wrong call is answered. C11, and C++17 as well. With *|
|* the argument --cuda it does the same on a GPU, see gpu.c.                  *|
|*                                                                            *|
\*===----------------------------------------------------------------------===*/

#include "gpu.h"
#include "problem.h"
#include "swiglu.h"

#include <stdio.h>
#include <string.h>

static Problem problem;

/** Calls the function on rows of a larger buffer. */
static int run(FritContext *context) {
  const int64_t sizes[] = {kTokens, kColumns};
  const int64_t strides[] = {2 * kColumns, 1};
  FritTensor gate = fritHostTensor(problem.rows[0], FRIT_TYPE_F32, sizes, 2);
  FritTensor up =
      fritHostTensor(problem.rows[0] + kColumns, FRIT_TYPE_F32, sizes, 2);
  FritTensor result =
      fritHostTensor(problem.result[0], FRIT_TYPE_F32, sizes, 2);
  gate.strides = up.strides = strides;
  makeProblem(&problem, 0);
  return succeeded(context, swiglu_act(context, &gate, &up, &result), "act") &&
         checkProblem(&problem);
}

/** A result for fewer tokens: nothing runs, and the context says why. */
static void runWrongly(FritContext *context) {
  const int64_t sizes[] = {kTokens, kColumns};
  const int64_t few[] = {kTokens - 1, kColumns};
  FritTensor gate = fritHostTensor(problem.rows[0], FRIT_TYPE_F32, sizes, 2);
  FritTensor result = fritHostTensor(problem.result[0], FRIT_TYPE_F32, few, 2);
  succeeded(context, swiglu_act(context, &gate, &gate, &result), "act");
}

int main(int argc, char **argv) {
  if (argc > 1 && strcmp(argv[1], "--cuda") == 0)
    return runOnCuda() ? 0 : 1;
  FritContext *context = NULL;
  if (!succeeded(NULL, fritContextCreate(NULL, &context), "context"))
    return 1;
  runWrongly(context);
  int isRight = run(context);
  fritContextDestroy(context);
  puts(isRight ? "cpu: the result is right" : "cpu: the result is wrong");
  return isRight ? 0 : 1;
}

/*===- problem.h - Inputs and the expected result -----------------*- C -*-===*\
|*                                                                            *|
|* Part of the Frit project, under the Apache License v2.0 with LLVM          *|
|* Exceptions.                                                                *|
|* See https://llvm.org/LICENSE.txt for license information.                  *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                    *|
|*                                                                            *|
|*===----------------------------------------------------------------------===*|
|*                                                                            *|
|* Rows of gate and up that lie next to each other, as one matmul leaves      *|
|* them, and a check of silu(gate) * up.                                      *|
|*                                                                            *|
\*===----------------------------------------------------------------------===*/

#ifndef PROBLEM_H
#define PROBLEM_H

#include "frit-c/Runtime.h"

enum { kTokens = 5, kColumns = 256 };

typedef struct Problem {
  /** gate, then up, in each row. */
  float rows[kTokens][2 * kColumns];
  float result[kTokens][kColumns];
} Problem;

/** Sets gate and up to values that depend on `seed`, and the result to NaN. */
void makeProblem(Problem *problem, int seed);

/** 1 if the result is right; else prints the first element that is not. */
int checkProblem(const Problem *problem);

/** 1 if `status` is FRIT_STATUS_OK; else prints it with the context's message
 * and clears that. */
int succeeded(FritContext *context, FritStatus status, const char *what);

#endif /* PROBLEM_H */

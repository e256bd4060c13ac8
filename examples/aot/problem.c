/*===- problem.c - Inputs and the expected result -----------------*- C -*-===*\
|*                                                                            *|
|* Part of the Frit project, under the Apache License v2.0 with LLVM          *|
|* Exceptions.                                                                *|
|* See https://llvm.org/LICENSE.txt for license information.                  *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                    *|
|*                                                                            *|
|*===----------------------------------------------------------------------===*|
|*                                                                            *|
|* Computes silu(gate) * up in double precision and compares.                 *|
|*                                                                            *|
\*===----------------------------------------------------------------------===*/

#include "problem.h"

#include <math.h>
#include <stdio.h>

void makeProblem(Problem *problem, int seed) {
  for (int t = 0; t < kTokens; ++t) {
    for (int j = 0; j < 2 * kColumns; ++j)
      problem->rows[t][j] = (float)((t * 37 + j * 11 + seed * 5) % 97 - 48) / 8;
    for (int j = 0; j < kColumns; ++j)
      problem->result[t][j] = NAN;
  }
}

int checkProblem(const Problem *problem) {
  for (int t = 0; t < kTokens; ++t)
    for (int j = 0; j < kColumns; ++j) {
      double gate = problem->rows[t][j];
      double up = problem->rows[t][kColumns + j];
      double expected = gate / (1 + exp(-gate)) * up;
      double actual = problem->result[t][j];
      if (!(fabs(actual - expected) <= 1e-6 + 1e-5 * fabs(expected))) {
        printf("result[%d][%d] is %g, expected %g\n", t, j, actual, expected);
        return 0;
      }
    }
  return 1;
}

int succeeded(FritContext *context, FritStatus status, const char *what) {
  if (status == FRIT_STATUS_OK)
    return 1;
  printf("%s: %s: %s\n", what, fritStatusName(status),
         context ? fritContextErrorMessage(context) : fritThreadErrorMessage());
  fritContextClearError(context);
  return 0;
}

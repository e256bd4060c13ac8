/*===- call-status.c - The status of a call -----------------------*- C -*-===*\
|*                                                                            *|
|* Part of the Frit project, under the Apache License v2.0 with LLVM          *|
|* Exceptions.                                                                *|
|* See https://llvm.org/LICENSE.txt for license information.                  *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                    *|
|*                                                                            *|
|*===----------------------------------------------------------------------===*|
|*                                                                            *|
|* Calls a function on the host and prints what comes of it, twice: after an  *|
|* error the context is as good as before.                                    *|
|*                                                                            *|
\*===----------------------------------------------------------------------===*/

#include "called.h"

#include <stdio.h>

int main(void) {
  float values[16] = {1};
  float results[16] = {0};
  int64_t sizes[2] = {2, 8};
  FritTensor x = fritHostTensor(values, FRIT_TYPE_F32, sizes, 2);
  FritTensor y = fritHostTensor(results, FRIT_TYPE_F32, sizes, 2);
  FritContext *context = NULL;
  if (fritContextCreate(NULL, &context) != FRIT_STATUS_OK)
    return 1;
  for (int i = 0; i < 2; ++i) {
    FritStatus status = called_f(context, &x, &y);
    printf("%s: %s\n", fritStatusName(status),
           status ? fritContextErrorMessage(context) : "");
    fritContextClearError(context);
  }
  fritContextDestroy(context);
  return 0;
}

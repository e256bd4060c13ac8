/*===- two-modules.c - Two compiled modules in one program --------*- C -*-===*\
|*                                                                            *|
|* Part of the Frit project, under the Apache License v2.0 with LLVM          *|
|* Exceptions.                                                                *|
|* See https://llvm.org/LICENSE.txt for license information.                  *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                    *|
|*                                                                            *|
|*===----------------------------------------------------------------------===*|
|*                                                                            *|
|* Calls the same function of two modules, and one with scalars.              *|
|*                                                                            *|
\*===----------------------------------------------------------------------===*/

#include "three.h"
#include "two.h"

#include <stdio.h>

static int print(FritContext *context, const char *name, FritStatus status,
                 const float *values) {
  if (status != FRIT_STATUS_OK) {
    printf("%s: %s\n", name, fritContextErrorMessage(context));
    return 1;
  }
  printf("%s: %g %g %g %g\n", name, values[0], values[1], values[2], values[3]);
  return 0;
}

static int callScalars(FritContext *context) {
  uint16_t half = 0;
  uint8_t flag = 2;
  int16_t number = 0;
  double value = 0;
  FritTensor h = fritHostTensor(&half, FRIT_TYPE_BF16, NULL, 0);
  FritTensor f = fritHostTensor(&flag, FRIT_TYPE_I1, NULL, 0);
  FritTensor n = fritHostTensor(&number, FRIT_TYPE_I16, NULL, 0);
  FritTensor v = fritHostTensor(&value, FRIT_TYPE_F64, NULL, 0);
  /* 1.5 in bf16. */
  if (two_scalars(context, 0x3fc0, 1, -7, 65536.25, &h, &f, &n, &v) !=
      FRIT_STATUS_OK) {
    printf("%s\n", fritContextErrorMessage(context));
    return 1;
  }
  printf("scalars: %s %d %d %.2f\n", half == 0x3fc0 ? "1.5" : "wrong", flag,
         number, value);
  return 0;
}

int main(void) {
  float input[4] = {1, 2, 3, 4};
  float output[4] = {0, 0, 0, 0};
  int64_t size = 4;
  FritTensor x = fritHostTensor(input, FRIT_TYPE_F32, &size, 1);
  FritTensor y = fritHostTensor(output, FRIT_TYPE_F32, &size, 1);
  FritContext *context = NULL;
  if (fritContextCreate(NULL, &context) != FRIT_STATUS_OK)
    return 1;
  int failed = print(context, "two", two_scale(context, &x, &y), output) ||
               print(context, "three", three_scale(context, &x, &y), output) ||
               callScalars(context);
  fritContextDestroy(context);
  return failed;
}

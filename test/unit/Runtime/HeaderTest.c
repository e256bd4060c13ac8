/*===- HeaderTest.c - Runtime.h as C11
-------------------------------------===*\
|*                                                                            *|
|* Part of the Frit project, under the Apache License v2.0 with LLVM          *|
|* Exceptions.                                                                *|
|* See https://llvm.org/LICENSE.txt for license information.                  *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                    *|
|*                                                                            *|
|*===----------------------------------------------------------------------===*|
|*                                                                            *|
|* Includes the header alone, in strict C11, and uses it from C. The types    *|
|* below are part of the ABI.                                                 *|
|*                                                                            *|
\*===----------------------------------------------------------------------===*/

#include "frit-c/Entry.h"
#include "frit-c/RuntimeDevice.h"

_Static_assert(sizeof(FritStatus) == 4, "compiled code returns an i32");
_Static_assert(sizeof(FritContextOptions) == 64, "grows by appending only");
_Static_assert(offsetof(FritContextOptions, device) == 24, "the size of 0.1");
_Static_assert(sizeof(FritScratchStatistics) == 48, "grows by appending only");
_Static_assert(sizeof(FritDeviceStatistics) == 40, "grows by appending only");
_Static_assert(sizeof(FritConstantDescriptor) == 32, "is in compiled code");
_Static_assert(sizeof(FritKernelDescriptor) == 48, "is in compiled code");
_Static_assert(sizeof(FritLaunchConfig) == 88, "is in compiled code");
_Static_assert(sizeof(FritMatmulDescriptor) == 40, "is in compiled code");
_Static_assert(sizeof(FritMatmulOperands) == 112, "is in compiled code");

_Static_assert(sizeof(FritTensor) == 40, "callers of objects have it");
_Static_assert(sizeof(FritValue) == 48, "is in compiled code");
_Static_assert(sizeof(FritEntry) == 112, "is in compiled code");
_Static_assert(offsetof(FritEntry, weights) == 104, "the size of 0.4");
_Static_assert(sizeof(FritWeight) == 56, "is in compiled code");
_Static_assert(sizeof(FritWeights) == 32, "is in compiled code");

/** Writes the square of each index into the closure, an array. */
static FritStatus square(FritContext *context, void *closure, int64_t begin,
                         int64_t end) {
  (void)context;
  for (int64_t i = begin; i < end; ++i)
    ((int64_t *)closure)[i] = i * i;
  return FRIT_STATUS_OK;
}

int32_t fritTestRuntimeFromC(void);

/** Runs a loop from C; 0 if all is as it should be, else the failing step. */
int32_t fritTestRuntimeFromC(void) {
  int64_t values[100];
  FritContextOptions options = fritContextOptionsDefault();
  FritContext *context;
  options.threads = 2;
  if (fritContextCreate(&options, &context) != FRIT_STATUS_OK)
    return 1;
  if (fritParallelFor(context, 0, 100, 1, square, values) != FRIT_STATUS_OK)
    return 2;
  for (int64_t i = 0; i < 100; ++i)
    if (values[i] != i * i)
      return 3;
  fritContextDestroy(context);
  return 0;
}

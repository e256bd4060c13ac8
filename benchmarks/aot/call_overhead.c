/*===- call_overhead.c - The time of a call with descriptors ------*- C -*-===*\
|*                                                                            *|
|* Part of the Frit project, under the Apache License v2.0 with LLVM          *|
|* Exceptions.                                                                *|
|* See https://llvm.org/LICENSE.txt for license information.                  *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                    *|
|*                                                                            *|
|*===----------------------------------------------------------------------===*|
|*                                                                            *|
|* Times calls of the functions of noop.mlir: with checked descriptors, and   *|
|* by the entry point behind them, which is given prepared memrefs. The least *|
|* of 200 batches of 10,000 calls.                                            *|
|*                                                                            *|
\*===----------------------------------------------------------------------===*/

#include "noop.h"

#include <stdio.h>
#include <time.h>

enum { kBatches = 200, kCalls = 10000, kTokens = 16 };

static FritContext *context;
static uint16_t xData[kTokens * 8], yData[kTokens * 8], aData[64], bData[64];
static float floats[kTokens * 8], zero[1];
static int32_t idData[kTokens];

static const int64_t xSizes[] = {kTokens, 8}, idSizes[] = {kTokens};
static const int64_t aSizes[] = {4, 2, 8}, bSizes[] = {4, 8, 2}, one[] = {1};

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return 1e9 * (double)time.tv_sec + (double)time.tv_nsec;
}

static int callOne(void) {
  FritTensor x = fritHostTensor(floats, FRIT_TYPE_F32, xSizes, 2);
  FritTensor result = fritHostTensor(zero, FRIT_TYPE_F32, one, 1);
  return noop_one(context, &x, &result);
}

static int callLora(void) {
  FritTensor x = fritHostTensor(xData, FRIT_TYPE_BF16, xSizes, 2);
  FritTensor ids = fritHostTensor(idData, FRIT_TYPE_I32, idSizes, 1);
  FritTensor a = fritHostTensor(aData, FRIT_TYPE_BF16, aSizes, 3);
  FritTensor b = fritHostTensor(bData, FRIT_TYPE_BF16, bSizes, 3);
  FritTensor y = fritHostTensor(yData, FRIT_TYPE_BF16, xSizes, 2);
  FritTensor result = fritHostTensor(zero, FRIT_TYPE_F32, one, 1);
  return noop_lora(context, &x, &ids, &a, &b, 1, &y, &result);
}

/** The entry point of `one`, without a check. */
static int callUnchecked(void) {
  struct {
    void *allocated, *aligned;
    int64_t offset, sizes[2], strides[2];
  } x = {floats, floats, 0, {kTokens, 8}, {8, 1}};
  struct {
    void *allocated, *aligned;
    int64_t offset, sizes[1], strides[1];
  } result = {zero, zero, 0, {1}, {1}};
  void *arguments[] = {&x, &result};
  return noop_one_entry.function(context, arguments);
}

static int report(const char *name, int (*call)(void)) {
  double least = 1e300;
  for (int batch = 0; batch < kBatches; ++batch) {
    double begin = now();
    for (int i = 0; i < kCalls; ++i)
      if (call() != FRIT_STATUS_OK) {
        printf("%s: %s\n", name, fritContextErrorMessage(context));
        return 0;
      }
    double elapsed = (now() - begin) / kCalls;
    least = elapsed < least ? elapsed : least;
  }
  printf("%s: %.1f ns\n", name, least);
  return 1;
}

int main(void) {
  if (fritContextCreate(NULL, &context) != FRIT_STATUS_OK)
    return 1;
  int succeeded = report("entry point, 2 values", callUnchecked) &&
                  report("checked call, 2 values", callOne) &&
                  report("checked call, 7 values", callLora);
  fritContextDestroy(context);
  return succeeded ? 0 : 1;
}

/*===- call-capi.c - Tests of calls through the C API -------------*- C -*-===*\
|*                                                                            *|
|* Part of the Frit project, under the Apache License v2.0 with LLVM          *|
|* Exceptions.                                                                *|
|* See https://llvm.org/LICENSE.txt for license information.                  *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                    *|
|*                                                                            *|
|*===----------------------------------------------------------------------===*|
|*                                                                            *|
|* Calls compiled functions with every kind of descriptor that does not fit:  *|
|* the message has both sides, and a call that fits works after it.           *|
|*                                                                            *|
\*===----------------------------------------------------------------------===*/

#include "Graphs.h"

enum { TOKENS = 3 };

static float input[TOKENS * 2 * WIDTH], output[TOKENS * WIDTH];
static const int64_t inputSizes[] = {TOKENS, 2 * WIDTH};
static const int64_t outputSizes[] = {TOKENS, WIDTH};

/* The values of a call of @swiglu that is right. */
typedef struct Call {
  FritTensor values[2];
  const FritTensor *pointers[2];
} Call;

static void prepare(Call *call) {
  call->values[0] = fritHostTensor(input, FRIT_TYPE_F32, inputSizes, 2);
  call->values[1] = fritHostTensor(output, FRIT_TYPE_F32, outputSizes, 2);
  call->pointers[0] = &call->values[0];
  call->pointers[1] = &call->values[1];
}

static void succeed(FritContext *context, const FritEntry *entry) {
  Call call;
  prepare(&call);
  memset(output, 0xff, sizeof(output));
  CHECK(fritEntryCall(context, entry, call.pointers, 2) == FRIT_STATUS_OK);
  for (int i = 0; i < TOKENS * WIDTH; ++i)
    CHECK(output[i] > 1.4621f && output[i] < 1.4622f);
}

/* A call that is refused; then one that is right. */
static void refuse(FritContext *context, const FritEntry *entry,
                   const Call *call, int32_t count, const char *one,
                   const char *other) {
  CHECK(fritEntryCall(context, entry, call->pointers, count) ==
        FRIT_STATUS_INVALID_ARGUMENT);
  CHECK_HAS(fritContextErrorMessage(context), "swiglu");
  CHECK_HAS(fritContextErrorMessage(context), one);
  CHECK_HAS(fritContextErrorMessage(context), other);
  fritContextClearError(context);
  succeed(context, entry);
}

static void testRefusals(FritContext *context, const FritEntry *entry) {
  Call call;
  prepare(&call);
  refuse(context, entry, &call, 1, "1", "2");

  prepare(&call);
  call.values[0].type = FRIT_TYPE_BF16;
  refuse(context, entry, &call, 2, "bf16", "f32");

  prepare(&call);
  call.values[0].rank = 1;
  refuse(context, entry, &call, 2, "1", "2");

  prepare(&call);
  const int64_t wide[] = {TOKENS, 2 * WIDTH + 2};
  call.values[0].sizes = wide;
  refuse(context, entry, &call, 2, "66", "64");

  prepare(&call);
  const int64_t fewer[] = {TOKENS - 1, WIDTH};
  call.values[1].sizes = fewer;
  refuse(context, entry, &call, 2, "2", "3");

  const int64_t strides[][2] = {{-64, 1}, {0, 1}, {64, 2}, {64, 0}};
  for (int i = 0; i < 4; ++i) {
    prepare(&call);
    call.values[i % 2].strides = strides[i];
    refuse(context, entry, &call, 2, "stride", "");
  }

  prepare(&call);
  call.values[1].flags = FRIT_TENSOR_READ_ONLY;
  refuse(context, entry, &call, 2, "read-only", "");

  prepare(&call);
  call.pointers[1] = NULL;
  refuse(context, entry, &call, 2, "null", "");

  prepare(&call);
  call.values[0].device = 0;
  refuse(context, entry, &call, 2, "cuda:0", "the host");
}

static void testResultSizes(FritContext *context, const FritEntry *entry) {
  Call call;
  prepare(&call);
  int64_t sizes[2] = {0};
  CHECK(fritEntryNumResultSizes(entry) == 2);
  CHECK(fritEntryResultSizes(context, entry, call.pointers, 1, sizes, 2) ==
        FRIT_STATUS_OK);
  CHECK(sizes[0] == TOKENS && sizes[1] == WIDTH);
}

/* Rows of a larger tensor. */
static void testRowStride(FritContext *context, const FritEntry *entry) {
  static float large[TOKENS * 100];
  for (int i = 0; i < TOKENS * 100; ++i)
    large[i] = 1.0f;
  const int64_t strides[] = {100, 1};
  Call call;
  prepare(&call);
  call.values[0].data = large;
  call.values[0].strides = strides;
  output[TOKENS * WIDTH - 1] = 0.0f;
  CHECK(fritEntryCall(context, entry, call.pointers, 2) == FRIT_STATUS_OK);
  CHECK(output[TOKENS * WIDTH - 1] > 0.7310f &&
        output[TOKENS * WIDTH - 1] < 0.7311f);
}

int main(void) {
  FritCompiler *compiler = NULL;
  CHECK(fritCompilerCreate(NULL, &compiler) == FRIT_STATUS_OK);
  FritProgram *program = compileGraphs(compiler);
  fritCompilerDestroy(compiler);
  const FritEntry *entry = fritProgramFindEntry(program, "swiglu");
  CHECK(entry);
  FritContext *context = NULL;
  CHECK(fritContextCreate(NULL, &context) == FRIT_STATUS_OK);
  for (int i = 0; i < TOKENS * 2 * WIDTH; ++i)
    input[i] = i % (2 * WIDTH) < WIDTH ? 1.0f : 2.0f;

  succeed(context, entry);
  testRefusals(context, entry);
  testResultSizes(context, entry);
  testRowStride(context, entry);

  fritContextDestroy(context);
  fritProgramDestroy(program);
  return 0;
}

/*===- call.c - What a call through the C API costs ---------------*- C -*-===*\
|*                                                                            *|
|* Part of the Frit project, under the Apache License v2.0 with LLVM          *|
|* Exceptions.                                                                *|
|* See https://llvm.org/LICENSE.txt for license information.                  *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                    *|
|*                                                                            *|
|*===----------------------------------------------------------------------===*|
|*                                                                            *|
|* Times fritEntryCall on a function that adds two tensors of one element, so *|
|* that nearly all of it is the check of the values and the call:             *|
|*                                                                            *|
|*   cc -O2 -Iinclude benchmarks/embedding/call.c -o /tmp/call \              *|
|*     -Lbuild/dev/lib -Wl,-rpath,$PWD/build/dev/lib \                        *|
|*     -lFritCompiler -lFritRuntime && /tmp/call                              *|
|*                                                                            *|
|* One line a case: name, nanoseconds a call (the fastest of ten rounds).     *|
|*                                                                            *|
\*===----------------------------------------------------------------------===*/

#include "frit-c/Compiler.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { ROUNDS = 10, CALLS = 200000 };

static const char source[] =
    "func.func @add(%x: tensor<1xf32>, %y: tensor<1xf32>) -> tensor<1xf32> {\n"
    "  %0 = arith.addf %x, %y : tensor<1xf32>\n"
    "  return %0 : tensor<1xf32>\n"
    "}\n";

static void check(FritStatus status, const char *reason) {
  if (status == FRIT_STATUS_OK)
    return;
  fprintf(stderr, "%s: %s\n", fritStatusName(status), reason);
  exit(1);
}

static double now(void) {
  struct timespec time;
  timespec_get(&time, TIME_UTC);
  return (double)time.tv_sec * 1e9 + (double)time.tv_nsec;
}

/* Calls with `count` values, or the function alone with its `arguments`. */
static double measure(FritContext *context, const FritEntry *entry,
                      const FritTensor *const *values, int32_t count,
                      void **arguments) {
  double best = 1e30;
  for (int round = 0; round < ROUNDS; ++round) {
    double begin = now();
    FritStatus status = FRIT_STATUS_OK;
    for (int i = 0; i < CALLS && status == FRIT_STATUS_OK; ++i)
      status = arguments ? entry->function(context, arguments)
                         : fritEntryCall(context, entry, values, count);
    double time = (now() - begin) / CALLS;
    check(status, fritContextErrorMessage(context));
    if (time < best)
      best = time;
  }
  return best;
}

int main(void) {
  FritCompiler *compiler = NULL;
  check(fritCompilerCreate(NULL, &compiler), fritCompilerErrorMessage());
  FritCompileOptions options = {0};
  options.size = sizeof(options);
  options.target = "cpu";
  FritProgram *program = NULL;
  double begin = now();
  check(fritCompileSource(compiler, source, sizeof(source) - 1, "call",
                          &options, &program),
        fritCompilerErrorMessage());
  printf("compile,%.0f\n", now() - begin);
  FritContext *context = NULL;
  check(fritContextCreate(NULL, &context), fritThreadErrorMessage());

  float x = 1, y = 2, z = 0;
  const int64_t one = 1;
  FritTensor tensors[3];
  tensors[0] = fritHostTensor(&x, FRIT_TYPE_F32, &one, 1);
  tensors[1] = fritHostTensor(&y, FRIT_TYPE_F32, &one, 1);
  tensors[2] = fritHostTensor(&z, FRIT_TYPE_F32, &one, 1);
  const FritTensor *values[] = {&tensors[0], &tensors[1], &tensors[2]};
  const FritEntry *add = fritProgramEntry(program, 0);
  printf("fritEntryCall,%.1f\n", measure(context, add, values, 3, NULL));

  /* Allocated and aligned pointer, offset, size, stride. */
  struct {
    float *pointers[2];
    int64_t numbers[3];
  } memrefs[] = {
      {{&x, &x}, {0, 1, 1}}, {{&y, &y}, {0, 1, 1}}, {{&z, &z}, {0, 1, 1}}};
  void *arguments[] = {&memrefs[0], &memrefs[1], &memrefs[2]};
  printf("function,%.1f\n", measure(context, add, NULL, 0, arguments));
  int result = z == 3 ? 0 : 1;
  fritContextDestroy(context);
  fritProgramDestroy(program);
  fritCompilerDestroy(compiler);
  return result;
}

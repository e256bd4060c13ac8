/*===- reports-capi.c - Tests of callbacks and threads ------------*- C -*-===*\
|*                                                                            *|
|* Part of the Frit project, under the Apache License v2.0 with LLVM          *|
|* Exceptions.                                                                *|
|* See https://llvm.org/LICENSE.txt for license information.                  *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                    *|
|*                                                                            *|
|*===----------------------------------------------------------------------===*|
|*                                                                            *|
|* Diagnostics and remarks through callbacks, and threads that share a        *|
|* compiler and a program.                                                    *|
|*                                                                            *|
\*===----------------------------------------------------------------------===*/

#include "Graphs.h"

#include <threads.h>

enum { THREADS = 4, ROUNDS = 3 };

typedef struct Seen {
  int errors, notes, passed, missed;
} Seen;

static void onDiagnostic(void *userData, const FritDiagnostic *diagnostic) {
  Seen *seen = userData;
  CHECK(*diagnostic->message);
  CHECK(strcmp(diagnostic->location.file, "graphs.mlir") == 0);
  seen->errors += diagnostic->severity == FRIT_SEVERITY_ERROR;
  seen->notes += diagnostic->severity == FRIT_SEVERITY_NOTE;
}

static void onRemark(void *userData, const FritRemark *remark) {
  Seen *seen = userData;
  CHECK(*remark->message && *remark->category && *remark->name);
  if (strcmp(remark->category, "frit-select-kernels") != 0)
    return;
  CHECK(strcmp(remark->function, "swiglu") == 0);
  CHECK(remark->location.line == 6);
  seen->passed += remark->kind == FRIT_REMARK_PASSED;
  seen->missed += remark->kind == FRIT_REMARK_MISSED;
}

/* What the callbacks received can be asked for afterwards. */
static void testKept(int expected) {
  CHECK(fritCompilerNumDiagnostics() == expected);
  Seen seen = {0};
  for (int32_t i = 0; i < expected; ++i)
    onDiagnostic(&seen, fritCompilerDiagnostic(i));
  CHECK(seen.errors == (expected > 0) && seen.errors + seen.notes == expected);
  if (expected > 0)
    CHECK(fritCompilerDiagnostic(0)->severity == FRIT_SEVERITY_ERROR &&
          fritCompilerDiagnostic(0)->location.line == 6);
  CHECK(!fritCompilerDiagnostic(expected));
  CHECK(!fritCompilerDiagnostic(-1));
}

static void testCallbacks(void) {
  Seen seen = {0};
  FritCompilerOptions handlers = {0};
  handlers.size = sizeof(handlers);
  handlers.onDiagnostic = onDiagnostic;
  handlers.onRemark = onRemark;
  handlers.userData = &seen;
  FritCompiler *compiler = NULL;
  CHECK(fritCompilerCreate(&handlers, &compiler) == FRIT_STATUS_OK);
  fritProgramDestroy(compileGraphs(compiler));
  CHECK(seen.errors == 0 && seen.notes == 0);
  CHECK(seen.passed == 1 && seen.missed == 2);

  FritCompileOptions options = makeCpuOptions();
  options.policy = "require=cuda";
  FritProgram *program = NULL;
  CHECK(fritCompileSource(compiler, graphs, sizeof(graphs) - 1, "graphs.mlir",
                          &options, &program) == FRIT_STATUS_COMPILATION);
  CHECK(seen.errors == 1 && seen.notes >= 2);
  testKept(1 + seen.notes);
  fritProgramDestroy(compileGraphs(compiler));
  CHECK(seen.errors == 1);
  testKept(0);
  fritCompilerDestroy(compiler);
}

typedef struct Shared {
  const FritCompiler *compiler;
  const FritProgram *program;
} Shared;

/* Compiles, fails, and calls a program of its own and the shared one. */
static int work(void *argument) {
  const Shared *shared = argument;
  FritContext *context = NULL;
  CHECK(fritContextCreate(NULL, &context) == FRIT_STATUS_OK);
  for (int i = 0; i < ROUNDS; ++i) {
    callAdd(shared->program, context);
    FritProgram *program = compileGraphs(shared->compiler);
    callAdd(program, context);
    fritProgramDestroy(program);
    CHECK(fritCompileSource(shared->compiler, "func", 4, NULL, NULL,
                            &program) == FRIT_STATUS_COMPILATION);
    CHECK_HAS(fritCompilerErrorMessage(), "error: ");
    /* Those of this thread. */
    CHECK(fritCompilerNumDiagnostics() == 1);
  }
  fritContextDestroy(context);
  return 0;
}

static void testThreads(void) {
  FritCompiler *compiler = NULL;
  CHECK(fritCompilerCreate(NULL, &compiler) == FRIT_STATUS_OK);
  FritProgram *program = compileGraphs(compiler);
  Shared shared = {compiler, program};
  thrd_t threads[THREADS];
  for (int i = 0; i < THREADS; ++i)
    CHECK(thrd_create(&threads[i], work, &shared) == thrd_success);
  for (int i = 0; i < THREADS; ++i)
    CHECK(thrd_join(threads[i], NULL) == thrd_success);
  fritProgramDestroy(program);
  fritCompilerDestroy(compiler);
}

int main(void) {
  testCallbacks();
  testThreads();
  return 0;
}

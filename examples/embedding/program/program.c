/*===- program.c - Compile a graph and call it --------------------*- C -*-===*\
|*                                                                            *|
|* Part of the Frit project, under the Apache License v2.0 with LLVM          *|
|* Exceptions.                                                                *|
|* See https://llvm.org/LICENSE.txt for license information.                  *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                    *|
|*                                                                            *|
|*===----------------------------------------------------------------------===*|
|*                                                                            *|
|* program FILE: compiles the module for the CPU, says which kernels it uses  *|
|* and why, and calls its function @swiglu with four tokens.                  *|
|*                                                                            *|
\*===----------------------------------------------------------------------===*/

#include "frit-c/Compiler.h"

#include <stdio.h>
#include <stdlib.h>

enum { tokens = 4, width = 256 };

static void showDiagnostic(void *userData, const FritDiagnostic *diagnostic) {
  (void)userData;
  fprintf(stderr, "%s:%d:%d: %s\n", diagnostic->location.file,
          (int)diagnostic->location.line, (int)diagnostic->location.column,
          diagnostic->message);
}

static void showChoices(const FritProgram *program) {
  for (int32_t i = 0; i < fritProgramNumChoices(program); ++i) {
    const FritChoice *choice = fritProgramChoice(program, i);
    printf("line %d: %s is executed by %s\n", (int)choice->location.line,
           choice->op, choice->kernel);
    for (int32_t j = 0; j < choice->numCandidates; ++j) {
      const FritCandidate *candidate = fritProgramCandidate(program, i, j);
      if (candidate->outcome == FRIT_OUTCOME_REFUSED ||
          candidate->outcome == FRIT_OUTCOME_ADMISSIBLE)
        printf("  not by %s: %s\n", candidate->kernel, candidate->reason);
    }
  }
}

static int call(const FritProgram *program, FritContext *context) {
  static float x[tokens * 2 * width], y[tokens * width];
  for (int i = 0; i < tokens * 2 * width; ++i)
    x[i] = 1.0f;

  const FritEntry *swiglu = fritProgramFindEntry(program, "swiglu");
  if (!swiglu) {
    fprintf(stderr, "%s\n", fritCompilerErrorMessage());
    return 1;
  }
  const int64_t xSizes[] = {tokens, 2 * width}, ySizes[] = {tokens, width};
  FritTensor input = fritHostTensor(x, FRIT_TYPE_F32, xSizes, 2);
  FritTensor output = fritHostTensor(y, FRIT_TYPE_F32, ySizes, 2);
  const FritTensor *values[] = {&input, &output};
  if (fritEntryCall(context, swiglu, values, 2) != FRIT_STATUS_OK) {
    fprintf(stderr, "%s\n", fritContextErrorMessage(context));
    return 1;
  }
  printf("swiglu(1, 1) = %.6f\n", y[tokens * width - 1]);
  return 0;
}

int main(int argc, char **argv) {
  if (argc != 2) {
    fprintf(stderr, "usage: program FILE\n");
    return 1;
  }
  FritCompilerOptions compilerOptions = {0};
  compilerOptions.size = sizeof(compilerOptions);
  compilerOptions.onDiagnostic = showDiagnostic;
  FritCompiler *compiler = NULL;
  if (fritCompilerCreate(&compilerOptions, &compiler) != FRIT_STATUS_OK) {
    fprintf(stderr, "%s\n", fritCompilerErrorMessage());
    return 1;
  }

  FritCompileOptions options = {0};
  options.size = sizeof(options);
  options.target = "cpu";
  FritProgram *program = NULL;
  FritStatus status = fritCompileFile(compiler, argv[1], &options, &program);
  fritCompilerDestroy(compiler);
  if (status != FRIT_STATUS_OK) {
    fprintf(stderr, "%s: %s\n", fritStatusName(status),
            fritCompilerErrorMessage());
    return 1;
  }

  showChoices(program);
  FritContext *context = NULL;
  int result = 1;
  if (fritContextCreate(NULL, &context) == FRIT_STATUS_OK)
    result = call(program, context);
  else
    fprintf(stderr, "%s\n", fritThreadErrorMessage());
  fritContextDestroy(context);
  fritProgramDestroy(program);
  return result;
}

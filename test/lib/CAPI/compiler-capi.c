/*===- compiler-capi.c - Tests of frit-c/Compiler.h ---------------*- C -*-===*\
|*                                                                            *|
|* Part of the Frit project, under the Apache License v2.0 with LLVM          *|
|* Exceptions.                                                                *|
|* See https://llvm.org/LICENSE.txt for license information.                  *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                    *|
|*                                                                            *|
|*===----------------------------------------------------------------------===*|
|*                                                                            *|
|* Compiles and calls graphs, asks programs, and gives everything that a      *|
|* caller can get wrong: a status that says what, and the next call works.    *|
|*                                                                            *|
\*===----------------------------------------------------------------------===*/

#include "Graphs.h"

/* Compiles a source that is refused, and returns the message. */
static const char *refuse(const FritCompiler *compiler, const char *source,
                          const FritCompileOptions *options,
                          FritStatus expected) {
  FritProgram *program = (FritProgram *)&expected;
  FritStatus status = fritCompileSource(compiler, source, strlen(source),
                                        "graph.mlir", options, &program);
  if (status != expected)
    fprintf(stderr, "status %d: %s\n", (int)status, fritCompilerErrorMessage());
  CHECK(status == expected);
  CHECK(!program);
  return fritCompilerErrorMessage();
}

static void testEntries(const FritProgram *program) {
  CHECK(strcmp(fritProgramTarget(program), "cpu") == 0);
  CHECK(fritProgramDevice(program) == FRIT_NO_DEVICE);
  CHECK(fritProgramNumEntries(program) == 2);
  CHECK(!fritProgramEntry(program, -1));
  CHECK(!fritProgramEntry(program, 2));
  CHECK(strcmp(fritProgramEntry(program, 0)->name, "swiglu") == 0);
  const FritEntry *entry = fritProgramEntry(program, 1);
  CHECK(strcmp(entry->name, "add") == 0);
  CHECK(strcmp(entry->target, "cpu") == 0);
  CHECK(entry->numArguments == 2 && entry->numResults == 1);
  CHECK(entry->values[0].rank == 1 && entry->values[0].sizes[0] == 4);
  CHECK(entry->values[0].type == FRIT_TYPE_F32);
  CHECK(entry->values[1].flags & FRIT_VALUE_SCALAR);
  CHECK(entry->values[2].flags & FRIT_VALUE_WRITTEN);
  entry = fritProgramFindEntry(program, "swiglu");
  CHECK(entry == fritProgramEntry(program, 0));
  CHECK(strcmp(entry->values[0].name, "x") == 0);
  CHECK(entry->values[0].sizes[0] == FRIT_ANY);

  CHECK(!fritProgramFindEntry(program, NULL));
  CHECK_HAS(fritCompilerErrorMessage(), "'name' is null");
  CHECK(!fritProgramFindEntry(program, "helper"));
  CHECK_HAS(fritCompilerErrorMessage(),
            "no entry 'helper'; it has 'swiglu', 'add'");
}

static void testChoices(const FritCompiler *compiler,
                        const FritProgram *program) {
  CHECK(fritProgramNumChoices(program) == 1);
  CHECK(!fritProgramChoice(program, 1));
  const FritChoice *choice = fritProgramChoice(program, 0);
  CHECK(strcmp(choice->op, "frit.act_and_mul") == 0);
  CHECK(strcmp(choice->function, "swiglu") == 0);
  CHECK(strcmp(choice->kernel, "native.vector") == 0);
  CHECK(strcmp(choice->location.file, "graphs.mlir") == 0);
  CHECK(choice->location.line == 6 && choice->location.column == 8);
  CHECK(choice->numCandidates == 3);
  CHECK(!fritProgramCandidate(program, 0, choice->numCandidates));
  CHECK(!fritProgramCandidate(program, 1, 0));
  int picked = 0;
  for (int32_t i = 0; i < choice->numCandidates; ++i) {
    const FritCandidate *candidate = fritProgramCandidate(program, 0, i);
    picked += candidate->outcome == FRIT_OUTCOME_PICKED;
    if (candidate->outcome == FRIT_OUTCOME_PICKED)
      CHECK(strcmp(candidate->kernel, choice->kernel) == 0);
    else
      CHECK(*candidate->reason);
  }
  CHECK(picked == 1);

  /* For a machine with a GPU, on any machine. */
  FritCompileOptions options = makeCpuOptions();
  options.target = "cuda:sm_90a";
  options.flags = FRIT_COMPILE_CHOICES_ONLY;
  FritProgram *choices = NULL;
  CHECK(fritCompileSource(compiler, graphs, sizeof(graphs) - 1, NULL, &options,
                          &choices) == FRIT_STATUS_OK);
  CHECK(strcmp(fritProgramTarget(choices), "cuda:sm_90a") == 0);
  CHECK(fritProgramNumChoices(choices) == 1);
  CHECK(fritProgramNumEntries(choices) == 0);
  CHECK(!fritProgramFindEntry(choices, "add"));
  CHECK_HAS(fritCompilerErrorMessage(), "it has none");
  fritProgramDestroy(choices);
}

static void testOptions(const FritCompiler *compiler) {
  FritCompileOptions options = makeCpuOptions();
  options.target = "cuda:sm_9000";
  options.flags = FRIT_COMPILE_CHOICES_ONLY;
  CHECK_HAS(refuse(compiler, graphs, &options, FRIT_STATUS_INVALID_ARGUMENT),
            "sm_9000");
  options = makeCpuOptions();
  options.target = "cpu:pentium-99";
  CHECK_HAS(refuse(compiler, graphs, &options, FRIT_STATUS_INVALID_ARGUMENT),
            "pentium-99");
  options.target = "tpu";
  CHECK_HAS(refuse(compiler, graphs, &options, FRIT_STATUS_INVALID_ARGUMENT),
            "expected cpu, cpu:MARCH, cpu+onednn[:MARCH], cuda, cuda:N or "
            "cuda:sm_XX, not 'tpu'");
  options.target = "cuda:99";
  CHECK_HAS(refuse(compiler, graphs, &options, FRIT_STATUS_DEVICE_UNAVAILABLE),
            "cuda:99");
  options = makeCpuOptions();
  options.policy = "fastest";
  CHECK_HAS(refuse(compiler, graphs, &options, FRIT_STATUS_INVALID_ARGUMENT),
            "unknown policy 'fastest', expected 'auto'");
  options.policy = "require=cuda";
  CHECK_HAS(refuse(compiler, graphs, &options, FRIT_STATUS_COMPILATION),
            "graph.mlir:6:8: error:");
  CHECK_HAS(fritCompilerErrorMessage(), "note: candidate 'native.vector': ");

  const char *names[] = {"add", "subtract"};
  options = makeCpuOptions();
  options.entries = names;
  options.numEntries = 2;
  CHECK_HAS(refuse(compiler, graphs, &options, FRIT_STATUS_INVALID_ARGUMENT),
            "no func.func '@subtract'; it has @swiglu, @helper, @add");
  names[1] = NULL;
  CHECK_HAS(refuse(compiler, graphs, &options, FRIT_STATUS_INVALID_ARGUMENT),
            "entries[1] is null");
  names[1] = "add";
  CHECK_HAS(refuse(compiler, graphs, &options, FRIT_STATUS_INVALID_ARGUMENT),
            "entries has 'add' twice");
  names[1] = "helper";
  FritProgram *program = NULL;
  CHECK(fritCompileSource(compiler, graphs, sizeof(graphs) - 1, NULL, &options,
                          &program) == FRIT_STATUS_OK);
  CHECK(fritProgramNumEntries(program) == 2);
  CHECK(fritProgramFindEntry(program, "helper"));
  CHECK(!fritProgramFindEntry(program, "swiglu"));
  fritProgramDestroy(program);

  options = makeCpuOptions();
  options.size = 3;
  CHECK_HAS(refuse(compiler, graphs, &options, FRIT_STATUS_INVALID_ARGUMENT),
            "FritCompileOptions::size is 3");
  options = makeCpuOptions();
  options.flags = 1 << 20;
  CHECK_HAS(refuse(compiler, graphs, &options, FRIT_STATUS_INVALID_ARGUMENT),
            "flags is 1048576");
  options = makeCpuOptions();
  options.numEntries = 1;
  CHECK_HAS(refuse(compiler, graphs, &options, FRIT_STATUS_INVALID_ARGUMENT),
            "numEntries is 1, but 'entries' is null");
}

static void testSources(const FritCompiler *compiler) {
  FritCompileOptions options = makeCpuOptions();
  CHECK_HAS(
      refuse(compiler, "func.func @f(", &options, FRIT_STATUS_COMPILATION),
      "graph.mlir:1:13: error: ");
  CHECK_HAS(refuse(compiler, "func.func private @f()", &options,
                   FRIT_STATUS_INVALID_ARGUMENT),
            "no public func.func with a body");
  CHECK_HAS(
      refuse(compiler, "ML\xefR garbage", &options, FRIT_STATUS_COMPILATION),
      "error: ");

  /* What no descriptor can stand for. */
  CHECK_HAS(refuse(compiler, "func.func @f(%x: tensor<4xi4>) { return }",
                   &options, FRIT_STATUS_COMPILATION),
            "graph.mlir:1:1: error: argument 0 of '@f' is tensor<4xi4>: ");
  CHECK_HAS(refuse(compiler, "func.func @f(%x: memref<3xui8>) { return }",
                   &options, FRIT_STATUS_COMPILATION),
            "argument 0 of '@f' is memref<3xui8>: ");

  /* Deeper than MLIR's parser survives. */
  static char nested[100001];
  memset(nested, '(', sizeof(nested) - 1);
  CHECK_HAS(refuse(compiler, nested, &options, FRIT_STATUS_COMPILATION),
            "nested");

  FritProgram *program = NULL;
  CHECK(fritCompileFile(compiler, "/no/such.mlir", &options, &program) ==
        FRIT_STATUS_INVALID_ARGUMENT);
  CHECK_HAS(fritCompilerErrorMessage(), "cannot read '/no/such.mlir': ");
  CHECK(fritCompileFile(compiler, "-", &options, &program) ==
        FRIT_STATUS_INVALID_ARGUMENT);
}

static void testNulls(const FritCompiler *compiler) {
  FritProgram *program = NULL;
  CHECK(fritCompileSource(NULL, graphs, 1, NULL, NULL, &program) ==
        FRIT_STATUS_INVALID_ARGUMENT);
  CHECK_HAS(fritCompilerErrorMessage(), "'compiler' is null");
  CHECK(fritCompileSource(compiler, NULL, 0, NULL, NULL, &program) ==
        FRIT_STATUS_INVALID_ARGUMENT);
  CHECK_HAS(fritCompilerErrorMessage(), "'source' is null");
  CHECK(fritCompileSource(compiler, graphs, 1, NULL, NULL, NULL) ==
        FRIT_STATUS_INVALID_ARGUMENT);
  CHECK_HAS(fritCompilerErrorMessage(), "'program' is null");
  CHECK(fritCompilerCreate(NULL, NULL) == FRIT_STATUS_INVALID_ARGUMENT);
  FritCompilerOptions options = {0};
  FritCompiler *other = (FritCompiler *)&options;
  CHECK(fritCompilerCreate(&options, &other) == FRIT_STATUS_INVALID_ARGUMENT);
  CHECK_HAS(fritCompilerErrorMessage(), "FritCompilerOptions::size is 0");
  CHECK(!other);
  CHECK(fritProgramNumEntries(NULL) == 0 && fritProgramNumChoices(NULL) == 0);
  CHECK(!fritProgramEntry(NULL, 0) && !fritProgramChoice(NULL, 0));
  CHECK(!fritProgramFindEntry(NULL, "add"));
  CHECK_HAS(fritCompilerErrorMessage(), "'program' is null");
  fritCompilerDestroy(NULL);
  fritProgramDestroy(NULL);
}

int main(void) {
  CHECK(fritCompilerVersion() ==
        FRIT_COMPILER_VERSION_MAJOR * 1000 + FRIT_COMPILER_VERSION_MINOR);
  CHECK(strcmp(fritCompilerErrorMessage(), "") == 0);
  FritCompiler *compiler = NULL;
  CHECK(fritCompilerCreate(NULL, &compiler) == FRIT_STATUS_OK);
  testNulls(compiler);
  testOptions(compiler);
  testSources(compiler);

  FritProgram *program = compileGraphs(compiler);
  testEntries(program);
  testChoices(compiler, program);

  /* A program does not need its compiler. */
  fritCompilerDestroy(compiler);
  FritContext *context = NULL;
  CHECK(fritContextCreate(NULL, &context) == FRIT_STATUS_OK);
  callAdd(program, context);
  fritContextDestroy(context);
  fritProgramDestroy(program);
  return 0;
}

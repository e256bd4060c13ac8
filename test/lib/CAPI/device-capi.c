/*===- device-capi.c - Tests of the C API with a device -----------*- C -*-===*\
|*                                                                            *|
|* Part of the Frit project, under the Apache License v2.0 with LLVM          *|
|* Exceptions.                                                                *|
|* See https://llvm.org/LICENSE.txt for license information.                  *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                    *|
|*                                                                            *|
|*===----------------------------------------------------------------------===*|
|*                                                                            *|
|* device-capi TOOLKIT: compiles for device 0, and calls with memory of the   *|
|* device and with memory that is not. Runs with the stub driver, which loads *|
|* PTX and runs no kernel; a folder without a toolkit leaves kernels as PTX.  *|
|*                                                                            *|
\*===----------------------------------------------------------------------===*/

#include "Graphs.h"

#include "frit-c/RuntimeDevice.h"

enum { TOKENS = 3 };

static FritProgram *compileForDevice(const char *toolkit) {
  FritCompiler *compiler = NULL;
  CHECK(fritCompilerCreate(NULL, &compiler) == FRIT_STATUS_OK);
  const char *name = "swiglu";
  FritCompileOptions options = {0};
  options.size = sizeof(options);
  options.target = "cuda:0";
  options.policy = "native";
  options.toolkit = toolkit;
  options.entries = &name;
  options.numEntries = 1;
  FritProgram *program = NULL;
  FritStatus status = fritCompileSource(compiler, graphs, sizeof(graphs) - 1,
                                        "graphs.mlir", &options, &program);
  if (status != FRIT_STATUS_OK)
    fprintf(stderr, "%s\n", fritCompilerErrorMessage());
  CHECK(status == FRIT_STATUS_OK);
  fritCompilerDestroy(compiler);
  return program;
}

int main(int argc, char **argv) {
  CHECK(argc == 2);
  FritProgram *program = compileForDevice(argv[1]);
  CHECK_HAS(fritProgramTarget(program), "cuda:sm_");
  CHECK(fritProgramDevice(program) == 0);
  const FritEntry *entry = fritProgramFindEntry(program, "swiglu");
  CHECK(entry);
  CHECK(entry->flags & FRIT_ENTRY_ON_DEVICE);
  CHECK(strcmp(fritProgramChoice(program, 0)->kernel, "native.simt") == 0);

  FritContextOptions options = fritContextOptionsDefault();
  options.device = fritProgramDevice(program);
  FritContext *context = NULL;
  CHECK(fritContextCreate(&options, &context) == FRIT_STATUS_OK);
  const int64_t inputSizes[] = {TOKENS, 2 * WIDTH};
  const int64_t outputSizes[] = {TOKENS, WIDTH};
  static float host[TOKENS * 2 * WIDTH];
  void *input = NULL, *output = NULL;
  CHECK(fritDeviceMalloc(context, sizeof(host), &input) == FRIT_STATUS_OK);
  CHECK(fritDeviceMalloc(context, sizeof(host) / 2, &output) == FRIT_STATUS_OK);
  FritTensor values[2];
  values[0] = fritHostTensor(input, FRIT_TYPE_F32, inputSizes, 2);
  values[1] = fritHostTensor(output, FRIT_TYPE_F32, outputSizes, 2);
  values[0].device = values[1].device = 0;
  const FritTensor *pointers[] = {&values[0], &values[1]};
  CHECK(fritEntryCall(context, entry, pointers, 2) == FRIT_STATUS_OK);
  CHECK(fritContextSynchronize(context) == FRIT_STATUS_OK);
  CHECK(fritDeviceStatistics(context).launches == 1);

  /* Memory of the host, and a context without the device. */
  values[0].data = host;
  values[0].device = FRIT_NO_DEVICE;
  CHECK(fritEntryCall(context, entry, pointers, 2) ==
        FRIT_STATUS_INVALID_ARGUMENT);
  CHECK_HAS(fritContextErrorMessage(context), "the host");
  CHECK_HAS(fritContextErrorMessage(context), "cuda:0");
  fritContextClearError(context);
  values[0].data = input;
  values[0].device = 0;
  CHECK(fritEntryCall(context, entry, pointers, 2) == FRIT_STATUS_OK);

  FritContext *other = NULL;
  CHECK(fritContextCreate(NULL, &other) == FRIT_STATUS_OK);
  CHECK(fritEntryCall(other, entry, pointers, 2) ==
        FRIT_STATUS_DEVICE_UNAVAILABLE);
  fritContextDestroy(other);

  fritDeviceRelease(context, input);
  fritDeviceRelease(context, output);
  fritContextDestroy(context);
  fritProgramDestroy(program);
  return 0;
}

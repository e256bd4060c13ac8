/*===- mlir-capi.c - Frit through MLIR's C API --------------------*- C -*-===*\
|*                                                                            *|
|* Part of the Frit project, under the Apache License v2.0 with LLVM          *|
|* Exceptions.                                                                *|
|* See https://llvm.org/LICENSE.txt for license information.                  *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                    *|
|*                                                                            *|
|*===----------------------------------------------------------------------===*|
|*                                                                            *|
|* Registers the dialect, lowers a module by a pipeline text and by pipeline  *|
|* functions, and shows how bad options are reported.                         *|
|*                                                                            *|
\*===----------------------------------------------------------------------===*/

#include "frit-c/Dialects.h"
#include "frit-c/Passes.h"

#include "mlir-c/RegisterEverything.h"
#include "mlir-c/Support.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

static const char source[] =
    "func.func @f(%x: tensor<?x512xf32>, %init: tensor<?x256xf32>)\n"
    "    -> tensor<?x256xf32> {\n"
    "  %0 = frit.act_and_mul silu ins(%x : tensor<?x512xf32>)\n"
    "    outs(%init : tensor<?x256xf32>) -> tensor<?x256xf32>\n"
    "  return %0 : tensor<?x256xf32>\n"
    "}\n";

typedef MlirLogicalResult (*AddPipeline)(MlirOpPassManager, MlirStringRef,
                                         MlirStringCallback, void *);

static void print(MlirStringRef text, void *userData) {
  (void)userData;
  printf("%.*s", (int)text.length, text.data);
}

static void check(bool holds, const char *what) {
  if (holds)
    return;
  fflush(stdout);
  fprintf(stderr, "failed: %s\n", what);
  exit(1);
}

static MlirModule parse(MlirContext context) {
  MlirModule module =
      mlirModuleCreateParse(context, mlirStringRefCreateFromCString(source));
  check(!mlirModuleIsNull(module), "the source parses");
  return module;
}

/* Prints what a pipeline makes of the source. */
static void lower(MlirContext context, const char *name, AddPipeline add,
                  const char *options) {
  MlirModule module = parse(context);
  MlirPassManager manager = mlirPassManagerCreate(context);
  printf("// %s %s\n", name, options);
  if (mlirLogicalResultIsSuccess(add(mlirPassManagerGetAsOpPassManager(manager),
                                     mlirStringRefCreateFromCString(options),
                                     print, NULL))) {
    check(mlirLogicalResultIsSuccess(
              mlirPassManagerRunOnOp(manager, mlirModuleGetOperation(module))),
          "the pipeline runs");
    mlirOperationPrint(mlirModuleGetOperation(module), print, NULL);
  }
  printf("\n");
  mlirPassManagerDestroy(manager);
  mlirModuleDestroy(module);
}

/* Runs one pass that is made by a function, then others by text. */
static void runPasses(MlirContext context) {
  MlirModule module = parse(context);
  MlirPassManager manager = mlirPassManagerCreate(context);
  MlirOpPassManager passes = mlirPassManagerGetAsOpPassManager(manager);
  mlirOpPassManagerAddOwnedPass(passes,
                                mlirCreateFritTransformsSelectKernelsPass());
  check(mlirLogicalResultIsSuccess(mlirOpPassManagerAddPipeline(
            passes, mlirStringRefCreateFromCString("frit-verify-numerics"),
            print, NULL)),
        "the pipeline text parses");
  check(mlirLogicalResultIsSuccess(
            mlirPassManagerRunOnOp(manager, mlirModuleGetOperation(module))),
        "the passes run");
  printf("// passes\n");
  mlirOperationPrint(mlirModuleGetOperation(module), print, NULL);
  mlirPassManagerDestroy(manager);
  mlirModuleDestroy(module);
}

int main(void) {
  MlirDialectRegistry registry = mlirDialectRegistryCreate();
  mlirRegisterAllDialects(registry);
  mlirDialectHandleInsertDialect(mlirGetDialectHandle__frit__(), registry);
  MlirContext context = mlirContextCreateWithRegistry(registry, false);
  mlirDialectRegistryDestroy(registry);

  fritRegisterPasses();
  fritRegisterPasses();
  runPasses(context);
  lower(context, "frit-to-cpu", fritAddCpuPipeline,
        "vector-width=512 entry-points=false");
  lower(context, "frit-native-reference", fritAddReferencePipeline, "");
  lower(context, "frit-to-cuda", fritAddCudaPipeline, "chips=sm_90a");
  mlirContextDestroy(context);

  /* Without a registry: the handle brings all that passes need. */
  context = mlirContextCreateWithThreading(false);
  MlirDialect dialect =
      mlirDialectHandleLoadDialect(mlirGetDialectHandle__frit__(), context);
  check(!mlirDialectIsNull(dialect), "the dialect loads");
  mlirContextDestroy(context);
  return 0;
}

/*===- Passes.h - C API of Frit's passes and pipelines ------------*- C -*-===*\
|*                                                                            *|
|* Part of the Frit project, under the Apache License v2.0 with LLVM          *|
|* Exceptions.                                                                *|
|* See https://llvm.org/LICENSE.txt for license information.                  *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                    *|
|*                                                                            *|
|*===----------------------------------------------------------------------===*|
|*                                                                            *|
|* Frit's passes and pipelines for programs that use MLIR through its C API.  *|
|* A pass is made with its default options by mlirCreateFrit...Pass; with     *|
|* others, by the text of a pipeline (mlirParsePassPipeline), once            *|
|* fritRegisterPasses was called. docs/Passes.md lists both.                  *|
|*                                                                            *|
\*===----------------------------------------------------------------------===*/

#ifndef FRIT_C_PASSES_H
#define FRIT_C_PASSES_H

#include "frit/Conversion/Passes.capi.h.inc"
#include "frit/Dialect/Frit/Transforms/Passes.capi.h.inc"
#include "frit/Execution/Passes.capi.h.inc"

#ifdef __cplusplus
extern "C" {
#endif

/** Registers all passes and pipelines for the texts of pipelines, for the whole
 * process. May be called more than once, from any thread. */
MLIR_CAPI_EXPORTED void fritRegisterPasses(void);

/** Adds the pipeline `frit-to-cpu` to a pass manager on builtin.module, so that
 * functions over tensors become LLVM's dialect. `options` is text as in a
 * pipeline, "vector-width=512 policy=native"; empty for the defaults. Failure:
 * options that the pipeline does not have, or values that do not fit; `report`
 * (may be null) is called with the reason, and nothing was added. */
MLIR_CAPI_EXPORTED MlirLogicalResult
fritAddCpuPipeline(MlirOpPassManager manager, MlirStringRef options,
                   MlirStringCallback report, void *userData);

/** The same with `frit-to-cuda`: "chip=sm_90a". */
MLIR_CAPI_EXPORTED MlirLogicalResult
fritAddCudaPipeline(MlirOpPassManager manager, MlirStringRef options,
                    MlirStringCallback report, void *userData);

/** The same with `frit-native-reference`. */
MLIR_CAPI_EXPORTED MlirLogicalResult
fritAddReferencePipeline(MlirOpPassManager manager, MlirStringRef options,
                         MlirStringCallback report, void *userData);

#ifdef __cplusplus
} /* extern "C" */
#endif

#endif /* FRIT_C_PASSES_H */

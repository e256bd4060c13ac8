/*===- Dialects.h - C API of Frit's dialect -----------------------*- C -*-===*\
|*                                                                            *|
|* Part of the Frit project, under the Apache License v2.0 with LLVM          *|
|* Exceptions.                                                                *|
|* See https://llvm.org/LICENSE.txt for license information.                  *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                    *|
|*                                                                            *|
|*===----------------------------------------------------------------------===*|
|*                                                                            *|
|* Frit's dialect for programs that use MLIR through its C API. They link the *|
|* library FritCAPI and the same MLIR as it does.                             *|
|*                                                                            *|
\*===----------------------------------------------------------------------===*/

#ifndef FRIT_C_DIALECTS_H
#define FRIT_C_DIALECTS_H

#include "mlir-c/IR.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Declares mlirGetDialectHandle__frit__. What the handle inserts or registers
 * is the dialect with all external models and the kernel table, the entries of
 * the fused kernels included; so it serves passes and pipelines. They also need
 * the external models of upstream's dialects: mlirRegisterAllDialects has them.
 */
MLIR_DECLARE_CAPI_DIALECT_REGISTRATION(Frit, frit);

#ifdef __cplusplus
} /* extern "C" */
#endif

#endif /* FRIT_C_DIALECTS_H */

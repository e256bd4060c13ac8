/*===- Adapters.h - LoRA adapters from files ----------------------*- C -*-===*\
|*                                                                            *|
|* Part of the Frit project, under the Apache License v2.0 with LLVM          *|
|* Exceptions.                                                                *|
|* See https://llvm.org/LICENSE.txt for license information.                  *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                    *|
|*                                                                            *|
|*===----------------------------------------------------------------------===*|
|*                                                                            *|
|* Reads adapters as the PEFT package writes them, and stacks the weights of  *|
|* several to the operands of Frit's LoRA ops: an adapter is the slot of its  *|
|* place in the list, so its id is that number. A part of the library         *|
|* FritCompiler.                                                              *|
|*                                                                            *|
|* Failures are statuses, with the reason in fritCompilerErrorMessage: the    *|
|* file, the module and both sides.                                           *|
|*                                                                            *|
|* Threads: a FritAdapters does not change, and any number of threads may use *|
|* it.                                                                        *|
|*                                                                            *|
\*===----------------------------------------------------------------------===*/

#ifndef FRIT_C_ADAPTERS_H
#define FRIT_C_ADAPTERS_H

#include "frit-c/Compiler.h"

#ifdef __cplusplus
extern "C" {
#endif

/** A list of adapters, whose files stay mapped. */
typedef struct FritAdapters FritAdapters;

/** Where an adapter is. */
typedef struct FritAdapterSource {
  /** What messages call it; each has another one. */
  const char *name;
  /** The folder of its adapter_config.json and adapter_model.safetensors. */
  const char *folder;
} FritAdapterSource;

/** Reads `count` adapters. The caller owns `*adapters`, which becomes null on
 * an error. Errors: invalid argument (null, a file that cannot be read or is
 * malformed, what the configuration asks for and Frit does not have, shapes
 * that contradict each other, modules of one name with other sizes or types in
 * two adapters, a name twice). */
FRIT_COMPILER_EXPORT FritStatus fritAdaptersLoad(
    const FritAdapterSource *sources, int32_t count, FritAdapters **adapters);

/** Ends the use of the files; null is ignored. */
FRIT_COMPILER_EXPORT void fritAdaptersDestroy(FritAdapters *adapters);

/** The number of modules that any of the adapters changes. */
FRIT_COMPILER_EXPORT int32_t
fritAdaptersNumModules(const FritAdapters *adapters);

/** The name of a module in the base model, "model.layers.0.mlp.up_proj", in
 * sorted order; null for an index that is out of range. */
FRIT_COMPILER_EXPORT const char *
fritAdaptersModule(const FritAdapters *adapters, int32_t index);

/** A tensor of the host, with its memory. */
typedef struct FritAdapterTensor FritAdapterTensor;

/** Makes an operand of a LoRA op. With L slots, S modules and the largest rank
 * R, `operand` is
 *
 *   MODULE.lora_A                [L, R, K]; zeros beyond an adapter's true rank
 *   MODULE.lora_B                [L, N, R]; the same
 *   MODULE[,MODULE].lora_ranks   [L] i32, or with rank 2 [S, L]; true ranks
 *   MODULE[,MODULE].lora_scales  [L] f32; each adapter's own factor
 *
 * Adapters without the module have rank 0 and weights of zeros. `sizes` has
 * `rank` sizes, of which FRIT_ANY is what is needed: for L the number of
 * adapters, for R the largest rank of any module. Those of K, N and S are not
 * looked at. The caller owns `*tensor`, which becomes null on an error. Errors:
 * invalid argument (another name or rank, a module that no adapter has, too few
 * slots, a rank that is larger than R, ranks or factors that differ where one
 * stands for several modules); out of memory. */
FRIT_COMPILER_EXPORT FritStatus fritAdaptersMake(const FritAdapters *adapters,
                                                 const char *operand,
                                                 const int64_t *sizes,
                                                 int32_t rank,
                                                 FritAdapterTensor **tensor);

/** The tensor; null for null. Valid as long as its owner. */
FRIT_COMPILER_EXPORT const FritTensor *
fritAdapterTensorView(const FritAdapterTensor *tensor);

/** Frees the tensor; null is ignored. */
FRIT_COMPILER_EXPORT void fritAdapterTensorDestroy(FritAdapterTensor *tensor);

#ifdef __cplusplus
} /* extern "C" */
#endif

#endif /* FRIT_C_ADAPTERS_H */

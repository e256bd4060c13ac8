/*===- Weights.h - Constants that lie beside the code -------------*- C -*-===*\
|*                                                                            *|
|* Part of the Frit project, under the Apache License v2.0 with LLVM          *|
|* Exceptions.                                                                *|
|* See https://llvm.org/LICENSE.txt for license information.                  *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                    *|
|*                                                                            *|
|*===----------------------------------------------------------------------===*|
|*                                                                            *|
|* `frit-compile --emit=...,weights` leaves the large constants of a graph    *|
|* out of the code and writes them to a safetensors file. The program gives   *|
|* them to the code once, before the first call:                              *|
|*                                                                            *|
|*   fritWeightsLoad(&mlp_weights, "mlp.safetensors");                        *|
|*                                                                            *|
|* All contexts and threads use the same memory. A device context copies each *|
|* constant to its device once, when a function first needs it.               *|
|*                                                                            *|
|* Functions of this header keep the reason of a failure for                  *|
|* fritThreadErrorMessage: the file, the tensor and both sides. They may be   *|
|* called from any thread, but fritWeightsUnload only while no function of    *|
|* the code runs, also on a device.                                           *|
|*                                                                            *|
\*===----------------------------------------------------------------------===*/

#ifndef FRIT_C_WEIGHTS_H
#define FRIT_C_WEIGHTS_H

#include "frit-c/Tensor.h"

#ifdef __cplusplus
extern "C" {
#endif

/** The alignment in bytes of memory for fritWeightsBind. */
#define FRIT_WEIGHT_ALIGNMENT 64

/** A constant that the code does not contain. Constant data of the code. */
typedef struct FritWeight {
  /** Its name in the file. */
  const char *name;
  /** `rank` sizes, outermost first. */
  const int64_t *sizes;
  /** Where the code looks for the address. */
  const void **const *places;
  uint64_t bytes;
  /** A hash of the bytes. */
  uint64_t hash;
  int32_t rank;
  /** A FritTypeCode. */
  int32_t type;
  int32_t numPlaces;
  /** 0. */
  int32_t reserved;
} FritWeight;

/** The constants that the code of a module does not contain. Constant data of
 * the code, but for what `state` points to. */
typedef struct FritWeights {
  /** sizeof(FritWeights) of the compiler. */
  uint64_t size;
  const FritWeight *weights;
  /** The runtime's; what it points to is null while the code has no weights. */
  void **state;
  int32_t numWeights;
  /** 0. */
  int32_t reserved;
} FritWeights;

/** Maps a safetensors file and gives its tensors to the code. Each weight is
 * found by its name and must have the type, the sizes and the contents that the
 * code was compiled with; the file may have more tensors. All of it is read
 * once, to compare the contents. The file must not change while it is loaded.
 *
 * Errors, after which the code has no weights: invalid argument (the file is
 * not there, is no safetensors file, or a tensor is missing or another one; the
 * code has its weights already); out of memory. */
FRIT_RUNTIME_EXPORT FritStatus fritWeightsLoad(const FritWeights *weights,
                                               const char *path);

/** The same with memory of the program: tensor i is weight i of the list, of
 * its type, sizes and contents, in memory of the host, row-major without gaps,
 * aligned to FRIT_WEIGHT_ALIGNMENT. The memory is the caller's and must stay
 * until fritWeightsUnload. */
FRIT_RUNTIME_EXPORT FritStatus fritWeightsBind(const FritWeights *weights,
                                               const FritTensor *const *tensors,
                                               int32_t count);

/** Takes the weights from the code, which can then be given others, and unmaps
 * their file. Without weights: nothing happens. Errors: invalid argument (no
 * FritWeights of this runtime). */
FRIT_RUNTIME_EXPORT FritStatus fritWeightsUnload(const FritWeights *weights);

#ifdef __cplusplus
} /* extern "C" */
#endif

#endif /* FRIT_C_WEIGHTS_H */

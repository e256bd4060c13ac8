/*===- Entry.h - Calling compiled functions with descriptors ------*- C -*-===*\
|*                                                                            *|
|* Part of the Frit project, under the Apache License v2.0 with LLVM          *|
|* Exceptions.                                                                *|
|* See https://llvm.org/LICENSE.txt for license information.                  *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                    *|
|*                                                                            *|
|*===----------------------------------------------------------------------===*|
|*                                                                            *|
|* What compiled code says of its functions, and calls that check what they   *|
|* are given against it. One check serves objects, code that was compiled in  *|
|* this process, and every language: nothing that does not fit reaches the    *|
|* code.                                                                      *|
|*                                                                            *|
\*===----------------------------------------------------------------------===*/

#ifndef FRIT_C_ENTRY_H
#define FRIT_C_ENTRY_H

#include "frit-c/Weights.h"

#ifdef __cplusplus
extern "C" {
#endif

/** A size or a stride that is known at the call only; no name. */
#define FRIT_ANY (-1)

/** Values of FritValue::flags, which may be combined. */
enum FritValueFlags {
  /** A scalar, in memory of the host. */
  FRIT_VALUE_SCALAR = 1,
  /** The function writes to it: a result, or an argument that it updates. */
  FRIT_VALUE_WRITTEN = 2,
  /** Row-major without gaps. */
  FRIT_VALUE_CONTIGUOUS = 4
};

/** An argument or a result of a function. Constant data of the code. */
typedef struct FritValue {
  /** From the attribute frit.tensor; may be "". */
  const char *name;
  /** `rank` sizes; FRIT_ANY where the caller decides. */
  const int64_t *sizes;
  /** `rank` strides in elements; FRIT_ANY for any positive one. A stride does
   * not matter along a dimension of size 0 or 1. */
  const int64_t *strides;
  /** `rank` numbers into FritEntry::dims, or FRIT_ANY: all dimensions of a
   * function with one number have one size. */
  const int32_t *dims;
  int32_t rank;
  /** A FritTypeCode. */
  int32_t type;
  /** FritValueFlags. */
  int32_t flags;
  /** 0. */
  int32_t reserved;
} FritValue;

/** `arguments` points to the address of a memref descriptor for each tensor and
 * of the value for each scalar: arguments, then results. Nothing is checked. */
typedef FritStatus (*FritEntryFunction)(FritContext *context, void **arguments);

/** Values of FritEntry::flags, which may be combined. */
enum FritEntryFlags {
  /** Tensors are in the memory of the context's device. */
  FRIT_ENTRY_ON_DEVICE = 1,
  /** Runs on devices of FritEntry::sm alone, not on later ones of its
   * generation (sm_90a). */
  FRIT_ENTRY_EXACT_SM = 2
};

/** Words of FritEntry::processorFeatures. */
#define FRIT_PROCESSOR_FEATURE_WORDS 2

/** A compiled function. Constant data of the code. */
typedef struct FritEntry {
  /** sizeof(FritEntry) of the compiler. */
  uint64_t size;
  /** Its name in the source. */
  const char *name;
  /** What it was compiled for: "cpu", "cuda:sm_90a", "cuda:sm_90a,sm_80". */
  const char *target;
  /** Runs the function. Null if `variants` do. */
  FritEntryFunction function;
  /** Stores the sizes of the results, one result after the other, in the i64
   * memref that follows the arguments, and looks at no tensor's elements on a
   * device. Null if FritValue::sizes and ::dims say all of them. */
  FritEntryFunction resultSizes;
  /** The arguments, then the results. */
  const FritValue *values;
  /** Names of dimensions. */
  const char *const *dims;
  int32_t numArguments;
  int32_t numResults;
  int32_t numDims;
  /** FritEntryFlags. */
  int32_t flags;

  /** Since 0.4: the instructions that its code on the host may use beyond those
   * of the oldest processor; bit n % 64 of word n / 64 for the one of number n
   * in ProcessorFeatures.def. */
  uint64_t processorFeatures[FRIT_PROCESSOR_FEATURE_WORDS];
  /** The same function for one GPU architecture each, of which the one that
   * suits the context's device is called. None for one architecture alone. */
  const struct FritEntry *const *variants;
  int32_t numVariants;
  /** The GPU architecture as 10 * major + minor: 90. 0 for a CPU, and where
   * variants have them. */
  int32_t sm;

  /** Since 0.5: the constants that its code needs and does not contain, which
   * it must have been given before a call. Null if there are none. */
  const FritWeights *weights;
} FritEntry;

/** Checks that a function can be called with `count` values: its arguments,
 * then memory for its results. Each must have the element type, the rank, the
 * sizes, the strides and the device that the entry says, and be aligned to its
 * elements; dimensions that share a name must agree; a tensor that is written
 * to must neither be read-only nor overlap itself or another value.
 *
 * Errors are kept by the context, as those of calls are: invalid argument, with
 * the function, the value and both sides, also for flags that are unknown, for
 * arguments that would give a result a negative size, and where the code has
 * not been given its weights (Weights.h); device unavailable (the context has
 * no device, or one of an architecture that none of several variants runs on;
 * the machine's processor lacks instructions of the code); out of memory; the
 * context's error if it holds one; what computing the sizes of the results
 * reports. */
FRIT_RUNTIME_EXPORT FritStatus fritEntryCheck(FritContext *context,
                                              const FritEntry *entry,
                                              const FritTensor *const *values,
                                              int32_t count);

/** Checks as fritEntryCheck does, then runs the function. Asks the system for
 * no memory unless the function has dozens of values. */
FRIT_RUNTIME_EXPORT FritStatus fritEntryCall(FritContext *context,
                                             const FritEntry *entry,
                                             const FritTensor *const *values,
                                             int32_t count);

/** The number of sizes that fritEntryResultSizes stores: the sum of the ranks
 * of the results. */
FRIT_RUNTIME_EXPORT int32_t fritEntryNumResultSizes(const FritEntry *entry);

/** Checks `count` arguments and stores the sizes of the results for them in
 * `sizes`, one result after the other. Errors: as fritEntryCheck, and invalid
 * argument if `numSizes` is not fritEntryNumResultSizes. */
FRIT_RUNTIME_EXPORT FritStatus
fritEntryResultSizes(FritContext *context, const FritEntry *entry,
                     const FritTensor *const *arguments, int32_t count,
                     int64_t *sizes, int32_t numSizes);

#ifdef __cplusplus
} /* extern "C" */
#endif

#endif /* FRIT_C_ENTRY_H */

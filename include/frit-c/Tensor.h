/*===- Tensor.h - Plain descriptors of tensors --------------------*- C -*-===*\
|*                                                                            *|
|* Part of the Frit project, under the Apache License v2.0 with LLVM          *|
|* Exceptions.                                                                *|
|* See https://llvm.org/LICENSE.txt for license information.                  *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                    *|
|*                                                                            *|
|*===----------------------------------------------------------------------===*|
|*                                                                            *|
|* A tensor of the caller as compiled functions take it: an address, sizes    *|
|* and strides. A DLTensor `t` of one lane becomes one without a copy:        *|
|*                                                                            *|
|*   {(char *)t.data + t.byte_offset, t.shape, t.strides, t.ndim,             *|
|*    FRIT_TYPE(t.dtype.code, t.dtype.bits), device, flags}                   *|
|*                                                                            *|
\*===----------------------------------------------------------------------===*/

#ifndef FRIT_C_TENSOR_H
#define FRIT_C_TENSOR_H

#include "frit-c/Runtime.h"

#ifdef __cplusplus
extern "C" {
#endif

/** An element type: the kind of number and its bits. Kinds have DLPack's
 * numbers: 0 signed integer, 1 unsigned integer, 2 IEEE float, 4 bfloat,
 * 6 boolean. */
#define FRIT_TYPE(kind, bits) ((int32_t)((kind) * 256 + (bits)))

/** The element types that compiled functions have. */
enum FritTypeCode {
  /** A byte, 0 or 1. */
  FRIT_TYPE_I1 = 6 * 256 + 8,
  FRIT_TYPE_I8 = 8,
  FRIT_TYPE_I16 = 16,
  FRIT_TYPE_I32 = 32,
  FRIT_TYPE_I64 = 64,
  FRIT_TYPE_F16 = 2 * 256 + 16,
  FRIT_TYPE_BF16 = 4 * 256 + 16,
  FRIT_TYPE_F32 = 2 * 256 + 32,
  FRIT_TYPE_F64 = 2 * 256 + 64
};

/** MLIR's name of an element type ("bf16", "i32"); null for one that compiled
 * functions do not have. */
FRIT_RUNTIME_EXPORT const char *fritTypeName(int32_t type);

/** Values of FritTensor::flags, which may be combined. */
enum FritTensorFlags {
  /** The memory must not be written to. */
  FRIT_TENSOR_READ_ONLY = 1
};

/** A tensor, or, with rank 0 and memory of the host, a scalar. Owns nothing;
 * all that it points to is read during the call only. 40 bytes. */
typedef struct FritTensor {
  /** The first element; may be null if there are none. */
  void *data;
  /** `rank` sizes, outermost first; may be null if `rank` is 0. */
  const int64_t *sizes;
  /** `rank` strides in elements; null: row-major, without gaps. */
  const int64_t *strides;
  /** The number of dimensions. */
  int32_t rank;
  /** A FritTypeCode. */
  int32_t type;
  /** The CUDA device that the memory is on (the driver's ordinal), or
   * FRIT_NO_DEVICE: memory of the host. */
  int32_t device;
  /** FritTensorFlags; others are refused. */
  int32_t flags;
} FritTensor;

/** A tensor of the host, row-major without gaps, that may be written to. */
static inline FritTensor fritHostTensor(void *data, int32_t type,
                                        const int64_t *sizes, int32_t rank) {
  FritTensor tensor;
  tensor.data = data;
  tensor.sizes = sizes;
  tensor.strides = NULL;
  tensor.rank = rank;
  tensor.type = type;
  tensor.device = FRIT_NO_DEVICE;
  tensor.flags = 0;
  return tensor;
}

#ifdef __cplusplus
} /* extern "C" */
#endif

#endif /* FRIT_C_TENSOR_H */

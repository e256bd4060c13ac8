//===- Check.cpp ----------------------------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Compares Types.h and Entries.def with cublasLt.h; part of the library only
// where the toolkit has that header. Nothing here is run.
//
//===----------------------------------------------------------------------===//

#include "../SameShape.h"
#include "Types.h"

#include <cublasLt.h>

using namespace frit::runtime::cuda;
using namespace frit::runtime::cuda::cublaslt;

namespace {

#define FRIT_CUBLASLT_ENTRY(result, name, parameters)                          \
  static_assert(SameFunction<result parameters, decltype(::name)>::value,      \
                #name);
#include "Entries.def"

FRIT_SAME_VALUE(kStatusSuccess, CUBLAS_STATUS_SUCCESS)
FRIT_SAME_VALUE(kStatusAllocFailed, CUBLAS_STATUS_ALLOC_FAILED)
FRIT_SAME_VALUE(kStatusInvalidValue, CUBLAS_STATUS_INVALID_VALUE)
FRIT_SAME_VALUE(kStatusNotSupported, CUBLAS_STATUS_NOT_SUPPORTED)
FRIT_SAME_VALUE(kF32, CUDA_R_32F)
FRIT_SAME_VALUE(kF16, CUDA_R_16F)
FRIT_SAME_VALUE(kBF16, CUDA_R_16BF)
FRIT_SAME_VALUE(kCompute32F, CUBLAS_COMPUTE_32F)
FRIT_SAME_VALUE(kNoTranspose, CUBLAS_OP_N)
FRIT_SAME_VALUE(kTranspose, CUBLAS_OP_T)
FRIT_SAME_VALUE(kDescTransA, CUBLASLT_MATMUL_DESC_TRANSA)
FRIT_SAME_VALUE(kDescTransB, CUBLASLT_MATMUL_DESC_TRANSB)
FRIT_SAME_VALUE(kDescEpilogue, CUBLASLT_MATMUL_DESC_EPILOGUE)
FRIT_SAME_VALUE(kDescBiasPointer, CUBLASLT_MATMUL_DESC_BIAS_POINTER)
FRIT_SAME_VALUE(kEpilogueBias, CUBLASLT_EPILOGUE_BIAS)
FRIT_SAME_VALUE(kLayoutBatchCount, CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT)
FRIT_SAME_VALUE(kLayoutBatchStride, CUBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET)
FRIT_SAME_VALUE(kPreferMaxWorkspace, CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES)
FRIT_SAME_VALUE(kPreferReductionSchemes,
                CUBLASLT_MATMUL_PREF_REDUCTION_SCHEME_MASK)
FRIT_SAME_VALUE(kPreferAlignmentA, CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_A_BYTES)
FRIT_SAME_VALUE(kPreferAlignmentB, CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_B_BYTES)
FRIT_SAME_VALUE(kPreferAlignmentC, CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_C_BYTES)
FRIT_SAME_VALUE(kPreferAlignmentD, CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_D_BYTES)
FRIT_SAME_VALUE(kReductionComputeType, CUBLASLT_REDUCTION_SCHEME_COMPUTE_TYPE)
FRIT_SAME_VALUE(kAlgorithmId, CUBLASLT_ALGO_CONFIG_ID)
FRIT_SAME_VALUE(kAlgorithmTile, CUBLASLT_ALGO_CONFIG_TILE_ID)
FRIT_SAME_VALUE(kAlgorithmSplits, CUBLASLT_ALGO_CONFIG_SPLITK_NUM)
FRIT_SAME_VALUE(kAlgorithmReduction, CUBLASLT_ALGO_CONFIG_REDUCTION_SCHEME)
FRIT_SAME_VALUE(kAlgorithmOption, CUBLASLT_ALGO_CONFIG_CUSTOM_OPTION)
FRIT_SAME_VALUE(kAlgorithmStages, CUBLASLT_ALGO_CONFIG_STAGES_ID)
FRIT_SAME_VALUE(kAlgorithmCluster, CUBLASLT_ALGO_CONFIG_CLUSTER_SHAPE_ID)

static_assert(sizeof(Algorithm) == sizeof(cublasLtMatmulAlgo_t));
static_assert(sizeof(HeuristicResult) ==
              sizeof(cublasLtMatmulHeuristicResult_t));
static_assert(offsetof(HeuristicResult, workspaceSize) ==
              offsetof(cublasLtMatmulHeuristicResult_t, workspaceSize));
static_assert(offsetof(HeuristicResult, state) ==
              offsetof(cublasLtMatmulHeuristicResult_t, state));

} // namespace

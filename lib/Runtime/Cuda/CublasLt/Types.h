//===- Types.h --------------------------------------------------*- C++ -*-===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The types and values of cuBLASLt's interface that Frit uses, declared here so
// that the library builds without a CUDA toolkit. Check.cpp compares them with
// cublasLt.h where there is one.
//
//===----------------------------------------------------------------------===//

#ifndef FRIT_LIB_RUNTIME_CUDA_CUBLASLT_TYPES_H
#define FRIT_LIB_RUNTIME_CUDA_CUBLASLT_TYPES_H

#include "../DriverTypes.h"

namespace frit::runtime::cuda::cublaslt {

using Handle = struct HandleTag *;
using MatmulDesc = struct MatmulDescTag *;
using MatrixLayout = struct MatrixLayoutTag *;
using Preference = struct PreferenceTag *;

/// cublasStatus_t.
using Status = uint32_t;
inline constexpr Status kStatusSuccess = 0;
inline constexpr Status kStatusAllocFailed = 3;
inline constexpr Status kStatusInvalidValue = 7;
inline constexpr Status kStatusNotSupported = 15;

/// cudaDataType.
using DataType = uint32_t;
inline constexpr DataType kF32 = 0;
inline constexpr DataType kF16 = 2;
inline constexpr DataType kBF16 = 14;

/// cublasComputeType_t: binary32, never TF32.
using ComputeType = uint32_t;
inline constexpr ComputeType kCompute32F = 68;

/// cublasOperation_t.
using Operation = int32_t;
inline constexpr Operation kNoTranspose = 0;
inline constexpr Operation kTranspose = 1;

/// cublasLtMatmulDescAttributes_t.
using DescAttribute = uint32_t;
inline constexpr DescAttribute kDescTransA = 3;
inline constexpr DescAttribute kDescTransB = 4;
inline constexpr DescAttribute kDescEpilogue = 7;
inline constexpr DescAttribute kDescBiasPointer = 8;

/// cublasLtEpilogue_t.
using Epilogue = uint32_t;
inline constexpr Epilogue kEpilogueBias = 4;

/// cublasLtMatrixLayoutAttribute_t.
using LayoutAttribute = uint32_t;
inline constexpr LayoutAttribute kLayoutBatchCount = 5;
inline constexpr LayoutAttribute kLayoutBatchStride = 6;

/// cublasLtMatmulPreferenceAttributes_t.
using PreferenceAttribute = uint32_t;
inline constexpr PreferenceAttribute kPreferMaxWorkspace = 1;
inline constexpr PreferenceAttribute kPreferReductionSchemes = 3;
inline constexpr PreferenceAttribute kPreferAlignmentA = 5;
inline constexpr PreferenceAttribute kPreferAlignmentB = 6;
inline constexpr PreferenceAttribute kPreferAlignmentC = 7;
inline constexpr PreferenceAttribute kPreferAlignmentD = 8;

/// cublasLtReductionScheme_t: sums of a split K stay in binary32.
inline constexpr uint32_t kReductionComputeType = 2;

/// cublasLtMatmulAlgoConfigAttributes_t.
using AlgorithmAttribute = uint32_t;
inline constexpr AlgorithmAttribute kAlgorithmId = 0;
inline constexpr AlgorithmAttribute kAlgorithmTile = 1;
inline constexpr AlgorithmAttribute kAlgorithmSplits = 2;
inline constexpr AlgorithmAttribute kAlgorithmReduction = 3;
inline constexpr AlgorithmAttribute kAlgorithmOption = 5;
inline constexpr AlgorithmAttribute kAlgorithmStages = 6;
/// Of 16 bits; the others have 32.
inline constexpr AlgorithmAttribute kAlgorithmCluster = 8;

/// cublasLtMatmulAlgo_t.
struct Algorithm {
  uint64_t data[8];
};

/// cublasLtMatmulHeuristicResult_t.
struct HeuristicResult {
  Algorithm algorithm;
  size_t workspaceSize;
  Status state;
  float wavesCount;
  int32_t reserved[4];
};

} // namespace frit::runtime::cuda::cublaslt

#endif // FRIT_LIB_RUNTIME_CUDA_CUBLASLT_TYPES_H

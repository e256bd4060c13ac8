//===- DriverTypesCheck.cpp -----------------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Compares DriverTypes.h and DriverEntries.def with cuda.h; part of the library
// only where the toolkit has that header. Nothing here is run.
//
//===----------------------------------------------------------------------===//

#include "Driver.h"
#include "SameShape.h"

#include <cuda.h>

using namespace frit::runtime::cuda;

namespace {

#define FRIT_CUDA_ENTRY(name, symbol, parameters)                              \
  static_assert(SameFunction<Result parameters, decltype(::symbol)>::value,    \
                #symbol);
#include "DriverEntries.def"

static_assert(kSameShape<DeviceHandle, CUdevice>);
static_assert(kSameShape<DevicePointer, CUdeviceptr>);

FRIT_SAME_VALUE(kSuccess, CUDA_SUCCESS)
FRIT_SAME_VALUE(kErrorInvalidValue, CUDA_ERROR_INVALID_VALUE)
FRIT_SAME_VALUE(kErrorOutOfMemory, CUDA_ERROR_OUT_OF_MEMORY)
FRIT_SAME_VALUE(kErrorStreamCaptureImplicit, CUDA_ERROR_STREAM_CAPTURE_IMPLICIT)
FRIT_SAME_VALUE(kMaxThreadsPerBlock, CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK)
FRIT_SAME_VALUE(kMaxBlockDimX, CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_X)
FRIT_SAME_VALUE(kMaxBlockDimX + 2, CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Z)
FRIT_SAME_VALUE(kMaxGridDimX, CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_X)
FRIT_SAME_VALUE(kMaxGridDimX + 2, CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Z)
FRIT_SAME_VALUE(kWarpSize, CU_DEVICE_ATTRIBUTE_WARP_SIZE)
FRIT_SAME_VALUE(kMultiprocessorCount, CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT)
FRIT_SAME_VALUE(kL2CacheSize, CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE)
FRIT_SAME_VALUE(kMaxThreadsPerMultiprocessor,
                CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR)
FRIT_SAME_VALUE(kComputeCapabilityMajor,
                CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR)
FRIT_SAME_VALUE(kComputeCapabilityMinor,
                CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR)
FRIT_SAME_VALUE(kMaxSharedMemoryPerMultiprocessor,
                CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_MULTIPROCESSOR)
FRIT_SAME_VALUE(kMaxSharedMemoryPerBlockOptin,
                CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN)
FRIT_SAME_VALUE(kMemoryPoolsSupported,
                CU_DEVICE_ATTRIBUTE_MEMORY_POOLS_SUPPORTED)
FRIT_SAME_VALUE(kClusterLaunch, CU_DEVICE_ATTRIBUTE_CLUSTER_LAUNCH)
FRIT_SAME_VALUE(kFunctionMaxThreadsPerBlock,
                CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK)
FRIT_SAME_VALUE(kFunctionSharedSizeBytes, CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES)
FRIT_SAME_VALUE(kFunctionMaxDynamicSharedSizeBytes,
                CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES)
FRIT_SAME_VALUE(kFunctionNonPortableClusterAllowed,
                CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED)
FRIT_SAME_VALUE(kJitErrorLogBuffer, CU_JIT_ERROR_LOG_BUFFER)
FRIT_SAME_VALUE(kJitErrorLogBufferSizeBytes, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES)
FRIT_SAME_VALUE(kStreamNonBlocking, CU_STREAM_NON_BLOCKING)
FRIT_SAME_VALUE(kCaptureThreadLocal, CU_STREAM_CAPTURE_MODE_THREAD_LOCAL)
FRIT_SAME_VALUE(kCaptureRelaxed, CU_STREAM_CAPTURE_MODE_RELAXED)
FRIT_SAME_VALUE(kCaptureNone, CU_STREAM_CAPTURE_STATUS_NONE)
FRIT_SAME_VALUE(kLaunchClusterDimension, CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION)
FRIT_SAME_VALUE(kLaunchProgrammaticSerialization,
                CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION)

#define FRIT_SAME_FIELD(own, theirs, field)                                    \
  static_assert(offsetof(own, field) == offsetof(theirs, field), #field);
static_assert(sizeof(LaunchConfig) == sizeof(CUlaunchConfig));
FRIT_SAME_FIELD(LaunchConfig, CUlaunchConfig, gridDimX)
FRIT_SAME_FIELD(LaunchConfig, CUlaunchConfig, gridDimZ)
FRIT_SAME_FIELD(LaunchConfig, CUlaunchConfig, blockDimX)
FRIT_SAME_FIELD(LaunchConfig, CUlaunchConfig, blockDimZ)
FRIT_SAME_FIELD(LaunchConfig, CUlaunchConfig, sharedMemBytes)
FRIT_SAME_FIELD(LaunchConfig, CUlaunchConfig, hStream)
FRIT_SAME_FIELD(LaunchConfig, CUlaunchConfig, attrs)
FRIT_SAME_FIELD(LaunchConfig, CUlaunchConfig, numAttrs)
static_assert(sizeof(LaunchAttribute) == sizeof(CUlaunchAttribute));
static_assert(sizeof(LaunchAttribute::Value) == sizeof(CUlaunchAttributeValue));
FRIT_SAME_FIELD(LaunchAttribute, CUlaunchAttribute, id)
FRIT_SAME_FIELD(LaunchAttribute, CUlaunchAttribute, value)
FRIT_SAME_FIELD(LaunchAttribute::Value, CUlaunchAttributeValue, clusterDim)
FRIT_SAME_FIELD(LaunchAttribute::Value, CUlaunchAttributeValue,
                programmaticStreamSerializationAllowed)

} // namespace

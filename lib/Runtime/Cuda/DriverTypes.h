//===- DriverTypes.h --------------------------------------------*- C++ -*-===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The types and values of the CUDA driver's interface that Frit uses, declared
// here so that the library builds without a CUDA toolkit. DriverTypesCheck.cpp
// compares them with cuda.h where there is one.
//
//===----------------------------------------------------------------------===//

#ifndef FRIT_LIB_RUNTIME_CUDA_DRIVERTYPES_H
#define FRIT_LIB_RUNTIME_CUDA_DRIVERTYPES_H

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace frit::runtime::cuda {

using DeviceHandle = int32_t;
using DevicePointer = uint64_t;
using ContextHandle = struct ContextTag *;
using StreamHandle = struct StreamTag *;
using ModuleHandle = struct ModuleTag *;
using FunctionHandle = struct FunctionTag *;
using GraphHandle = struct GraphTag *;
using GraphExecHandle = struct GraphExecTag *;
using EventHandle = struct EventTag *;

/// Device addresses are numbers for the driver and pointers in Frit's own
/// interface.
inline DevicePointer toDevice(const void *memory) {
  return reinterpret_cast<uintptr_t>(memory);
}
inline void *toPointer(uintptr_t address) {
  void *memory = nullptr;
  memcpy(static_cast<void *>(&memory), &address, sizeof(memory));
  return memory;
}

/// CUresult.
using Result = uint32_t;
inline constexpr Result kSuccess = 0;
inline constexpr Result kErrorInvalidValue = 1;
inline constexpr Result kErrorOutOfMemory = 2;
inline constexpr Result kErrorStreamCaptureImplicit = 906;

/// CUdevice_attribute.
using DeviceAttribute = uint32_t;
inline constexpr DeviceAttribute kMaxThreadsPerBlock = 1;
inline constexpr DeviceAttribute kMaxBlockDimX = 2;
inline constexpr DeviceAttribute kMaxGridDimX = 5;
inline constexpr DeviceAttribute kWarpSize = 10;
inline constexpr DeviceAttribute kMultiprocessorCount = 16;
inline constexpr DeviceAttribute kL2CacheSize = 38;
inline constexpr DeviceAttribute kMaxThreadsPerMultiprocessor = 39;
inline constexpr DeviceAttribute kComputeCapabilityMajor = 75;
inline constexpr DeviceAttribute kComputeCapabilityMinor = 76;
inline constexpr DeviceAttribute kMaxSharedMemoryPerMultiprocessor = 81;
inline constexpr DeviceAttribute kMaxSharedMemoryPerBlockOptin = 97;
inline constexpr DeviceAttribute kMemoryPoolsSupported = 115;
inline constexpr DeviceAttribute kClusterLaunch = 120;

/// CUfunction_attribute.
using FunctionAttribute = uint32_t;
inline constexpr FunctionAttribute kFunctionMaxThreadsPerBlock = 0;
inline constexpr FunctionAttribute kFunctionSharedSizeBytes = 1;
inline constexpr FunctionAttribute kFunctionMaxDynamicSharedSizeBytes = 8;
inline constexpr FunctionAttribute kFunctionNonPortableClusterAllowed = 14;

/// CUjit_option.
using JitOption = uint32_t;
inline constexpr JitOption kJitErrorLogBuffer = 5;
inline constexpr JitOption kJitErrorLogBufferSizeBytes = 6;

/// CUstream_flags, and the handles of the default streams.
inline constexpr uint32_t kStreamNonBlocking = 1;
inline constexpr uintptr_t kLegacyStream = 1;
inline constexpr uintptr_t kPerThreadStream = 2;

/// CUstreamCaptureMode.
using CaptureMode = uint32_t;
inline constexpr CaptureMode kCaptureThreadLocal = 1;
inline constexpr CaptureMode kCaptureRelaxed = 2;

/// CUstreamCaptureStatus.
using CaptureStatus = uint32_t;
inline constexpr CaptureStatus kCaptureNone = 0;

/// CUlaunchAttributeID.
using LaunchAttributeId = uint32_t;
inline constexpr LaunchAttributeId kLaunchClusterDimension = 4;
inline constexpr LaunchAttributeId kLaunchProgrammaticSerialization = 6;

/// CUlaunchAttribute.
struct LaunchAttribute {
  LaunchAttributeId id;
  char padding[4];
  union Value {
    char bytes[64];
    struct {
      uint32_t x;
      uint32_t y;
      uint32_t z;
    } clusterDim;
    int32_t programmaticStreamSerializationAllowed;
  } value;
};

/// CUlaunchConfig.
struct LaunchConfig {
  uint32_t gridDimX;
  uint32_t gridDimY;
  uint32_t gridDimZ;
  uint32_t blockDimX;
  uint32_t blockDimY;
  uint32_t blockDimZ;
  uint32_t sharedMemBytes;
  StreamHandle hStream;
  LaunchAttribute *attrs;
  uint32_t numAttrs;
};

} // namespace frit::runtime::cuda

#endif // FRIT_LIB_RUNTIME_CUDA_DRIVERTYPES_H

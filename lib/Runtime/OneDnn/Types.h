//===- Types.h --------------------------------------------------*- C++ -*-===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The types and values of oneDNN that Frit uses, declared here so that the
// library is needed neither to build nor to link. They are the same in oneDNN 2
// and 3; Check.cpp compares them with the header.
//
//===----------------------------------------------------------------------===//

#ifndef FRIT_LIB_RUNTIME_ONEDNN_TYPES_H
#define FRIT_LIB_RUNTIME_ONEDNN_TYPES_H

#include <cstddef>
#include <cstdint>

namespace frit::runtime::onednn {

using Status = int32_t;
inline constexpr Status kSuccess = 0;
inline constexpr Status kOutOfMemory = 1;

struct Version {
  int32_t major;
  int32_t minor;
  int32_t patch;
  const char *hash;
  uint32_t cpuRuntime;
  uint32_t gpuRuntime;
};

using Engine = struct EngineTag *;
using Stream = struct DnnlStreamTag *;
using Attributes = struct AttributesTag *;
using PostOps = struct PostOpsTag *;
using PrimitiveDesc = struct PrimitiveDescTag *;
using Primitive = struct PrimitiveTag *;
using Memory = struct MemoryTag *;
/// Of a memory. The caller's storage in oneDNN 2, the library's in oneDNN 3.
using MemoryDescHandle = struct MemoryDescTag *;
/// Of oneDNN 2 only: the caller's storage.
using MatmulDescHandle = struct DnnlMatmulDescTag *;

/// Sizes or strides.
inline constexpr int32_t kMaxRank = 12;
using Dims = int64_t[kMaxRank];

using EngineKind = int32_t;
inline constexpr EngineKind kCpu = 1;

inline constexpr uint32_t kDefaultStream = 1;

using DataType = int32_t;
inline constexpr DataType kF32 = 3;

using ScratchpadMode = int32_t;
inline constexpr ScratchpadMode kScratchpadOfUser = 1;

using MathMode = int32_t;
inline constexpr MathMode kStrictMath = 0;

using Query = int32_t;
/// The description of an argument's memory.
inline constexpr Query kQueryArgument = 255;

inline constexpr int32_t kSource = 1;
inline constexpr int32_t kDestination = 17;
inline constexpr int32_t kWeights = 33;
inline constexpr int32_t kBias = 41;
inline constexpr int32_t kScratchpad = 80;

struct Argument {
  int32_t argument;
  Memory memory;
};

} // namespace frit::runtime::onednn

#endif // FRIT_LIB_RUNTIME_ONEDNN_TYPES_H

//===- MatmulDesc.h ---------------------------------------------*- C++ -*-===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Descriptions of memory and of matmuls, which oneDNN 2 and 3 take in different
// ways.
//
//===----------------------------------------------------------------------===//

#ifndef FRIT_LIB_RUNTIME_ONEDNN_MATMULDESC_H
#define FRIT_LIB_RUNTIME_ONEDNN_MATMULDESC_H

#include "Library.h"

namespace frit::runtime::onednn {

/// Bytes of storage for oneDNN 2, which has smaller structs than these.
inline constexpr size_t kMemoryDescBytes = 1024;
inline constexpr size_t kMatmulDescBytes = 8192;

/// What a function of the library was, and what it returned.
struct CallResult {
  const char *name = nullptr;
  Status status = kSuccess;
};

/// The description of f32 elements at strides.
class MemoryDesc {
public:
  explicit MemoryDesc(const Library &library) : library(library) {}
  MemoryDesc(const MemoryDesc &) = delete;
  MemoryDesc &operator=(const MemoryDesc &) = delete;

  CallResult init(int32_t rank, const int64_t *dims, const int64_t *strides);

  /// To be called before the end; without a description it does nothing.
  CallResult destroy();

  /// Null before `init`.
  const MemoryDescTag *get() const { return handle; }

private:
  const Library &library;
  MemoryDescHandle handle = nullptr;
  alignas(16) unsigned char storage[kMemoryDescBytes];
};

/// Describes the primitive of a matmul; `bias` may have no description.
CallResult createMatmulDesc(const Library &library, Engine engine,
                            const MemoryDesc &source, const MemoryDesc &weights,
                            const MemoryDesc &bias,
                            const MemoryDesc &destination,
                            Attributes attributes, PrimitiveDesc &desc);

/// Has the primitive add its sum to what the destination holds.
CallResult appendSum(const Library &library, PostOps postOps);

} // namespace frit::runtime::onednn

#endif // FRIT_LIB_RUNTIME_ONEDNN_MATMULDESC_H

//===- DeviceMemory.h -------------------------------------------*- C++ -*-===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The source of a context's device memory: the allocator of its caller, or the
// device's stream-ordered pool.
//
//===----------------------------------------------------------------------===//

#ifndef FRIT_LIB_RUNTIME_CUDA_DEVICEMEMORY_H
#define FRIT_LIB_RUNTIME_CUDA_DEVICEMEMORY_H

#include "BlockSource.h"
#include "Device.h"
#include "Error.h"
#include "HashChains.h"

namespace frit::runtime::cuda {

/// Alignment of all device memory that Frit gives out.
inline constexpr uint64_t kDeviceAlignment = 256;

/// The hint for what a preparation makes possible during a capture.
inline constexpr const char *kPrepareHint =
    "; prepare the context for the largest sizes before";

/// Not thread-safe, as a context.
class DeviceMemory {
public:
  DeviceMemory(const Device &device, StreamHandle stream,
               const FritDeviceAllocator &allocator)
      : device(device), stream(stream), allocator(allocator) {}

  /// Whether the stream is being captured.
  FritStatus isCapturing(const Reporter &reporter, bool &capturing) const;

  /// Reports FRIT_STATUS_CAPTURE, with what was asked for, if the stream is
  /// being captured. `hint` is put behind the message.
  FritStatus refuseCapture(const Reporter &reporter, const char *what,
                           const char *hint = "") const;

  /// Memory for `bytes` bytes (0 count as 1), or null after a report.
  void *allocate(const Reporter &reporter, uint64_t bytes);

  /// Gives memory back in the order of the stream; not during a capture.
  FritStatus release(const Reporter &reporter, void *memory, uint64_t bytes);

  /// Has the device memory freed without its stream, while that is captured at
  /// the end of its context.
  void releaseAfterCapture() { streamOrdered = false; }

  FritDeviceStatistics statistics = {};

private:
  FritStatus allocateFromPool(const Reporter &reporter, uint64_t bytes,
                              void *&memory);

  const Device &device;
  const StreamHandle stream;
  const FritDeviceAllocator allocator;
  bool streamOrdered = true;
};

/// Blocks of scratch memory on the device, with their headers on the host.
class DeviceBlocks final : public BlockSource {
public:
  /// Errors of giving memory back are reported to `context`.
  DeviceBlocks(FritContext *context, DeviceMemory &memory)
      : context(context), memory(memory) {}

  /// Why the last request failed. Not reported by itself, since a cache tries
  /// again after giving memory back.
  const ErrorRecord &getError() const { return error; }

  uint64_t getBlockBytes(uint64_t bytes, uint64_t alignment) const override;
  Failure checkGrowth() override;
  BlockHeader *allocate(uint64_t bytes, uint64_t alignment,
                        bool &isShort) override;
  void release(BlockHeader *block) override;
  BlockHeader *find(void *memory) override;

private:
  /// A header that is found by its block's address.
  struct Block : BlockHeader {
    uint64_t hash = 0;
    Block *chain = nullptr;
  };

  FritContext *context;
  DeviceMemory &memory;
  ErrorRecord error;
  HashChains<Block> blocks;
};

} // namespace frit::runtime::cuda

#endif // FRIT_LIB_RUNTIME_CUDA_DEVICEMEMORY_H

//===- DeviceMemory.cpp ---------------------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Allocates device memory in the order of a stream.
//
//===----------------------------------------------------------------------===//

#include "DeviceMemory.h"

#include <algorithm>
#include <cinttypes>
#include <new>

using namespace frit::runtime;
using namespace frit::runtime::cuda;

FritStatus DeviceMemory::isCapturing(const Reporter &reporter,
                                     bool &capturing) const {
  CurrentContext current(reporter, device);
  if (FritStatus status = current.getStatus())
    return status;
  const Driver &driver = Driver::get();
  CaptureStatus capture = kCaptureNone;
  Result result = driver.cuStreamIsCapturing.function(stream, &capture);
  // The legacy stream would join the capture of another one.
  capturing = result == kErrorStreamCaptureImplicit || capture != kCaptureNone;
  if (result == kSuccess || capturing)
    return FRIT_STATUS_OK;
  return reportResult(reporter, driver, driver.cuStreamIsCapturing.name,
                      result);
}

FritStatus DeviceMemory::refuseCapture(const Reporter &reporter,
                                       const char *what,
                                       const char *hint) const {
  bool capturing = false;
  if (FritStatus status = isCapturing(reporter, capturing))
    return status;
  if (!capturing)
    return FRIT_STATUS_OK;
  return reporter.report(FRIT_STATUS_CAPTURE,
                         "%s is not possible while the stream is being "
                         "captured%s",
                         what, hint);
}

FritStatus DeviceMemory::allocateFromPool(const Reporter &reporter,
                                          uint64_t bytes, void *&memory) {
  RelaxedCapture relaxed(reporter);
  if (FritStatus status = relaxed.getStatus())
    return status;
  const Driver &driver = Driver::get();
  DevicePointer address = 0;
  Result result = driver.cuMemAllocAsync.function(&address, bytes, stream);
  memory = toPointer(address);
  if (result == kErrorOutOfMemory)
    return reporter.report(FRIT_STATUS_OUT_OF_MEMORY,
                           "device %d has no memory for %" PRIu64
                           " bytes (cuMemAllocAsync: CUDA_ERROR_OUT_OF_MEMORY);"
                           " the context holds %" PRIu64 " bytes",
                           device.getOrdinal(), bytes, statistics.bytesHeld);
  if (result != kSuccess)
    return reportResult(reporter, driver, driver.cuMemAllocAsync.name, result);
  return FRIT_STATUS_OK;
}

void *DeviceMemory::allocate(const Reporter &reporter, uint64_t bytes) {
  if (refuseCapture(reporter, "an allocation of device memory", kPrepareHint))
    return nullptr;
  bytes = std::max<uint64_t>(bytes, 1);
  CurrentContext current(reporter, device);
  if (current.getStatus())
    return nullptr;
  void *memory = nullptr;
  if (allocator.allocate) {
    memory = allocator.allocate(allocator.userData, bytes, stream);
    if (!memory) {
      reporter.report(FRIT_STATUS_OUT_OF_MEMORY,
                      "the caller's allocator has no memory for %" PRIu64
                      " bytes on device %d; the context holds %" PRIu64
                      " bytes",
                      bytes, device.getOrdinal(), statistics.bytesHeld);
      return nullptr;
    }
  } else if (allocateFromPool(reporter, bytes, memory)) {
    return nullptr;
  }
  ++statistics.allocations;
  statistics.bytesHeld += bytes;
  statistics.peakBytesHeld =
      std::max(statistics.peakBytesHeld, statistics.bytesHeld);
  if (toDevice(memory) % kDeviceAlignment == 0)
    return memory;
  reporter.report(FRIT_STATUS_INVALID_ARGUMENT,
                  "the allocator returned the address %p for device memory, "
                  "which is not aligned to %" PRIu64 " bytes",
                  memory, kDeviceAlignment);
  release(reporter, memory, bytes);
  return nullptr;
}

FritStatus DeviceMemory::release(const Reporter &reporter, void *memory,
                                 uint64_t bytes) {
  bytes = std::max<uint64_t>(bytes, 1);
  statistics.bytesHeld -= bytes;
  // Freeing goes on where the context is not current: the driver knows it by
  // the stream.
  CurrentContext current(reporter, device);
  if (allocator.release) {
    allocator.release(allocator.userData, memory, bytes, stream);
    return FRIT_STATUS_OK;
  }
  // Without the mode the driver still frees, unless a capture is under way.
  RelaxedCapture relaxed(reporter);
  const Driver &driver = Driver::get();
  if (streamOrdered)
    return call(reporter, driver.cuMemFreeAsync, toDevice(memory), stream);
  return call(reporter, driver.cuMemFree, toDevice(memory));
}

uint64_t DeviceBlocks::getBlockBytes(uint64_t bytes, uint64_t alignment) const {
  return bytes +
         (alignment > kDeviceAlignment ? alignment - kDeviceAlignment : 0);
}

BlockSource::Failure DeviceBlocks::checkGrowth() {
  error.clear();
  return memory.refuseCapture(Reporter(error), "more scratch memory",
                              kPrepareHint)
             ? Failure::Source
             : Failure::None;
}

BlockHeader *DeviceBlocks::allocate(uint64_t bytes, uint64_t alignment,
                                    bool &isShort) {
  error.clear();
  isShort = false;
  Reporter reporter(error);
  auto *block = new (std::nothrow) Block;
  if (!block) {
    reporter.report(FRIT_STATUS_OUT_OF_MEMORY,
                    "the system has no memory for the header of a block");
    return nullptr;
  }
  block->systemBytes = getBlockBytes(bytes, alignment);
  block->base = memory.allocate(reporter, block->systemBytes);
  if (!block->base) {
    isShort = error.getStatus() == FRIT_STATUS_OUT_OF_MEMORY;
    delete block;
    return nullptr;
  }
  // The memory is there, but the thread's state could not be restored.
  if (FritStatus status = error.getStatus())
    fritReportError(context, status, error.getMessage());
  uint64_t address = toDevice(block->base);
  uint64_t aligned = (address + alignment - 1) & ~(alignment - 1);
  block->memory = toPointer(aligned);
  block->hash = mixBits(aligned);
  blocks.insert(block);
  return block;
}

void DeviceBlocks::release(BlockHeader *header) {
  auto *block = static_cast<Block *>(header);
  blocks.remove(block);
  memory.release(Reporter(context), block->base, block->systemBytes);
  delete block;
}

BlockHeader *DeviceBlocks::find(void *memory) {
  return blocks.find(mixBits(toDevice(memory)), [&](const Block &block) {
    return block.memory == memory;
  });
}

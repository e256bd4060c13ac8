//===- Memory.cpp ---------------------------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Device memory for callers, and constants.
//
//===----------------------------------------------------------------------===//

#include "DeviceQueue.h"

#include "Context.h"

#include <cinttypes>
#include <new>

using namespace frit::runtime;
using namespace frit::runtime::cuda;

/// Device memory with its node, which is put into `table`; null after a report.
static MemoryNode *allocateNode(const Reporter &reporter, DeviceQueue &queue,
                                uint64_t bytes) {
  auto *node = new (std::nothrow) MemoryNode;
  if (!node) {
    reporter.report(FRIT_STATUS_OUT_OF_MEMORY,
                    "the system has no memory for a record of device memory");
    return nullptr;
  }
  node->bytes = bytes;
  node->memory = queue.memory.allocate(reporter, bytes);
  if (node->memory)
    return node;
  delete node;
  return nullptr;
}

FritStatus fritDeviceMalloc(FritContext *context, uint64_t bytes,
                            void **memory) {
  if (!context)
    return FRIT_STATUS_INVALID_ARGUMENT;
  Reporter reporter(context);
  if (!memory)
    return reporter.report(FRIT_STATUS_INVALID_ARGUMENT,
                           "there is no place for the address of the memory");
  *memory = nullptr;
  DeviceQueue *queue = getQueue(reporter, context);
  if (!queue)
    return FRIT_STATUS_DEVICE_UNAVAILABLE;
  MemoryNode *node = allocateNode(reporter, *queue, bytes);
  if (!node)
    return fritPropagateError(context);
  node->hash = mixBits(toDevice(node->memory));
  queue->callersMemory.insert(node);
  *memory = node->memory;
  return FRIT_STATUS_OK;
}

FritStatus fritDeviceRelease(FritContext *context, void *memory) {
  if (!context)
    return FRIT_STATUS_INVALID_ARGUMENT;
  if (!memory)
    return FRIT_STATUS_OK;
  Reporter reporter(context);
  DeviceQueue *queue = getQueue(reporter, context);
  if (!queue)
    return FRIT_STATUS_DEVICE_UNAVAILABLE;
  MemoryNode *node = queue->callersMemory.find(
      mixBits(toDevice(memory)),
      [&](const MemoryNode &candidate) { return candidate.memory == memory; });
  if (!node)
    return reporter.report(FRIT_STATUS_INVALID_ARGUMENT,
                           "the device memory %p was released that this "
                           "context did not give out",
                           memory);
  if (FritStatus status =
          queue->memory.refuseCapture(reporter, "releasing device memory"))
    return status;
  queue->callersMemory.remove(node);
  uint64_t bytes = node->bytes;
  delete node;
  return queue->memory.release(reporter, memory, bytes);
}

/// Copies a constant to the device, and waits, since its module may go.
static FritStatus upload(const Reporter &reporter, DeviceQueue &queue,
                         const FritConstantDescriptor &constant, void *target) {
  if (constant.bytes == 0)
    return FRIT_STATUS_OK;
  CurrentContext current(reporter, queue.getDevice());
  if (FritStatus status = current.getStatus())
    return status;
  const Driver &driver = Driver::get();
  if (FritStatus status =
          call(reporter, driver.cuMemcpyHtoDAsync, toDevice(target),
               constant.data, constant.bytes, queue.getStream()))
    return status;
  return call(reporter, driver.cuStreamSynchronize, queue.getStream());
}

const void *fritDeviceConstant(FritContext *context,
                               const FritConstantDescriptor *constant) {
  Reporter reporter(context);
  DeviceQueue *queue = getQueue(reporter, context);
  if (!queue)
    return nullptr;
  if (!constant || constant->size != sizeof(FritConstantDescriptor) ||
      (constant->bytes && !constant->data)) {
    reporter.report(FRIT_STATUS_INVALID_ARGUMENT,
                    "the descriptor of a constant is malformed: %" PRIu64
                    " bytes instead of %zu, or without data",
                    constant ? constant->size : 0,
                    sizeof(FritConstantDescriptor));
    return nullptr;
  }
  uint64_t hash = mixBits(constant->hash ^ mixBits(constant->bytes));
  MemoryNode *known =
      queue->constants.find(hash, [&](const MemoryNode &candidate) {
        return candidate.content == constant->hash &&
               candidate.bytes == constant->bytes;
      });
  if (known)
    return known->memory;
  MemoryNode *node = allocateNode(reporter, *queue, constant->bytes);
  if (!node)
    return nullptr;
  if (upload(reporter, *queue, *constant, node->memory)) {
    queue->memory.release(reporter, node->memory, node->bytes);
    delete node;
    return nullptr;
  }
  node->hash = hash;
  node->content = constant->hash;
  queue->constants.insert(node);
  return node->memory;
}

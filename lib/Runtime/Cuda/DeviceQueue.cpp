//===- DeviceQueue.cpp ----------------------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Opens and closes the device of a context, and keeps what it has used.
//
//===----------------------------------------------------------------------===//

#include "DeviceQueue.h"

#include "Context.h"

#include <new>

using namespace frit::runtime;
using namespace frit::runtime::cuda;

/// Checks the caller's stream, or makes one if it is null. The device's context
/// is current.
static FritStatus openStream(const Reporter &reporter, const Device &device,
                             StreamHandle &stream) {
  const Driver &driver = Driver::get();
  if (!stream)
    return call(reporter, driver.cuStreamCreate, &stream, kStreamNonBlocking);
  auto value = reinterpret_cast<uintptr_t>(stream);
  if (value == kPerThreadStream)
    return reporter.report(FRIT_STATUS_INVALID_ARGUMENT,
                           "the per-thread default stream cannot be a "
                           "context's: its order depends on the thread");
  if (value == kLegacyStream)
    return FRIT_STATUS_OK;
  ContextHandle owner = nullptr;
  if (FritStatus status = call(reporter, driver.cuStreamGetCtx, stream, &owner))
    return status;
  if (owner != device.getPrimaryContext())
    return reporter.report(
        FRIT_STATUS_INVALID_ARGUMENT,
        "the stream %p belongs to the CUDA context %p, not "
        "to the primary context %p of device %d",
        static_cast<void *>(stream), static_cast<void *>(owner),
        static_cast<void *>(device.getPrimaryContext()), device.getOrdinal());
  return FRIT_STATUS_OK;
}

DeviceQueue::DeviceQueue(FritContext *context, Device &device,
                         StreamHandle stream, bool ownsStream,
                         const FritContextOptions &options)
    : memory(device, stream, options.allocator), blocks(context, memory),
      scratch(blocks, options.scratchLimit), arena(scratch), context(context),
      device(device), stream(stream), ownsStream(ownsStream) {}

DeviceQueue *DeviceQueue::create(const Reporter &reporter, FritContext *context,
                                 const FritContextOptions &options) {
  Device *device = Device::acquire(reporter, options.device);
  if (!device)
    return nullptr;
  auto *stream = static_cast<StreamHandle>(options.stream);
  DeviceQueue *queue = nullptr;
  if (!options.allocator.allocate && !device->getLimits().memoryPools) {
    reporter.report(
        FRIT_STATUS_DEVICE_UNAVAILABLE,
        "CUDA device %d has no stream-ordered memory pool; give the "
        "context an allocator",
        options.device);
  } else {
    CurrentContext current(reporter, *device);
    if (!current.getStatus() && !openStream(reporter, *device, stream)) {
      queue = new (std::nothrow)
          DeviceQueue(context, *device, stream, !options.stream, options);
      if (!queue) {
        reporter.report(FRIT_STATUS_OUT_OF_MEMORY,
                        "the system has no memory for a context");
        if (!options.stream)
          call(reporter, Driver::get().cuStreamDestroy, stream);
      }
    }
  }
  if (!queue)
    Device::release(reporter, device);
  return queue;
}

/// Brings the stream into a state in which memory can be given back.
void DeviceQueue::finishStream(const Reporter &reporter) {
  const Driver &driver = Driver::get();
  bool capturing = false;
  memory.isCapturing(reporter, capturing);
  if (!capturing) {
    call(reporter, driver.cuStreamSynchronize, stream);
    return;
  }
  if (!ownsStream) {
    memory.releaseAfterCapture();
    return;
  }
  GraphHandle graph = nullptr;
  call(reporter, driver.cuStreamEndCapture, stream, &graph);
  if (graph)
    call(reporter, driver.cuGraphDestroy, graph);
}

DeviceQueue::~DeviceQueue() {
  Reporter reporter(context);
  leaveCall();
  {
    CurrentContext current(reporter, device);
    finishStream(reporter);
    auto release = [&](MemoryNode *node) {
      memory.release(reporter, node->memory, node->bytes);
      delete node;
    };
    constants.drain(release);
    callersMemory.drain(release);
    functions.drain([](KnownFunction *known) { delete known; });
    plans.clear(reporter);
    arena.clear();
    if (ownsStream)
      call(reporter, Driver::get().cuStreamDestroy, stream);
  }
  Device::release(reporter, &device);
}

FritStatus DeviceQueue::enterCall() {
  callContext.emplace(Reporter(context), device);
  return callContext->getStatus();
}

void DeviceQueue::leaveCall() { callContext.reset(); }

const Function *DeviceQueue::getFunction(const Reporter &reporter,
                                         const FritKernelDescriptor &kernel) {
  uint64_t hash = hashKernel(kernel);
  KnownFunction *known =
      functions.find(hash, [&](const KnownFunction &candidate) {
        return isFunctionOf(*candidate.function, kernel);
      });
  if (__builtin_expect(known != nullptr, 1))
    return known->function;
  if (memory.refuseCapture(reporter, "loading a kernel", kPrepareHint))
    return nullptr;
  known = new (std::nothrow) KnownFunction;
  if (!known) {
    reporter.report(FRIT_STATUS_OUT_OF_MEMORY,
                    "the system has no memory for a kernel");
    return nullptr;
  }
  {
    RelaxedCapture relaxed(reporter);
    if (!relaxed.getStatus())
      known->function =
          device.getModules().get(reporter, kernel, device.getLimits());
  }
  if (!known->function) {
    delete known;
    return nullptr;
  }
  known->hash = hash;
  functions.insert(known);
  ++memory.statistics.kernelsLoaded;
  return known->function;
}

DeviceQueue *frit::runtime::cuda::getQueue(const Reporter &reporter,
                                           FritContext *context) {
  if (!context)
    return nullptr;
  if (!context->queue)
    reporter.report(FRIT_STATUS_DEVICE_UNAVAILABLE,
                    "the context has no device");
  return context->queue.get();
}

//===- StubStreams.cpp ----------------------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The stub driver: streams, memory, graphs and events.
//
//===----------------------------------------------------------------------===//

#include "StubState.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>

// NOLINTBEGIN(readability-identifier-naming): the names are the driver's.

using namespace frit::stub;

static bool isLegacy(StreamHandle stream) {
  return reinterpret_cast<uintptr_t>(stream) == kLegacyStream;
}

template <typename Integer> static Integer *toPointer(DevicePointer address) {
  return reinterpret_cast<Integer *>(static_cast<uintptr_t>(address));
}

bool frit::stub::isStream(const State &state, StreamHandle stream) {
  return isLegacy(stream) || state.streams.count(stream);
}

bool frit::stub::isMemory(const State &state, DevicePointer address,
                          uint64_t bytes) {
  auto after = state.memory.upper_bound(address);
  if (after == state.memory.begin())
    return false;
  auto &[start, block] = *std::prev(after);
  return address + bytes <= start + block.first;
}

Result frit::stub::submit(State &state, StreamHandle stream, Work work) {
  if (!isStream(state, stream))
    return kInvalidHandle;
  if (!isLegacy(stream) && stream->capturing)
    stream->captured.push_back(std::move(work));
  else
    work();
  return kSuccess;
}

Result frit::stub::invalidate(StreamHandle stream) {
  stream->valid = false;
  return kCaptureUnsupported;
}

/// Checks a stream for a call that its capture cannot record.
static Result checkNotCapturing(const State &state, StreamHandle stream) {
  if (!isStream(state, stream))
    return kInvalidHandle;
  return !isLegacy(stream) && stream->capturing ? invalidate(stream) : kSuccess;
}

void *frit::stub::createStream(int32_t device) {
  std::lock_guard<std::mutex> lock(getState().mutex);
  auto *stream = new StreamTag(&getState().contexts[device]);
  getState().streams.insert(stream);
  return stream;
}

void frit::stub::destroyStream(void *stream) {
  std::lock_guard<std::mutex> lock(getState().mutex);
  getState().streams.erase(static_cast<StreamHandle>(stream));
  delete static_cast<StreamHandle>(stream);
}

void frit::stub::beginCapture(void *stream) {
  static_cast<StreamHandle>(stream)->capturing = true;
}

bool frit::stub::endCapture(void *stream) {
  auto *handle = static_cast<StreamHandle>(stream);
  bool valid = handle->capturing && handle->valid;
  handle->capturing = false;
  handle->valid = true;
  handle->captured.clear();
  return valid;
}

//===----------------------------------------------------------------------===//
// Streams
//===----------------------------------------------------------------------===//

Result frit::runtime::cuda::cuStreamCreate(StreamHandle *stream,
                                           uint32_t flags) {
  return enter("cuStreamCreate", [&](State &state) {
    if (!getCurrent() || flags != kStreamNonBlocking)
      return kInvalidContext;
    *stream = new StreamTag(getCurrent());
    state.streams.insert(*stream);
    return kSuccess;
  });
}

Result frit::runtime::cuda::cuStreamDestroy_v2(StreamHandle stream) {
  return enter("cuStreamDestroy_v2", [&](State &state) {
    if (!state.streams.erase(stream))
      return kInvalidHandle;
    delete stream;
    return kSuccess;
  });
}

Result frit::runtime::cuda::cuStreamSynchronize(StreamHandle stream) {
  return enter("cuStreamSynchronize",
               [&](State &state) { return checkNotCapturing(state, stream); });
}

Result frit::runtime::cuda::cuStreamGetCtx(StreamHandle stream,
                                           ContextHandle *context) {
  return enter("cuStreamGetCtx", [&](State &state) {
    if (!state.streams.count(stream))
      return kInvalidHandle;
    *context = stream->context;
    return kSuccess;
  });
}

Result frit::runtime::cuda::cuStreamIsCapturing(StreamHandle stream,
                                                CaptureStatus *status) {
  return enter("cuStreamIsCapturing", [&](State &state) {
    if (!isStream(state, stream))
      return kInvalidHandle;
    if (isLegacy(stream) && state.implicitCapture)
      return kErrorStreamCaptureImplicit;
    *status = isLegacy(stream) || !stream->capturing ? kCaptureNone
              : stream->valid                        ? 1
                                                     : 2;
    return kSuccess;
  });
}

Result frit::runtime::cuda::cuStreamBeginCapture_v2(StreamHandle stream,
                                                    CaptureMode mode) {
  return enter("cuStreamBeginCapture_v2", [&](State &state) {
    if (!isStream(state, stream) ||
        (mode != kCaptureThreadLocal && mode != kCaptureRelaxed))
      return kInvalidHandle;
    if (isLegacy(stream) || stream->capturing)
      return kCaptureUnsupported;
    stream->capturing = true;
    return kSuccess;
  });
}

/// Ends the capture also when it is made to fail.
Result frit::runtime::cuda::cuStreamEndCapture(StreamHandle stream,
                                               GraphHandle *graph) {
  std::lock_guard<std::mutex> lock(getState().mutex);
  Result failure = recordCall("cuStreamEndCapture");
  if (!stream->capturing)
    return kCaptureInvalidated;
  if (!failure && !stream->valid)
    failure = kCaptureInvalidated;
  *graph = nullptr;
  if (!failure) {
    *graph = new GraphTag{stream->captured};
    getState().graphs.insert(*graph);
  }
  stream->capturing = false;
  stream->valid = true;
  stream->captured.clear();
  return failure;
}

Result
frit::runtime::cuda::cuThreadExchangeStreamCaptureMode(CaptureMode *mode) {
  return enter("cuThreadExchangeStreamCaptureMode", [&](State &) {
    std::swap(*mode, getCaptureMode());
    return kSuccess;
  });
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

Result frit::runtime::cuda::cuMemAllocAsync(DevicePointer *memory, size_t bytes,
                                            StreamHandle stream) {
  return enter("cuMemAllocAsync", [&](State &state) {
    if (Result result = checkNotCapturing(state, stream))
      return result;
    if (!getCurrent() || getCaptureMode() != kCaptureRelaxed)
      return kInvalidContext;
    if (bytes == 0)
      return kErrorInvalidValue;
    int32_t device = getCurrent()->device;
    uint64_t total = bytes;
    for (auto &[address, block] : state.memory)
      total += block.second == device ? block.first : 0;
    if (total > state.memoryLimit || total < bytes)
      return kErrorOutOfMemory;
    void *block = std::aligned_alloc(256, (bytes + 255) / 256 * 256);
    if (!block)
      return kErrorOutOfMemory;
    *memory = reinterpret_cast<uintptr_t>(block);
    state.memory[*memory] = {bytes, device};
    return kSuccess;
  });
}

static Result freeMemory(State &state, DevicePointer memory) {
  if (!state.memory.erase(memory))
    return kErrorInvalidValue;
  std::free(toPointer(memory));
  return kSuccess;
}

Result frit::runtime::cuda::cuMemFreeAsync(DevicePointer memory,
                                           StreamHandle stream) {
  return enter("cuMemFreeAsync", [&](State &state) {
    if (Result result = checkNotCapturing(state, stream))
      return result;
    return freeMemory(state, memory);
  });
}

Result frit::runtime::cuda::cuMemFree_v2(DevicePointer memory) {
  return enter("cuMemFree_v2", [&](State &state) {
    if (getCaptureMode() != kCaptureRelaxed)
      return kCaptureUnsupported;
    return freeMemory(state, memory);
  });
}

Result frit::runtime::cuda::cuMemcpyHtoDAsync_v2(DevicePointer target,
                                                 const void *source,
                                                 size_t bytes,
                                                 StreamHandle stream) {
  return enter("cuMemcpyHtoDAsync_v2", [&](State &state) {
    if (!getCurrent() || !isMemory(state, target, bytes))
      return kErrorInvalidValue;
    return submit(state, stream,
                  [=] { memcpy(toPointer(target), source, bytes); });
  });
}

Result frit::runtime::cuda::cuMemcpyDtoHAsync_v2(void *target,
                                                 DevicePointer source,
                                                 size_t bytes,
                                                 StreamHandle stream) {
  return enter("cuMemcpyDtoHAsync_v2", [&](State &state) {
    if (!getCurrent() || !isMemory(state, source, bytes))
      return kErrorInvalidValue;
    return submit(state, stream,
                  [=] { memcpy(target, toPointer(source), bytes); });
  });
}

Result frit::runtime::cuda::cuMemcpyDtoDAsync_v2(DevicePointer target,
                                                 DevicePointer source,
                                                 size_t bytes,
                                                 StreamHandle stream) {
  return enter("cuMemcpyDtoDAsync_v2", [&](State &state) {
    if (!getCurrent() || !isMemory(state, target, bytes) ||
        !isMemory(state, source, bytes))
      return kErrorInvalidValue;
    return submit(state, stream,
                  [=] { memcpy(toPointer(target), toPointer(source), bytes); });
  });
}

template <typename Integer>
static Result fill(const char *name, DevicePointer target, Integer pattern,
                   size_t count, StreamHandle stream) {
  return enter(name, [&](State &state) {
    if (!getCurrent() || !isMemory(state, target, count * sizeof(Integer)))
      return kErrorInvalidValue;
    return submit(state, stream, [=] {
      std::fill_n(static_cast<Integer *>(toPointer(target)), count, pattern);
    });
  });
}

Result frit::runtime::cuda::cuMemsetD8Async(DevicePointer target,
                                            uint8_t pattern, size_t count,
                                            StreamHandle stream) {
  return fill("cuMemsetD8Async", target, pattern, count, stream);
}

Result frit::runtime::cuda::cuMemsetD16Async(DevicePointer target,
                                             uint16_t pattern, size_t count,
                                             StreamHandle stream) {
  return fill("cuMemsetD16Async", target, pattern, count, stream);
}

Result frit::runtime::cuda::cuMemsetD32Async(DevicePointer target,
                                             uint32_t pattern, size_t count,
                                             StreamHandle stream) {
  return fill("cuMemsetD32Async", target, pattern, count, stream);
}

//===----------------------------------------------------------------------===//
// Graphs and events
//===----------------------------------------------------------------------===//

Result frit::runtime::cuda::cuGraphInstantiateWithFlags(GraphExecHandle *exec,
                                                        GraphHandle graph,
                                                        unsigned long long) {
  return enter("cuGraphInstantiateWithFlags", [&](State &state) {
    if (!state.graphs.count(graph))
      return kInvalidHandle;
    *exec = new GraphExecTag{graph->work};
    state.execs.insert(*exec);
    return kSuccess;
  });
}

Result frit::runtime::cuda::cuGraphLaunch(GraphExecHandle exec,
                                          StreamHandle stream) {
  return enter("cuGraphLaunch", [&](State &state) {
    if (!state.execs.count(exec))
      return kInvalidHandle;
    return submit(state, stream, [work = exec->work] {
      for (const Work &step : work)
        step();
    });
  });
}

Result frit::runtime::cuda::cuGraphExecDestroy(GraphExecHandle exec) {
  return enter("cuGraphExecDestroy", [&](State &state) {
    if (!state.execs.erase(exec))
      return kInvalidHandle;
    delete exec;
    return kSuccess;
  });
}

Result frit::runtime::cuda::cuGraphDestroy(GraphHandle graph) {
  return enter("cuGraphDestroy", [&](State &state) {
    if (!state.graphs.erase(graph))
      return kInvalidHandle;
    delete graph;
    return kSuccess;
  });
}

Result frit::runtime::cuda::cuEventCreate(EventHandle *event, uint32_t) {
  return enter("cuEventCreate", [&](State &state) {
    if (!getCurrent())
      return kInvalidContext;
    *event = new EventTag{getCurrent()};
    state.events.insert(*event);
    return kSuccess;
  });
}

Result frit::runtime::cuda::cuEventRecord(EventHandle event,
                                          StreamHandle stream) {
  return enter("cuEventRecord", [&](State &state) {
    if (!state.events.count(event))
      return kInvalidHandle;
    event->recorded = true;
    event->time = ++state.clock;
    return isStream(state, stream) ? kSuccess : kInvalidHandle;
  });
}

Result frit::runtime::cuda::cuEventSynchronize(EventHandle event) {
  return enter("cuEventSynchronize", [&](State &state) {
    return state.events.count(event) ? kSuccess : kInvalidHandle;
  });
}

/// A tick of the stub's clock takes a millisecond.
Result frit::runtime::cuda::cuEventElapsedTime(float *milliseconds,
                                               EventHandle begin,
                                               EventHandle end) {
  return enter("cuEventElapsedTime", [&](State &) {
    if (!begin->recorded || !end->recorded)
      return kInvalidHandle;
    *milliseconds = static_cast<float>(end->time - begin->time);
    return kSuccess;
  });
}

Result frit::runtime::cuda::cuEventDestroy_v2(EventHandle event) {
  return enter("cuEventDestroy_v2", [&](State &state) {
    if (!state.events.erase(event))
      return kInvalidHandle;
    delete event;
    return kSuccess;
  });
}

// NOLINTEND(readability-identifier-naming)

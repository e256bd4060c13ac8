//===- DeviceQueue.h --------------------------------------------*- C++ -*-===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a context has on its device: a stream, memory, and the kernels and
// constants that it has used. Contexts share nothing here, so that threads with
// a context each do not wait for each other.
//
//===----------------------------------------------------------------------===//

#ifndef FRIT_LIB_RUNTIME_CUDA_DEVICEQUEUE_H
#define FRIT_LIB_RUNTIME_CUDA_DEVICEQUEUE_H

#include "Arena.h"
#include "CublasLt/Plan.h"
#include "DeviceMemory.h"
#include "ScratchCache.h"

#include <optional>

namespace frit::runtime::cuda {

/// Device memory that is found by `hash`: a constant, or a caller's.
struct MemoryNode {
  uint64_t hash = 0;
  MemoryNode *chain = nullptr;
  void *memory = nullptr;
  uint64_t bytes = 0;
  /// The content hash of a constant.
  uint64_t content = 0;
};

class DeviceQueue {
public:
  /// Opens the device of the options for a context. Null after a report to
  /// `reporter`; later errors are the context's.
  static DeviceQueue *create(const Reporter &reporter, FritContext *context,
                             const FritContextOptions &options);
  DeviceQueue(const DeviceQueue &) = delete;
  DeviceQueue &operator=(const DeviceQueue &) = delete;
  /// Waits, then frees everything; reports what fails to the context.
  ~DeviceQueue();

  /// Makes the device current on the thread for a call of a compiled function.
  FritStatus enterCall();
  void leaveCall();

  /// The function of a kernel; null after a report.
  const Function *getFunction(const Reporter &reporter,
                              const FritKernelDescriptor &kernel);

  Device &getDevice() { return device; }
  const DeviceLimits &getLimits() const { return device.getLimits(); }
  StreamHandle getStream() const { return stream; }

  DeviceMemory memory;
  DeviceBlocks blocks;
  ScratchCache scratch;
  Arena arena;
  HashChains<MemoryNode> constants;
  HashChains<MemoryNode> callersMemory;
  cublaslt::Plans plans;
  /// Between fritContextBeginPrepare and fritContextEndPrepare.
  bool preparing = false;

private:
  /// A function that the context has used.
  struct KnownFunction {
    uint64_t hash = 0;
    KnownFunction *chain = nullptr;
    const Function *function = nullptr;
  };

  DeviceQueue(FritContext *context, Device &device, StreamHandle stream,
              bool ownsStream, const FritContextOptions &options);
  void finishStream(const Reporter &reporter);

  FritContext *context;
  Device &device;
  const StreamHandle stream;
  const bool ownsStream;
  HashChains<KnownFunction> functions;
  std::optional<CurrentContext> callContext;
};

/// The queue of a context; null after a report, that it has no device.
DeviceQueue *getQueue(const Reporter &reporter, FritContext *context);

} // namespace frit::runtime::cuda

#endif // FRIT_LIB_RUNTIME_CUDA_DEVICEQUEUE_H

//===- Call.h ---------------------------------------------------*- C++ -*-===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Calls a compiled function over tensors with tensors of the host.
//
//===----------------------------------------------------------------------===//

#ifndef FRIT_LIB_EXECUTION_RUNNER_CALL_H
#define FRIT_LIB_EXECUTION_RUNNER_CALL_H

#include "Signature.h"

#include "frit/Execution/Executable.h"

#include "frit-c/RuntimeDevice.h"

#include <memory>
#include <utility>

namespace mlir::frit {

/// Device memory of a context.
class DeviceMemory {
public:
  static llvm::Expected<DeviceMemory> allocate(FritContext *context,
                                               uint64_t bytes);
  DeviceMemory(DeviceMemory &&other)
      : context(other.context), address(std::exchange(other.address, nullptr)) {
  }
  ~DeviceMemory() { fritDeviceRelease(context, address); }

  void *get() const { return address; }

private:
  DeviceMemory(FritContext *context, void *address)
      : context(context), address(address) {}

  FritContext *context;
  void *address;
};

/// Descriptors of the values of a call. They point into the tensors that were
/// added, which must stay where they are, or to memory of the device in their
/// place.
class ArgumentPack {
public:
  /// `device` is where the function takes the elements to be: FRIT_NO_DEVICE
  /// unless it only looks at the sizes.
  void add(HostTensor &tensor, int32_t device);

  /// A tensor whose elements are in `memory` of the device.
  void add(const HostTensor &tensor, DeviceMemory memory, int32_t device);

  ArrayRef<const FritTensor *> getValues() const { return pointers; }

  /// What was added to the device, in order.
  ArrayRef<DeviceMemory> getDeviceMemory() const { return memories; }

private:
  void addDescriptor(const HostTensor &tensor, void *data, int32_t device);

  std::vector<std::unique_ptr<FritTensor>> tensors;
  std::vector<const FritTensor *> pointers;
  std::vector<DeviceMemory> memories;
};

/// A compiled function, its signature, and the context that it runs in.
class CompiledFunction {
public:
  /// `device` is FRIT_NO_DEVICE for a function on memory of the host. Errors:
  /// an entry point that is missing, or no context.
  static llvm::Expected<CompiledFunction>
  create(std::unique_ptr<Executable> executable, const Signature &signature,
         int32_t threads, int32_t device);

  /// Tensors for the results, sized by the arguments.
  llvm::Expected<std::vector<HostTensor>>
  allocateResults(std::vector<HostTensor> &inputs);

  /// What `call` takes: on a device, copies of the inputs and memory for the
  /// results there.
  llvm::Expected<ArgumentPack> pack(std::vector<HostTensor> &inputs,
                                    std::vector<HostTensor> &results);

  /// Waits for the device and copies the results of a call from it, where they
  /// are there. Errors in the work on the device show here.
  llvm::Error fetch(ArgumentPack &arguments, std::vector<HostTensor> &results);

  /// Captures a call into a CUDA graph, once `call` has run, and runs that.
  llvm::Error callAsGraph(ArgumentPack &arguments);

  /// Runs the function once. Errors: what the function reported.
  llvm::Error call(ArgumentPack &arguments);

  FritContext *getContext() { return context.get(); }
  /// The recorded error of a function of the runtime that failed, which is
  /// cleared; success for FRIT_STATUS_OK.
  llvm::Error check(FritStatus status);
  bool isOnDevice() const {
    return fritContextDevice(context.get()) != FRIT_NO_DEVICE;
  }

  int32_t getThreads() const { return fritContextThreads(context.get()); }

private:
  CompiledFunction() = default;

  struct ContextDeleter {
    void operator()(FritContext *context) { fritContextDestroy(context); }
  };

  Signature signature;
  std::unique_ptr<Executable> executable;
  const FritEntry *entry = nullptr;
  std::unique_ptr<FritContext, ContextDeleter> context;
};

} // namespace mlir::frit

#endif // FRIT_LIB_EXECUTION_RUNNER_CALL_H

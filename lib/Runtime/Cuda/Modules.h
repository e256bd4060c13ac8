//===- Modules.h ------------------------------------------------*- C++ -*-===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The kernel images that were loaded on a device, and their functions.
//
//===----------------------------------------------------------------------===//

#ifndef FRIT_LIB_RUNTIME_CUDA_MODULES_H
#define FRIT_LIB_RUNTIME_CUDA_MODULES_H

#include "Driver.h"
#include "HashChains.h"

#include <mutex>

namespace frit::runtime::cuda {

struct DeviceLimits;
struct Module;

/// A function of a loaded image. Never changes; lives as long as its device.
struct Function {
  uint64_t hash = 0;
  Function *chain = nullptr;
  const Module *module = nullptr;
  char *name = nullptr;
  FunctionHandle handle = nullptr;
  int32_t maxBlockThreads = 0;
  /// Most bytes of dynamic shared memory.
  int32_t maxDynamicSharedBytes = 0;
  int32_t numParameters = 0;

  ~Function() { delete[] name; }
};

/// A loaded image.
struct Module {
  uint64_t hash = 0;
  Module *chain = nullptr;
  uint64_t imageHash = 0;
  uint64_t imageSize = 0;
  ModuleHandle handle = nullptr;
};

/// The hash of a kernel's image and function name.
uint64_t hashKernel(const FritKernelDescriptor &kernel);

/// Whether a function is the one that a kernel describes.
bool isFunctionOf(const Function &function, const FritKernelDescriptor &kernel);

/// Thread-safe. A context asks once for each kernel and keeps the answer.
class Modules {
public:
  /// The function of a kernel, loaded if it is not yet; null after a report.
  /// The device's context must be current and its loads allowed, see
  /// RelaxedCapture.
  const Function *get(const Reporter &reporter,
                      const FritKernelDescriptor &kernel,
                      const DeviceLimits &limits);

  /// Unloads everything, with the device's context current, and reports what
  /// cannot be unloaded.
  void unload(const Reporter &reporter);

private:
  const Module *load(const Reporter &reporter,
                     const FritKernelDescriptor &kernel);

  std::mutex mutex;
  HashChains<Module> modules;
  HashChains<Function> functions;
};

} // namespace frit::runtime::cuda

#endif // FRIT_LIB_RUNTIME_CUDA_MODULES_H

//===- Modules.cpp --------------------------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Loads kernel images and looks up their functions.
//
//===----------------------------------------------------------------------===//

#include "Modules.h"

#include "Device.h"

#include <algorithm>
#include <cstring>
#include <functional>
#include <memory>
#include <new>
#include <string_view>

using namespace frit::runtime;
using namespace frit::runtime::cuda;

uint64_t frit::runtime::cuda::hashKernel(const FritKernelDescriptor &kernel) {
  std::hash<std::string_view> hashText;
  return mixBits(kernel.imageHash ^ hashText(kernel.function));
}

bool frit::runtime::cuda::isFunctionOf(const Function &function,
                                       const FritKernelDescriptor &kernel) {
  return function.module->imageHash == kernel.imageHash &&
         function.module->imageSize == kernel.imageSize &&
         strcmp(function.name, kernel.function) == 0;
}

/// Ends the log of the driver's PTX compiler, and makes it one line.
static void tidyLog(char *log, size_t size) {
  log[size - 1] = '\0';
  size_t length = strlen(log);
  std::replace(log, log + length, '\n', ' ');
  while (length > 0 && log[length - 1] == ' ')
    log[--length] = '\0';
}

const Module *Modules::load(const Reporter &reporter,
                            const FritKernelDescriptor &kernel) {
  uint64_t hash = mixBits(kernel.imageHash);
  const Module *known = modules.find(hash, [&](const Module &module) {
    return module.imageHash == kernel.imageHash &&
           module.imageSize == kernel.imageSize;
  });
  if (known)
    return known;
  std::unique_ptr<Module> module(new (std::nothrow) Module);
  if (!module) {
    reporter.report(FRIT_STATUS_OUT_OF_MEMORY,
                    "the system has no memory for a kernel image");
    return nullptr;
  }
  char log[512] = {};
  JitOption options[] = {kJitErrorLogBuffer, kJitErrorLogBufferSizeBytes};
  void *values[] = {log, toPointer(sizeof(log))};
  const Driver &driver = Driver::get();
  Result result = driver.cuModuleLoadDataEx.function(
      &module->handle, kernel.image, 2, options, values);
  if (result != kSuccess) {
    tidyLog(log, sizeof(log));
    reportResult(reporter, driver, driver.cuModuleLoadDataEx.name, result, log);
    return nullptr;
  }
  module->hash = hash;
  module->imageHash = kernel.imageHash;
  module->imageSize = kernel.imageSize;
  modules.insert(module.get());
  return module.release();
}

/// Sets the attributes of a function to the most that the device allows, once,
/// so that a launch only passes its own values.
static FritStatus configure(const Reporter &reporter,
                            const DeviceLimits &limits, Function &function) {
  const Driver &driver = Driver::get();
  int32_t staticBytes = 0;
  if (FritStatus status = call(reporter, driver.cuFuncLoad, function.handle))
    return status;
  if (FritStatus status =
          call(reporter, driver.cuFuncGetAttribute, &function.maxBlockThreads,
               kFunctionMaxThreadsPerBlock, function.handle))
    return status;
  if (FritStatus status =
          call(reporter, driver.cuFuncGetAttribute, &staticBytes,
               kFunctionSharedSizeBytes, function.handle))
    return status;
  function.maxDynamicSharedBytes =
      std::max(0, limits.maxSharedBytes - staticBytes);
  if (FritStatus status = call(
          reporter, driver.cuFuncSetAttribute, function.handle,
          kFunctionMaxDynamicSharedSizeBytes, function.maxDynamicSharedBytes))
    return status;
  if (!limits.clusters)
    return FRIT_STATUS_OK;
  return call(reporter, driver.cuFuncSetAttribute, function.handle,
              kFunctionNonPortableClusterAllowed, 1);
}

/// Counts the parameters of a function: the driver has an invalid value for the
/// first index behind them.
static FritStatus countParameters(const Reporter &reporter,
                                  Function &function) {
  const Driver &driver = Driver::get();
  for (;; ++function.numParameters) {
    size_t offset = 0;
    size_t bytes = 0;
    Result result = driver.cuFuncGetParamInfo.function(
        function.handle, function.numParameters, &offset, &bytes);
    if (result == kErrorInvalidValue)
      return FRIT_STATUS_OK;
    if (result != kSuccess)
      return reportResult(reporter, driver, driver.cuFuncGetParamInfo.name,
                          result);
  }
}

const Function *Modules::get(const Reporter &reporter,
                             const FritKernelDescriptor &kernel,
                             const DeviceLimits &limits) {
  uint64_t hash = hashKernel(kernel);
  std::lock_guard<std::mutex> lock(mutex);
  const Function *known = functions.find(hash, [&](const Function &function) {
    return isFunctionOf(function, kernel);
  });
  if (known)
    return known;
  const Module *module = load(reporter, kernel);
  if (!module)
    return nullptr;
  std::unique_ptr<Function> function(new (std::nothrow) Function);
  size_t nameSize = strlen(kernel.function) + 1;
  if (function)
    function->name = new (std::nothrow) char[nameSize];
  if (!function || !function->name) {
    reporter.report(FRIT_STATUS_OUT_OF_MEMORY,
                    "the system has no memory for a kernel");
    return nullptr;
  }
  memcpy(function->name, kernel.function, nameSize);
  function->hash = hash;
  function->module = module;
  if (call(reporter, Driver::get().cuModuleGetFunction, &function->handle,
           module->handle, kernel.function) ||
      configure(reporter, limits, *function) ||
      countParameters(reporter, *function))
    return nullptr;
  functions.insert(function.get());
  return function.release();
}

void Modules::unload(const Reporter &reporter) {
  functions.drain([](Function *function) { delete function; });
  modules.drain([&](Module *module) {
    call(reporter, Driver::get().cuModuleUnload, module->handle);
    delete module;
  });
}

//===- StubDriver.cpp -----------------------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The stub driver: controls, devices, contexts, modules and launches.
//
//===----------------------------------------------------------------------===//

#include "StubState.h"

#include <cstdlib>
#include <cstring>
#include <sstream>

// NOLINTBEGIN(readability-identifier-naming): the names are the driver's.

using namespace frit::stub;

//===----------------------------------------------------------------------===//
// State and controls
//===----------------------------------------------------------------------===//

State &frit::stub::getState() {
  static State state;
  return state;
}

std::vector<ContextHandle> &frit::stub::getContextStack() {
  static thread_local std::vector<ContextHandle> stack;
  return stack;
}

CaptureMode &frit::stub::getCaptureMode() {
  static thread_local CaptureMode mode = 0;
  return mode;
}

Result frit::stub::recordCall(const char *name) {
  State &state = getState();
  state.calls.emplace_back(name);
  bool fails = state.failAfter == 1;
  if (state.failAfter > 0)
    --state.failAfter;
  if (state.failName == name) {
    if (state.failSkip == 0) {
      state.failName.clear();
      fails = true;
    }
    --state.failSkip;
  }
  return fails ? state.failResult : kSuccess;
}

ContextHandle frit::stub::getCurrent() {
  return getContextStack().empty() ? nullptr : getContextStack().back();
}

void frit::stub::failCall(int64_t n, uint32_t result) {
  std::lock_guard<std::mutex> lock(getState().mutex);
  getState().failAfter = n;
  getState().failResult = result;
}

void frit::stub::failNamed(const char *name, uint32_t result, int64_t skip) {
  std::lock_guard<std::mutex> lock(getState().mutex);
  getState().failName = name;
  getState().failSkip = skip;
  getState().failResult = result;
}

std::vector<std::string> frit::stub::getCalls() {
  std::lock_guard<std::mutex> lock(getState().mutex);
  return getState().calls;
}

std::vector<Launch> frit::stub::getLaunches() {
  std::lock_guard<std::mutex> lock(getState().mutex);
  return getState().launches;
}

int64_t frit::stub::getContextDepth() {
  return static_cast<int64_t>(getContextStack().size());
}

void frit::stub::setMemory(uint64_t bytes) { getState().memoryLimit = bytes; }

void frit::stub::setImplicitCapture(bool capturing) {
  getState().implicitCapture = capturing;
}

void frit::stub::setMemoryPools(bool present) {
  getState().memoryPools = present;
}

void frit::stub::setSm(int32_t sm) { getState().sm = sm; }

std::string frit::stub::describeLive() {
  std::lock_guard<std::mutex> lock(getState().mutex);
  State &state = getState();
  std::ostringstream text;
  auto add = [&](const char *kind, size_t count) {
    if (count)
      text << count << ' ' << kind << '\n';
  };
  for (const ContextTag &context : state.contexts)
    add("retains of a primary context", context.retains);
  add("streams", state.streams.size());
  add("modules", state.modules.size());
  add("graphs", state.graphs.size());
  add("executable graphs", state.execs.size());
  add("events", state.events.size());
  add("blocks of memory", state.memory.size());
  return text.str();
}

int64_t frit::stub::countLive() {
  std::lock_guard<std::mutex> lock(getState().mutex);
  State &state = getState();
  size_t count = state.streams.size() + state.modules.size() +
                 state.graphs.size() + state.execs.size() +
                 state.events.size() + state.memory.size();
  for (const ContextTag &context : state.contexts)
    count += context.retains;
  return static_cast<int64_t>(count);
}

static void destroyModule(ModuleHandle module) {
  for (auto &[name, function] : module->functions)
    delete function;
  delete module;
}

template <typename Handle> static void destroyAll(std::set<Handle> &handles) {
  for (Handle handle : handles)
    delete handle;
  handles.clear();
}

void frit::stub::reset() {
  std::lock_guard<std::mutex> lock(getState().mutex);
  State &state = getState();
  state.calls.clear();
  state.launches.clear();
  state.failAfter = 0;
  state.failName.clear();
  state.memoryLimit = uint64_t(1) << 30;
  state.implicitCapture = false;
  state.memoryPools = true;
  state.sm = 90;
  for (ContextTag &context : state.contexts)
    context.retains = 0;
  for (ModuleHandle module : state.modules)
    destroyModule(module);
  state.modules.clear();
  destroyAll(state.streams);
  destroyAll(state.graphs);
  destroyAll(state.execs);
  destroyAll(state.events);
  for (auto &[address, block] : state.memory)
    std::free(toPointer(address));
  state.memory.clear();
  getContextStack().clear();
  getCaptureMode() = 0;
}

//===----------------------------------------------------------------------===//
// Driver and devices
//===----------------------------------------------------------------------===//

/// The number in an environment variable, or `otherwise`.
static int32_t getNumber(const char *variable, int32_t otherwise) {
  const char *text = getenv(variable);
  return text ? static_cast<int32_t>(strtol(text, nullptr, 10)) : otherwise;
}

Result frit::runtime::cuda::cuInit(uint32_t flags) {
  return enter("cuInit", [&](State &) -> Result {
    if (flags != 0)
      return kErrorInvalidValue;
    return getNumber("FRIT_STUB_INIT_RESULT", 0);
  });
}

Result frit::runtime::cuda::cuDriverGetVersion(int32_t *version) {
  return enter("cuDriverGetVersion", [&](State &) {
    *version = getNumber("FRIT_STUB_VERSION", 13000);
    return kSuccess;
  });
}

Result frit::runtime::cuda::cuGetErrorName(Result result, const char **name) {
  switch (result) {
  case kErrorInvalidValue:
    *name = "CUDA_ERROR_INVALID_VALUE";
    return kSuccess;
  case kErrorOutOfMemory:
    *name = "CUDA_ERROR_OUT_OF_MEMORY";
    return kSuccess;
  case 100:
    *name = "CUDA_ERROR_NO_DEVICE";
    return kSuccess;
  case kInvalidContext:
    *name = "CUDA_ERROR_INVALID_CONTEXT";
    return kSuccess;
  case kInvalidImage:
    *name = "CUDA_ERROR_INVALID_PTX";
    return kSuccess;
  case kNotFound:
    *name = "CUDA_ERROR_NOT_FOUND";
    return kSuccess;
  case kCaptureUnsupported:
    *name = "CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED";
    return kSuccess;
  case 999:
    *name = "CUDA_ERROR_UNKNOWN";
    return kSuccess;
  default:
    *name = nullptr;
    return kErrorInvalidValue;
  }
}

Result frit::runtime::cuda::cuGetErrorString(Result result, const char **text) {
  *text = result == 999 ? "unknown error" : nullptr;
  return *text ? kSuccess : kErrorInvalidValue;
}

Result frit::runtime::cuda::cuDeviceGetCount(int32_t *count) {
  return enter("cuDeviceGetCount", [&](State &) {
    *count = kNumDevices;
    return kSuccess;
  });
}

Result frit::runtime::cuda::cuDeviceGet(DeviceHandle *device, int32_t ordinal) {
  return enter("cuDeviceGet", [&](State &) {
    *device = ordinal;
    return kSuccess;
  });
}

Result frit::runtime::cuda::cuDeviceGetName(char *name, int32_t size,
                                            DeviceHandle device) {
  return enter("cuDeviceGetName", [&](State &) {
    snprintf(name, size, "Stub device %d", device);
    return kSuccess;
  });
}

Result frit::runtime::cuda::cuDeviceGetAttribute(int32_t *value,
                                                 DeviceAttribute attribute,
                                                 DeviceHandle device) {
  return enter("cuDeviceGetAttribute", [&](State &state) {
    int32_t sm = device == 0 ? state.sm : 80;
    const std::map<DeviceAttribute, int32_t> values = {
        {kMaxThreadsPerBlock, 1024},
        {kMaxBlockDimX, 1024},
        {kMaxBlockDimX + 1, 1024},
        {kMaxBlockDimX + 2, 64},
        {kMaxGridDimX, 2147483647},
        {kMaxGridDimX + 1, 65535},
        {kMaxGridDimX + 2, 65535},
        {kWarpSize, 32},
        {kMultiprocessorCount, device == 0 ? 132 : 108},
        {kL2CacheSize, 50 << 20},
        {kMaxThreadsPerMultiprocessor, 2048},
        {kComputeCapabilityMajor, sm / 10},
        {kComputeCapabilityMinor, sm % 10},
        {kMaxSharedMemoryPerMultiprocessor, 233472},
        {kMaxSharedMemoryPerBlockOptin, device == 0 ? 232448 : 166912},
        {kMemoryPoolsSupported, state.memoryPools},
        {kClusterLaunch, device == 0},
    };
    auto found = values.find(attribute);
    if (found == values.end())
      return kErrorInvalidValue;
    *value = found->second;
    return kSuccess;
  });
}

Result frit::runtime::cuda::cuDeviceTotalMem_v2(size_t *bytes, DeviceHandle) {
  return enter("cuDeviceTotalMem_v2", [&](State &state) {
    *bytes = state.memoryLimit;
    return kSuccess;
  });
}

//===----------------------------------------------------------------------===//
// Contexts
//===----------------------------------------------------------------------===//

Result frit::runtime::cuda::cuDevicePrimaryCtxRetain(ContextHandle *context,
                                                     DeviceHandle device) {
  return enter("cuDevicePrimaryCtxRetain", [&](State &state) {
    *context = &state.contexts[device];
    ++(*context)->retains;
    return kSuccess;
  });
}

Result frit::runtime::cuda::cuDevicePrimaryCtxRelease_v2(DeviceHandle device) {
  return enter("cuDevicePrimaryCtxRelease_v2", [&](State &state) {
    if (state.contexts[device].retains == 0)
      return kInvalidContext;
    --state.contexts[device].retains;
    return kSuccess;
  });
}

Result frit::runtime::cuda::cuCtxGetCurrent(ContextHandle *context) {
  return enter("cuCtxGetCurrent", [&](State &) {
    *context = getCurrent();
    return kSuccess;
  });
}

Result frit::runtime::cuda::cuCtxPushCurrent_v2(ContextHandle context) {
  return enter("cuCtxPushCurrent_v2", [&](State &) {
    if (context->retains == 0)
      return kInvalidContext;
    getContextStack().push_back(context);
    return kSuccess;
  });
}

Result frit::runtime::cuda::cuCtxPopCurrent_v2(ContextHandle *context) {
  return enter("cuCtxPopCurrent_v2", [&](State &) {
    if (getContextStack().empty())
      return kInvalidContext;
    *context = getCurrent();
    getContextStack().pop_back();
    return kSuccess;
  });
}

//===----------------------------------------------------------------------===//
// Modules and launches
//===----------------------------------------------------------------------===//

/// Whether a capture of this thread forbids a call that is not stream-ordered.
static bool isForbidden(const State &state) {
  if (getCaptureMode() == kCaptureRelaxed)
    return false;
  for (StreamHandle stream : state.streams)
    if (stream->capturing)
      return true;
  return false;
}

/// An image is PTX, or text: "STUB", then a line for each function with its
/// name, number of parameters, bytes of static shared memory and most threads.
Result frit::runtime::cuda::cuModuleLoadDataEx(ModuleHandle *module,
                                               const void *image,
                                               uint32_t numOptions,
                                               JitOption *options,
                                               void **values) {
  return enter("cuModuleLoadDataEx", [&](State &state) {
    if (!getCurrent())
      return kInvalidContext;
    if (isForbidden(state))
      return kCaptureUnsupported;
    std::istringstream text(static_cast<const char *>(image));
    std::string magic;
    text >> magic;
    std::vector<FunctionTag> ptx;
    if (magic == "//" || magic == ".version")
      ptx = parsePtx(static_cast<const char *>(image));
    if (magic != "STUB" && ptx.empty()) {
      if (numOptions > 0 && options[0] == kJitErrorLogBuffer)
        strcpy(static_cast<char *>(values[0]), "line 1: no stub image\n");
      return kInvalidImage;
    }
    auto created = std::make_unique<ModuleTag>();
    created->context = getCurrent();
    FunctionTag function = {created.get(), ""};
    while (ptx.empty() && text >> function.name >> function.numParameters >>
                              function.staticSharedBytes >> function.maxThreads)
      created->functions[function.name] = new FunctionTag(function);
    for (FunctionTag &kernel : ptx) {
      kernel.module = created.get();
      created->functions[kernel.name] = new FunctionTag(kernel);
    }
    *module = created.release();
    state.modules.insert(*module);
    return kSuccess;
  });
}

Result frit::runtime::cuda::cuModuleUnload(ModuleHandle module) {
  return enter("cuModuleUnload", [&](State &state) {
    if (!state.modules.erase(module))
      return kInvalidHandle;
    destroyModule(module);
    return kSuccess;
  });
}

Result frit::runtime::cuda::cuModuleGetFunction(FunctionHandle *function,
                                                ModuleHandle module,
                                                const char *name) {
  return enter("cuModuleGetFunction", [&](State &) {
    auto found = module->functions.find(name);
    if (found == module->functions.end())
      return kNotFound;
    *function = found->second;
    return kSuccess;
  });
}

Result frit::runtime::cuda::cuFuncLoad(FunctionHandle) {
  return enter("cuFuncLoad", [&](State &) { return kSuccess; });
}

Result frit::runtime::cuda::cuFuncGetAttribute(int32_t *value,
                                               FunctionAttribute attribute,
                                               FunctionHandle function) {
  return enter("cuFuncGetAttribute", [&](State &) {
    *value = attribute == kFunctionSharedSizeBytes ? function->staticSharedBytes
                                                   : function->maxThreads;
    return kSuccess;
  });
}

Result frit::runtime::cuda::cuFuncSetAttribute(FunctionHandle function,
                                               FunctionAttribute attribute,
                                               int32_t value) {
  return enter("cuFuncSetAttribute", [&](State &) {
    if (attribute == kFunctionMaxDynamicSharedSizeBytes)
      function->maxDynamicSharedBytes = value;
    else
      function->nonPortableCluster = value != 0;
    return kSuccess;
  });
}

Result frit::runtime::cuda::cuFuncGetParamInfo(FunctionHandle function,
                                               size_t index, size_t *offset,
                                               size_t *bytes) {
  return enter("cuFuncGetParamInfo", [&](State &) {
    if (index >= static_cast<size_t>(function->numParameters))
      return kErrorInvalidValue;
    *offset = 8 * index;
    *bytes = 8;
    return kSuccess;
  });
}

#ifndef FRIT_STUB_WITHOUT_LAUNCH
/// `add_one(int32_t *values, int64_t count)` adds 1 to each value; other
/// functions do nothing.
Result frit::runtime::cuda::cuLaunchKernelEx(const LaunchConfig *config,
                                             FunctionHandle function,
                                             void **arguments, void **) {
  return enter("cuLaunchKernelEx", [&](State &state) {
    if (!getCurrent() || getCurrent() != function->module->context)
      return kInvalidContext;
    Launch launch;
    launch.function = function->name;
    launch.grid[0] = config->gridDimX;
    launch.grid[1] = config->gridDimY;
    launch.grid[2] = config->gridDimZ;
    launch.block[0] = config->blockDimX;
    launch.block[1] = config->blockDimY;
    launch.block[2] = config->blockDimZ;
    launch.sharedBytes = config->sharedMemBytes;
    launch.stream = config->hStream;
    launch.device = getCurrent()->device;
    for (size_t i = 0; i < function->parameterBytes.size(); ++i) {
      launch.arguments.push_back(0);
      memcpy(&launch.arguments.back(), arguments[i],
             function->parameterBytes[i]);
    }
    for (uint32_t i = 0; i < config->numAttrs; ++i) {
      const LaunchAttribute &attribute = config->attrs[i];
      if (attribute.id == kLaunchClusterDimension) {
        launch.cluster[0] = attribute.value.clusterDim.x;
        launch.cluster[1] = attribute.value.clusterDim.y;
        launch.cluster[2] = attribute.value.clusterDim.z;
      } else if (attribute.id == kLaunchProgrammaticSerialization) {
        launch.programmatic =
            attribute.value.programmaticStreamSerializationAllowed != 0;
      }
    }
    if (config->sharedMemBytes >
        static_cast<uint32_t>(function->maxDynamicSharedBytes))
      return kErrorInvalidValue;
    if (launch.cluster[0] * launch.cluster[1] * launch.cluster[2] > 8 &&
        !function->nonPortableCluster)
      return kErrorInvalidValue;
    state.launches.push_back(launch);
    Work work = [] {};
    if (function->name == "add_one") {
      auto *values = *static_cast<int32_t **>(arguments[0]);
      int64_t count = *static_cast<int64_t *>(arguments[1]);
      if (!isMemory(state, reinterpret_cast<uintptr_t>(values), 4 * count))
        return kErrorInvalidValue;
      work = [=] {
        for (int64_t i = 0; i < count; ++i)
          ++values[i];
      };
    }
    return submit(state, config->hStream, work);
  });
}
#endif

// NOLINTEND(readability-identifier-naming)

//===- StubState.h ----------------------------------------------*- C++ -*-===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The objects of the stub driver.
//
//===----------------------------------------------------------------------===//

#ifndef FRIT_TEST_UNIT_RUNTIME_STUBSTATE_H
#define FRIT_TEST_UNIT_RUNTIME_STUBSTATE_H

#include "StubDriver.h"

#include "Cuda/DriverTypes.h"

#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <set>

namespace frit::runtime::cuda {

/// The entry points, which a stub library defines with these types.
#define FRIT_CUDA_ENTRY(name, symbol, parameters)                              \
  extern "C" __attribute__((visibility("default"))) Result symbol parameters;
#include "Cuda/DriverEntries.def"

struct ContextTag {
  int32_t device;
  int32_t retains = 0;
};

/// Work of a stream, which is run at once, or each time its graph is.
using Work = std::function<void()>;

struct GraphTag {
  std::vector<Work> work;
};

struct GraphExecTag {
  std::vector<Work> work;
};

struct StreamTag {
  explicit StreamTag(ContextHandle context) : context(context) {}

  ContextHandle context;
  bool capturing = false;
  bool valid = true;
  std::vector<Work> captured;
};

struct ModuleTag {
  ContextHandle context;
  /// By name.
  std::map<std::string, FunctionHandle> functions;
};

struct FunctionTag {
  ModuleHandle module;
  std::string name;
  int32_t numParameters = 0;
  /// Bytes of each; none where the image does not tell.
  std::vector<int32_t> parameterBytes = {};
  int32_t staticSharedBytes = 0;
  int32_t maxThreads = 1024;
  int32_t maxDynamicSharedBytes = 49152;
  bool nonPortableCluster = false;
};

struct EventTag {
  ContextHandle context;
  bool recorded = false;
  int64_t time = 0;
};

} // namespace frit::runtime::cuda

namespace frit::stub {

using namespace frit::runtime::cuda;

/// The kernels of PTX text, as LLVM writes it.
std::vector<FunctionTag> parsePtx(const char *image);

inline constexpr int32_t kNumDevices = 2;

inline constexpr Result kInvalidContext = 201;
inline constexpr Result kInvalidImage = 218;
inline constexpr Result kInvalidHandle = 400;
inline constexpr Result kNotFound = 500;
inline constexpr Result kCaptureUnsupported = 900;
inline constexpr Result kCaptureInvalidated = 901;

struct State {
  std::mutex mutex;
  std::vector<std::string> calls;
  std::vector<Launch> launches;
  int64_t failAfter = 0;
  std::string failName;
  int64_t failSkip = 0;
  Result failResult = kSuccess;
  uint64_t memoryLimit = uint64_t(1) << 30;
  bool implicitCapture = false;
  bool memoryPools = true;
  int32_t sm = 90;
  int64_t clock = 0;

  ContextTag contexts[kNumDevices] = {{0}, {1}};
  std::set<StreamHandle> streams;
  std::set<ModuleHandle> modules;
  std::set<GraphHandle> graphs;
  std::set<GraphExecHandle> execs;
  std::set<EventHandle> events;
  /// Bytes by address, and the device of each.
  std::map<uintptr_t, std::pair<uint64_t, int32_t>> memory;
};

State &getState();

/// The contexts that are current on this thread, the innermost last.
std::vector<ContextHandle> &getContextStack();

/// The thread's capture mode.
CaptureMode &getCaptureMode();

/// Records a call and decides whether it fails; the mutex is held.
Result recordCall(const char *name);

/// Runs the body of an entry point.
template <typename Body> Result enter(const char *name, Body body) {
  std::lock_guard<std::mutex> lock(getState().mutex);
  if (Result result = recordCall(name))
    return result;
  return body(getState());
}

/// The current context; null if there is none.
ContextHandle getCurrent();

/// Whether the device memory holds `bytes` bytes from `address`.
bool isMemory(const State &state, DevicePointer address, uint64_t bytes);

/// Whether a stream can get work: it is alive, or the legacy one.
bool isStream(const State &state, StreamHandle stream);

/// Runs work, or adds it to the capture of its stream.
Result submit(State &state, StreamHandle stream, Work work);

/// An invalid capture of a stream gets no graph. Returns the error of a call
/// that a capture cannot record.
Result invalidate(StreamHandle stream);

} // namespace frit::stub

#endif // FRIT_TEST_UNIT_RUNTIME_STUBSTATE_H

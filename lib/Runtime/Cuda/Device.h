//===- Device.h -------------------------------------------------*- C++ -*-===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A device of the process: its primary context, its limits and the code that
// was loaded on it, shared by all contexts of the runtime that use it.
//
//===----------------------------------------------------------------------===//

#ifndef FRIT_LIB_RUNTIME_CUDA_DEVICE_H
#define FRIT_LIB_RUNTIME_CUDA_DEVICE_H

#include "Driver.h"
#include "Modules.h"

namespace frit::runtime::cuda {

/// What launches and fritDeviceAttribute need to know about a device.
struct DeviceLimits {
  int32_t maxGrid[3] = {};
  int32_t maxBlock[3] = {};
  int32_t maxBlockThreads = 0;
  int32_t maxSharedBytes = 0;
  int32_t multiprocessors = 0;
  int32_t multiprocessorThreads = 0;
  int32_t multiprocessorSharedBytes = 0;
  int32_t l2Bytes = 0;
  int32_t warpSize = 0;
  int32_t smVersion = 0;
  int32_t clusters = 0;
  int32_t memoryPools = 0;
  uint64_t memoryBytes = 0;
};

/// Finds a device by its ordinal. Reports a missing one as device unavailable.
FritStatus getDeviceHandle(const Reporter &reporter, const Driver &driver,
                           int32_t ordinal, DeviceHandle &handle);

/// Asks the driver for the limits of a device.
FritStatus readDeviceLimits(const Reporter &reporter, const Driver &driver,
                            DeviceHandle handle, DeviceLimits &limits);

/// The value of a FritDeviceAttributeCode; false for any other code.
bool getAttribute(const DeviceLimits &limits, int32_t what, int64_t &value);

/// Counted: the first user retains the primary context, the last one unloads
/// the modules and releases it.
class Device {
public:
  /// The device of that ordinal, or null after a report.
  static Device *acquire(const Reporter &reporter, int32_t ordinal);
  /// Gives it back, and reports what could not be freed.
  static void release(const Reporter &reporter, Device *device);

  int32_t getOrdinal() const { return ordinal; }
  ContextHandle getPrimaryContext() const { return primaryContext; }
  const DeviceLimits &getLimits() const { return limits; }
  Modules &getModules() { return modules; }

private:
  explicit Device(int32_t ordinal) : ordinal(ordinal) {}
  FritStatus initialize(const Reporter &reporter, const Driver &driver);

  const int32_t ordinal;
  DeviceHandle handle = 0;
  ContextHandle primaryContext = nullptr;
  DeviceLimits limits;
  Modules modules;
  uint32_t users = 1;
  Device *next = nullptr;
};

/// Makes the primary context of a device current on the thread, until its end.
class CurrentContext {
public:
  CurrentContext(const Reporter &reporter, const Device &device);
  CurrentContext(const CurrentContext &) = delete;
  CurrentContext &operator=(const CurrentContext &) = delete;
  /// Reports a failure, which the status of the caller does not show.
  ~CurrentContext();

  /// Whether the context became current.
  FritStatus getStatus() const { return status; }

private:
  const Reporter reporter;
  FritStatus status;
  bool pushed = false;
};

/// Lets this thread allocate and load while streams of other threads are being
/// captured, until its end. Failing to restore the mode is reported.
class RelaxedCapture {
public:
  explicit RelaxedCapture(const Reporter &reporter);
  RelaxedCapture(const RelaxedCapture &) = delete;
  RelaxedCapture &operator=(const RelaxedCapture &) = delete;
  ~RelaxedCapture();

  FritStatus getStatus() const { return status; }

private:
  const Reporter reporter;
  CaptureMode mode = kCaptureRelaxed;
  FritStatus status;
};

} // namespace frit::runtime::cuda

#endif // FRIT_LIB_RUNTIME_CUDA_DEVICE_H

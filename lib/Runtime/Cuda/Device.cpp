//===- Device.cpp ---------------------------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Opens and closes devices, and makes their contexts current.
//
//===----------------------------------------------------------------------===//

#include "Device.h"

#include <mutex>
#include <new>

using namespace frit::runtime::cuda;

namespace {
std::mutex devicesMutex;
Device *firstDevice = nullptr;
} // namespace

FritStatus frit::runtime::cuda::getDeviceHandle(const Reporter &reporter,
                                                const Driver &driver,
                                                int32_t ordinal,
                                                DeviceHandle &handle) {
  int32_t count = 0;
  if (FritStatus status = call(reporter, driver.cuDeviceGetCount, &count))
    return status;
  if (ordinal < 0 || ordinal >= count)
    return reporter.report(FRIT_STATUS_DEVICE_UNAVAILABLE,
                           "there is no CUDA device %d: the driver has %d",
                           ordinal, count);
  return call(reporter, driver.cuDeviceGet, &handle, ordinal);
}

FritStatus frit::runtime::cuda::readDeviceLimits(const Reporter &reporter,
                                                 const Driver &driver,
                                                 DeviceHandle handle,
                                                 DeviceLimits &limits) {
  int32_t major = 0;
  int32_t minor = 0;
  const struct {
    int32_t *target;
    DeviceAttribute attribute;
  } attributes[] = {
      {&limits.maxGrid[0], kMaxGridDimX},
      {&limits.maxGrid[1], kMaxGridDimX + 1},
      {&limits.maxGrid[2], kMaxGridDimX + 2},
      {&limits.maxBlock[0], kMaxBlockDimX},
      {&limits.maxBlock[1], kMaxBlockDimX + 1},
      {&limits.maxBlock[2], kMaxBlockDimX + 2},
      {&limits.maxBlockThreads, kMaxThreadsPerBlock},
      {&limits.maxSharedBytes, kMaxSharedMemoryPerBlockOptin},
      {&limits.multiprocessors, kMultiprocessorCount},
      {&limits.multiprocessorThreads, kMaxThreadsPerMultiprocessor},
      {&limits.multiprocessorSharedBytes, kMaxSharedMemoryPerMultiprocessor},
      {&limits.l2Bytes, kL2CacheSize},
      {&limits.warpSize, kWarpSize},
      {&limits.clusters, kClusterLaunch},
      {&limits.memoryPools, kMemoryPoolsSupported},
      {&major, kComputeCapabilityMajor},
      {&minor, kComputeCapabilityMinor},
  };
  for (const auto &[target, attribute] : attributes)
    if (FritStatus status = call(reporter, driver.cuDeviceGetAttribute, target,
                                 attribute, handle))
      return status;
  limits.smVersion = 10 * major + minor;
  size_t bytes = 0;
  FritStatus status = call(reporter, driver.cuDeviceTotalMem, &bytes, handle);
  limits.memoryBytes = bytes;
  return status;
}

bool frit::runtime::cuda::getAttribute(const DeviceLimits &limits, int32_t what,
                                       int64_t &value) {
  switch (what) {
  case FRIT_DEVICE_MULTIPROCESSORS:
    value = limits.multiprocessors;
    return true;
  case FRIT_DEVICE_SM_VERSION:
    value = limits.smVersion;
    return true;
  case FRIT_DEVICE_MAX_BLOCK_THREADS:
    value = limits.maxBlockThreads;
    return true;
  case FRIT_DEVICE_MAX_SHARED_BYTES:
    value = limits.maxSharedBytes;
    return true;
  case FRIT_DEVICE_MULTIPROCESSOR_SHARED_BYTES:
    value = limits.multiprocessorSharedBytes;
    return true;
  case FRIT_DEVICE_MULTIPROCESSOR_THREADS:
    value = limits.multiprocessorThreads;
    return true;
  case FRIT_DEVICE_L2_BYTES:
    value = limits.l2Bytes;
    return true;
  case FRIT_DEVICE_WARP_SIZE:
    value = limits.warpSize;
    return true;
  case FRIT_DEVICE_CLUSTERS:
    value = limits.clusters;
    return true;
  case FRIT_DEVICE_MEMORY_BYTES:
    value = static_cast<int64_t>(limits.memoryBytes);
    return true;
  default:
    return false;
  }
}

FritStatus Device::initialize(const Reporter &reporter, const Driver &driver) {
  if (FritStatus status = getDeviceHandle(reporter, driver, ordinal, handle))
    return status;
  if (FritStatus status = readDeviceLimits(reporter, driver, handle, limits))
    return status;
  return call(reporter, driver.cuDevicePrimaryCtxRetain, &primaryContext,
              handle);
}

Device *Device::acquire(const Reporter &reporter, int32_t ordinal) {
  const Driver *driver = Driver::open(reporter);
  if (!driver)
    return nullptr;
  std::lock_guard<std::mutex> lock(devicesMutex);
  for (Device *device = firstDevice; device; device = device->next) {
    if (device->ordinal == ordinal) {
      ++device->users;
      return device;
    }
  }
  auto *device = new (std::nothrow) Device(ordinal);
  if (!device) {
    reporter.report(FRIT_STATUS_OUT_OF_MEMORY,
                    "the system has no memory for a device");
    return nullptr;
  }
  if (device->initialize(reporter, *driver)) {
    delete device;
    return nullptr;
  }
  device->next = firstDevice;
  firstDevice = device;
  return device;
}

void Device::release(const Reporter &reporter, Device *device) {
  std::lock_guard<std::mutex> lock(devicesMutex);
  if (--device->users > 0)
    return;
  Device **place = &firstDevice;
  while (*place != device)
    place = &(*place)->next;
  *place = device->next;
  {
    CurrentContext current(reporter, *device);
    RelaxedCapture relaxed(reporter);
    device->modules.unload(reporter);
  }
  call(reporter, Driver::get().cuDevicePrimaryCtxRelease, device->handle);
  delete device;
}

CurrentContext::CurrentContext(const Reporter &reporter, const Device &device)
    : reporter(reporter) {
  const Driver &driver = Driver::get();
  ContextHandle current = nullptr;
  status = call(reporter, driver.cuCtxGetCurrent, &current);
  if (status || current == device.getPrimaryContext())
    return;
  status = call(reporter, driver.cuCtxPushCurrent, device.getPrimaryContext());
  pushed = status == FRIT_STATUS_OK;
}

CurrentContext::~CurrentContext() {
  ContextHandle popped = nullptr;
  if (pushed)
    call(reporter, Driver::get().cuCtxPopCurrent, &popped);
}

RelaxedCapture::RelaxedCapture(const Reporter &reporter) : reporter(reporter) {
  status =
      call(reporter, Driver::get().cuThreadExchangeStreamCaptureMode, &mode);
}

RelaxedCapture::~RelaxedCapture() {
  if (status == FRIT_STATUS_OK)
    call(reporter, Driver::get().cuThreadExchangeStreamCaptureMode, &mode);
}

//===- Query.cpp ----------------------------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Answers questions about devices and contexts.
//
//===----------------------------------------------------------------------===//

#include "DeviceQueue.h"

#include "Context.h"

#include <algorithm>
#include <climits>

using namespace frit::runtime::cuda;

FritStatus fritDeviceCount(int32_t *count) {
  Reporter reporter(nullptr);
  if (!count)
    return reporter.report(FRIT_STATUS_INVALID_ARGUMENT,
                           "there is no place for the number of devices");
  *count = 0;
  const Driver *driver = Driver::open(reporter);
  if (!driver)
    return FRIT_STATUS_DEVICE_UNAVAILABLE;
  return call(reporter, driver->cuDeviceGetCount, count);
}

FritStatus fritDeviceQuery(int32_t device, int32_t what, int64_t *value) {
  Reporter reporter(nullptr);
  if (!value)
    return reporter.report(FRIT_STATUS_INVALID_ARGUMENT,
                           "there is no place for the attribute");
  *value = 0;
  const Driver *driver = Driver::open(reporter);
  if (!driver)
    return FRIT_STATUS_DEVICE_UNAVAILABLE;
  DeviceHandle handle = 0;
  DeviceLimits limits;
  if (FritStatus status = getDeviceHandle(reporter, *driver, device, handle))
    return status;
  if (FritStatus status = readDeviceLimits(reporter, *driver, handle, limits))
    return status;
  if (!getAttribute(limits, what, *value))
    return reporter.report(FRIT_STATUS_INVALID_ARGUMENT,
                           "unknown device attribute %d", what);
  return FRIT_STATUS_OK;
}

FritStatus fritDeviceName(int32_t device, char *name, size_t size) {
  Reporter reporter(nullptr);
  if (!name || size == 0)
    return reporter.report(FRIT_STATUS_INVALID_ARGUMENT,
                           "there is no place for the name of the device");
  name[0] = '\0';
  const Driver *driver = Driver::open(reporter);
  if (!driver)
    return FRIT_STATUS_DEVICE_UNAVAILABLE;
  DeviceHandle handle = 0;
  if (FritStatus status = getDeviceHandle(reporter, *driver, device, handle))
    return status;
  auto bytes = static_cast<int32_t>(std::min<size_t>(size, INT_MAX));
  return call(reporter, driver->cuDeviceGetName, name, bytes, handle);
}

int64_t fritDeviceAttribute(FritContext *context, int32_t what) {
  Reporter reporter(context);
  DeviceQueue *queue = getQueue(reporter, context);
  if (!queue)
    return -1;
  int64_t value = -1;
  if (!getAttribute(queue->getLimits(), what, value))
    reporter.report(FRIT_STATUS_INVALID_ARGUMENT, "unknown device attribute %d",
                    what);
  return value;
}

int32_t fritContextDevice(const FritContext *context) {
  return context && context->queue ? context->queue->getDevice().getOrdinal()
                                   : FRIT_NO_DEVICE;
}

void *fritContextStream(const FritContext *context) {
  return context && context->queue ? context->queue->getStream() : nullptr;
}

FritStatus fritContextSynchronize(FritContext *context) {
  if (!context)
    return FRIT_STATUS_INVALID_ARGUMENT;
  DeviceQueue *queue = context->queue.get();
  if (!queue)
    return FRIT_STATUS_OK;
  Reporter reporter(context);
  if (FritStatus status =
          queue->memory.refuseCapture(reporter, "waiting for the device"))
    return status;
  CurrentContext current(reporter, queue->getDevice());
  if (FritStatus status = current.getStatus())
    return status;
  return call(reporter, Driver::get().cuStreamSynchronize, queue->getStream());
}

FritDeviceStatistics fritDeviceStatistics(FritContext *context) {
  return context && context->queue ? context->queue->memory.statistics
                                   : FritDeviceStatistics{};
}

//===- Copy.cpp -----------------------------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Copies and fills in the order of the stream.
//
//===----------------------------------------------------------------------===//

#include "DeviceQueue.h"

#include "Context.h"

#include <cinttypes>

using namespace frit::runtime::cuda;

/// Checks a copy or fill of `bytes` bytes and queues it with `function`, if it
/// has any bytes.
template <typename Callable>
static FritStatus queueTransfer(FritContext *context, const char *what,
                                const void *target, const void *source,
                                uint64_t bytes, bool skipInPreparation,
                                Callable function) {
  if (!context)
    return FRIT_STATUS_INVALID_ARGUMENT;
  Reporter reporter(context);
  DeviceQueue *queue = getQueue(reporter, context);
  if (!queue)
    return FRIT_STATUS_DEVICE_UNAVAILABLE;
  if (bytes == 0)
    return FRIT_STATUS_OK;
  if (!target || !source)
    return reporter.report(FRIT_STATUS_INVALID_ARGUMENT,
                           "a %s of %" PRIu64 " bytes has a null address", what,
                           bytes);
  if (skipInPreparation && queue->preparing)
    return FRIT_STATUS_OK;
  CurrentContext current(reporter, queue->getDevice());
  if (FritStatus status = current.getStatus())
    return status;
  return function(reporter, Driver::get(), queue->getStream());
}

FritStatus fritCopyToDevice(FritContext *context, void *device,
                            const void *host, uint64_t bytes) {
  return queueTransfer(
      context, "copy to the device", device, host, bytes, false,
      [&](const Reporter &reporter, const Driver &driver, StreamHandle stream) {
        return call(reporter, driver.cuMemcpyHtoDAsync, toDevice(device), host,
                    bytes, stream);
      });
}

FritStatus fritCopyToHost(FritContext *context, void *host, const void *device,
                          uint64_t bytes) {
  return queueTransfer(
      context, "copy to the host", host, device, bytes, false,
      [&](const Reporter &reporter, const Driver &driver, StreamHandle stream) {
        return call(reporter, driver.cuMemcpyDtoHAsync, host, toDevice(device),
                    bytes, stream);
      });
}

FritStatus fritDeviceCopy(FritContext *context, void *target,
                          const void *source, uint64_t bytes) {
  return queueTransfer(
      context, "copy on the device", target, source, bytes, true,
      [&](const Reporter &reporter, const Driver &driver, StreamHandle stream) {
        return call(reporter, driver.cuMemcpyDtoDAsync, toDevice(target),
                    toDevice(source), bytes, stream);
      });
}

/// Checks the elements of a fill.
static FritStatus checkFill(const Reporter &reporter, const void *target,
                            uint64_t count, int32_t elementBytes) {
  if (elementBytes != 1 && elementBytes != 2 && elementBytes != 4)
    return reporter.report(FRIT_STATUS_INVALID_ARGUMENT,
                           "a fill has elements of %d bytes instead of 1, 2 or "
                           "4",
                           elementBytes);
  if (toDevice(target) % elementBytes != 0)
    return reporter.report(FRIT_STATUS_INVALID_ARGUMENT,
                           "a fill at %p is not aligned to its elements of %d "
                           "bytes",
                           target, elementBytes);
  uint64_t most = (uint64_t(1) << 62) / elementBytes;
  if (count > most)
    return reporter.report(FRIT_STATUS_INVALID_ARGUMENT,
                           "a fill has %" PRIu64 " elements, the most are "
                           "%" PRIu64,
                           count, most);
  return FRIT_STATUS_OK;
}

FritStatus fritDeviceFill(FritContext *context, void *target, uint64_t count,
                          uint32_t pattern, int32_t elementBytes) {
  if (!context)
    return FRIT_STATUS_INVALID_ARGUMENT;
  if (FritStatus status =
          checkFill(Reporter(context), target, count, elementBytes))
    return status;
  return queueTransfer(
      context, "fill", target, target, count * elementBytes, true,
      [&](const Reporter &reporter, const Driver &driver, StreamHandle stream) {
        DevicePointer address = toDevice(target);
        switch (elementBytes) {
        case 1:
          return call(reporter, driver.cuMemsetD8Async, address,
                      static_cast<uint8_t>(pattern), count, stream);
        case 2:
          return call(reporter, driver.cuMemsetD16Async, address,
                      static_cast<uint16_t>(pattern), count, stream);
        default:
          return call(reporter, driver.cuMemsetD32Async, address, pattern,
                      count, stream);
        }
      });
}

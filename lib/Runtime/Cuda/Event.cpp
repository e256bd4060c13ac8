//===- Event.cpp ----------------------------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Events, which measure the time of work on a stream.
//
//===----------------------------------------------------------------------===//

#include "DeviceQueue.h"

#include "Context.h"

#include <new>

using namespace frit::runtime::cuda;

struct FritEvent {
  FritContext *context;
  EventHandle handle = nullptr;
};

FritStatus fritEventCreate(FritContext *context, FritEvent **event) {
  if (event)
    *event = nullptr;
  if (!context)
    return FRIT_STATUS_INVALID_ARGUMENT;
  Reporter reporter(context);
  if (!event)
    return reporter.report(FRIT_STATUS_INVALID_ARGUMENT,
                           "there is no place for the event");
  DeviceQueue *queue = getQueue(reporter, context);
  if (!queue)
    return FRIT_STATUS_DEVICE_UNAVAILABLE;
  auto *created = new (std::nothrow) FritEvent{context};
  if (!created)
    return reporter.report(FRIT_STATUS_OUT_OF_MEMORY,
                           "the system has no memory for an event");
  CurrentContext current(reporter, queue->getDevice());
  FritStatus status = current.getStatus();
  if (!status)
    status = call(reporter, Driver::get().cuEventCreate, &created->handle, 0u);
  if (status) {
    delete created;
    return status;
  }
  *event = created;
  return FRIT_STATUS_OK;
}

FritStatus fritEventRecord(FritEvent *event) {
  if (!event)
    return FRIT_STATUS_INVALID_ARGUMENT;
  Reporter reporter(event->context);
  DeviceQueue &queue = *event->context->queue;
  CurrentContext current(reporter, queue.getDevice());
  if (FritStatus status = current.getStatus())
    return status;
  return call(reporter, Driver::get().cuEventRecord, event->handle,
              queue.getStream());
}

FritStatus fritEventElapsed(FritEvent *begin, FritEvent *end,
                            double *milliseconds) {
  if (milliseconds)
    *milliseconds = 0;
  if (!end)
    return FRIT_STATUS_INVALID_ARGUMENT;
  Reporter reporter(end->context);
  if (!begin || !milliseconds)
    return reporter.report(FRIT_STATUS_INVALID_ARGUMENT, "there is no %s",
                           begin ? "place for the time" : "first event");
  DeviceQueue &queue = *end->context->queue;
  if (FritStatus status =
          queue.memory.refuseCapture(reporter, "waiting for an event"))
    return status;
  CurrentContext current(reporter, queue.getDevice());
  if (FritStatus status = current.getStatus())
    return status;
  const Driver &driver = Driver::get();
  for (FritEvent *event : {begin, end})
    if (FritStatus status =
            call(reporter, driver.cuEventSynchronize, event->handle))
      return status;
  float elapsed = 0;
  FritStatus status = call(reporter, driver.cuEventElapsedTime, &elapsed,
                           begin->handle, end->handle);
  *milliseconds = elapsed;
  return status;
}

void fritEventDestroy(FritEvent *event) {
  if (!event)
    return;
  Reporter reporter(event->context);
  CurrentContext current(reporter, event->context->queue->getDevice());
  call(reporter, Driver::get().cuEventDestroy, event->handle);
  delete event;
}

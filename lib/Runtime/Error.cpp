//===- Error.cpp
//-------------------------------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Records and reports errors.
//
//===----------------------------------------------------------------------===//

#include "Context.h"

#include <cstdio>
#include <cstring>

using namespace frit::runtime;

/// Copies a message into `size` bytes, cutting a long one between two UTF-8
/// characters. Returns the length of the copy.
static size_t copyMessage(char *target, const char *message,
                          size_t size = FRIT_ERROR_MESSAGE_SIZE) {
  size_t length = strnlen(message, size);
  if (length == size) {
    --length;
    while (length > 0 && (message[length] & 0xC0) == 0x80)
      --length;
  }
  memcpy(target, message, length);
  target[length] = '\0';
  return length;
}

/// The last reason that the thread could report to no context.
static thread_local char threadMessage[FRIT_ERROR_MESSAGE_SIZE];

FritStatus frit::runtime::reportToThread(FritStatus status,
                                         const char *message) {
  copyMessage(threadMessage, message);
  return status;
}

const char *fritThreadErrorMessage(void) { return threadMessage; }

void ErrorRecord::record(FritStatus newStatus, const char *newMessage,
                         int64_t newPlace) {
  std::lock_guard<std::mutex> lock(mutex);
  if (status.load(std::memory_order_relaxed) && place <= newPlace)
    return;
  place = newPlace;
  copyMessage(message, newMessage ? newMessage : fritStatusName(newStatus));
  status.store(newStatus, std::memory_order_release);
}

void ErrorRecord::clear() {
  std::lock_guard<std::mutex> lock(mutex);
  status.store(FRIT_STATUS_OK, std::memory_order_release);
  message[0] = '\0';
}

const char *fritStatusName(FritStatus status) {
  switch (status) {
  case FRIT_STATUS_OK:
    return "ok";
  case FRIT_STATUS_INVALID_ARGUMENT:
    return "invalid argument";
  case FRIT_STATUS_OUT_OF_MEMORY:
    return "out of memory";
  case FRIT_STATUS_ASSERTION_FAILED:
    return "assertion failed";
  case FRIT_STATUS_INTERNAL:
    return "internal error";
  case FRIT_STATUS_DEVICE_UNAVAILABLE:
    return "device unavailable";
  case FRIT_STATUS_DEVICE_ERROR:
    return "device error";
  case FRIT_STATUS_CAPTURE:
    return "not possible during a capture";
  case FRIT_STATUS_COMPILATION:
    return "compilation failed";
  case FRIT_STATUS_LIBRARY_UNAVAILABLE:
    return "library unavailable";
  case FRIT_STATUS_LIBRARY_ERROR:
    return "library error";
  default:
    return "unknown status";
  }
}

FritStatus fritReportError(FritContext *context, FritStatus status,
                           const char *message) {
  if (!context || status == FRIT_STATUS_OK)
    return status;
  if (const RunningPart *part = context->loop.getRunningPart())
    context->loop.getError().record(status, message, part->place);
  else
    context->error.record(status, message);
  return status;
}

FritStatus fritReportMismatch(FritContext *context, FritStatus status,
                              const char *message, int64_t actual,
                              int64_t expected) {
  char values[64];
  int length = snprintf(values, sizeof(values), " (%lld and %lld)",
                        static_cast<long long>(actual),
                        static_cast<long long>(expected));
  char text[FRIT_ERROR_MESSAGE_SIZE];
  size_t end = copyMessage(text, message ? message : fritStatusName(status),
                           sizeof(text) - static_cast<size_t>(length));
  memcpy(text + end, values, static_cast<size_t>(length) + 1);
  return fritReportError(context, status, text);
}

FritStatus fritPropagateError(FritContext *context) {
  if (!context)
    return FRIT_STATUS_INVALID_ARGUMENT;
  const ErrorRecord &record = context->loop.getRunningPart()
                                  ? context->loop.getError()
                                  : context->error;
  if (FritStatus status = record.getStatus())
    return status;
  return fritReportError(
      context, FRIT_STATUS_INTERNAL,
      "a runtime function failed without recording an error");
}

FritStatus fritContextErrorCode(const FritContext *context) {
  return context ? context->error.getStatus() : FRIT_STATUS_INVALID_ARGUMENT;
}

const char *fritContextErrorMessage(const FritContext *context) {
  return context ? context->error.getMessage() : "";
}

void fritContextClearError(FritContext *context) {
  if (context)
    context->error.clear();
}

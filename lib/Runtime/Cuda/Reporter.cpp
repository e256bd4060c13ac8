//===- Reporter.cpp -------------------------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Formats errors of the driver half.
//
//===----------------------------------------------------------------------===//

#include "Reporter.h"

#include <cstdarg>
#include <cstdio>

using namespace frit::runtime;
using namespace frit::runtime::cuda;

FritStatus Reporter::report(FritStatus status, const char *format, ...) const {
  char message[FRIT_ERROR_MESSAGE_SIZE];
  int used =
      kernel ? snprintf(message, sizeof(message), "kernel '%s': ", kernel) : 0;
  if (used >= 0 && static_cast<size_t>(used) < sizeof(message)) {
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message + used, sizeof(message) - used, format, arguments);
    va_end(arguments);
  }
  if (context)
    return fritReportError(context, status, message);
  if (record) {
    record->record(status, message);
    return status;
  }
  return reportToThread(status, message);
}

//===- EntryReporter.cpp - Errors of calls with descriptors ---------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Writes the messages. Names are cut, so that the values behind them are not.
//
//===----------------------------------------------------------------------===//

#include "Entry/EntryReporter.h"

#include <cstdarg>
#include <cstdio>

using namespace frit::runtime;

EntryReporter::Label::Label(const FritEntry &entry, int32_t index) {
  bool isArgument = index < entry.numArguments;
  const char *kind = isArgument ? "argument" : "result";
  int32_t number = isArgument ? index : index - entry.numArguments;
  const char *name = entry.values[index].name;
  if (*name)
    snprintf(buffer, sizeof(buffer), "%s %d ('%.80s')", kind, number, name);
  else
    snprintf(buffer, sizeof(buffer), "%s %d", kind, number);
}

FritStatus EntryReporter::report(FritStatus status, const char *format,
                                 ...) const {
  char message[FRIT_ERROR_MESSAGE_SIZE];
  int used = snprintf(message, sizeof(message), "'%.80s': ", entry.name);
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(message + used, sizeof(message) - used, format, arguments);
  va_end(arguments);
  return fritReportError(context, status, message);
}

FritStatus EntryReporter::reportValue(int32_t index, const char *format,
                                      ...) const {
  char message[FRIT_ERROR_MESSAGE_SIZE];
  int used = snprintf(message, sizeof(message), "'%.80s', %s: ", entry.name,
                      Label(entry, index).text());
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(message + used, sizeof(message) - used, format, arguments);
  va_end(arguments);
  return fritReportError(context, FRIT_STATUS_INVALID_ARGUMENT, message);
}

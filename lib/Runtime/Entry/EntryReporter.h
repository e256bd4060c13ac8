//===- EntryReporter.h - Errors of calls with descriptors -------*- C++ -*-===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Messages that begin with the function and the value that they are about.
//
//===----------------------------------------------------------------------===//

#ifndef FRIT_LIB_RUNTIME_ENTRY_ENTRYREPORTER_H
#define FRIT_LIB_RUNTIME_ENTRY_ENTRYREPORTER_H

#include "frit-c/Entry.h"

namespace frit::runtime {

class EntryReporter {
public:
  EntryReporter(FritContext *context, const FritEntry &entry)
      : context(context), entry(entry) {}

  /// Records an error of the function: "'mlp': ...".
  FritStatus report(FritStatus status, const char *format, ...) const
      __attribute__((format(printf, 3, 4)));

  /// Records that a value does not fit: "'mlp', argument 2 ('up.weight'): ...".
  FritStatus reportValue(int32_t index, const char *format, ...) const
      __attribute__((format(printf, 3, 4)));

  /// "argument 2 ('up.weight')", "result 0".
  class Label {
  public:
    Label(const FritEntry &entry, int32_t index);
    const char *text() const { return buffer; }

  private:
    char buffer[128];
  };

private:
  FritContext *context;
  const FritEntry &entry;
};

} // namespace frit::runtime

#endif // FRIT_LIB_RUNTIME_ENTRY_ENTRYREPORTER_H

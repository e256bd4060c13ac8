//===- Reporter.h -----------------------------------------------*- C++ -*-===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Where the driver half of the runtime reports errors: to a context, or to the
// calling thread while there is no context yet.
//
//===----------------------------------------------------------------------===//

#ifndef FRIT_LIB_RUNTIME_CUDA_REPORTER_H
#define FRIT_LIB_RUNTIME_CUDA_REPORTER_H

#include "Error.h"

#include "frit-c/RuntimeDevice.h"

namespace frit::runtime::cuda {

class Reporter {
public:
  /// For a context (null: for the calling thread), and for messages that begin
  /// with the id of a kernel unless `kernel` is null.
  explicit Reporter(FritContext *context, const char *kernel = nullptr)
      : context(context), kernel(kernel) {}

  /// For a record that its owner passes on.
  explicit Reporter(ErrorRecord &record) : record(&record) {}

  /// The id that messages begin with; may be null.
  const char *getKernel() const { return kernel; }

  /// Records an error and returns its code.
  FritStatus report(FritStatus status, const char *format, ...) const
      __attribute__((format(printf, 3, 4)));

private:
  FritContext *context = nullptr;
  const char *kernel = nullptr;
  ErrorRecord *record = nullptr;
};

} // namespace frit::runtime::cuda

#endif // FRIT_LIB_RUNTIME_CUDA_REPORTER_H

//===- Error.h
//---------------------------------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An error that is recorded once, and the place of an error in a parallel loop.
//
//===----------------------------------------------------------------------===//

#ifndef FRIT_LIB_RUNTIME_ERROR_H
#define FRIT_LIB_RUNTIME_ERROR_H

#include "frit-c/Runtime.h"

#include <atomic>
#include <cstdint>
#include <mutex>

namespace frit::runtime {

/// An error with its message and its place. Recording one with a lower place
/// replaces the one before, an equal or higher place changes nothing. Holds no
/// memory of its own, so that an error can be recorded when memory is short.
class ErrorRecord {
public:
  /// Place of an error that no later one replaces.
  static constexpr int64_t kFirst = 0;

  void record(FritStatus status, const char *message, int64_t place = kFirst);
  void clear();

  FritStatus getStatus() const {
    return status.load(std::memory_order_acquire);
  }
  const char *getMessage() const { return message; }

private:
  std::mutex mutex;
  std::atomic<FritStatus> status{FRIT_STATUS_OK};
  int64_t place = 0;
  char message[FRIT_ERROR_MESSAGE_SIZE] = {};
};

/// Keeps the reason of a failure for fritThreadErrorMessage; returns `status`.
FritStatus reportToThread(FritStatus status, const char *message);

} // namespace frit::runtime

#endif // FRIT_LIB_RUNTIME_ERROR_H

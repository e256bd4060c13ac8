//===- StubOneDnn.h ---------------------------------------------*- C++ -*-===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A stand-in for oneDNN 2 or 3 that computes f32 matmuls one by one, with what
// tests ask of it and learn from it. The runtime opens it as a library, so that
// tests reach it through the function fritStubOneDnn.
//
//===----------------------------------------------------------------------===//

#ifndef FRIT_TEST_UNIT_RUNTIME_STUBONEDNN_H
#define FRIT_TEST_UNIT_RUNTIME_STUBONEDNN_H

#include <atomic>
#include <cstdint>

namespace frit::stub {

struct OneDnnControl {
  /// Calls of functions that may fail.
  std::atomic<int64_t> calls{0};
  /// The number of the call that fails, and how; 0: none.
  int64_t failingCall = 0;
  int32_t failure = 5;
  /// The function that failed; null: none yet.
  const char *failed = nullptr;
  /// What a primitive asks for.
  int64_t scratchBytes = 0;

  /// Objects that exist, but for descriptors of memory in oneDNN 2.
  std::atomic<int64_t> objects{0};
  std::atomic<int64_t> primitives{0};
  std::atomic<int64_t> executions{0};
  /// OpenMP's, when the last primitive was described, and executed.
  std::atomic<int32_t> threadsOfPlan{0};
  std::atomic<int32_t> threadsOfExecution{0};
  /// Attributes of the last primitive; -1: not set.
  std::atomic<int32_t> scratchpadMode{-1};
  std::atomic<int32_t> mathMode{-1};
};

using GetOneDnnControl = OneDnnControl *();

} // namespace frit::stub

#endif // FRIT_TEST_UNIT_RUNTIME_STUBONEDNN_H

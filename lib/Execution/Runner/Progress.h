//===- Progress.h -----------------------------------------------*- C++ -*-===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Shows on a terminal what a long step is doing.
//
//===----------------------------------------------------------------------===//

#ifndef FRIT_LIB_EXECUTION_RUNNER_PROGRESS_H
#define FRIT_LIB_EXECUTION_RUNNER_PROGRESS_H

#include "llvm/ADT/StringRef.h"

#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>

namespace mlir::frit {

/// While it lives and standard error is a terminal, a line there says what is
/// being done and for how long, from the first second on; at the end the line
/// is removed. Elsewhere it does nothing.
class Progress {
public:
  explicit Progress(llvm::StringRef what);
  ~Progress();

  Progress(const Progress &) = delete;
  Progress &operator=(const Progress &) = delete;

private:
  void show();

  std::string what;
  std::mutex mutex;
  std::condition_variable ended;
  bool done = false;
  std::thread thread;
};

} // namespace mlir::frit

#endif // FRIT_LIB_EXECUTION_RUNNER_PROGRESS_H

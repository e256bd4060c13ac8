//===- Progress.cpp -------------------------------------------------------===//
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

#include "Progress.h"

#include "llvm/Support/Format.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/raw_ostream.h"

#include <chrono>

using namespace mlir::frit;

Progress::Progress(llvm::StringRef what) : what(what) {
  if (llvm::sys::Process::StandardErrIsDisplayed())
    thread = std::thread([this] { show(); });
}

Progress::~Progress() {
  if (!thread.joinable())
    return;
  {
    std::lock_guard<std::mutex> lock(mutex);
    done = true;
  }
  ended.notify_one();
  thread.join();
}

void Progress::show() {
  using Clock = std::chrono::steady_clock;
  Clock::time_point begin = Clock::now();
  // A stream of its own: errs() belongs to the main thread.
  llvm::raw_fd_ostream stream(/*fd=*/2, /*shouldClose=*/false);
  bool shown = false;
  std::unique_lock<std::mutex> lock(mutex);
  auto isDone = [this] { return done; };
  while (!ended.wait_for(lock, std::chrono::seconds(1), isDone)) {
    std::chrono::duration<double> elapsed = Clock::now() - begin;
    stream << '\r' << what << " ... "
           << llvm::format("%.0f s", elapsed.count());
    stream.flush();
    shown = true;
  }
  if (shown) {
    // Erases the line.
    stream << "\r\033[K";
    stream.flush();
  }
}

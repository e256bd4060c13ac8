//===- Driver.cpp ---------------------------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Opens the driver's library and looks up its functions.
//
//===----------------------------------------------------------------------===//

#include "Driver.h"

#include <atomic>
#include <cstdlib>
#include <mutex>
#include <new>

#include <dlfcn.h>

using namespace frit::runtime::cuda;

namespace {

constexpr const char *kDefaultLibrary = "libcuda.so.1";

/// The oldest driver that has every function of the table, as the driver counts
/// (1000 * major + 10 * minor).
constexpr int32_t kOldestVersion = 12040;

std::mutex openMutex;
std::atomic<const Driver *> opened{nullptr};

/// Fills the table from a library; false after a report.
bool lookUp(const Reporter &reporter, const char *path, void *library,
            Driver &driver) {
#define FRIT_CUDA_ENTRY(name, symbol, parameters)                              \
  if (void *address = dlsym(library, #symbol)) {                               \
    driver.name.function =                                                     \
        reinterpret_cast<decltype(driver.name.function)>(address);             \
  } else {                                                                     \
    reporter.report(FRIT_STATUS_DEVICE_UNAVAILABLE,                            \
                    "the CUDA driver '%s' lacks the function %s", path,        \
                    #symbol);                                                  \
    return false;                                                              \
  }
#include "DriverEntries.def"
  return true;
}

/// Checks the version and initializes the driver; false after a report.
bool initialize(const Reporter &reporter, const char *path,
                const Driver &driver) {
  auto unavailable = [&](const char *function, Result result) {
    const char *name = nullptr;
    const char *text = nullptr;
    driver.cuGetErrorName.function(result, &name);
    driver.cuGetErrorString.function(result, &text);
    reporter.report(FRIT_STATUS_DEVICE_UNAVAILABLE,
                    "%s of the CUDA driver '%s' failed: %s (%u): %s", function,
                    path, name ? name : "unknown error", result,
                    text ? text : "no text");
    return false;
  };
  int32_t version = 0;
  if (Result result = driver.cuDriverGetVersion.function(&version))
    return unavailable(driver.cuDriverGetVersion.name, result);
  if (version < kOldestVersion) {
    reporter.report(FRIT_STATUS_DEVICE_UNAVAILABLE,
                    "the CUDA driver '%s' is of version %d.%d; Frit needs "
                    "%d.%d or later",
                    path, version / 1000, version % 1000 / 10,
                    kOldestVersion / 1000, kOldestVersion % 1000 / 10);
    return false;
  }
  if (Result result = driver.cuInit.function(0))
    return unavailable(driver.cuInit.name, result);
  return true;
}

} // namespace

const Driver *Driver::open(const Reporter &reporter) {
  if (const Driver *driver = opened.load(std::memory_order_acquire))
    return driver;
  std::lock_guard<std::mutex> lock(openMutex);
  if (const Driver *driver = opened.load(std::memory_order_acquire))
    return driver;
  const char *path = secure_getenv("FRIT_CUDA_DRIVER");
  if (!path || !*path)
    path = kDefaultLibrary;
  void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (!library) {
    const char *reason = dlerror();
    reporter.report(FRIT_STATUS_DEVICE_UNAVAILABLE,
                    "the CUDA driver cannot be opened: %s",
                    reason ? reason : path);
    return nullptr;
  }
  // Lives to the end of the process: a driver cannot be unloaded.
  static Driver table;
  if (!lookUp(reporter, path, library, table) ||
      !initialize(reporter, path, table)) {
    dlclose(library);
    return nullptr;
  }
  opened.store(&table, std::memory_order_release);
  return &table;
}

const Driver &Driver::get() { return *opened.load(std::memory_order_acquire); }

FritStatus frit::runtime::cuda::reportResult(const Reporter &reporter,
                                             const Driver &driver,
                                             const char *function,
                                             Result result,
                                             const char *detail) {
  const char *name = nullptr;
  const char *text = nullptr;
  driver.cuGetErrorName.function(result, &name);
  driver.cuGetErrorString.function(result, &text);
  bool hasDetail = detail && *detail;
  return reporter.report(result == kErrorOutOfMemory ? FRIT_STATUS_OUT_OF_MEMORY
                                                     : FRIT_STATUS_DEVICE_ERROR,
                         "%s failed: %s (%u): %s%s%s", function,
                         name ? name : "unknown error", result,
                         text ? text : "no text", hasDetail ? ": " : "",
                         hasDetail ? detail : "");
}

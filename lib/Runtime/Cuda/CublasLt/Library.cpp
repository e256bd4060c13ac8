//===- Library.cpp --------------------------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Opens cuBLASLt and looks up its functions.
//
//===----------------------------------------------------------------------===//

#include "Library.h"

#include <atomic>
#include <cstdlib>
#include <mutex>

#include <dlfcn.h>

using namespace frit::runtime::cuda;
using namespace frit::runtime::cuda::cublaslt;

namespace {

/// What Frit knows the interface of, the newest first. Where the loader's path
/// lacks a toolkit, it is in its own place.
constexpr const char *kDefaultLibraries[] = {
    "libcublasLt.so.13", "libcublasLt.so.12",
    "/usr/local/cuda/lib64/libcublasLt.so.13",
    "/usr/local/cuda/lib64/libcublasLt.so.12"};

std::mutex openMutex;
std::atomic<const Library *> opened{nullptr};

/// A library that the loader finds, and its name in `path`; null after a
/// report.
void *load(const Reporter &reporter, const char *&path) {
  const char *named = secure_getenv("FRIT_CUBLASLT");
  if (named && *named) {
    path = named;
    if (void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL))
      return library;
  } else {
    for (const char *candidate : kDefaultLibraries) {
      path = candidate;
      if (void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL))
        return library;
    }
    // The reason that counts is the first one's.
    dlopen(kDefaultLibraries[0], RTLD_NOW | RTLD_LOCAL);
  }
  const char *reason = dlerror();
  reporter.report(FRIT_STATUS_DEVICE_UNAVAILABLE,
                  "cuBLASLt cannot be opened (FRIT_CUBLASLT may name it; the "
                  "policy 'native' does without): %s",
                  reason ? reason : path);
  return nullptr;
}

/// Fills the table from a library; false after a report.
bool lookUp(const Reporter &reporter, const char *path, void *library,
            Library &table) {
#define FRIT_CUBLASLT_ENTRY(result, name, parameters)                          \
  if (void *address = dlsym(library, #name)) {                                 \
    table.name = reinterpret_cast<decltype(table.name)>(address);              \
  } else {                                                                     \
    reporter.report(FRIT_STATUS_DEVICE_UNAVAILABLE,                            \
                    "the cuBLASLt '%s' lacks the function %s", path, #name);   \
    return false;                                                              \
  }
#include "Entries.def"
  return true;
}

} // namespace

const Library *Library::open(const Reporter &reporter) {
  if (const Library *library = opened.load(std::memory_order_acquire))
    return library;
  std::lock_guard<std::mutex> lock(openMutex);
  if (const Library *library = opened.load(std::memory_order_acquire))
    return library;
  const char *path = nullptr;
  void *library = load(reporter, path);
  if (!library)
    return nullptr;
  // Lives to the end of the process, as the driver that it uses.
  static Library table;
  if (!lookUp(reporter, path, library, table)) {
    dlclose(library);
    return nullptr;
  }
  opened.store(&table, std::memory_order_release);
  return &table;
}

FritStatus frit::runtime::cuda::cublaslt::reportStatus(const Reporter &reporter,
                                                       const Library &library,
                                                       const char *name,
                                                       Status status,
                                                       const char *what) {
  const char *statusName = library.cublasLtGetStatusName(status);
  const char *text = library.cublasLtGetStatusString(status);
  return reporter.report(status == kStatusAllocFailed
                             ? FRIT_STATUS_OUT_OF_MEMORY
                             : FRIT_STATUS_DEVICE_ERROR,
                         "%s failed for %s: %s (%u): %s", name, what,
                         statusName ? statusName : "unknown status", status,
                         text ? text : "no text");
}

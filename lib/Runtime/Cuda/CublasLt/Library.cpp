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

#include "Matmul/SharedLibrary.h"

#include <dlfcn.h>

using namespace frit::runtime;
using namespace frit::runtime::cuda;
using namespace frit::runtime::cuda::cublaslt;

namespace {

/// What Frit knows the interface of, the newest first. Where the loader's path
/// lacks a toolkit, it is in its own place.
constexpr const char *kDefaultLibraries[] = {
    "libcublasLt.so.13", "libcublasLt.so.12",
    "/usr/local/cuda/lib64/libcublasLt.so.13",
    "/usr/local/cuda/lib64/libcublasLt.so.12"};

LibraryTable<Library> libraryTable;

/// Fills the table from a library; false after a report.
bool lookUp(const Reporter &reporter, const SharedLibrary &library,
            Library &table) {
#define FRIT_CUBLASLT_ENTRY(result, name, parameters)                          \
  if (void *address = dlsym(library.handle, #name)) {                          \
    table.name = reinterpret_cast<decltype(table.name)>(address);              \
  } else {                                                                     \
    reporter.report(FRIT_STATUS_DEVICE_UNAVAILABLE,                            \
                    "the cuBLASLt '%s' lacks the function %s", library.path,   \
                    #name);                                                    \
    return false;                                                              \
  }
#include "Entries.def"
  return true;
}

} // namespace

const Library *Library::open(const Reporter &reporter) {
  return libraryTable.open(
      "FRIT_CUBLASLT", kDefaultLibraries,
      [&](const char *reason) {
        reporter.report(FRIT_STATUS_DEVICE_UNAVAILABLE,
                        "cuBLASLt cannot be opened (FRIT_CUBLASLT may name it; "
                        "the policy 'native' does without): %s",
                        reason);
      },
      [&](const SharedLibrary &library, Library &table) {
        return lookUp(reporter, library, table);
      });
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

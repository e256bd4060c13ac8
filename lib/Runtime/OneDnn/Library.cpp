//===- Library.cpp --------------------------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Opens oneDNN, refuses what Frit cannot call, and looks up its functions.
//
//===----------------------------------------------------------------------===//

#include "Library.h"

#include "Matmul/SharedLibrary.h"
#include "OpenMP.h"

#include <dlfcn.h>

using namespace frit::runtime;
using namespace frit::runtime::onednn;

namespace {

/// What Frit knows the interface of, the newest first.
constexpr const char *kDefaultLibraries[] = {"libdnnl.so.3", "libdnnl.so.2"};

LibraryTable<Library> libraryTable;

/// Fills the table from a library; false after a report.
bool lookUp(const Reporter &reporter, const SharedLibrary &library,
            Library &table) {
  auto find = [&](const char *name) {
    void *address = dlsym(library.handle, name);
    if (!address)
      reporter.report(FRIT_STATUS_LIBRARY_UNAVAILABLE,
                      "the oneDNN '%s' lacks the function %s", library.path,
                      name);
    return address;
  };
  auto *getVersion =
      reinterpret_cast<const Version *(*)()>(find("dnnl_version"));
  if (!getVersion)
    return false;
  const Version *version = getVersion();
  if (version->major != 2 && version->major != 3) {
    reporter.report(FRIT_STATUS_LIBRARY_UNAVAILABLE,
                    "the oneDNN '%s' is of version %d.%d.%d instead of 2 or 3",
                    library.path, version->major, version->minor,
                    version->patch);
    return false;
  }
  table.majorVersion = version->major;
  // Another team of threads would compete with that of parallel loops.
  if (dlsym(library.handle, "GOMP_parallel") !=
      reinterpret_cast<void *>(&GOMP_parallel)) {
    reporter.report(FRIT_STATUS_LIBRARY_UNAVAILABLE,
                    "the oneDNN '%s' does not take its threads from the OpenMP "
                    "runtime that Frit uses",
                    library.path);
    return false;
  }
#define FRIT_ONEDNN_ENTRY(result, name, parameters)                            \
  table.name = reinterpret_cast<decltype(table.name)>(find(#name));            \
  if (!table.name)                                                             \
    return false;
#define FRIT_ONEDNN_ENTRY_2(result, name, parameters)                          \
  if (table.majorVersion == 2) {                                               \
    FRIT_ONEDNN_ENTRY(result, name, parameters)                                \
  }
#define FRIT_ONEDNN_ENTRY_3(result, name, parameters)                          \
  if (table.majorVersion == 3) {                                               \
    FRIT_ONEDNN_ENTRY(result, name, parameters)                                \
  }
#include "Entries.def"
  return true;
}

} // namespace

const Library *Library::open(const Reporter &reporter) {
  return libraryTable.open(
      "FRIT_ONEDNN", kDefaultLibraries,
      [&](const char *reason) {
        reporter.report(FRIT_STATUS_LIBRARY_UNAVAILABLE,
                        "oneDNN cannot be opened (FRIT_ONEDNN may name it; "
                        "code for the target 'cpu' does without): %s",
                        reason);
      },
      [&](const SharedLibrary &library, Library &table) {
        return lookUp(reporter, library, table);
      });
}

FritStatus frit::runtime::onednn::reportStatus(const Reporter &reporter,
                                               const Library &library,
                                               const char *name, Status status,
                                               const char *what) {
  const char *text = library.dnnl_status2str(status);
  return reporter.report(status == kOutOfMemory ? FRIT_STATUS_OUT_OF_MEMORY
                                                : FRIT_STATUS_LIBRARY_ERROR,
                         "%s failed for %s: %s (%d)", name, what,
                         text ? text : "unknown status", status);
}

//===- SharedLibrary.h ------------------------------------------*- C++ -*-===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// How a library of matmuls is opened: at the first call that needs it, once a
// process.
//
//===----------------------------------------------------------------------===//

#ifndef FRIT_LIB_RUNTIME_MATMUL_SHAREDLIBRARY_H
#define FRIT_LIB_RUNTIME_MATMUL_SHAREDLIBRARY_H

#include <atomic>
#include <cstddef>
#include <mutex>

namespace frit::runtime {

/// A library that the loader found.
struct SharedLibrary {
  /// Null where there is none.
  void *handle = nullptr;
  /// Under which name it was found or asked for last.
  const char *path = nullptr;
  /// Why it was not found: of the first name that was asked for.
  const char *reason = nullptr;

  /// Opens what the environment variable `variable` names or, where it names
  /// nothing, the first of `candidates` that the loader finds.
  static SharedLibrary open(const char *variable, const char *const *candidates,
                            size_t numCandidates);
  void close();
};

/// The functions of a library. They live to the end of the process, as do the
/// threads and the driver that the library uses.
template <typename TableT> class LibraryTable {
public:
  /// The table of what SharedLibrary::open finds, filled by
  /// `lookUp(library, table)` at the first call. Null where there is none,
  /// after `reportMissing(reason)`, and where `lookUp` returns false; the next
  /// call tries again.
  template <size_t N, typename ReportT, typename LookUpT>
  const TableT *open(const char *variable, const char *const (&candidates)[N],
                     ReportT reportMissing, LookUpT lookUp) {
    if (const TableT *found = opened.load(std::memory_order_acquire))
      return found;
    std::lock_guard<std::mutex> lock(mutex);
    if (const TableT *found = opened.load(std::memory_order_acquire))
      return found;
    SharedLibrary library = SharedLibrary::open(variable, candidates, N);
    if (!library.handle) {
      reportMissing(library.reason);
      return nullptr;
    }
    table = TableT();
    if (!lookUp(library, table)) {
      library.close();
      return nullptr;
    }
    opened.store(&table, std::memory_order_release);
    return &table;
  }

private:
  std::mutex mutex;
  std::atomic<const TableT *> opened{nullptr};
  TableT table;
};

} // namespace frit::runtime

#endif // FRIT_LIB_RUNTIME_MATMUL_SHAREDLIBRARY_H

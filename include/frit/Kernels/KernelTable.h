//===- KernelTable.h ------------------------------------------ -*- C++ -*-===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The kernel table of a context: the single source of what selection may pick,
// of the listing, and of what the CUDA build must provide.
//
//===----------------------------------------------------------------------===//

#ifndef FRIT_KERNELS_KERNELTABLE_H
#define FRIT_KERNELS_KERNELTABLE_H

#include "frit/Kernels/KernelEntry.h"

#include "mlir/IR/DialectInterface.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/StringMap.h"

#include <memory>
#include <vector>

namespace mlir::frit {

/// An entry with the priority that counts in one selection.
struct KernelCandidate {
  const KernelEntry *entry;
  int64_t priority;
};

/// The table belongs to the frit dialect of one context. It changes only while
/// dialects are loaded, so passes may read it from several threads.
class KernelTable : public DialectInterface::Base<KernelTable> {
public:
  /// Starts with Frit's native entries (Kernels.def).
  explicit KernelTable(Dialect *dialect);

  /// Adds an entry. Where it is not sound (a duplicate, an unknown op, no
  /// element type, a CUDA kernel without launch plan, ...) the reason is
  /// reported at an unknown location, and the table stays as it was.
  LogicalResult add(KernelEntry entry);

  /// The entry that `frit.kernel = #frit.kernel<"id">` means on an op.
  const KernelEntry *lookup(StringRef op, StringRef id) const;

  /// The image of a name that some entry has; null where none has it.
  const KernelImage *lookupImage(StringRef name) const;

  /// The entries of an op in the order in which selection tries them: by
  /// falling priority, then by id. `priorities` replaces those of the table.
  SmallVector<KernelCandidate>
  getCandidates(StringRef op,
                const llvm::StringMap<int64_t> &priorities = {}) const;

  /// All entries, by op and id.
  SmallVector<const KernelEntry *> getEntries() const;

  /// True if some entry has this id.
  bool hasId(StringRef id) const;

  /// Prints the table in the Markdown format of docs/Kernels.md.
  void print(raw_ostream &os) const;

  /// The table of a context; null where registerKernelTable was not called or
  /// the dialect is not loaded.
  static const KernelTable *get(MLIRContext *context);

private:
  friend void registerKernels(DialectRegistry &, void (*)(KernelTable &));

  std::vector<std::unique_ptr<KernelEntry>> entries;
  /// Who has added entries already, so that registering twice is harmless.
  llvm::SmallPtrSet<void *, 4> applied;
};

/// Makes the frit dialect of every context with this registry hold a table.
void registerKernelTable(DialectRegistry &registry);

/// Adds the entries of the fused kernels in kernels/, also where the build has
/// no CUDA: they say so then.
void registerCudaKernels(DialectRegistry &registry);

/// The way in for third parties: `addEntries` is called once for each context,
/// when the frit dialect is loaded.
void registerKernels(DialectRegistry &registry,
                     void (*addEntries)(KernelTable &table));

/// Serves `--frit-list-kernels`: where it is among the arguments, prints the
/// table of `registry` and returns true.
bool listKernelsIfAsked(ArrayRef<char *> arguments,
                        const DialectRegistry &registry, raw_ostream &os);

} // namespace mlir::frit

#endif // FRIT_KERNELS_KERNELTABLE_H

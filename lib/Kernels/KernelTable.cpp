//===- KernelTable.cpp ----------------------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Holds entries, checks them as they are added, and hangs the table on the frit
// dialect of a context.
//
//===----------------------------------------------------------------------===//

#include "frit/Kernels/KernelTable.h"

#include "Cuda/CudaKernels.h"
#include "Library/LibraryKernels.h"

#include "llvm/ADT/StringSet.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace mlir::frit;

/// Why an entry is not sound; empty where it is.
static std::string findFault(const KernelEntry &entry, MLIRContext *context) {
  if (entry.id.empty())
    return "the id is empty";
  StringRef dialect = StringRef(entry.op).split('.').first;
  if (!StringRef(entry.op).contains('.'))
    return llvm::formatv("'{0}' is not the name of an op", entry.op);
  // Ops of a dialect that is not loaded yet may still appear.
  if (context->getLoadedDialect(dialect) &&
      !RegisteredOperationName::lookup(entry.op, context))
    return llvm::formatv("dialect '{0}' has no op '{1}'", dialect, entry.op);
  if (entry.elementTypes.empty())
    return "it has no element type";
  llvm::StringSet<> ids;
  for (const KernelCondition &condition : entry.conditions) {
    if (condition.id.empty() || !condition.check)
      return "a condition has no id or no check";
    if (!ids.insert(condition.id).second)
      return llvm::formatv("it has two conditions '{0}'", condition.id);
  }
  bool isCuda = entry.provider == KernelProvider::Cuda;
  if (isCuda && !llvm::all_of(entry.getSteps(), [](const KernelStep &step) {
        return step.isComplete();
      }))
    return "a kernel of provider 'cuda' needs a launch plan, an argument plan "
           "and a function";
  size_t numImages = entry.images.size();
  if (numImages > 1 && numImages != entry.elementTypes.size())
    return llvm::formatv("it has {0} images for {1} element types", numImages,
                         entry.elementTypes.size());
  if (numImages > 0 && entry.getBuiltArchs().empty())
    return llvm::formatv("its image '{0}' was built for '{1}', which names no "
                         "architecture",
                         entry.images.front().name,
                         entry.images.front().architectures);
  if (!isCuda && !entry.images.empty())
    return llvm::formatv("a kernel of provider '{0}' has no image",
                         stringifyKernelProvider(entry.provider));
  if (isCuda && entry.targets.contains(KernelTarget::getCpu()))
    return "a kernel of provider 'cuda' cannot run on 'cpu'";
  return "";
}

// The lists that Kernels.def speaks of.

template <typename... Types>
static std::vector<std::string> types(Types... names) {
  return {names...};
}
static std::vector<std::string> floats() { return types("f32", "f16", "bf16"); }
static std::vector<KernelCondition> unconditional() { return {}; }

KernelTable::KernelTable(Dialect *dialect) : Base(dialect) {
#define FRIT_KERNEL(ID, OP, PROVIDER, TARGETS, TYPES, PRIORITY, CONDITIONS)    \
  (void)add({ID, OP, KernelProvider::PROVIDER, KernelTargets::TARGETS, TYPES,  \
             PRIORITY, CONDITIONS});
#include "frit/Kernels/Kernels.def"
  addOneDnnKernels(*this);
  for (std::unique_ptr<KernelEntry> &entry : entries)
    if (entry->op == SparseFfnOp::getOperationName() &&
        entry->id == "native.vector")
      entry->estimate = estimateSparseFfnOnCpu;
}

LogicalResult KernelTable::add(KernelEntry entry) {
  std::string fault = findFault(entry, getContext());
  if (fault.empty() && lookup(entry.op, entry.id))
    fault = "the table has an entry of this id already";
  if (!fault.empty())
    return emitError(UnknownLoc::get(getContext()))
           << "cannot add kernel '" << entry.id << "' for op '" << entry.op
           << "': " << fault;
  entries.push_back(std::make_unique<KernelEntry>(std::move(entry)));
  return success();
}

const KernelEntry *KernelTable::lookup(StringRef op, StringRef id) const {
  for (const std::unique_ptr<KernelEntry> &entry : entries)
    if (entry->op == op && entry->id == id)
      return entry.get();
  return nullptr;
}

const KernelImage *KernelTable::lookupImage(StringRef name) const {
  for (const std::unique_ptr<KernelEntry> &entry : entries)
    for (const KernelImage &image : entry->images)
      if (StringRef(image.name) == name)
        return &image;
  return nullptr;
}

SmallVector<KernelCandidate>
KernelTable::getCandidates(StringRef op,
                           const llvm::StringMap<int64_t> &priorities) const {
  SmallVector<KernelCandidate> candidates;
  for (const std::unique_ptr<KernelEntry> &entry : entries) {
    if (entry->op != op)
      continue;
    auto it = priorities.find(entry->id);
    candidates.push_back(
        {entry.get(), it == priorities.end() ? entry->priority : it->second});
  }
  llvm::sort(
      candidates, [](const KernelCandidate &lhs, const KernelCandidate &rhs) {
        return lhs.priority != rhs.priority ? lhs.priority > rhs.priority
                                            : lhs.entry->id < rhs.entry->id;
      });
  return candidates;
}

SmallVector<const KernelEntry *> KernelTable::getEntries() const {
  auto all = llvm::map_to_vector(
      entries,
      [](const auto &entry) -> const KernelEntry * { return entry.get(); });
  llvm::sort(all, [](const KernelEntry *lhs, const KernelEntry *rhs) {
    return std::tie(lhs->op, lhs->id) < std::tie(rhs->op, rhs->id);
  });
  return all;
}

bool KernelTable::hasId(StringRef id) const {
  return llvm::any_of(entries,
                      [&](const auto &entry) { return entry->id == id; });
}

/// The table of a loaded dialect, made where there is none yet.
static KernelTable &getOrCreateTable(Dialect *dialect) {
  if (auto *table = dialect->getRegisteredInterface<KernelTable>())
    return *table;
  return dialect->addInterface<KernelTable>();
}

const KernelTable *KernelTable::get(MLIRContext *context) {
  auto *dialect = context->getLoadedDialect<FritDialect>();
  return dialect ? dialect->getRegisteredInterface<KernelTable>() : nullptr;
}

void frit::registerKernelTable(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, FritDialect *dialect) {
    getOrCreateTable(dialect);
  });
}

void frit::registerCudaKernels(DialectRegistry &registry) {
  registerKernels(registry, [](KernelTable &table) {
    addSparseKernels(table);
    addGatedKernels(table);
    addLoraKernels(table);
    addLoraActivationKernels(table);
    addLoraMatmulKernels(table);
    addLoraHalfKernels(table);
    addLoraGroupKernels(table);
    addGemvKernels(table);
    addSparseFfnKernels(table);
    addCublasLtKernels(table);
  });
}

void frit::registerKernels(DialectRegistry &registry,
                           void (*addEntries)(KernelTable &)) {
  struct Extension : public DialectExtension<Extension, FritDialect> {
    explicit Extension(void (*addEntries)(KernelTable &))
        : addEntries(addEntries) {}
    void apply(MLIRContext *context, FritDialect *dialect) const final {
      KernelTable &table = getOrCreateTable(dialect);
      if (table.applied.insert(reinterpret_cast<void *>(addEntries)).second)
        addEntries(table);
    }
    void (*addEntries)(KernelTable &);
  };
  registry.addExtension(
      TypeID::getFromOpaquePointer(reinterpret_cast<void *>(addEntries)),
      std::make_unique<Extension>(addEntries));
}

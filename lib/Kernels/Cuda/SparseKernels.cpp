//===- SparseKernels.cpp - Entries of gelu_and_mul_sparse -----------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The fused kernels of frit.gelu_and_mul_sparse. A row of a known length is
// dealt evenly to the threads of a block, or of a cluster of blocks where there
// are few rows: one entry for each range of tokens, whose parameters name the
// form. Where up is finite, an entry for many rows reads only what the result
// depends on. Other rows go through a ring in shared memory, or are read twice.
//
//===----------------------------------------------------------------------===//

#include "Activations.h"
#include "SparseForms.h"

#include "llvm/Support/FormatVariadic.h"

#include <functional>
#include <limits>

using namespace mlir;
using namespace mlir::frit;

static constexpr int64_t kNoLimit = std::numeric_limits<int64_t>::max();

static std::vector<KernelArgument> planArguments(KernelOpInterface op,
                                                 const KernelPlanSizes &sizes) {
  auto sparse = cast<GeluAndMulSparseOp>(op.getOperation());
  std::vector<KernelArgument> arguments = planGatedArguments(sparse, sizes);
  Builder builder(op.getContext());
  arguments.push_back(KernelArgument::number(sparse.getStdMultiplierAttr()));
  arguments.push_back(KernelArgument::number(
      builder.getI32IntegerAttr(sparse.getCorrection())));
  return arguments;
}

static std::string getFunction(StringRef family, KernelOpInterface op) {
  auto sparse = cast<GeluAndMulSparseOp>(op.getOperation());
  std::string name = llvm::formatv("frit_gelu_and_mul_sparse_{0}_{1}", family,
                                   getTypeName(sparse.getElementType()));
  // f32 has one kernel for both: no rounding to the element type.
  if (!sparse.getElementType().isF32())
    name += "_" + stringifyRounding(sparse.getRounding()).str();
  return name + "_" + stringifyApproximate(sparse.getApproximate()).str();
}

static KernelEntry makeEntry(StringRef id, unsigned minimumSm,
                             int64_t priority) {
  KernelEntry entry{id.str(),
                    "frit.gelu_and_mul_sparse",
                    KernelProvider::Cuda,
                    KernelTargets::minimumSm(minimumSm),
                    {"f32", "f16", "bf16"},
                    priority};
  entry.argumentPlan = planArguments;
  entry.images =
      findImages({"gelu_and_mul_sparse_f32", "gelu_and_mul_sparse_f16",
                  "gelu_and_mul_sparse_bf16"});
  return entry;
}

/// Vectors of 16 bytes of a row, where the length is known.
static std::optional<int64_t> getEvenVectors(KernelOpInterface op) {
  KernelShape shape = op.getKernelShape();
  std::optional<int64_t> d =
      shape.getExtents()[*shape.lookup("d")].getStaticSize();
  if (!d)
    return std::nullopt;
  int64_t bytes = *d * (op.getKernelElementType().getIntOrFloatBitWidth() / 8);
  return bytes % 16 == 0 ? std::optional(bytes / 16) : std::nullopt;
}

/// The form for rows of so many vectors; null where none deals them evenly.
using FindForm = std::function<const SparseForm *(int64_t rowVectors)>;

static const SparseForm *findForm(KernelOpInterface op, const FindForm &find) {
  std::optional<int64_t> vectors = getEvenVectors(op);
  return vectors ? find(*vectors) : nullptr;
}

static KernelCondition isDealtEvenly(const FindForm &find) {
  std::string needs = "a row of known length that its threads share evenly";
  return {"row", needs, [=](KernelOpInterface op, const KernelShape &shape) {
            if (findForm(op, find))
              return KernelFinding::met();
            const KernelExtent &d = shape.getExtents()[*shape.lookup("d")];
            std::optional<int64_t> size = d.getStaticSize();
            return KernelFinding::notMet(
                "needs " + needs + ", but d is " +
                (size ? std::to_string(*size) : "known only at run time"));
          }};
}

static KernelCondition isUpFinite() {
  std::string needs = "assume_finite_up";
  return {
      "up", needs, [=](KernelOpInterface op, const KernelShape &) {
        return cast<GeluAndMulSparseOp>(op.getOperation()).getAssumeFiniteUp()
                   ? KernelFinding::met()
                   : KernelFinding::notMet("needs " + needs);
      }};
}

/// `form` threads, `vectors` each, in `blocks` blocks a row.
static KernelLaunchPlan planDealt(const KernelPlanSizes &sizes) {
  KernelLaunchPlan plan;
  plan.isProgrammatic = true;
  plan.grid[0] = sizes("T") * sizes("blocks");
  plan.cluster[0] = sizes("blocks");
  plan.block[0] = sizes("threads");
  plan.dynamicSharedMemory = sizes("parked") * sizes("threads") * 16;
  return plan;
}

static void addDealt(KernelTable &table, StringRef id, int64_t priority,
                     std::vector<KernelCondition> conditions,
                     const FindForm &find) {
  KernelEntry entry = makeEntry(id, /*minimumSm=*/90, priority);
  entry.conditions = std::move(conditions);
  entry.conditions.push_back(isDealtEvenly(find));
  entry.launchPlan = planDealt;
  entry.params = [find](KernelOpInterface op) {
    const SparseForm *form = findForm(op, find);
    Builder builder(op.getContext());
    auto number = [&](StringRef name, int64_t value) {
      return builder.getNamedAttr(name, builder.getI64IntegerAttr(value));
    };
    return builder.getDictionaryAttr(
        {builder.getNamedAttr("form", builder.getStringAttr(form->getName())),
         number("threads", form->getThreads(*getEvenVectors(op))),
         number("blocks", form->blocks),
         number("parked", form->isParked() ? form->vectors : 0)});
  };
  entry.function = [](KernelOpInterface op) {
    return getFunction(
        op.getKernel().getParams().getAs<StringAttr>("form").getValue(), op);
  };
  (void)table.add(std::move(entry));
}

/// The forms for up to `maxTokens` rows.
static void addDealtByTokens(KernelTable &table, int64_t maxTokens,
                             int64_t priority) {
  std::string id = "cuda.tokens";
  std::vector<KernelCondition> conditions;
  if (maxTokens < kNoLimit) {
    id += std::to_string(maxTokens);
    conditions.push_back(KernelCondition::atMost("tokens", "T", maxTokens));
  }
  addDealt(table, id, priority, std::move(conditions), [=](int64_t rowVectors) {
    return findSparseForm(maxTokens, rowVectors);
  });
}

/// Persistent blocks: `threads` compute, 64 more copy rows into a ring of as
/// many slots as the shared memory of `blocks` blocks a multiprocessor holds.
static void addRing(KernelTable &table, int64_t threads, int64_t blocks,
                    int64_t priority) {
  constexpr int64_t header = 1664, most = 227 << 10, reserved = 1 << 10;
  int64_t slotBytes = 32 * threads;
  int64_t slots = std::min(most, (228 << 10) / blocks - reserved) - header;
  slots = std::min<int64_t>(slots / slotBytes, 32);
  KernelEntry entry = makeEntry("cuda.ring" + std::to_string(threads),
                                /*minimumSm=*/90, priority);
  entry.conditions = {KernelCondition::atLeast("tokens", "T", 257),
                      rowVectors(0, (slots - 1) * 2 * threads)};
  entry.launchPlan = [=](const KernelPlanSizes &sizes) {
    KernelLaunchPlan plan;
    plan.isProgrammatic = true;
    plan.grid[0] = {sizes("T"), sizes.getMultiprocessors() * blocks};
    plan.block[0] = sizes.getConstant(threads + 64);
    plan.dynamicSharedMemory = sizes.getConstant(header + slotBytes * slots);
    return plan;
  };
  entry.function = [](KernelOpInterface op) { return getFunction("ring", op); };
  (void)table.add(std::move(entry));
}

static void addStreamed(KernelTable &table, StringRef family, int64_t blocks,
                        int64_t priority) {
  KernelEntry entry =
      makeEntry(("cuda." + family).str(), blocks > 1 ? 90 : 80, priority);
  if (blocks > 1)
    entry.conditions = {KernelCondition::atMost("tokens", "T", 16),
                        rowVectors(1025, kNoLimit)};
  entry.launchPlan = [=](const KernelPlanSizes &sizes) {
    KernelLaunchPlan plan;
    plan.isProgrammatic = true;
    plan.grid[0] = sizes("T") * blocks;
    plan.block[0] = sizes.getConstant(512);
    if (blocks > 1)
      plan.cluster[0] = sizes.getConstant(blocks);
    return plan;
  };
  entry.function = [family](KernelOpInterface op) {
    return getFunction(family, op);
  };
  (void)table.add(std::move(entry));
}

void frit::addSparseKernels(KernelTable &table) {
  addDealt(
      table, "cuda.finite_up", 64,
      {isUpFinite(), KernelCondition::atLeast("tokens", "T", kMinNeededTokens)},
      findNeededForm);
  addDealtByTokens(table, 4, 62);
  addDealtByTokens(table, 16, 60);
  addDealtByTokens(table, 32, 58);
  addDealtByTokens(table, 64, 56);
  addDealtByTokens(table, 128, 54);
  addDealtByTokens(table, 256, 52);
  addDealtByTokens(table, kNoLimit, 50);
  addRing(table, 256, 2, 42);
  addRing(table, 512, 1, 40);
  addStreamed(table, "streamed_cluster", 8, 34);
  addStreamed(table, "streamed", 1, 30);
}

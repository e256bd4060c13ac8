//===- Plan.cpp -----------------------------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Tells cuBLASLt what a matmul is, and has it choose an algorithm.
//
// cuBLASLt is column-major: to it a row-major matrix is its transpose. So it is
// asked for the transpose of the result, b^T a^T, and its first operand is b.
//
//===----------------------------------------------------------------------===//

#include "Plan.h"

#include "Preferred.h"

#include <algorithm>
#include <new>

using namespace frit::runtime;
using namespace frit::runtime::cuda;
using namespace frit::runtime::cuda::cublaslt;

static DataType getDataType(int32_t type) {
  switch (type) {
  case FRIT_TYPE_F32:
    return kF32;
  case FRIT_TYPE_F16:
    return kF16;
  default:
    return kBF16;
  }
}

namespace {

/// CUBLASLT_MATMUL_STAGES_64xAUTO, the only one of kernels with tensor maps.
constexpr uint32_t kStages64 = 35;

/// Fills a plan; what was made stays in it also after a failure.
class PlanBuilder {
public:
  PlanBuilder(const Reporter &reporter, const Library &library, Handle handle,
              int32_t smVersion, Plan &plan)
      : reporter(reporter), library(library), handle(handle), plan(plan),
        key(plan.key), smVersion(smVersion) {}

  FritStatus build() {
    if (FritStatus status = createDesc())
      return status;
    bool transposesA = key.transposesA();
    bool transposesB = key.transposesB();
    if (FritStatus status =
            createLayout(plan.a, key.elementType, transposesA ? key.m : key.k,
                         transposesA ? key.k : key.m, 0))
      return status;
    if (FritStatus status =
            createLayout(plan.b, key.elementType, transposesB ? key.k : key.n,
                         transposesB ? key.n : key.k, 1))
      return status;
    if (FritStatus status =
            createLayout(plan.out, key.outType, key.n, key.m, 2))
      return status;
    Preference preference = nullptr;
    FritStatus status =
        check("cublasLtMatmulPreferenceCreate",
              library.cublasLtMatmulPreferenceCreate(&preference));
    if (status)
      return status;
    status = choose(preference);
    FritStatus destroyed =
        check("cublasLtMatmulPreferenceDestroy",
              library.cublasLtMatmulPreferenceDestroy(preference));
    return status ? status : destroyed;
  }

private:
  FritStatus check(const char *name, Status status) {
    if (status == kStatusSuccess)
      return FRIT_STATUS_OK;
    char what[256];
    key.describe(what, sizeof(what));
    return reportStatus(reporter, library, name, status, what);
  }

  template <typename Value>
  FritStatus setDesc(DescAttribute attribute, Value value) {
    return check("cublasLtMatmulDescSetAttribute",
                 library.cublasLtMatmulDescSetAttribute(plan.desc, attribute,
                                                        &value, sizeof(value)));
  }

  FritStatus createDesc() {
    if (FritStatus status = check(
            "cublasLtMatmulDescCreate",
            library.cublasLtMatmulDescCreate(&plan.desc, kCompute32F, kF32)))
      return status;
    if (key.transposesB())
      if (FritStatus status = setDesc(kDescTransA, kTranspose))
        return status;
    if (key.transposesA())
      if (FritStatus status = setDesc(kDescTransB, kTranspose))
        return status;
    return key.hasBias ? setDesc(kDescEpilogue, kEpilogueBias) : FRIT_STATUS_OK;
  }

  template <typename Value>
  FritStatus setLayout(MatrixLayout layout, LayoutAttribute attribute,
                       Value value) {
    return check("cublasLtMatrixLayoutSetAttribute",
                 library.cublasLtMatrixLayoutSetAttribute(
                     layout, attribute, &value, sizeof(value)));
  }

  FritStatus createLayout(MatrixLayout &layout, int32_t type, int64_t rows,
                          int64_t columns, int position) {
    if (FritStatus status = check("cublasLtMatrixLayoutCreate",
                                  library.cublasLtMatrixLayoutCreate(
                                      &layout, getDataType(type), rows, columns,
                                      key.rowStrides[position])))
      return status;
    if (key.batch == 1)
      return FRIT_STATUS_OK;
    if (FritStatus status = setLayout(layout, kLayoutBatchCount,
                                      static_cast<int32_t>(key.batch)))
      return status;
    return setLayout(layout, kLayoutBatchStride, key.batchStrides[position]);
  }

  template <typename Value>
  FritStatus prefer(Preference preference, PreferenceAttribute attribute,
                    Value value) {
    return check("cublasLtMatmulPreferenceSetAttribute",
                 library.cublasLtMatmulPreferenceSetAttribute(
                     preference, attribute, &value, sizeof(value)));
  }

  FritStatus choose(Preference preference) {
    if (const AlgorithmForm *form = getPreferred(key, smVersion))
      if (take(*form))
        return FRIT_STATUS_OK;
    if (FritStatus status =
            prefer(preference, kPreferMaxWorkspace, key.workspaceBytes))
      return status;
    // Partial sums must not be rounded to the type of the result.
    if (FritStatus status =
            prefer(preference, kPreferReductionSchemes, kReductionComputeType))
      return status;
    if (FritStatus status = choose(preference, UINT32_MAX))
      return status;
    // Operands of less alignment are read without tensor maps, by kernels that
    // round once.
    if (!isChosen && key.accumulatesIn16Bits())
      if (FritStatus status = choose(preference, kTensorMapAlignment / 2))
        return status;
    return isChosen
               ? FRIT_STATUS_OK
               : check("cublasLtMatmulAlgoGetHeuristic", kStatusNotSupported);
  }

  /// Takes the algorithm of a form, unless this library or the workspace does
  /// not let it.
  bool take(const AlgorithmForm &form) {
    DataType type = getDataType(key.elementType);
    Algorithm algorithm = {};
    if (library.cublasLtMatmulAlgoInit(handle, kCompute32F, kF32, type, type,
                                       type, type, kTensorMapsId, &algorithm))
      return false;
    auto set = [&](AlgorithmAttribute attribute, auto value) {
      return library.cublasLtMatmulAlgoConfigSetAttribute(
                 &algorithm, attribute, &value, sizeof(value)) ==
             kStatusSuccess;
    };
    uint32_t reduction = form.splits > 1 ? kReductionComputeType : 0;
    if (!set(kAlgorithmTile, form.tile) ||
        !set(kAlgorithmSplits, form.splits) ||
        !set(kAlgorithmReduction, reduction) ||
        !set(kAlgorithmOption, form.option) ||
        !set(kAlgorithmStages, kStages64) ||
        !set(kAlgorithmCluster, form.cluster))
      return false;
    HeuristicResult result = {};
    if (library.cublasLtMatmulAlgoCheck(handle, plan.desc, plan.b, plan.a,
                                        plan.out, plan.out, &algorithm,
                                        &result) ||
        result.workspaceSize > key.workspaceBytes)
      return false;
    plan.algorithm = algorithm;
    plan.workspaceBytes = result.workspaceSize;
    return true;
  }

  /// Takes the first algorithm that serves, as if no operand had a greater
  /// alignment than `mostAlignment` bytes.
  FritStatus choose(Preference preference, uint32_t mostAlignment) {
    const struct {
      PreferenceAttribute attribute;
      uint32_t alignment;
    } alignments[] = {{kPreferAlignmentA, key.alignments[1]},
                      {kPreferAlignmentB, key.alignments[0]},
                      {kPreferAlignmentC, key.alignments[2]},
                      {kPreferAlignmentD, key.alignments[2]}};
    for (const auto &[attribute, alignment] : alignments)
      if (FritStatus status =
              prefer(preference, attribute, std::min(alignment, mostAlignment)))
        return status;
    constexpr int32_t kRequested = 16;
    HeuristicResult results[kRequested] = {};
    int32_t count = 0;
    if (FritStatus status =
            check("cublasLtMatmulAlgoGetHeuristic",
                  library.cublasLtMatmulAlgoGetHeuristic(
                      handle, plan.desc, plan.b, plan.a, plan.out, plan.out,
                      preference, kRequested, results, &count)))
      return status;
    for (const HeuristicResult *result = results; result != results + count;
         ++result) {
      if (result->state != kStatusSuccess)
        continue;
      bool roundsOnce = true;
      if (key.accumulatesIn16Bits())
        if (FritStatus status = readRounding(result->algorithm, roundsOnce))
          return status;
      if (!roundsOnce)
        continue;
      plan.algorithm = result->algorithm;
      plan.workspaceBytes = result->workspaceSize;
      isChosen = true;
      break;
    }
    return FRIT_STATUS_OK;
  }

  /// Whether an algorithm adds the old value of a 16-bit result before it
  /// rounds. Those of kTensorMapsId round the product, add and round again,
  /// unless they split k and add with the partial sums.
  FritStatus readRounding(const Algorithm &algorithm, bool &roundsOnce) {
    int32_t id = 0, splits = 0;
    if (FritStatus status = read(algorithm, kAlgorithmId, id))
      return status;
    if (FritStatus status = read(algorithm, kAlgorithmSplits, splits))
      return status;
    roundsOnce = id != kTensorMapsId || splits > 1;
    return FRIT_STATUS_OK;
  }

  template <typename Value>
  FritStatus read(const Algorithm &algorithm, AlgorithmAttribute attribute,
                  Value &value) {
    size_t written = 0;
    return check("cublasLtMatmulAlgoConfigGetAttribute",
                 library.cublasLtMatmulAlgoConfigGetAttribute(
                     &algorithm, attribute, &value, sizeof(value), &written));
  }

  const Reporter &reporter;
  const Library &library;
  const Handle handle;
  Plan &plan;
  const PlanKey &key;
  const int32_t smVersion;
  bool isChosen = false;
};

} // namespace

/// Destroys a plan with all that was made of it.
static void destroyPlan(const Reporter &reporter, const Library &library,
                        Plan *plan) {
  auto check = [&](const char *name, Status status) {
    if (status != kStatusSuccess)
      reportStatus(reporter, library, name, status, "the end of a plan");
  };
  for (MatrixLayout layout : {plan->a, plan->b, plan->out})
    if (layout)
      check("cublasLtMatrixLayoutDestroy",
            library.cublasLtMatrixLayoutDestroy(layout));
  if (plan->desc)
    check("cublasLtMatmulDescDestroy",
          library.cublasLtMatmulDescDestroy(plan->desc));
  delete plan;
}

Plan *Plans::find(const PlanKey &key) const {
  return plans.find(hashKey(&key, sizeof(key)),
                    [&](const Plan &plan) { return plan.key == key; });
}

Plan *Plans::create(const Reporter &reporter, const Library &opened,
                    const PlanKey &key, int32_t smVersion) {
  library = &opened;
  if (!handle) {
    if (Status status = library->cublasLtCreate(&handle)) {
      handle = nullptr;
      reportStatus(reporter, *library, "cublasLtCreate", status, "a context");
      return nullptr;
    }
  }
  auto *plan = new (std::nothrow) Plan(key);
  if (!plan) {
    reporter.report(FRIT_STATUS_OUT_OF_MEMORY,
                    "the system has no memory for the plan of a matmul");
    return nullptr;
  }
  if (PlanBuilder(reporter, *library, handle, smVersion, *plan).build()) {
    destroyPlan(reporter, *library, plan);
    return nullptr;
  }
  plans.insert(plan);
  return plan;
}

void Plans::clear(const Reporter &reporter) {
  plans.drain([&](Plan *plan) { destroyPlan(reporter, *library, plan); });
  if (!handle)
    return;
  if (Status status = library->cublasLtDestroy(handle))
    reportStatus(reporter, *library, "cublasLtDestroy", status, "a context");
  handle = nullptr;
}

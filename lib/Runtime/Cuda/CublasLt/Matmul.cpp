//===- Matmul.cpp ---------------------------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Queues the matmuls of compiled functions.
//
//===----------------------------------------------------------------------===//

#include "../DeviceQueue.h"
#include "../KernelRange.h"
#include "../Ranges.h"

#include "Context.h"

#include <cinttypes>
#include <cstring>
#include <limits>

using namespace frit::runtime;
using namespace frit::runtime::cuda;
using namespace frit::runtime::cuda::cublaslt;

static bool isElementType(int32_t type) {
  return type == FRIT_TYPE_F32 || type == FRIT_TYPE_F16 ||
         type == FRIT_TYPE_BF16;
}

static FritStatus checkDescriptor(FritContext *context,
                                  const FritMatmulDescriptor *matmul,
                                  const FritMatmulOperands *operands) {
  constexpr int32_t kFlags = FRIT_MATMUL_TRANSPOSE_A | FRIT_MATMUL_TRANSPOSE_B |
                             FRIT_MATMUL_ACCUMULATE;
  Reporter reporter(context);
  if (!matmul || !operands)
    return reporter.report(FRIT_STATUS_INVALID_ARGUMENT, "a matmul has no %s",
                           matmul ? "operands" : "descriptor");
  if (matmul->size != sizeof(FritMatmulDescriptor))
    return reporter.report(FRIT_STATUS_INVALID_ARGUMENT,
                           "a matmul descriptor has a size of %" PRIu64
                           " bytes instead of %zu",
                           matmul->size, sizeof(FritMatmulDescriptor));
  if (!matmul->id)
    return reporter.report(FRIT_STATUS_INVALID_ARGUMENT,
                           "a matmul descriptor has no id");
  Reporter named(context, matmul->id);
  if (!isElementType(matmul->elementType) ||
      (matmul->outType != FRIT_TYPE_F32 &&
       matmul->outType != matmul->elementType))
    return named.report(FRIT_STATUS_INVALID_ARGUMENT,
                        "no matmul is of the types 0x%x to 0x%x",
                        static_cast<unsigned>(matmul->elementType),
                        static_cast<unsigned>(matmul->outType));
  if (matmul->reserved != 0 || (matmul->flags & ~kFlags))
    return named.report(FRIT_STATUS_INVALID_ARGUMENT,
                        "unknown matmul flags 0x%x, 0x%x",
                        static_cast<unsigned>(matmul->flags),
                        static_cast<unsigned>(matmul->reserved));
  return FRIT_STATUS_OK;
}

static FritStatus checkSizes(const Reporter &reporter,
                             const FritMatmulOperands &operands) {
  constexpr int64_t kMost = std::numeric_limits<int32_t>::max();
  const struct {
    const char *name;
    int64_t value;
    int64_t least;
  } sizes[] = {{"the batch", operands.batch, 0},
               {"m", operands.m, 0},
               {"n", operands.n, 0},
               {"k", operands.k, 1}};
  for (const auto &[name, value, least] : sizes)
    if (FritStatus status = checkRange(reporter, name, value, least, kMost))
      return status;
  return FRIT_STATUS_OK;
}

static FritStatus checkOperands(const Reporter &reporter, const PlanKey &key,
                                const FritMatmulOperands &operands) {
  constexpr int64_t kMost = std::numeric_limits<int64_t>::max();
  const struct {
    const char *rowStride;
    const char *batchStride;
    const void *data;
    int64_t columns;
  } matrices[] = {
      {"the row stride of a", "the batch stride of a", operands.a.data,
       key.flags & FRIT_MATMUL_TRANSPOSE_A ? key.m : key.k},
      {"the row stride of b", "the batch stride of b", operands.b.data,
       key.flags & FRIT_MATMUL_TRANSPOSE_B ? key.k : key.n},
      {"the row stride of out", "the batch stride of out", operands.out.data,
       key.n}};
  for (int i = 0; i < 3; ++i) {
    const auto &matrix = matrices[i];
    if (!matrix.data)
      return reporter.report(FRIT_STATUS_INVALID_ARGUMENT,
                             "an operand of the matmul is null");
    if (FritStatus status =
            checkRange(reporter, matrix.rowStride, key.rowStrides[i],
                       matrix.columns, kMost))
      return status;
    int64_t least = i == 2 && key.batch > 1 ? 1 : 0;
    if (FritStatus status = checkRange(reporter, matrix.batchStride,
                                       key.batchStrides[i], least, kMost))
      return status;
  }
  if (operands.bias && key.outType != FRIT_TYPE_F32)
    return reporter.report(FRIT_STATUS_INVALID_ARGUMENT,
                           "a bias of type 0x%x would be rounded before it is "
                           "added",
                           static_cast<unsigned>(key.outType));
  return FRIT_STATUS_OK;
}

static FritStatus queueMatmul(const Reporter &reporter, DeviceQueue &queue,
                              const Library &library, const Plan &plan,
                              const FritMatmulOperands &operands,
                              void *workspace, StreamHandle stream) {
  auto check = [&](const char *name, Status status) {
    if (__builtin_expect(status == kStatusSuccess, 1))
      return FritStatus{FRIT_STATUS_OK};
    char what[256];
    plan.key.describe(what, sizeof(what));
    return reportStatus(reporter, library, name, status, what);
  };
  if (operands.bias)
    if (FritStatus status = check("cublasLtMatmulDescSetAttribute",
                                  library.cublasLtMatmulDescSetAttribute(
                                      plan.desc, kDescBiasPointer,
                                      static_cast<const void *>(&operands.bias),
                                      sizeof(operands.bias))))
      return status;
  const float alpha = 1;
  const float beta = plan.key.flags & FRIT_MATMUL_ACCUMULATE ? 1 : 0;
  void *out = operands.out.data;
  return check("cublasLtMatmul",
               library.cublasLtMatmul(queue.plans.getHandle(), plan.desc,
                                      &alpha, operands.b.data, plan.b,
                                      operands.a.data, plan.a, &beta, out,
                                      plan.out, out, plan.out, &plan.algorithm,
                                      workspace, plan.workspaceBytes, stream));
}

/// Has the library load a plan's kernels: records the matmul on a stream of its
/// own, and forgets the record.
static FritStatus loadKernels(const Reporter &reporter, DeviceQueue &queue,
                              const Library &library, const Plan &plan,
                              const FritMatmulOperands &operands,
                              void *workspace) {
  const Driver &driver = Driver::get();
  RelaxedCapture relaxed(reporter);
  if (FritStatus status = relaxed.getStatus())
    return status;
  StreamHandle stream = nullptr;
  if (FritStatus status =
          call(reporter, driver.cuStreamCreate, &stream, kStreamNonBlocking))
    return status;
  auto combine = [](FritStatus first, FritStatus second) {
    return first ? first : second;
  };
  FritStatus status =
      call(reporter, driver.cuStreamBeginCapture, stream, kCaptureRelaxed);
  if (!status) {
    GraphHandle graph = nullptr;
    status = queueMatmul(reporter, queue, library, plan, operands, workspace,
                         stream);
    status = combine(status,
                     call(reporter, driver.cuStreamEndCapture, stream, &graph));
    if (graph)
      status = combine(status, call(reporter, driver.cuGraphDestroy, graph));
  }
  return combine(status, call(reporter, driver.cuStreamDestroy, stream));
}

/// The plan of a matmul, made if there is none yet; null after a report.
static Plan *getPlan(const Reporter &reporter, DeviceQueue &queue,
                     const Library &library, const PlanKey &key) {
  if (Plan *plan = queue.plans.find(key))
    return plan;
  char what[320] = "choosing an algorithm for ";
  size_t length = strlen(what);
  key.describe(what + length, sizeof(what) - length);
  if (queue.memory.refuseCapture(reporter, what, kPrepareHint))
    return nullptr;
  RelaxedCapture relaxed(reporter);
  if (relaxed.getStatus())
    return nullptr;
  return queue.plans.create(reporter, library, key,
                            queue.getDevice().getLimits().smVersion);
}

FritStatus fritLibraryMatmul(FritContext *context,
                             const FritMatmulDescriptor *matmul,
                             const FritMatmulOperands *operands) {
  if (!context)
    return FRIT_STATUS_INVALID_ARGUMENT;
  if (FritStatus status = checkDescriptor(context, matmul, operands))
    return status;
  Reporter reporter(context, matmul->id);
  DeviceQueue *queue = getQueue(reporter, context);
  if (!queue)
    return FRIT_STATUS_DEVICE_UNAVAILABLE;
  if (FritStatus status = checkSizes(reporter, *operands))
    return status;
  if (operands->batch == 0 || operands->m == 0 || operands->n == 0)
    return FRIT_STATUS_OK;
  PlanKey key(*matmul, *operands);
  if (FritStatus status = checkOperands(reporter, key, *operands))
    return status;
  const Library *library = Library::open(reporter);
  if (!library)
    return fritPropagateError(context);
  CurrentContext current(reporter, queue->getDevice());
  if (FritStatus status = current.getStatus())
    return status;
  const Plan *plan = getPlan(reporter, *queue, *library, key);
  if (!plan)
    return fritPropagateError(context);

  void *workspace = nullptr;
  if (plan->workspaceBytes > 0) {
    workspace =
        fritDeviceScratchAlloc(context, plan->workspaceBytes, kDeviceAlignment);
    if (!workspace)
      return fritPropagateError(context);
  }
  FritStatus status = FRIT_STATUS_OK;
  if (queue->preparing) {
    status =
        loadKernels(reporter, *queue, *library, *plan, *operands, workspace);
  } else {
    KernelRange range(matmul->id);
    ++queue->memory.statistics.launches;
    status = queueMatmul(reporter, *queue, *library, *plan, *operands,
                         workspace, queue->getStream());
  }
  // The stream keeps the order: what uses it next comes after the matmul.
  fritDeviceScratchFree(context, workspace);
  return status;
}

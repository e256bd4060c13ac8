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

#include "Context.h"
#include "Matmul/Check.h"

#include <cstring>

using namespace frit::runtime;
using namespace frit::runtime::cuda;
using namespace frit::runtime::cuda::cublaslt;

static FritStatus checkBias(const Reporter &reporter, const PlanKey &key) {
  if (key.hasBias && key.outType != FRIT_TYPE_F32)
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
  const float beta = plan.key.accumulates() ? 1 : 0;
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
  if (FritStatus status = checkMatmul(context, matmul, operands))
    return status;
  Reporter reporter(context, matmul->id);
  DeviceQueue *queue = getQueue(reporter, context);
  if (!queue)
    return FRIT_STATUS_DEVICE_UNAVAILABLE;
  if (FritStatus status = checkMatmulSizes(reporter, *operands))
    return status;
  if (operands->batch == 0 || operands->m == 0 || operands->n == 0)
    return FRIT_STATUS_OK;
  PlanKey key(*matmul, *operands);
  if (FritStatus status = checkMatmulOperands(reporter, key, *operands))
    return status;
  if (FritStatus status = checkBias(reporter, key))
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

//===- Matmul.cpp ---------------------------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Runs the matmuls of compiled functions in host memory.
//
//===----------------------------------------------------------------------===//

#include "Context.h"
#include "OpenMP.h"
#include "Plan.h"

#include "Cuda/KernelRange.h"
#include "Matmul/Check.h"

using namespace frit::runtime;
using namespace frit::runtime::cuda;
using namespace frit::runtime::onednn;

namespace {

/// How many threads oneDNN uses, on the calling thread, while it lives.
class ThreadCount {
public:
  explicit ThreadCount(int32_t threads) : old(omp_get_max_threads()) {
    if (threads != old)
      omp_set_num_threads(threads);
  }
  ~ThreadCount() {
    if (omp_get_max_threads() != old)
      omp_set_num_threads(old);
  }
  ThreadCount(const ThreadCount &) = delete;
  ThreadCount &operator=(const ThreadCount &) = delete;

private:
  const int32_t old;
};

/// One execution of a primitive, and what it needs.
class Execution {
public:
  Execution(const Reporter &reporter, const Library &library, Engine engine,
            const Plan &plan)
      : reporter(reporter), library(library), engine(engine), plan(plan) {}

  FritStatus run(const FritMatmulOperands &operands, void *scratch) {
    const struct {
      int32_t argument;
      void *data;
    } memories[] = {{kSource, operands.a.data},
                    {kWeights, operands.b.data},
                    {kDestination, operands.out.data},
                    {kBias, const_cast<void *>(operands.bias)},
                    {kScratchpad, scratch}};
    FritStatus status = FRIT_STATUS_OK;
    for (const auto &[argument, data] : memories)
      if (data && !status)
        status = add(argument, data);
    if (!status)
      status = execute();
    FritStatus destroyed = destroy();
    return status ? status : destroyed;
  }

private:
  FritStatus check(const char *name, Status status) {
    if (__builtin_expect(status == kSuccess, 1))
      return FRIT_STATUS_OK;
    char what[256];
    plan.key.describe(what, sizeof(what));
    return reportStatus(reporter, library, name, status, what);
  }

  FritStatus add(int32_t argument, void *data) {
    Memory memory = nullptr;
    const MemoryDescTag *desc = library.dnnl_primitive_desc_query_md(
        plan.desc, kQueryArgument, argument);
    if (FritStatus status =
            check("dnnl_memory_create",
                  library.dnnl_memory_create(&memory, desc, engine, data)))
      return status;
    arguments[numArguments++] = {argument, memory};
    return FRIT_STATUS_OK;
  }

  FritStatus execute() {
    if (FritStatus status =
            check("dnnl_stream_create",
                  library.dnnl_stream_create(&stream, engine, kDefaultStream)))
      return status;
    if (FritStatus status =
            check("dnnl_primitive_execute",
                  library.dnnl_primitive_execute(plan.primitive, stream,
                                                 numArguments, arguments)))
      return status;
    return check("dnnl_stream_wait", library.dnnl_stream_wait(stream));
  }

  FritStatus destroy() {
    FritStatus status = FRIT_STATUS_OK;
    if (stream)
      status =
          check("dnnl_stream_destroy", library.dnnl_stream_destroy(stream));
    for (int32_t i = 0; i < numArguments; ++i) {
      FritStatus destroyed =
          check("dnnl_memory_destroy",
                library.dnnl_memory_destroy(arguments[i].memory));
      status = status ? status : destroyed;
    }
    return status;
  }

  const Reporter &reporter;
  const Library &library;
  Engine engine;
  const Plan &plan;
  Stream stream = nullptr;
  Argument arguments[5];
  int32_t numArguments = 0;
};

} // namespace

static FritStatus checkHost(const Reporter &reporter,
                            const FritMatmulDescriptor &matmul) {
  if (matmul.elementType != FRIT_TYPE_F32)
    return reporter.report(FRIT_STATUS_INVALID_ARGUMENT,
                           "a matmul on the host is of the type 0x%x instead "
                           "of 0x%x: oneDNN takes subnormal numbers of 16 bits "
                           "for zeros",
                           static_cast<unsigned>(matmul.elementType),
                           static_cast<unsigned>(FRIT_TYPE_F32));
  if (matmul.workspaceBytes != 0)
    return reporter.report(
        FRIT_STATUS_INVALID_ARGUMENT,
        "a matmul on the host limits its scratch memory, to "
        "%llu bytes, which only the context does",
        static_cast<unsigned long long>(matmul.workspaceBytes));
  return FRIT_STATUS_OK;
}

static FritStatus runPlan(FritContext *context, const Reporter &reporter,
                          const Library &library, const Plan &plan,
                          const FritMatmulOperands &operands) {
  void *scratch = nullptr;
  if (plan.scratchBytes > 0) {
    scratch = fritScratchAlloc(context, plan.scratchBytes, 64);
    if (!scratch)
      return fritPropagateError(context);
  }
  KernelRange range(reporter.getKernel());
  FritStatus status =
      Execution(reporter, library, context->hostMatmuls.getEngine(), plan)
          .run(operands, scratch);
  fritScratchFree(context, scratch);
  return status;
}

FritStatus fritHostMatmul(FritContext *context,
                          const FritMatmulDescriptor *matmul,
                          const FritMatmulOperands *operands) {
  if (!context)
    return FRIT_STATUS_INVALID_ARGUMENT;
  if (FritStatus status = checkMatmul(context, matmul, operands))
    return status;
  Reporter reporter(context, matmul->id);
  if (FritStatus status = checkHost(reporter, *matmul))
    return status;
  if (FritStatus status = checkMatmulSizes(reporter, *operands))
    return status;
  if (operands->batch == 0 || operands->m == 0 || operands->n == 0)
    return FRIT_STATUS_OK;
  int32_t threads = context->loop.getFreeThreads();
  PlanKey key(*matmul, *operands, threads);
  if (FritStatus status = checkMatmulOperands(reporter, key, *operands))
    return status;
  const Library *library = Library::open(reporter);
  if (!library)
    return fritPropagateError(context);
  // Both the plan and its execution ask for it.
  ThreadCount count(threads);
  Plan *plan = context->hostMatmuls.borrow(reporter, *library, key);
  if (!plan)
    return fritPropagateError(context);
  FritStatus status = runPlan(context, reporter, *library, *plan, *operands);
  context->hostMatmuls.giveBack(plan);
  return status;
}

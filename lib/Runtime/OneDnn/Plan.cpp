//===- Plan.cpp -----------------------------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Makes the primitives of oneDNN and keeps them.
//
//===----------------------------------------------------------------------===//

#include "Plan.h"

#include "MatmulDesc.h"

#include <new>
#include <type_traits>

using namespace frit::runtime;
using namespace frit::runtime::onednn;

static_assert(std::has_unique_object_representations_v<PlanKey>);

bool PlanKey::operator==(const PlanKey &other) const {
  return equalKeys(this, &other, sizeof(PlanKey));
}

namespace {

/// Fills a plan; what was made stays in it also after a failure.
class PlanBuilder {
public:
  PlanBuilder(const Reporter &reporter, const Library &library, Engine engine,
              Plan &plan)
      : reporter(reporter), library(library), engine(engine), plan(plan),
        key(plan.key) {}

  FritStatus build() {
    Attributes attributes = nullptr;
    if (FritStatus status =
            check({"dnnl_primitive_attr_create",
                   library.dnnl_primitive_attr_create(&attributes)}))
      return status;
    FritStatus status = setAttributes(attributes);
    if (!status)
      status = describe(attributes);
    FritStatus destroyed =
        check({"dnnl_primitive_attr_destroy",
               library.dnnl_primitive_attr_destroy(attributes)});
    if (status || destroyed)
      return status ? status : destroyed;
    if (const MemoryDescTag *scratch = library.dnnl_primitive_desc_query_md(
            plan.desc, kQueryArgument, kScratchpad))
      plan.scratchBytes = library.dnnl_memory_desc_get_size(scratch);
    return check({"dnnl_primitive_create",
                  library.dnnl_primitive_create(&plan.primitive, plan.desc)});
  }

private:
  FritStatus check(CallResult result) {
    if (result.status == kSuccess)
      return FRIT_STATUS_OK;
    char what[256];
    key.describe(what, sizeof(what));
    return reportStatus(reporter, library, result.name, result.status, what);
  }

  FritStatus setAttributes(Attributes attributes) {
    // Of the context, and so in its limit and for each call its own.
    if (FritStatus status =
            check({"dnnl_primitive_attr_set_scratchpad_mode",
                   library.dnnl_primitive_attr_set_scratchpad_mode(
                       attributes, kScratchpadOfUser)}))
      return status;
    // The default may be set by the environment, to a type of fewer bits.
    if (FritStatus status = check({"dnnl_primitive_attr_set_fpmath_mode",
                                   library.dnnl_primitive_attr_set_fpmath_mode(
                                       attributes, kStrictMath)}))
      return status;
    return key.accumulates() ? setSum(attributes) : FRIT_STATUS_OK;
  }

  FritStatus setSum(Attributes attributes) {
    PostOps postOps = nullptr;
    if (FritStatus status = check(
            {"dnnl_post_ops_create", library.dnnl_post_ops_create(&postOps)}))
      return status;
    FritStatus status = check(appendSum(library, postOps));
    if (!status)
      status = check(
          {"dnnl_primitive_attr_set_post_ops",
           library.dnnl_primitive_attr_set_post_ops(attributes, postOps)});
    FritStatus destroyed = check(
        {"dnnl_post_ops_destroy", library.dnnl_post_ops_destroy(postOps)});
    return status ? status : destroyed;
  }

  /// A stack of matrices as the product reads them, or one.
  FritStatus init(MemoryDesc &desc, int64_t rows, int64_t columns, int position,
                  bool transposed) {
    int64_t step = key.batchStrides[position];
    int64_t rowStep = key.rowStrides[position];
    // What a batch shares is broadcast.
    Dims dims = {step == 0 ? 1 : key.batch, rows, columns};
    Dims strides = {step == 0 ? rows * columns : step, transposed ? 1 : rowStep,
                    transposed ? rowStep : 1};
    int32_t outer = key.batch == 1 ? 1 : 0;
    return check(desc.init(3 - outer, dims + outer, strides + outer));
  }

  FritStatus initBias(MemoryDesc &desc) {
    Dims dims = {1, 1, key.n};
    Dims strides = {key.n, key.n, 1};
    int32_t outer = key.batch == 1 ? 1 : 0;
    return check(desc.init(3 - outer, dims + outer, strides + outer));
  }

  FritStatus describe(Attributes attributes) {
    MemoryDesc source(library), weights(library), bias(library),
        destination(library);
    FritStatus status = init(source, key.m, key.k, 0, key.transposesA());
    if (!status)
      status = init(weights, key.k, key.n, 1, key.transposesB());
    if (!status)
      status = init(destination, key.m, key.n, 2, /*transposed=*/false);
    if (!status && key.hasBias)
      status = initBias(bias);
    if (!status)
      status = check(createMatmulDesc(library, engine, source, weights, bias,
                                      destination, attributes, plan.desc));
    for (MemoryDesc *desc : {&source, &weights, &bias, &destination}) {
      FritStatus destroyed = check(desc->destroy());
      status = status ? status : destroyed;
    }
    return status;
  }

  const Reporter &reporter;
  const Library &library;
  Engine engine;
  Plan &plan;
  const PlanKey &key;
};

} // namespace

static void destroyPlan(const Reporter &reporter, const Library &library,
                        Plan *plan) {
  auto check = [&](const char *name, Status status) {
    if (status)
      reportStatus(reporter, library, name, status, "the plan of a matmul");
  };
  if (plan->primitive)
    check("dnnl_primitive_destroy",
          library.dnnl_primitive_destroy(plan->primitive));
  if (plan->desc)
    check("dnnl_primitive_desc_destroy",
          library.dnnl_primitive_desc_destroy(plan->desc));
  delete plan;
}

Plan *Plans::create(const Reporter &reporter, const PlanKey &key) {
  if (!engine) {
    if (Status status = library->dnnl_engine_create(&engine, kCpu, 0)) {
      engine = nullptr;
      reportStatus(reporter, *library, "dnnl_engine_create", status,
                   "a context");
      return nullptr;
    }
  }
  if (numPlans == kMostPlans)
    dropIdle(reporter);
  auto *plan = new (std::nothrow) Plan(key);
  if (!plan) {
    reporter.report(FRIT_STATUS_OUT_OF_MEMORY,
                    "the system has no memory for the plan of a matmul");
    return nullptr;
  }
  if (PlanBuilder(reporter, *library, engine, *plan).build()) {
    destroyPlan(reporter, *library, plan);
    return nullptr;
  }
  plans.insert(plan);
  ++numPlans;
  return plan;
}

Plan *Plans::borrow(const Reporter &reporter, const Library &opened,
                    const PlanKey &key) {
  std::lock_guard<std::mutex> lock(mutex);
  library = &opened;
  Plan *plan = plans.find(hashKey(&key, sizeof(key)),
                          [&](const Plan &known) { return known.key == key; });
  if (!plan)
    plan = create(reporter, key);
  if (plan)
    ++plan->users;
  return plan;
}

void Plans::giveBack(Plan *plan) {
  std::lock_guard<std::mutex> lock(mutex);
  --plan->users;
}

void Plans::dropIdle(const Reporter &reporter) {
  Plan *used = nullptr;
  plans.drain([&](Plan *plan) {
    if (plan->users == 0) {
      destroyPlan(reporter, *library, plan);
      --numPlans;
      return;
    }
    plan->chain = used;
    used = plan;
  });
  while (used) {
    Plan *next = used->chain;
    plans.insert(used);
    used = next;
  }
}

void Plans::clear(const Reporter &reporter) {
  dropIdle(reporter);
  if (!engine)
    return;
  if (Status status = library->dnnl_engine_destroy(engine))
    reportStatus(reporter, *library, "dnnl_engine_destroy", status,
                 "a context");
  engine = nullptr;
}

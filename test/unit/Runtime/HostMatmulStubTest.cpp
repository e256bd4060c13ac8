//===- HostMatmulStubTest.cpp ---------------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Matmuls of a library in host memory: what the stub of oneDNN sees, and what
// becomes of every failure of it.
//
//===----------------------------------------------------------------------===//

#include "HostMatmul.h"
#include "StubOneDnn.h"

#include "OpenMP.h"

#include <algorithm>
#include <cstdlib>
#include <string>

#include <dlfcn.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace frit;

namespace {

class HostMatmulStubTest : public testing::Test {
protected:
  void SetUp() override {
    setenv("FRIT_ONEDNN", FRIT_TEST_ONEDNN, 1);
    void *library = dlopen(FRIT_TEST_ONEDNN, RTLD_NOW | RTLD_LOCAL);
    ASSERT_NE(library, nullptr) << dlerror();
    auto *get = reinterpret_cast<stub::GetOneDnnControl *>(
        dlsym(library, "fritStubOneDnn"));
    ASSERT_NE(get, nullptr);
    control = get();
    control->calls = 0;
    control->primitives = 0;
    control->executions = 0;
  }
  void TearDown() override {
    EXPECT_EQ(control->objects, 0);
    control->failingCall = 0;
    control->failed = nullptr;
    control->failure = 5;
    control->scratchBytes = 0;
  }

  stub::OneDnnControl *control = nullptr;
};

const HostMatmul::Form kEverything = {2,    3, 5, 4, FRIT_MATMUL_ACCUMULATE,
                                      true, 1};

} // namespace

TEST_F(HostMatmulStubTest, APlanIsMadeOnce) {
  TestContext context(1);
  for (int i = 0; i < 3; ++i) {
    HostMatmul matmul(kEverything);
    ASSERT_EQ(matmul.run(context), FRIT_STATUS_OK);
    matmul.expectResult();
  }
  EXPECT_EQ(control->primitives, 1);
  EXPECT_EQ(control->executions, 3);
  HostMatmul::Form longer = kEverything;
  ++longer.m;
  HostMatmul matmul(longer);
  ASSERT_EQ(matmul.run(context), FRIT_STATUS_OK);
  matmul.expectResult();
  EXPECT_EQ(control->primitives, 2);
}

TEST_F(HostMatmulStubTest, PlansAreNotKeptWithoutEnd) {
  TestContext context(1);
  int64_t most = 0;
  for (int64_t m = 1; m <= 600; ++m) {
    HostMatmul matmul({1, m, 2, 2});
    ASSERT_EQ(matmul.run(context), FRIT_STATUS_OK);
    matmul.expectResult();
    most = std::max<int64_t>(most, control->objects);
  }
  // A primitive and its descriptor each, and the engine.
  EXPECT_LE(most, 2 * 256 + 1);
  EXPECT_EQ(control->primitives, 600);
}

TEST_F(HostMatmulStubTest, SumsAreOfFullPrecision) {
  TestContext context(1);
  HostMatmul matmul({});
  ASSERT_EQ(matmul.run(context), FRIT_STATUS_OK);
  // dnnl_fpmath_mode_strict and dnnl_scratchpad_mode_user.
  EXPECT_EQ(control->mathMode, 0);
  EXPECT_EQ(control->scratchpadMode, 1);
}

TEST_F(HostMatmulStubTest, ScratchMemoryIsTheContexts) {
  control->scratchBytes = 100000;
  {
    TestContext context(1);
    HostMatmul matmul(kEverything);
    ASSERT_EQ(matmul.run(context), FRIT_STATUS_OK);
    matmul.expectResult();
    FritScratchStatistics statistics = fritScratchStatistics(context);
    EXPECT_GE(statistics.peakBytesHeld, 100000U);
    EXPECT_EQ(statistics.blocksInUse, 0U);
  }
  TestContext context(1, /*scratchLimit=*/50000);
  HostMatmul matmul(kEverything);
  EXPECT_EQ(matmul.run(context), FRIT_STATUS_OUT_OF_MEMORY);
  EXPECT_EQ(control->executions, 1);
}

TEST_F(HostMatmulStubTest, ThreadsAreTheContexts) {
  int before = omp_get_max_threads();
  for (int32_t threads : {1, 3, before}) {
    TestContext context(threads);
    HostMatmul matmul(kEverything);
    ASSERT_EQ(matmul.run(context), FRIT_STATUS_OK);
    EXPECT_EQ(control->threadsOfPlan, threads);
    EXPECT_EQ(control->threadsOfExecution, threads);
    EXPECT_EQ(omp_get_max_threads(), before);
  }
}

TEST_F(HostMatmulStubTest, ALoopBodyHasOneThread) {
  TestContext context(3);
  HostMatmul matmul(kEverything);
  ASSERT_EQ(fritParallelFor(
                context, 0, 100, 1,
                [](FritContext *context, void *matmul, int64_t begin, int64_t) {
                  return begin == 0
                             ? static_cast<HostMatmul *>(matmul)->run(context)
                             : FRIT_STATUS_OK;
                },
                &matmul),
            FRIT_STATUS_OK);
  matmul.expectResult();
  EXPECT_EQ(control->threadsOfPlan, 1);
  EXPECT_EQ(control->threadsOfExecution, 1);
}

// A fork has only the thread that called fork.
TEST_F(HostMatmulStubTest, AForkHasOneThread) {
  TestContext context(3);
  HostMatmul matmul(kEverything);
  ASSERT_EQ(matmul.run(context), FRIT_STATUS_OK);
  pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    alarm(20);
    FritStatus status = matmul.run(context);
    _exit(status == FRIT_STATUS_OK && control->threadsOfExecution == 1 ? 0 : 1);
  }
  int state = 0;
  ASSERT_EQ(waitpid(child, &state, 0), child);
  EXPECT_EQ(state, 0);
}

TEST_F(HostMatmulStubTest, EveryCallFailsOnce) {
  control->scratchBytes = 64;
  int64_t call = 1;
  for (;; ++call) {
    SCOPED_TRACE("call " + std::to_string(call));
    control->calls = 0;
    control->failed = nullptr;
    control->failingCall = call;
    FritContextOptions options = fritContextOptionsDefault();
    options.threads = 1;
    FritContext *context = nullptr;
    ASSERT_EQ(fritContextCreate(&options, &context), FRIT_STATUS_OK);
    HostMatmul matmul(kEverything);
    FritStatus status = matmul.run(context);
    std::string message = fritContextErrorMessage(context);
    if (!control->failed) {
      EXPECT_EQ(status, FRIT_STATUS_OK) << message;
    } else {
      EXPECT_EQ(status, FRIT_STATUS_LIBRARY_ERROR);
      EXPECT_NE(message.find("kernel 'library.test': " +
                             std::string(control->failed) + " failed for a"),
                std::string::npos)
          << message;
      EXPECT_NE(message.find("runtime_error (5)"), std::string::npos)
          << message;
      fritContextClearError(context);
      // The next one finds nothing broken.
      HostMatmul again(kEverything);
      EXPECT_EQ(again.run(context), FRIT_STATUS_OK)
          << fritContextErrorMessage(context);
      again.expectResult();
    }
    bool failed = control->failed;
    fritContextDestroy(context);
    EXPECT_EQ(control->objects, 0);
    if (!control->failed)
      break;
    if (!failed) {
      EXPECT_NE(std::string(fritThreadErrorMessage()).find(control->failed),
                std::string::npos)
          << fritThreadErrorMessage();
    }
  }
  // All that a matmul with everything calls.
  EXPECT_GT(call, 30);
}

TEST_F(HostMatmulStubTest, ExhaustedMemoryIsSaid) {
  TestContext context(1);
  control->failingCall = 1;
  control->failure = 1;
  HostMatmul matmul({});
  EXPECT_EQ(matmul.run(context), FRIT_STATUS_OUT_OF_MEMORY);
}

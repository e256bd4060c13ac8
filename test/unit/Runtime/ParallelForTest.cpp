//===- ParallelForTest.cpp
//---------------------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Parallel loops: coverage of the range, grain, nesting, and which error wins.
//
//===----------------------------------------------------------------------===//

#include "TestContext.h"

#include "gtest/gtest.h"

#include <atomic>
#include <functional>
#include <mutex>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <sys/wait.h>
#include <unistd.h>

namespace {

using Body = std::function<FritStatus(FritContext *, int64_t, int64_t)>;

FritStatus callBody(FritContext *context, void *closure, int64_t begin,
                    int64_t end) {
  return (*static_cast<Body *>(closure))(context, begin, end);
}

FritStatus parallelFor(FritContext *context, int64_t begin, int64_t end,
                       int64_t grain, Body body) {
  return fritParallelFor(context, begin, end, grain, callBody, &body);
}

} // namespace

TEST(ParallelForTest, RunsEachIterationOnce) {
  for (int32_t threads : {1, 2, 3, 8}) {
    TestContext context(threads);
    for (int64_t length : {0, 1, 2, 3, 7, 64, 1000, 4097}) {
      for (int64_t grain : {-5, 0, 1, 3, 64, 5000}) {
        const int64_t begin = -3;
        std::vector<std::atomic<int>> counts(length);
        FritStatus status =
            parallelFor(context, begin, begin + length, grain,
                        [&](FritContext *, int64_t partBegin, int64_t partEnd) {
                          EXPECT_LT(partBegin, partEnd);
                          if (partEnd != begin + length) {
                            EXPECT_GE(partEnd - partBegin, grain);
                          }
                          for (int64_t i = partBegin; i < partEnd; ++i)
                            ++counts[i - begin];
                          return FRIT_STATUS_OK;
                        });
        EXPECT_EQ(status, FRIT_STATUS_OK);
        for (auto &count : counts)
          ASSERT_EQ(count, 1) << threads << " " << length << " " << grain;
      }
    }
  }
}

TEST(ParallelForTest, ReversedRangeIsEmpty) {
  TestContext context(2);
  EXPECT_EQ(parallelFor(context, 5, -5, 1,
                        [](FritContext *, int64_t, int64_t) {
                          return FRIT_STATUS_INTERNAL;
                        }),
            FRIT_STATUS_OK);
}

TEST(ParallelForTest, CoversTheWholeIndexRange) {
  TestContext context(2);
  std::mutex mutex;
  std::vector<std::pair<int64_t, int64_t>> parts;
  ASSERT_EQ(parallelFor(context, INT64_MIN, INT64_MAX, 1,
                        [&](FritContext *, int64_t begin, int64_t end) {
                          std::lock_guard<std::mutex> lock(mutex);
                          parts.emplace_back(begin, end);
                          return FRIT_STATUS_OK;
                        }),
            FRIT_STATUS_OK);
  std::sort(parts.begin(), parts.end());
  EXPECT_EQ(parts.front().first, INT64_MIN);
  EXPECT_EQ(parts.back().second, INT64_MAX);
  for (size_t i = 1; i < parts.size(); ++i)
    EXPECT_EQ(parts[i - 1].second, parts[i].first);
}

TEST(ParallelForTest, MissingBodyAndContextAreErrors) {
  TestContext context(2);
  EXPECT_EQ(fritParallelFor(context, 0, 1, 1, nullptr, nullptr),
            FRIT_STATUS_INVALID_ARGUMENT);
  EXPECT_EQ(fritParallelFor(nullptr, 0, 1, 1, callBody, nullptr),
            FRIT_STATUS_INVALID_ARGUMENT);
}

// The lowest failing iteration decides status and message, for every number of
// threads and however the threads interleave.
TEST(ParallelForTest, LowestFailureWins) {
  for (int32_t threads : {1, 2, 4}) {
    for (int repetition = 0; repetition < 50; ++repetition) {
      TestContext context(threads);
      std::vector<std::atomic<int>> counts(1000);
      FritStatus status = parallelFor(
          context, 0, 1000, 1,
          [&](FritContext *context, int64_t begin, int64_t end) {
            for (int64_t i = begin; i < end; ++i) {
              ++counts[i];
              if (i >= 371 && i % 100 == 71) {
                std::string message = "iteration " + std::to_string(i);
                return fritReportError(context,
                                       1000 + static_cast<FritStatus>(i),
                                       message.c_str());
              }
            }
            return FritStatus(FRIT_STATUS_OK);
          });
      EXPECT_EQ(status, 1371);
      EXPECT_EQ(fritContextErrorCode(context), 1371);
      EXPECT_STREQ(fritContextErrorMessage(context), "iteration 371");
      for (int i = 0; i <= 371; ++i)
        ASSERT_EQ(counts[i], 1);
    }
  }
}

TEST(ParallelForTest, FailureWithoutReportIsRecorded) {
  for (int32_t threads : {1, 2}) {
    TestContext context(threads);
    EXPECT_EQ(parallelFor(context, 0, 100, 1,
                          [](FritContext *, int64_t, int64_t) {
                            return FRIT_STATUS_OUT_OF_MEMORY;
                          }),
              FRIT_STATUS_OUT_OF_MEMORY);
    EXPECT_NE(fritContextErrorCode(context), FRIT_STATUS_OK);
    EXPECT_STRNE(fritContextErrorMessage(context), "");
  }
}

TEST(ParallelForTest, ALoopWorksAfterAFailedOne) {
  TestContext context(2);
  parallelFor(context, 0, 100, 1, [](FritContext *, int64_t, int64_t) {
    return FRIT_STATUS_INTERNAL;
  });
  fritContextClearError(context);
  std::atomic<int64_t> sum{0};
  EXPECT_EQ(parallelFor(context, 0, 100, 1,
                        [&](FritContext *, int64_t begin, int64_t end) {
                          for (int64_t i = begin; i < end; ++i)
                            sum += i;
                          return FRIT_STATUS_OK;
                        }),
            FRIT_STATUS_OK);
  EXPECT_EQ(sum, 4950);
  EXPECT_EQ(fritContextErrorCode(context), FRIT_STATUS_OK);
}

TEST(ParallelForTest, NestedLoopsRunInline) {
  TestContext context(4);
  std::atomic<int64_t> sum{0};
  std::atomic<int> parts{0};
  EXPECT_EQ(parallelFor(context, 0, 16, 1,
                        [&](FritContext *context, int64_t begin, int64_t end) {
                          ++parts;
                          std::thread::id outer = std::this_thread::get_id();
                          return parallelFor(
                              context, 0, 100 * (end - begin), 1,
                              [&](FritContext *, int64_t innerBegin,
                                  int64_t innerEnd) {
                                EXPECT_EQ(std::this_thread::get_id(), outer);
                                sum += innerEnd - innerBegin;
                                return FRIT_STATUS_OK;
                              });
                        }),
            FRIT_STATUS_OK);
  EXPECT_EQ(sum, 1600);
  EXPECT_GT(parts, 1);
}

TEST(ParallelForTest, NestedFailureIsTheOuterPartsFailure) {
  TestContext context(2);
  EXPECT_EQ(parallelFor(context, 0, 16, 1,
                        [&](FritContext *context, int64_t, int64_t) {
                          return parallelFor(
                              context, 0, 10, 1,
                              [&](FritContext *context, int64_t, int64_t) {
                                return fritReportError(
                                    context, FRIT_STATUS_ASSERTION_FAILED,
                                    "inner");
                              });
                        }),
            FRIT_STATUS_ASSERTION_FAILED);
  EXPECT_STREQ(fritContextErrorMessage(context), "inner");
}

TEST(ParallelForTest, ScratchMemoryInParts) {
  TestContext context(4);
  for (int repetition = 0; repetition < 20; ++repetition)
    ASSERT_EQ(parallelFor(context, 0, 64, 1,
                          [](FritContext *context, int64_t begin, int64_t end) {
                            for (int64_t i = begin; i < end; ++i) {
                              auto *memory = static_cast<int64_t *>(
                                  fritScratchAlloc(context, 8, 8));
                              if (!memory)
                                return fritPropagateError(context);
                              *memory = i;
                              fritScratchFree(context, memory);
                            }
                            return FritStatus(FRIT_STATUS_OK);
                          }),
              FRIT_STATUS_OK);
  FritScratchStatistics statistics = fritScratchStatistics(context);
  EXPECT_LE(statistics.systemAllocations, 4u);
  EXPECT_EQ(statistics.allocations, 20u * 64u);
  EXPECT_EQ(statistics.blocksInUse, 0u);
}

TEST(ParallelForTest, ContextsOfSeveralThreads) {
  std::vector<std::thread> threads;
  threads.reserve(8);
  for (int t = 0; t < 8; ++t)
    threads.emplace_back([] {
      TestContext context(2);
      for (int repetition = 0; repetition < 50; ++repetition) {
        std::atomic<int64_t> sum{0};
        EXPECT_EQ(parallelFor(context, 0, 1000, 10,
                              [&](FritContext *, int64_t begin, int64_t end) {
                                for (int64_t i = begin; i < end; ++i)
                                  sum += i;
                                return FRIT_STATUS_OK;
                              }),
                  FRIT_STATUS_OK);
        EXPECT_EQ(sum, 499500);
      }
    });
  for (std::thread &thread : threads)
    thread.join();
}

// A fork has only the thread that called fork; a loop must not wait for others.
TEST(ParallelForTest, RunsInAForkOfAProcessThatHadThreads) {
  TestContext context(4);
  auto count = [&] {
    std::atomic<int64_t> iterations{0};
    FritStatus status = parallelFor(
        context, 0, 1000, 1, [&](FritContext *, int64_t begin, int64_t end) {
          iterations += end - begin;
          return FRIT_STATUS_OK;
        });
    return status ? -1 : iterations.load();
  };
  ASSERT_EQ(count(), 1000);
  pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    alarm(20);
    _exit(count() == 1000 ? 0 : 1);
  }
  int state = 0;
  ASSERT_EQ(waitpid(child, &state, 0), child);
  EXPECT_EQ(state, 0) << "14 is the alarm: the loop waited for threads";
  EXPECT_EQ(count(), 1000);
}

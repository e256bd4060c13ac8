//===- ContextTest.cpp
//-------------------------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Contexts, calls and errors of the runtime.
//
//===----------------------------------------------------------------------===//

#include "TestContext.h"

#include "gtest/gtest.h"

#include <dlfcn.h>

#include <string>

extern "C" int32_t fritTestRuntimeFromC(void);

TEST(ContextTest, WorksFromC) { EXPECT_EQ(fritTestRuntimeFromC(), 0); }

TEST(ContextTest, VersionIsTheHeaders) {
  EXPECT_EQ(fritRuntimeVersion(),
            FRIT_RUNTIME_VERSION_MAJOR * 1000 + FRIT_RUNTIME_VERSION_MINOR);
}

TEST(ContextTest, ExportsEverySymbolOfTheLowering) {
#define FRIT_RUNTIME_FUNCTION(name)                                            \
  EXPECT_NE(dlsym(RTLD_DEFAULT, #name), nullptr) << #name;
#define FRIT_RUNTIME_HELPER(name)                                              \
  EXPECT_NE(dlsym(RTLD_DEFAULT, #name), nullptr) << #name;
#include "frit-c/RuntimeSymbols.def"
}

TEST(ContextTest, RejectsBadOptions) {
  FritContext *context = reinterpret_cast<FritContext *>(1);
  FritContextOptions options = fritContextOptionsDefault();
  EXPECT_EQ(fritContextCreate(&options, nullptr), FRIT_STATUS_INVALID_ARGUMENT);
  for (int32_t threads : {-1, 1025, INT32_MIN, INT32_MAX}) {
    options.threads = threads;
    EXPECT_EQ(fritContextCreate(&options, &context),
              FRIT_STATUS_INVALID_ARGUMENT);
    EXPECT_EQ(context, nullptr);
  }
  options = fritContextOptionsDefault();
  options.size = 4;
  EXPECT_EQ(fritContextCreate(&options, &context),
            FRIT_STATUS_INVALID_ARGUMENT);
}

TEST(ContextTest, DefaultsAndNullAreServed) {
  FritContext *context = nullptr;
  ASSERT_EQ(fritContextCreate(nullptr, &context), FRIT_STATUS_OK);
  EXPECT_GE(fritContextThreads(context), 1);
  EXPECT_EQ(fritContextErrorCode(context), FRIT_STATUS_OK);
  EXPECT_STREQ(fritContextErrorMessage(context), "");
  fritContextDestroy(context);

  fritContextDestroy(nullptr);
  fritContextClearError(nullptr);
  fritScratchFree(nullptr, nullptr);
  fritScratchTrim(nullptr);
  EXPECT_EQ(fritContextThreads(nullptr), 1);
  EXPECT_EQ(fritContextErrorCode(nullptr), FRIT_STATUS_INVALID_ARGUMENT);
  EXPECT_STREQ(fritContextErrorMessage(nullptr), "");
  EXPECT_EQ(fritPropagateError(nullptr), FRIT_STATUS_INVALID_ARGUMENT);
  EXPECT_EQ(fritBeginCall(nullptr), FRIT_STATUS_INVALID_ARGUMENT);
  EXPECT_EQ(fritEndCall(nullptr, FRIT_STATUS_OK), FRIT_STATUS_INVALID_ARGUMENT);
  EXPECT_EQ(fritScratchAlloc(nullptr, 1, 1), nullptr);
  EXPECT_EQ(fritScratchStatistics(nullptr).allocations, 0u);
}

TEST(ContextTest, FirstErrorStays) {
  TestContext context;
  EXPECT_EQ(fritReportError(context, FRIT_STATUS_OK, "no error"),
            FRIT_STATUS_OK);
  EXPECT_EQ(fritContextErrorCode(context), FRIT_STATUS_OK);
  EXPECT_EQ(fritReportError(context, FRIT_STATUS_ASSERTION_FAILED, "first"),
            FRIT_STATUS_ASSERTION_FAILED);
  EXPECT_EQ(fritReportError(context, FRIT_STATUS_INTERNAL, "second"),
            FRIT_STATUS_INTERNAL);
  EXPECT_EQ(fritContextErrorCode(context), FRIT_STATUS_ASSERTION_FAILED);
  EXPECT_STREQ(fritContextErrorMessage(context), "first");
  EXPECT_EQ(fritPropagateError(context), FRIT_STATUS_ASSERTION_FAILED);

  fritContextClearError(context);
  EXPECT_EQ(fritContextErrorCode(context), FRIT_STATUS_OK);
  EXPECT_STREQ(fritContextErrorMessage(context), "");
  fritReportError(context, FRIT_STATUS_OUT_OF_MEMORY, nullptr);
  EXPECT_STREQ(fritContextErrorMessage(context), "out of memory");
}

TEST(ContextTest, PropagatingNothingIsAnInternalError) {
  TestContext context;
  EXPECT_EQ(fritPropagateError(context), FRIT_STATUS_INTERNAL);
  EXPECT_EQ(fritContextErrorCode(context), FRIT_STATUS_INTERNAL);
  EXPECT_STRNE(fritContextErrorMessage(context), "");
}

TEST(ContextTest, LongMessagesAreCutBetweenCharacters) {
  TestContext context;
  std::string longest(FRIT_ERROR_MESSAGE_SIZE - 1, 'x');
  fritReportError(context, FRIT_STATUS_INTERNAL, longest.c_str());
  EXPECT_EQ(fritContextErrorMessage(context), longest);
  fritContextClearError(context);

  // Two bytes a character: the last would end beyond the limit.
  std::string message;
  for (int i = 0; i < FRIT_ERROR_MESSAGE_SIZE; ++i)
    message += "\xC3\xA4";
  fritReportError(context, FRIT_STATUS_INTERNAL, message.c_str());
  std::string kept = fritContextErrorMessage(context);
  EXPECT_EQ(kept.size(), size_t(FRIT_ERROR_MESSAGE_SIZE - 2));
  EXPECT_EQ(message.compare(0, kept.size(), kept), 0);
}

TEST(ContextTest, MismatchesNameBothValues) {
  TestContext context;
  EXPECT_EQ(fritReportMismatch(context, FRIT_STATUS_ASSERTION_FAILED,
                               "sizes differ", 6, -4),
            FRIT_STATUS_ASSERTION_FAILED);
  EXPECT_STREQ(fritContextErrorMessage(context), "sizes differ (6 and -4)");
  fritContextClearError(context);

  // The values stay where the message is too long.
  std::string message(2 * FRIT_ERROR_MESSAGE_SIZE, 'x');
  fritReportMismatch(context, FRIT_STATUS_ASSERTION_FAILED, message.c_str(),
                     INT64_MIN, INT64_MAX);
  std::string kept = fritContextErrorMessage(context);
  std::string values = " (-9223372036854775808 and 9223372036854775807)";
  EXPECT_EQ(kept.size(), size_t(FRIT_ERROR_MESSAGE_SIZE - 1));
  EXPECT_EQ(kept.substr(kept.size() - values.size()), values);
  fritContextClearError(context);

  fritReportMismatch(context, FRIT_STATUS_ASSERTION_FAILED, nullptr, 1, 2);
  EXPECT_STREQ(fritContextErrorMessage(context), "assertion failed (1 and 2)");
  EXPECT_EQ(fritReportMismatch(nullptr, FRIT_STATUS_INTERNAL, "", 1, 2),
            FRIT_STATUS_INTERNAL);
}

TEST(ContextTest, EveryCodeHasAName) {
  for (FritStatus status = FRIT_STATUS_OK; status <= FRIT_STATUS_LIBRARY_ERROR;
       ++status)
    EXPECT_STRNE(fritStatusName(status), fritStatusName(-1));
}

TEST(ContextTest, CallsNeedAContextWithoutError) {
  TestContext context;
  ASSERT_EQ(fritBeginCall(context), FRIT_STATUS_OK);
  EXPECT_EQ(fritEndCall(context, FRIT_STATUS_OK), FRIT_STATUS_OK);

  ASSERT_EQ(fritBeginCall(context), FRIT_STATUS_OK);
  fritReportError(context, FRIT_STATUS_ASSERTION_FAILED, "reported only");
  EXPECT_EQ(fritEndCall(context, FRIT_STATUS_OK), FRIT_STATUS_ASSERTION_FAILED);
  EXPECT_EQ(fritBeginCall(context), FRIT_STATUS_ASSERTION_FAILED);

  fritContextClearError(context);
  EXPECT_EQ(fritBeginCall(context), FRIT_STATUS_OK);
  EXPECT_EQ(fritEndCall(context, FRIT_STATUS_OK), FRIT_STATUS_OK);
}

TEST(ContextTest, OneCallAtATime) {
  TestContext context;
  ASSERT_EQ(fritBeginCall(context), FRIT_STATUS_OK);
  EXPECT_EQ(fritBeginCall(context), FRIT_STATUS_INVALID_ARGUMENT);
  EXPECT_EQ(fritEndCall(context, FRIT_STATUS_OK), FRIT_STATUS_INVALID_ARGUMENT);
  fritContextClearError(context);
  EXPECT_EQ(fritBeginCall(context), FRIT_STATUS_OK);
}

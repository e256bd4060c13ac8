//===- OneDnnLoadTest.cpp -------------------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What is said where there is no oneDNN, or one that does not fit.
//
//===----------------------------------------------------------------------===//

#include "HostMatmul.h"

#include <cstdlib>
#include <string>

using namespace frit;

TEST(OneDnnLoadTest, SaysWhatIsMissing) {
  TestContext context(1);
  HostMatmul matmul({});
  const struct {
    const char *path;
    const char *part;
  } cases[] = {
      {"libno-such-dnnl.so.1", "oneDNN cannot be opened"},
      {FRIT_STUB_DRIVER, "lacks the function dnnl_version"},
      {FRIT_STUB_ONEDNN_4, "is of version 4.7.1 instead of 2 or 3"},
      {FRIT_STUB_ONEDNN_SERIAL, "does not take its threads from the OpenMP"},
      {FRIT_STUB_ONEDNN_PART, "lacks the function dnnl_status2str"},
  };
  for (const auto &[path, part] : cases) {
    setenv("FRIT_ONEDNN", path, 1);
    EXPECT_EQ(matmul.run(context), FRIT_STATUS_LIBRARY_UNAVAILABLE);
    std::string message = fritContextErrorMessage(context);
    EXPECT_NE(message.find(part), std::string::npos) << message;
    EXPECT_NE(message.find(path), std::string::npos) << message;
    EXPECT_NE(message.find("library.test"), std::string::npos) << message;
    fritContextClearError(context);
  }
  // A failure is not remembered.
  setenv("FRIT_ONEDNN", FRIT_STUB_ONEDNN, 1);
  EXPECT_EQ(matmul.run(context), FRIT_STATUS_OK)
      << fritContextErrorMessage(context);
  matmul.expectResult();
  unsetenv("FRIT_ONEDNN");
}

//===- LibraryLoadTest.cpp ------------------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Opening cuBLASLt: which library, and what is said of one that is none.
//
//===----------------------------------------------------------------------===//

#include "Cuda/CublasLt/Types.h"

#include "frit-c/RuntimeDevice.h"

#include "gtest/gtest.h"

#include <cstdlib>
#include <string>

#include <dlfcn.h>

namespace {

class LibraryLoadTest : public testing::Test {
protected:
  void SetUp() override {
    setenv("FRIT_CUDA_DRIVER", FRIT_STUB_DRIVER, 1);
    FritContextOptions options = fritContextOptionsDefault();
    options.device = 0;
    ASSERT_EQ(fritContextCreate(&options, &context), FRIT_STATUS_OK)
        << fritThreadErrorMessage();
  }
  void TearDown() override {
    fritContextDestroy(context);
    unsetenv("FRIT_CUDA_DRIVER");
    unsetenv("FRIT_CUBLASLT");
  }

  FritStatus multiply(const char *path) {
    setenv("FRIT_CUBLASLT", path, 1);
    FritMatmulDescriptor matmul = {
        sizeof(matmul), "library.test", FRIT_TYPE_F32, FRIT_TYPE_F32, 0, 0, 0};
    void *memory = nullptr;
    fritDeviceMalloc(context, 64, &memory);
    FritMatmulOperands operands = {
        1, 1, 1, 1, {memory, 1, 0}, {memory, 1, 0}, {memory, 1, 0}, nullptr};
    FritStatus status = fritLibraryMatmul(context, &matmul, &operands);
    fritDeviceRelease(context, memory);
    return status;
  }

  FritContext *context = nullptr;
};

} // namespace

TEST_F(LibraryLoadTest, SaysWhatIsMissing) {
  const struct {
    const char *path;
    const char *part;
  } cases[] = {{"libno-such-cublas.so.1", "cuBLASLt cannot be opened"},
               {FRIT_STUB_DRIVER, "lacks the function cublasLtGetStatusName"}};
  for (const auto &[path, part] : cases) {
    EXPECT_EQ(multiply(path), FRIT_STATUS_DEVICE_UNAVAILABLE);
    std::string message = fritContextErrorMessage(context);
    EXPECT_NE(message.find(part), std::string::npos) << message;
    EXPECT_NE(message.find(path), std::string::npos) << message;
    EXPECT_NE(message.find("library.test"), std::string::npos) << message;
    fritContextClearError(context);
  }
  // A failure is not remembered.
  EXPECT_EQ(multiply(FRIT_STUB_CUBLASLT), FRIT_STATUS_OK)
      << fritContextErrorMessage(context);
}

#ifdef FRIT_CUBLASLT_LIBRARY
TEST_F(LibraryLoadTest, ToolkitHasEveryFunction) {
  void *library = dlopen(FRIT_CUBLASLT_LIBRARY, RTLD_NOW | RTLD_LOCAL);
  ASSERT_NE(library, nullptr) << dlerror();
#define FRIT_CUBLASLT_ENTRY(result, name, parameters)                          \
  EXPECT_NE(dlsym(library, #name), nullptr) << #name;
#include "Cuda/CublasLt/Entries.def"
  dlclose(library);
}
#endif

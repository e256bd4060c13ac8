//===- DeviceFailureTest.cpp ----------------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every call of the driver fails once, in a program that does everything: the
// status names the call and the driver's error, and the kernel where one is
// concerned; the same step works when it is repeated; and nothing leaks.
//
//===----------------------------------------------------------------------===//

#include "DeviceTest.h"
#include "StubCublasLt.h"

#include <set>

using namespace frit;

namespace {

constexpr uint32_t kUnknownError = 999;

/// Calls of which a failure leaves the one object that was to be freed.
const std::set<std::string> kFrees = {"cuMemFreeAsync",
                                      "cuModuleUnload",
                                      "cuStreamDestroy_v2",
                                      "cuGraphDestroy",
                                      "cuGraphExecDestroy",
                                      "cuEventDestroy_v2",
                                      "cuDevicePrimaryCtxRelease_v2"};

/// Calls of cuBLASLt that free, which count apart.
bool isLibraryFree(const std::string &call) {
  return contains(call, "cublasLt") && contains(call, "Destroy");
}

/// Calls that concern a kernel.
bool concernsKernel(const std::string &call) {
  return contains(call, "cuModuleLoad") || contains(call, "cuModuleGet") ||
         contains(call, "cuFunc") || contains(call, "cuLaunch");
}

class DeviceFailureTest : public DeviceTest {
protected:
  /// Runs a step; repeats it once if it fails, and then it must work.
  template <typename Step> void run(const char *name, Step step) {
    for (int attempt = 0;; ++attempt) {
      FritStatus status = step();
      if (FritStatus recorded = fritContextErrorCode(context)) {
        messages.push_back(fritContextErrorMessage(context));
        EXPECT_EQ(recorded, FRIT_STATUS_DEVICE_ERROR) << messages.back();
        fritContextClearError(context);
      } else {
        EXPECT_EQ(status, FRIT_STATUS_OK) << name << " reported nothing";
        return;
      }
      if (status == FRIT_STATUS_OK)
        return;
      ASSERT_EQ(attempt, 0) << name << ": " << messages.back();
    }
  }

  FritStatus create() {
    FritContextOptions options = getDeviceOptions();
    FritStatus status = fritContextCreate(&options, &context);
    if (status)
      messages.push_back(fritThreadErrorMessage());
    return status;
  }

  /// A compiled function that adds 1 to a constant's copy in scratch memory.
  FritStatus callCompiled() {
    static const int32_t values[] = {1, 2, 3, 4};
    FritConstantDescriptor constant = {sizeof(constant), values, sizeof(values),
                                       21};
    if (FritStatus status = fritBeginCall(context))
      return status;
    const void *source = fritDeviceConstant(context, &constant);
    void *scratch = source ? fritDeviceScratchAlloc(context, 16, 1) : nullptr;
    FritStatus status = scratch ? FRIT_STATUS_OK : fritPropagateError(context);
    if (!status)
      status = fritDeviceCopy(context, scratch, source, 16);
    if (!status)
      status = launchAddOne(context, scratch, 4);
    return fritEndCall(context, status);
  }

  /// A matmul with workspace, prepared before it runs, and with a bias if it
  /// does not accumulate.
  FritStatus callLibrary(int32_t type, int32_t flags) {
    FritMatmulDescriptor matmul = {
        sizeof(matmul), "test.matmul", type, type, flags, 0, 4096};
    void *memory = nullptr;
    FritStatus status = fritDeviceMalloc(context, 256, &memory);
    FritMatmulOperands operands = {2,
                                   2,
                                   2,
                                   2,
                                   {memory, 2, 4},
                                   {memory, 2, 0},
                                   {memory, 2, 4},
                                   flags & FRIT_MATMUL_ACCUMULATE ? nullptr
                                                                  : memory};
    if (!status)
      status = fritContextBeginPrepare(context);
    if (!status) {
      status = fritLibraryMatmul(context, &matmul, &operands);
      FritStatus ended = fritContextEndPrepare(context);
      status = status ? status : ended;
    }
    if (!status)
      status = fritLibraryMatmul(context, &matmul, &operands);
    FritStatus released = fritDeviceRelease(context, memory);
    return status ? status : released;
  }

  FritStatus copyAround() {
    int32_t values[4] = {};
    void *memory = nullptr;
    FritStatus status = fritDeviceMalloc(context, 16, &memory);
    if (!status)
      status = fritCopyToDevice(context, memory, values, 16);
    for (int32_t bytes : {1, 2, 4})
      if (!status)
        status = fritDeviceFill(context, memory, 2, 9, bytes);
    if (!status)
      status = fritCopyToHost(context, values, memory, 16);
    FritStatus released = fritDeviceRelease(context, memory);
    return status ? status : released;
  }

  FritStatus capture() {
    FritGraph *graph = nullptr;
    if (FritStatus status = fritGraphBeginCapture(context))
      return status;
    FritStatus status = callCompiled();
    FritStatus ended = fritGraphEndCapture(context, &graph);
    if (!status)
      status = ended;
    if (!status)
      status = fritGraphLaunch(context, graph);
    fritGraphDestroy(graph);
    return status;
  }

  FritStatus measure() {
    FritEvent *begin = nullptr;
    FritEvent *end = nullptr;
    double time = 0;
    FritStatus status = fritEventCreate(context, &begin);
    if (!status)
      status = fritEventCreate(context, &end);
    if (!status)
      status = fritEventRecord(begin);
    if (!status)
      status = fritEventRecord(end);
    if (!status)
      status = fritEventElapsed(begin, end, &time);
    fritEventDestroy(begin);
    fritEventDestroy(end);
    return status;
  }

  /// Does everything and collects the messages of what fails.
  void runAll() {
    messages.clear();
    if (create() && create())
      FAIL() << messages.back();
    run("call", [&] { return callCompiled(); });
    stub::resetMatmuls();
    stub::setHeuristics(1, 4096);
    run("matmul", [&] {
      return callLibrary(FRIT_TYPE_F32,
                         FRIT_MATMUL_TRANSPOSE_A | FRIT_MATMUL_TRANSPOSE_B);
    });
    run("sum",
        [&] { return callLibrary(FRIT_TYPE_F16, FRIT_MATMUL_ACCUMULATE); });
    run("copies", [&] { return copyAround(); });
    run("capture", [&] { return capture(); });
    run("events", [&] { return measure(); });
    run("wait", [&] { return fritContextSynchronize(context); });
    run("trim", [&] { return fritDeviceScratchTrim(context); });
    // What the end of the context reports goes to the thread.
    std::string before = fritThreadErrorMessage();
    fritContextDestroy(context);
    context = nullptr;
    if (fritThreadErrorMessage() != before)
      messages.push_back(fritThreadErrorMessage());
  }

  FritContext *context = nullptr;
  std::vector<std::string> messages;
};

} // namespace

TEST_F(DeviceFailureTest, EveryCallFailsOnce) {
  int32_t count = 0;
  ASSERT_EQ(fritDeviceCount(&count), FRIT_STATUS_OK);
  stub::reset();
  runAll();
  ASSERT_TRUE(messages.empty()) << messages[0];
  ASSERT_EQ(stub::describeLive(), "");
  std::vector<std::string> calls = stub::getCalls();
  ASSERT_GT(calls.size(), 100u);

  for (size_t n = 1; n <= calls.size(); ++n) {
    const std::string &name = calls[n - 1];
    SCOPED_TRACE(name + ", call " + std::to_string(n));
    stub::reset();
    // Makes the thread's message differ from the next one.
    fritDeviceCount(nullptr);
    stub::failCall(static_cast<int64_t>(n), kUnknownError);
    runAll();
    ASSERT_FALSE(messages.empty());
    EXPECT_TRUE(contains(messages[0], name)) << messages[0];
    bool isLibrary = contains(name, "cublasLt");
    EXPECT_TRUE(contains(messages[0], isLibrary ? "CUBLAS_STATUS_OTHER (999)"
                                                : "CUDA_ERROR_UNKNOWN (999)"))
        << messages[0];
    if (isLibrary && !contains(name, "Destroy") && name != "cublasLtCreate") {
      EXPECT_TRUE(contains(messages[0], "kernel 'test.matmul'") &&
                  contains(messages[0], "m = 2, n = 2, k = 2, batch 2"))
          << messages[0];
    }
    EXPECT_LE(stub::countLibraryObjects(), isLibraryFree(name));
    stub::forgetLibraryObjects();
    if (concernsKernel(name) && name != "cuModuleUnload") {
      EXPECT_TRUE(contains(messages[0], "kernel 'test.add-one'"))
          << messages[0];
    }
    EXPECT_LE(stub::countLive(), static_cast<int64_t>(kFrees.count(name)))
        << stub::describeLive();
    if (name != "cuCtxPopCurrent_v2") {
      EXPECT_EQ(stub::getContextDepth(), 0);
    }

    // And a program after it works.
    stub::reset();
    runAll();
    EXPECT_TRUE(messages.empty()) << messages[0];
    EXPECT_EQ(stub::describeLive(), "");
    if (HasFailure())
      return;
  }
}

TEST_F(DeviceFailureTest, EveryEntryIsReached) {
  stub::reset();
  runAll();
  std::vector<std::string> calls = stub::getCalls();
  std::set<std::string> reached(calls.begin(), calls.end());
  // Named by opening the driver, queries, other streams and errors.
  const std::set<std::string> elsewhere = {
      "cuInit",           "cuDriverGetVersion", "cuGetErrorName",
      "cuGetErrorString", "cuDeviceGetName",    "cuStreamGetCtx",
      "cuMemFree_v2"};
#define FRIT_CUDA_ENTRY(name, symbol, parameters)                              \
  EXPECT_TRUE(reached.count(#symbol) || elsewhere.count(#symbol)) << #symbol;
#include "Cuda/DriverEntries.def"
  // What makes preferred algorithms may fail in silence: MatmulTest has it.
  const std::set<std::string> uncounted = {
      "cublasLtGetStatusName", "cublasLtGetStatusString",
      "cublasLtMatmulAlgoInit", "cublasLtMatmulAlgoCheck",
      "cublasLtMatmulAlgoConfigSetAttribute"};
#define FRIT_CUBLASLT_ENTRY(result, name, parameters)                          \
  EXPECT_TRUE(reached.count(#name) || uncounted.count(#name)) << #name;
#include "Cuda/CublasLt/Entries.def"
}

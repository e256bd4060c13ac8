//===- RuntimeLoweringTest.cpp --------------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Compiled functions against the runtime: loops on threads, assertions that
// fail, scratch memory, and contexts of several threads.
//
//===----------------------------------------------------------------------===//

#include "frit-c/Runtime.h"
#include "frit/Execution/Executable.h"
#include "frit/InitAll.h"
#include "frit/Pipelines/Pipelines.h"

#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Target/LLVMIR/Dialect/All.h"

#include "gtest/gtest.h"

#include <chrono>
#include <numeric>
#include <thread>

using namespace mlir;
using namespace mlir::frit;

namespace {

/// A memref<?xi64> over a vector, as an argument of an entry point.
struct Vector {
  int64_t *allocated, *aligned;
  int64_t offset = 0, size, stride = 1;

  explicit Vector(std::vector<int64_t> &values)
      : allocated(values.data()), aligned(values.data()),
        size(static_cast<int64_t>(values.size())) {}
};

/// A module, compiled by frit-to-cpu.
class Program {
public:
  explicit Program(StringRef source) {
    DialectRegistry registry;
    registerAllDialects(registry);
    registerAllExtensions(registry);
    registerAllToLLVMIRTranslations(registry);
    frit::registerAll(registry);
    MLIRContext context(registry, MLIRContext::Threading::DISABLED);
    OwningOpRef<ModuleOp> module =
        parseSourceString<ModuleOp>(source, &context);
    PassManager manager(&context);
    CpuPipelineOptions options;
    buildCpuPipeline(manager, options);
    auto target = CpuTarget::getHost();
    if (!module || !target || failed(manager.run(*module))) {
      ADD_FAILURE() << "the program does not compile";
      return;
    }
    auto compiled = Executable::compile(*module, *target);
    if (compiled)
      executable = std::move(*compiled);
    else
      ADD_FAILURE() << llvm::toString(compiled.takeError());
  }

  /// The entry point of the function @f; null after a failure.
  Executable::EntryPoint getFunction() {
    if (!executable)
      return nullptr;
    auto entry = executable->lookup("f");
    if (entry)
      return *entry;
    ADD_FAILURE() << llvm::toString(entry.takeError());
    return nullptr;
  }

private:
  std::unique_ptr<Executable> executable;
};

class Context {
public:
  explicit Context(int32_t threads) {
    FritContextOptions options = fritContextOptionsDefault();
    options.threads = threads;
    EXPECT_EQ(fritContextCreate(&options, &context), FRIT_STATUS_OK);
  }
  Context(const Context &) = delete;
  Context &operator=(const Context &) = delete;
  ~Context() { fritContextDestroy(context); }
  operator FritContext *() { return context; }

private:
  FritContext *context = nullptr;
};

/// y[i] = 3 * x[i], through a buffer and in pieces of 16 elements, each with an
/// assertion on the input and a buffer of its own.
constexpr char kTriple[] = R"mlir(
func.func @f(%x: memref<?xi64>, %y: memref<?xi64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : i64
  %limit = arith.constant 1000000 : i64
  %n = memref.dim %x, %c0 : memref<?xi64>
  %double = memref.alloc(%n) : memref<?xi64>
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    %v = memref.load %x[%i] : memref<?xi64>
    %small = arith.cmpi slt, %v, %limit : i64
    cf.assert %small, "an element is too large"
    %own = memref.alloc() : memref<1xi64>
    %d = arith.muli %v, %c2 : i64
    memref.store %d, %own[%c0] : memref<1xi64>
    %e = memref.load %own[%c0] : memref<1xi64>
    memref.store %e, %double[%i] : memref<?xi64>
  } {frit.grain = 16 : i64}
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    scf.parallel (%j) = (%i) to (%n) step (%n) {
      %d = memref.load %double[%j] : memref<?xi64>
      %v = memref.load %x[%j] : memref<?xi64>
      %t = arith.addi %d, %v : i64
      memref.store %t, %y[%j] : memref<?xi64>
    }
  } {frit.grain = 16 : i64}
  return
}
)mlir";

FritStatus call(Executable::EntryPoint function, FritContext *context,
                std::vector<int64_t> &x, std::vector<int64_t> &y) {
  Vector first(x), second(y);
  void *arguments[] = {&first, &second};
  return function(context, arguments);
}

} // namespace

TEST(RuntimeLoweringTest, ParallelLoops) {
  Program program(kTriple);
  Executable::EntryPoint function = program.getFunction();
  ASSERT_NE(function, nullptr);
  for (int32_t threads : {1, 2, 4}) {
    Context context(threads);
    for (size_t size : {0, 1, 15, 16, 17, 1000, 4097}) {
      std::vector<int64_t> x(size), y(size), expected(size);
      for (size_t i = 0; i < size; ++i) {
        x[i] = static_cast<int64_t>(7 * i);
        expected[i] = 3 * x[i];
      }
      ASSERT_EQ(call(function, context, x, y), FRIT_STATUS_OK);
      EXPECT_EQ(y, expected);
    }
  }
}

TEST(RuntimeLoweringTest, FailingAssertionReturnsAStatusAndLeaksNothing) {
  Program program(kTriple);
  Executable::EntryPoint function = program.getFunction();
  ASSERT_NE(function, nullptr);
  for (int32_t threads : {1, 4}) {
    Context context(threads);
    std::vector<int64_t> x(2000), y(2000, -1), untouched = y;
    std::iota(x.begin(), x.end(), 0);
    ASSERT_EQ(call(function, context, x, y), FRIT_STATUS_OK);
    uint64_t held = fritScratchStatistics(context).systemAllocations;
    for (int repetition = 0; repetition < 20; ++repetition) {
      x[1234] = 5000000;
      y = untouched;
      EXPECT_EQ(call(function, context, x, y), FRIT_STATUS_ASSERTION_FAILED);
      EXPECT_STREQ(fritContextErrorMessage(context),
                   "an element is too large (5000000 and 1000000)");
      EXPECT_EQ(y, untouched);
      EXPECT_EQ(fritScratchStatistics(context).blocksInUse, 0u);
      // The error stays until it is cleared, and refuses calls.
      EXPECT_EQ(call(function, context, x, y), FRIT_STATUS_ASSERTION_FAILED);
      fritContextClearError(context);
      x[1234] = 1234;
      EXPECT_EQ(call(function, context, x, y), FRIT_STATUS_OK);
    }
    // At most one small buffer a thread beyond those of the first call.
    EXPECT_LE(fritScratchStatistics(context).systemAllocations,
              held + static_cast<uint64_t>(threads));
  }
}

TEST(RuntimeLoweringTest, NullContextIsAnError) {
  Program program(kTriple);
  Executable::EntryPoint function = program.getFunction();
  ASSERT_NE(function, nullptr);
  std::vector<int64_t> x(4), y(4);
  EXPECT_EQ(call(function, nullptr, x, y), FRIT_STATUS_INVALID_ARGUMENT);
}

TEST(RuntimeLoweringTest, ContextsOfSeveralThreads) {
  Program program(kTriple);
  Executable::EntryPoint function = program.getFunction();
  ASSERT_NE(function, nullptr);
  std::vector<std::thread> threads;
  threads.reserve(8);
  for (int t = 0; t < 8; ++t)
    threads.emplace_back([function, t] {
      Context context(2);
      std::vector<int64_t> x(500 + t), y(500 + t);
      std::iota(x.begin(), x.end(), t);
      for (int repetition = 0; repetition < 20; ++repetition) {
        EXPECT_EQ(call(function, context, x, y), FRIT_STATUS_OK);
        for (size_t i = 0; i < x.size(); ++i)
          ASSERT_EQ(y[i], 3 * x[i]);
      }
    });
  for (std::thread &thread : threads)
    thread.join();
}

// Every pair (i, j, k) is visited once, whatever the pieces are.
TEST(RuntimeLoweringTest, SeveralDimensions) {
  Program program(R"mlir(
func.func @f(%sizes: memref<?xi64>, %y: memref<?xi64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %one = arith.constant 1 : i64
  %s0 = memref.load %sizes[%c0] : memref<?xi64>
  %s1 = memref.load %sizes[%c1] : memref<?xi64>
  %s2 = memref.load %sizes[%c2] : memref<?xi64>
  %n0 = arith.index_cast %s0 : i64 to index
  %n1 = arith.index_cast %s1 : i64 to index
  %n2 = arith.index_cast %s2 : i64 to index
  scf.parallel (%i, %j, %k) = (%c0, %c1, %c0) to (%n0, %n1, %n2) step (%c1, %c3, %c2) {
    %a = arith.muli %i, %n1 : index
    %b = arith.addi %a, %j : index
    %c = arith.muli %b, %n2 : index
    %d = arith.addi %c, %k : index
    %old = memref.load %y[%d] : memref<?xi64>
    %new = arith.addi %old, %one : i64
    memref.store %new, %y[%d] : memref<?xi64>
  } {frit.grain = 1 : i64}
  return
}
)mlir");
  Executable::EntryPoint function = program.getFunction();
  ASSERT_NE(function, nullptr);
  Context context(3);
  const int64_t cases[][3] = {{1, 2, 1},  {5, 7, 9},   {3, 11, 64},
                              {0, 7, 9},  {5, 1, 9},   {5, 7, 0},
                              {40, 2, 3}, {1, 5, 100}, {-4, 5, 10}};
  for (const auto &[n0, n1, n2] : cases) {
    std::vector<int64_t> sizes = {n0, n1, n2};
    size_t size = static_cast<size_t>(std::max<int64_t>(n0, 0) * n1 * n2);
    std::vector<int64_t> y(size + 1), expected(size + 1);
    for (int64_t i = 0; i < n0; ++i)
      for (int64_t j = 1; j < n1; j += 3)
        for (int64_t k = 0; k < n2; k += 2)
          ++expected[(i * n1 + j) * n2 + k];
    ASSERT_EQ(call(function, context, sizes, y), FRIT_STATUS_OK);
    EXPECT_EQ(y, expected) << n0 << " " << n1 << " " << n2;
  }
}

TEST(RuntimeLoweringTest, SizesThatDoNotFitAreErrors) {
  Program program(R"mlir(
func.func @f(%sizes: memref<?xi64>, %y: memref<?xi64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %s0 = memref.load %sizes[%c0] : memref<?xi64>
  %s1 = memref.load %sizes[%c1] : memref<?xi64>
  %n0 = arith.index_cast %s0 : i64 to index
  %n1 = arith.index_cast %s1 : i64 to index
  %x = memref.alloc(%n0, %n1) : memref<?x?xi64>
  memref.store %s0, %x[%c0, %c0] : memref<?x?xi64>
  %v = memref.load %x[%c0, %c0] : memref<?x?xi64>
  memref.store %v, %y[%c0] : memref<?xi64>
  return
}
)mlir");
  Executable::EntryPoint function = program.getFunction();
  ASSERT_NE(function, nullptr);
  Context context(1);
  const int64_t large[][2] = {
      {INT64_MAX, 2}, {int64_t(1) << 32, int64_t(1) << 32}, {-1, 1}, {1, -5}};
  for (const auto &[n0, n1] : large) {
    std::vector<int64_t> sizes = {n0, n1}, y(1);
    EXPECT_EQ(call(function, context, sizes, y), FRIT_STATUS_OUT_OF_MEMORY)
        << n0 << " " << n1;
    EXPECT_STRNE(fritContextErrorMessage(context), "");
    fritContextClearError(context);
  }
  std::vector<int64_t> sizes = {3, 5}, y(1);
  EXPECT_EQ(call(function, context, sizes, y), FRIT_STATUS_OK);
  EXPECT_EQ(y[0], 3);
}

// Order of a reduction: as if sequential, for every number of threads.
TEST(RuntimeLoweringTest, ReductionsKeepTheirOrder) {
  Program program(R"mlir(
func.func @f(%x: memref<?xi64>, %y: memref<?xi64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c10 = arith.constant 10 : i64
  %zero = arith.constant 0 : i64
  %n = memref.dim %x, %c0 : memref<?xi64>
  %digits = scf.parallel (%i) = (%c0) to (%n) step (%c1) init (%zero) -> i64 {
    %v = memref.load %x[%i] : memref<?xi64>
    scf.reduce(%v : i64) {
    ^bb0(%a: i64, %b: i64):
      %s = arith.muli %a, %c10 : i64
      %t = arith.addi %s, %b : i64
      scf.reduce.return %t : i64
    }
  }
  memref.store %digits, %y[%c0] : memref<?xi64>
  return
}
)mlir");
  Executable::EntryPoint function = program.getFunction();
  ASSERT_NE(function, nullptr);
  Context context(4);
  std::vector<int64_t> x = {1, 2, 3, 4, 5, 6, 7, 8}, y(1);
  ASSERT_EQ(call(function, context, x, y), FRIT_STATUS_OK);
  EXPECT_EQ(y[0], 12345678);
}

// Reported, and bounded loosely: the target is 1 us on an idle machine.
TEST(RuntimeLoweringTest, CallsCostLittle) {
  Program program(R"mlir(
func.func @f(%x: memref<?xi64>, %y: memref<?xi64>) {
  %c0 = arith.constant 0 : index
  %v = memref.load %x[%c0] : memref<?xi64>
  memref.store %v, %y[%c0] : memref<?xi64>
  return
}
)mlir");
  Executable::EntryPoint function = program.getFunction();
  ASSERT_NE(function, nullptr);
  Context context(2);
  std::vector<int64_t> x = {42}, y(1);
  double best = 1e9;
  constexpr int kCalls = 10000;
  for (int repetition = 0; repetition < 10; ++repetition) {
    auto start = std::chrono::steady_clock::now();
    for (int i = 0; i < kCalls; ++i)
      call(function, context, x, y);
    std::chrono::duration<double, std::micro> time =
        std::chrono::steady_clock::now() - start;
    best = std::min(best, time.count() / kCalls);
  }
  EXPECT_EQ(y[0], 42);
  RecordProperty("microseconds_per_call", std::to_string(best));
  EXPECT_LT(best, 20.0);
}

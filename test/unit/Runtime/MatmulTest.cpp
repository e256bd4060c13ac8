//===- MatmulTest.cpp -----------------------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Library matmuls: what cuBLASLt is told, what it computes by that, what is
// refused, and what is chosen when.
//
//===----------------------------------------------------------------------===//

#include "DeviceTest.h"
#include "StubCublasLt.h"

#include <optional>

using namespace frit;

namespace {

class MatmulTest : public DeviceTest {
protected:
  void SetUp() override {
    DeviceTest::SetUp();
    stub::resetMatmuls();
  }
  void TearDown() override {
    EXPECT_EQ(stub::countLibraryObjects(), 0);
    DeviceTest::TearDown();
  }
};

FritMatmulDescriptor getDescriptor(int32_t flags = 0) {
  return {sizeof(FritMatmulDescriptor),
          "library.test",
          FRIT_TYPE_F32,
          FRIT_TYPE_F32,
          flags,
          0,
          uint64_t(1) << 20};
}

/// f32 matrices on the device, filled with small whole numbers.
class Operands {
public:
  Operands(FritContext *context, int64_t batch, int64_t m, int64_t n, int64_t k,
           int32_t flags = 0, int64_t gap = 0)
      : context(context), gap(gap) {
    bool transposesA = flags & FRIT_MATMUL_TRANSPOSE_A;
    bool transposesB = flags & FRIT_MATMUL_TRANSPOSE_B;
    operands.batch = batch;
    operands.m = m;
    operands.n = n;
    operands.k = k;
    fill(a, operands.a, batch, transposesA ? k : m, transposesA ? m : k);
    fill(b, operands.b, batch, transposesB ? n : k, transposesB ? k : n);
    fill(out, operands.out, batch, m, n);
    for (int64_t batchIndex = 0; batchIndex < batch; ++batchIndex)
      for (int64_t row = 0; row < m; ++row)
        for (int64_t column = 0; column < n; ++column) {
          float sum = 0;
          for (int64_t i = 0; i < k; ++i)
            sum += at(a, operands.a, batchIndex, transposesA ? i : row,
                      transposesA ? row : i) *
                   at(b, operands.b, batchIndex, transposesB ? column : i,
                      transposesB ? i : column);
          if (flags & FRIT_MATMUL_ACCUMULATE)
            sum += at(out, operands.out, batchIndex, row, column);
          expected.push_back(sum);
        }
  }
  ~Operands() {
    for (void *memory : {operands.a.data, operands.b.data, operands.out.data})
      EXPECT_EQ(fritDeviceRelease(context, memory), FRIT_STATUS_OK);
  }
  Operands(const Operands &) = delete;
  Operands &operator=(const Operands &) = delete;

  /// Expects that the device holds the matmul's result and, between the rows,
  /// what was there before.
  void expectResult() {
    std::vector<float> read(out.size());
    fritCopyToHost(context, read.data(), operands.out.data,
                   read.size() * sizeof(float));
    const float *next = expected.data();
    for (int64_t batch = 0; batch < operands.batch; ++batch)
      for (int64_t row = 0; row < operands.m; ++row)
        for (int64_t column = 0; column < operands.n; ++column)
          at(out, operands.out, batch, row, column) = *next++;
    EXPECT_EQ(read, out);
  }

  FritMatmulOperands operands = {};

private:
  static float &at(std::vector<float> &values, const FritMatrices &matrices,
                   int64_t batch, int64_t row, int64_t column) {
    return values[batch * matrices.batchStride + row * matrices.rowStride +
                  column];
  }

  void fill(std::vector<float> &values, FritMatrices &matrices, int64_t batch,
            int64_t rows, int64_t columns) {
    matrices.rowStride = columns + gap;
    matrices.batchStride = rows * matrices.rowStride + gap;
    values.resize(batch * matrices.batchStride);
    for (float &value : values)
      value = static_cast<float>(++next * 7 % 11 - 5);
    EXPECT_EQ(fritDeviceMalloc(context, values.size() * sizeof(float),
                               &matrices.data),
              FRIT_STATUS_OK);
    fritCopyToDevice(context, matrices.data, values.data(),
                     values.size() * sizeof(float));
  }

  FritContext *context;
  const int64_t gap;
  int64_t next = 0;
  std::vector<float> a, b, out, expected;
};

} // namespace

TEST_F(MatmulTest, ComputesEveryForm) {
  for (int32_t flags = 0; flags < 8; ++flags)
    for (int64_t batch : {1, 3})
      for (int64_t gap : {0, 5}) {
        SCOPED_TRACE(testing::Message() << "flags " << flags << ", batch "
                                        << batch << ", gap " << gap);
        DeviceContext context;
        Operands operands(context, batch, 4, 6, 3, flags, gap);
        FritMatmulDescriptor matmul = getDescriptor(flags);
        ASSERT_EQ(fritLibraryMatmul(context, &matmul, &operands.operands),
                  FRIT_STATUS_OK)
            << context.getMessage();
        operands.expectResult();
      }
}

TEST_F(MatmulTest, ReadsOneMatrixForAllOfABatch) {
  DeviceContext context;
  Operands operands(context, 2, 2, 2, 2);
  operands.operands.b.batchStride = 0;
  FritMatmulDescriptor matmul = getDescriptor();
  ASSERT_EQ(fritLibraryMatmul(context, &matmul, &operands.operands),
            FRIT_STATUS_OK);
  EXPECT_EQ(stub::getMatmuls()[0].batch, 2);
}

TEST_F(MatmulTest, TellsTheLibraryOfTypesAndBias) {
  DeviceContext context;
  void *memory = nullptr;
  ASSERT_EQ(fritDeviceMalloc(context, 4096, &memory), FRIT_STATUS_OK);
  FritMatmulDescriptor matmul = getDescriptor(FRIT_MATMUL_TRANSPOSE_B);
  matmul.elementType = FRIT_TYPE_BF16;
  // Bias 1, a and b ones: 8 + 1 in each element.
  fritDeviceFill(context, memory, 1024, 0x3F80, 2);
  auto *halves = static_cast<uint16_t *>(memory);
  auto *singles = static_cast<float *>(memory);
  const float ones[] = {1, 1, 1, 1, 1, 1};
  fritCopyToDevice(context, singles + 769, ones, sizeof(ones));
  FritMatmulOperands operands = {1,
                                 2,
                                 4,
                                 8,
                                 {halves, 8, 0},
                                 {halves + 64, 8, 0},
                                 {singles + 512, 4, 0},
                                 singles + 769};
  ASSERT_EQ(fritLibraryMatmul(context, &matmul, &operands), FRIT_STATUS_OK)
      << context.getMessage();
  stub::Matmul seen = stub::getMatmuls()[0];
  EXPECT_EQ(seen.types[0], 14u);
  EXPECT_EQ(seen.types[2], 0u);
  EXPECT_EQ(seen.bias, singles + 769);
  EXPECT_EQ(seen.beta, 0);
  float result[8] = {};
  fritCopyToHost(context, result, singles + 512, sizeof(result));
  for (float value : result)
    EXPECT_EQ(value, 9);

  // A is b, at 128 bytes; no reduction that rounds partial sums.
  stub::Preferences preferences = stub::getPreferences()[0];
  EXPECT_EQ(preferences.alignments[0], 128u);
  EXPECT_EQ(preferences.alignments[1], 256u);
  EXPECT_EQ(preferences.alignments[3], 256u);
  EXPECT_EQ(preferences.reductionSchemes, 2u);
  EXPECT_EQ(preferences.workspaceBytes, uint64_t(1) << 20);

  // Another alignment is another choice; another bias is not.
  operands.a.data = halves + 1;
  ASSERT_EQ(fritLibraryMatmul(context, &matmul, &operands), FRIT_STATUS_OK);
  EXPECT_EQ(stub::getPreferences()[1].alignments[1], 2u);
  operands.bias = singles + 771;
  ASSERT_EQ(fritLibraryMatmul(context, &matmul, &operands), FRIT_STATUS_OK);
  EXPECT_EQ(stub::getPreferences().size(), 2u);
  EXPECT_EQ(stub::getMatmuls()[2].bias, singles + 771);
  fritDeviceRelease(context, memory);
}

TEST_F(MatmulTest, ChoosesOncePerContextAndShape) {
  DeviceContext first, second;
  FritMatmulDescriptor matmul = getDescriptor();
  Operands small(first, 1, 2, 2, 2), large(first, 1, 4, 2, 2);
  for (int i = 0; i < 3; ++i) {
    fritLibraryMatmul(first, &matmul, &small.operands);
    fritLibraryMatmul(first, &matmul, &large.operands);
  }
  EXPECT_EQ(countCalls("cublasLtMatmulAlgoGetHeuristic"), 2);
  EXPECT_EQ(countCalls("cublasLtMatmul"), 6);
  EXPECT_EQ(countCalls("cublasLtCreate"), 1);
  Operands other(second, 1, 2, 2, 2);
  fritLibraryMatmul(second, &matmul, &other.operands);
  EXPECT_EQ(countCalls("cublasLtMatmulAlgoGetHeuristic"), 3);
  EXPECT_EQ(countCalls("cublasLtCreate"), 2);
}

TEST_F(MatmulTest, QueuesNothingForNoElements) {
  DeviceContext context;
  FritMatmulDescriptor matmul = getDescriptor();
  for (int64_t FritMatmulOperands::*size :
       {&FritMatmulOperands::batch, &FritMatmulOperands::m,
        &FritMatmulOperands::n}) {
    Operands operands(context, 1, 2, 2, 2);
    operands.operands.*size = 0;
    EXPECT_EQ(fritLibraryMatmul(context, &matmul, &operands.operands),
              FRIT_STATUS_OK);
  }
  EXPECT_EQ(countCalls("cublasLtMatmul"), 0);
}

TEST_F(MatmulTest, PassesOverAlgorithmsThatAreNoUse) {
  DeviceContext context;
  FritMatmulDescriptor matmul = getDescriptor();
  stub::setHeuristics(3, 0);
  Operands operands(context, 1, 2, 2, 2);
  EXPECT_EQ(fritLibraryMatmul(context, &matmul, &operands.operands),
            FRIT_STATUS_OK);
  operands.expectResult();

  stub::setHeuristics(0, 0);
  Operands other(context, 1, 3, 2, 2);
  EXPECT_EQ(fritLibraryMatmul(context, &matmul, &other.operands),
            FRIT_STATUS_DEVICE_ERROR);
  context.expectError(
      FRIT_STATUS_DEVICE_ERROR,
      {"kernel 'library.test': cublasLtMatmulAlgoGetHeuristic failed for a f32 "
       "matmul to f32 of m = 3, n = 2, k = 2, batch 1, row strides 2, 2, 2",
       "CUBLAS_STATUS_NOT_SUPPORTED (15)"});
}

TEST_F(MatmulTest, PassesOverAlgorithmsThatRoundTwice) {
  constexpr int32_t kRoundsTwice = 66;
  struct Case {
    int32_t outType;
    int32_t flags;
    int32_t splits;
    int32_t expectedId;
    int asked;
  };
  for (const Case &test :
       {Case{FRIT_TYPE_F16, FRIT_MATMUL_ACCUMULATE, 1, 1, 2},
        Case{FRIT_TYPE_F16, FRIT_MATMUL_ACCUMULATE, 2, kRoundsTwice, 1},
        Case{FRIT_TYPE_F16, 0, 1, kRoundsTwice, 1},
        Case{FRIT_TYPE_F32, FRIT_MATMUL_ACCUMULATE, 1, kRoundsTwice, 1}}) {
    SCOPED_TRACE(testing::Message()
                 << "type " << test.outType << ", flags " << test.flags
                 << ", splits " << test.splits);
    stub::reset();
    stub::resetMatmuls();
    stub::setAlignedAlgorithms(kRoundsTwice, test.splits);
    DeviceContext context;
    Operands operands(context, 1, 8, 8, 8, test.flags);
    FritMatmulDescriptor matmul = getDescriptor(test.flags);
    matmul.elementType = FRIT_TYPE_F16;
    matmul.outType = test.outType;
    ASSERT_EQ(fritLibraryMatmul(context, &matmul, &operands.operands),
              FRIT_STATUS_OK)
        << context.getMessage();
    ASSERT_EQ(stub::getMatmuls().size(), 1u);
    EXPECT_EQ(stub::getMatmuls()[0].algorithmId, test.expectedId);
    EXPECT_EQ(countCalls("cublasLtMatmulAlgoGetHeuristic"), test.asked);
  }
}

/// Whether the algorithm for bf16 weights [n, k] is none of the heuristics, and
/// then what it is made of. Prepared only.
std::optional<stub::AlgorithmForm> getMade(FritContext *context, int64_t m,
                                           int64_t n, int64_t k,
                                           int32_t flags = 0, int64_t gap = 0) {
  FritMatmulDescriptor matmul = getDescriptor(FRIT_MATMUL_TRANSPOSE_B | flags);
  matmul.elementType = matmul.outType = FRIT_TYPE_BF16;
  FritMatmulOperands operands = {};
  operands.batch = 1;
  operands.m = m;
  operands.n = n;
  operands.k = k;
  const struct {
    FritMatrices &matrices;
    int64_t rows, columns;
  } all[] = {{operands.a, m, k}, {operands.b, n, k}, {operands.out, m, n}};
  for (const auto &[matrices, rows, columns] : all) {
    matrices.rowStride = columns + gap;
    matrices.batchStride = rows * (columns + gap);
    EXPECT_EQ(
        fritDeviceMalloc(context, 2 * matrices.batchStride, &matrices.data),
        FRIT_STATUS_OK);
  }
  EXPECT_EQ(fritContextBeginPrepare(context), FRIT_STATUS_OK);
  EXPECT_EQ(fritLibraryMatmul(context, &matmul, &operands), FRIT_STATUS_OK);
  EXPECT_EQ(fritContextEndPrepare(context), FRIT_STATUS_OK);
  for (const auto &operand : all)
    EXPECT_EQ(fritDeviceRelease(context, operand.matrices.data),
              FRIT_STATUS_OK);
  stub::Matmul made = stub::getMatmuls().back();
  return made.algorithmIndex == stub::kMade ? std::optional(made.form)
                                            : std::nullopt;
}

/// Tiles of 128x128, k in four parts, clusters of 2x1, and of 256x64, 1, 1x2.
constexpr stub::AlgorithmForm kSplit = {20, 4, 3, 1, 2, 35};
constexpr stub::AlgorithmForm kWhole = {21, 1, 5, 3, 0, 35};

TEST_F(MatmulTest, PrefersAlgorithmsThatWereMeasured) {
  stub::setForms({kSplit, kWhole});
  {
    DeviceContext context;
    EXPECT_EQ(getMade(context, 256, 2048, 16384), kSplit);
    EXPECT_EQ(getMade(context, 1536, 1024, 8192), kWhole);
    EXPECT_EQ(countCalls("cublasLtMatmulAlgoGetHeuristic"), 0);
    // Sizes beside those of the table.
    EXPECT_EQ(getMade(context, 257, 2048, 16384), std::nullopt);
    EXPECT_EQ(getMade(context, 256, 1023, 16384), std::nullopt);
    EXPECT_EQ(getMade(context, 1536, 1024, 8184), std::nullopt);
    // Rows that tensor maps do not take.
    EXPECT_EQ(getMade(context, 256, 2048, 16384, 0, 4), std::nullopt);
    EXPECT_EQ(getMade(context, 256, 2048, 16384, 0, 8), kSplit);
    // Not where it would round twice.
    EXPECT_EQ(getMade(context, 256, 2048, 16384, FRIT_MATMUL_ACCUMULATE),
              kSplit);
    EXPECT_EQ(getMade(context, 1536, 1024, 8192, FRIT_MATMUL_ACCUMULATE),
              std::nullopt);
  }
  // Another device.
  stub::setSm(100);
  DeviceContext context;
  EXPECT_EQ(getMade(context, 256, 2048, 16384), std::nullopt);
}

TEST_F(MatmulTest, AsksTheHeuristicsWherePreferredAlgorithmsAreNone) {
  {
    // A library that has no such algorithm.
    DeviceContext context;
    EXPECT_EQ(getMade(context, 256, 2048, 16384), std::nullopt);
  }
  stub::setForms({kSplit});
  for (const char *call :
       {"cublasLtMatmulAlgoInit", "cublasLtMatmulAlgoConfigSetAttribute",
        "cublasLtMatmulAlgoCheck"}) {
    SCOPED_TRACE(call);
    DeviceContext context;
    stub::failNamed(call, 15);
    EXPECT_EQ(getMade(context, 256, 2048, 16384), std::nullopt);
  }
  stub::setForms({kSplit}, (1 << 20) + 1);
  {
    // More workspace than there is.
    DeviceContext context;
    EXPECT_EQ(getMade(context, 256, 2048, 16384), std::nullopt);
  }
  stub::setForms({kSplit}, 1 << 20);
  DeviceContext context;
  EXPECT_EQ(getMade(context, 256, 2048, 16384), kSplit);
  EXPECT_EQ(stub::getMatmuls().back().workspaceBytes, uint64_t(1) << 20);
}

TEST_F(MatmulTest, TakesItsWorkspaceFromTheArena) {
  DeviceContext context;
  FritMatmulDescriptor matmul = getDescriptor();
  stub::setHeuristics(1, 100000);
  Operands operands(context, 1, 2, 2, 2);
  ASSERT_EQ(fritContextBeginPrepare(context), FRIT_STATUS_OK);
  ASSERT_EQ(fritLibraryMatmul(context, &matmul, &operands.operands),
            FRIT_STATUS_OK)
      << context.getMessage();
  ASSERT_EQ(fritContextEndPrepare(context), FRIT_STATUS_OK);
  // The preparation recorded it on a stream of its own, and ran nothing.
  EXPECT_EQ(countCalls("cublasLtMatmul"), 1);
  EXPECT_EQ(countCalls("cuGraphDestroy"), 1);
  EXPECT_EQ(fritDeviceStatistics(context).launches, 0u);

  uint64_t allocations = fritDeviceStatistics(context).allocations;
  ASSERT_EQ(fritGraphBeginCapture(context), FRIT_STATUS_OK);
  for (int i = 0; i < 3; ++i)
    EXPECT_EQ(fritLibraryMatmul(context, &matmul, &operands.operands),
              FRIT_STATUS_OK)
        << context.getMessage();
  FritGraph *graph = nullptr;
  ASSERT_EQ(fritGraphEndCapture(context, &graph), FRIT_STATUS_OK);
  EXPECT_EQ(fritGraphLaunch(context, graph), FRIT_STATUS_OK);
  operands.expectResult();
  fritGraphDestroy(graph);
  EXPECT_EQ(fritDeviceStatistics(context).allocations, allocations);
  EXPECT_EQ(stub::getMatmuls()[1].workspaceBytes, 100000u);
  EXPECT_EQ(stub::getMatmuls()[1].workspace, stub::getMatmuls()[3].workspace);
}

TEST_F(MatmulTest, RefusesWhatACaptureCannotHold) {
  DeviceContext context;
  FritMatmulDescriptor matmul = getDescriptor();
  Operands operands(context, 1, 2, 2, 2), known(context, 1, 3, 2, 2);
  stub::setHeuristics(1, 100000);
  ASSERT_EQ(fritLibraryMatmul(context, &matmul, &known.operands),
            FRIT_STATUS_OK);
  ASSERT_EQ(fritContextSynchronize(context), FRIT_STATUS_OK);
  ASSERT_EQ(fritDeviceScratchTrim(context), FRIT_STATUS_OK);
  ASSERT_EQ(fritGraphBeginCapture(context), FRIT_STATUS_OK);
  EXPECT_EQ(fritLibraryMatmul(context, &matmul, &operands.operands),
            FRIT_STATUS_CAPTURE);
  context.expectError(FRIT_STATUS_CAPTURE,
                      {"choosing an algorithm for a f32 matmul", "m = 2",
                       "prepare the context"});
  EXPECT_EQ(fritLibraryMatmul(context, &matmul, &known.operands),
            FRIT_STATUS_CAPTURE);
  context.expectError(FRIT_STATUS_CAPTURE, {"scratch memory"});
  FritGraph *graph = nullptr;
  ASSERT_EQ(fritGraphEndCapture(context, &graph), FRIT_STATUS_OK);
  fritGraphDestroy(graph);
}

TEST_F(MatmulTest, RefusesContradictions) {
  DeviceContext context;
  Operands good(context, 2, 2, 3, 4);
  auto refuse = [&](FritMatmulDescriptor matmul, FritMatmulOperands operands,
                    const char *what) {
    EXPECT_EQ(fritLibraryMatmul(context, &matmul, &operands),
              FRIT_STATUS_INVALID_ARGUMENT);
    context.expectError(FRIT_STATUS_INVALID_ARGUMENT, {what});
  };
  FritMatmulDescriptor matmul = getDescriptor();
  FritMatmulDescriptor bad = matmul;
  bad.size = 39;
  refuse(bad, good.operands, "39 bytes instead of 40");
  bad = matmul;
  bad.id = nullptr;
  refuse(bad, good.operands, "has no id");
  bad = matmul;
  bad.outType = FRIT_TYPE_BF16;
  refuse(bad, good.operands, "no matmul is of the types 0x220 to 0x410");
  bad = matmul;
  bad.elementType = bad.outType = FRIT_TYPE_BF16;
  FritMatmulOperands biased = good.operands;
  biased.bias = biased.a.data;
  refuse(bad, biased, "a bias of type 0x410 would be rounded before");
  bad = matmul;
  bad.flags = 8;
  refuse(bad, good.operands, "unknown matmul flags 0x8");
  FritMatmulOperands operands = good.operands;
  operands.k = 0;
  refuse(matmul, operands, "k is 0, the least is 1");
  operands = good.operands;
  operands.m = int64_t(1) << 31;
  refuse(matmul, operands, "m is 2147483648, the most is 2147483647");
  operands = good.operands;
  operands.a.rowStride = 3;
  refuse(matmul, operands, "the row stride of a is 3, the least is 4");
  operands = good.operands;
  operands.out.batchStride = 0;
  refuse(matmul, operands, "the batch stride of out is 0, the least is 1");
  operands = good.operands;
  operands.b.data = nullptr;
  refuse(matmul, operands, "an operand of the matmul is null");
  EXPECT_EQ(fritLibraryMatmul(context, nullptr, &operands),
            FRIT_STATUS_INVALID_ARGUMENT);
  fritContextClearError(context);
  EXPECT_EQ(fritLibraryMatmul(nullptr, &matmul, &operands),
            FRIT_STATUS_INVALID_ARGUMENT);
}

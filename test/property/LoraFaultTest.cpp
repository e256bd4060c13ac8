//===- LoraFaultTest.cpp --------------------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Public faults of LoRA kernels elsewhere, whose kinds must not exist here.
//
//===----------------------------------------------------------------------===//

#include "LoraReference.h"
#include "PropertyTest.h"

#include <sys/mman.h>

using namespace mlir::frit;
using namespace mlir::frit::test;

namespace {

constexpr ElementType bf16 = ElementType::BF16;

/// lora_matmul of one slice on any bf16 operands, compiled once in all ways.
const Compiled &getMatmul() {
  static const std::unique_ptr<Compiled> compiled = [] {
    Random random(1, 1010, 0);
    return Compiled::compile(
        "func.func @f(%x: tensor<?x?xbf16>, %ids: tensor<?xi32>, %a: "
        "tensor<?x?x?xbf16>, %b: tensor<?x?x?xbf16>, %y: tensor<?x?xbf16>) -> "
        "tensor<?x?xbf16> { %0 = frit.lora_matmul ins(%x, %ids : "
        "tensor<?x?xbf16>, tensor<?xi32>) weights(%a, %b : tensor<?x?x?xbf16>, "
        "tensor<?x?x?xbf16>) outs(%y : tensor<?x?xbf16>) -> tensor<?x?xbf16> "
        "return %0 : tensor<?x?xbf16> }",
        random);
  }();
  return *compiled;
}

/// Runs it on normal numbers, and checks every element.
void runMatmul(llvm::ArrayRef<int64_t> adapterOfToken, int64_t adapters,
               int64_t k, int64_t r, int64_t n) {
  Random random(1, 1011, static_cast<uint64_t>(r));
  auto tokens = static_cast<int64_t>(adapterOfToken.size());
  Buffer x(bf16, {tokens, k}), ids(ElementType::I32, {tokens}),
      a(bf16, {adapters, r, k}), b(bf16, {adapters, n, r}),
      y(bf16, {tokens, n});
  for (Buffer *buffer : {&x, &a, &b, &y})
    fillNormal(*buffer, random);
  for (int64_t t = 0; t < tokens; ++t)
    ids.set(t, static_cast<double>(adapterOfToken[t]));
  LoraCase test;
  test.x = &x;
  test.ids = &ids;
  test.a = {&a};
  test.b = {&b};
  test.numAdapters = adapters;
  test.maxRank = r;
  LoraExpectation expectation = expectExpanded(test, y);
  for (const Compiled::Variant &variant : getMatmul().variants) {
    Buffer result(bf16, {tokens, n});
    ASSERT_EQ(variant.program->call({&x, &ids, &a, &b, &y, &result}), "");
    ASSERT_EQ(expectation.check(y, result), "")
        << variant.route.describe() << ", T " << tokens << " K " << k << " R "
        << r << " N " << n;
  }
}

TEST(LoraFaultTest, WidthsWithoutARoundFactor) {
  for (int64_t width : {3420, 3424, 3696, 2816, 19200})
    for (int64_t r : {16, 64}) {
      runMatmul({1, 0}, 2, width, r, 8);
      runMatmul({1, 0}, 2, 8, r, width);
    }
}

TEST(LoraFaultTest, TokensWithoutAdapterStayAsTheyWere) {
  runMatmul({0, -1, 0, -1}, 3, 64, 8, 48);
  runMatmul({-1, -1}, 3, 64, 8, 48);
}

/// Rows so far apart that their offsets leave 32 bits. Pages between them are
/// never touched.
TEST(LoraFaultTest, OffsetsBeyond32Bits) {
  constexpr int64_t tokens = 87400, stride = 24576, r = 4, n = 8, last = 64;
  Random random(1, 1012, 0);
  auto compiled = Compiled::compile(
      "func.func @f(%h: tensor<1x?x?xf32>, %ids: tensor<?xi32>, %b: "
      "tensor<?x?x?xbf16>, %y: tensor<?x?xbf16>) -> tensor<?x?xbf16> { %0 = "
      "frit.lora_expand ins(%h, %ids : tensor<1x?x?xf32>, tensor<?xi32>) "
      "weights(%b : tensor<?x?x?xbf16>) outs(%y : tensor<?x?xbf16>) -> "
      "tensor<?x?xbf16> return %0 : tensor<?x?xbf16> }",
      random);
  ASSERT_NE(compiled, nullptr);
  Buffer h(ElementType::F32, {1, tokens, r}), ids(ElementType::I32, {tokens}),
      b(bf16, {2, n, r}), y(bf16, {tokens, n});
  Buffer lastH(ElementType::F32, {1, last, r}),
      lastIds(ElementType::I32, {last}), lastY(bf16, {last, n});
  for (Buffer *buffer : {&h, &b, &y})
    fillNormal(*buffer, random);
  for (int64_t t = 0; t < tokens; ++t)
    ids.set(t, static_cast<double>(t % 3 - 1));
  for (int64_t t = 0; t < last; ++t) {
    int64_t from = tokens - last + t;
    lastIds.set(t, ids.get(from));
    for (int64_t i = 0; i < r; ++i)
      lastH.set({0, t, i}, h.get({0, from, i}));
    for (int64_t i = 0; i < n; ++i)
      lastY.set({t, i}, y.get({from, i}));
  }
  LoraCase test;
  test.h = &lastH;
  test.ids = &lastIds;
  test.b = {&b};
  test.numAdapters = 2;
  test.maxRank = r;
  LoraExpectation expectation = expectExpanded(test, lastY);

  size_t bytes = (tokens * stride) * sizeof(BFloat16);
  for (const Compiled::Variant &variant : compiled->variants) {
    void *memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    ASSERT_NE(memory, MAP_FAILED);
    auto base = reinterpret_cast<int64_t>(memory);
    EXPECT_EQ(variant.program->call({h.getDescriptor(),
                                     ids.getDescriptor(),
                                     b.getDescriptor(),
                                     y.getDescriptor(),
                                     {base, base, 0, tokens, n, stride, 1}}),
              "");
    Buffer result(bf16, {last, n});
    const auto *elements = static_cast<const BFloat16 *>(memory);
    for (int64_t t = 0; t < last; ++t)
      for (int64_t i = 0; i < n; ++i)
        result.set({t, i},
                   elements[(tokens - last + t) * stride + i].toDouble());
    munmap(memory, bytes);
    EXPECT_EQ(expectation.check(lastY, result), "") << variant.route.describe();
  }
}

TEST(LoraFaultTest, EveryRank) {
  for (int64_t r = 1; r <= 256; ++r)
    runMatmul({0, 1, -1}, 2, 24, r, 17);
}

TEST(LoraFaultTest, FewTokens) {
  std::vector<int64_t> ids;
  for (int64_t t = 1; t <= 15; ++t) {
    ids.push_back(t % 3);
    runMatmul(ids, 3, 40, 12, 33);
  }
}

TEST(LoraFaultTest, AdaptersMayChangeBetweenCalls) {
  runMatmul({0, 0, 0, 0, 0, 0, 0, 0}, 8, 32, 8, 16);
  runMatmul({7, 0, 3, 5, 1, 2, 6, 4}, 8, 32, 8, 16);
}

} // namespace

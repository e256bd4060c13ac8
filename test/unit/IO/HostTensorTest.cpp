//===- HostTensorTest.cpp -------------------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Shapes, sizes, storage and element access of host tensors.
//
//===----------------------------------------------------------------------===//

#include "IOTestUtils.h"

#include <cmath>
#include <limits>

using namespace mlir::frit;
using namespace mlir::frit::test;

TEST(TensorSpecTest, ParsesAndPrints) {
  for (llvm::StringRef text : {"f32", "4x4096xbf16", "0x7xi1", "1x2x3x4x5xui64",
                               "9223372036854775807xi8"})
    EXPECT_EQ(getValue(TensorSpec::parse(text)).str(), text);
  EXPECT_EQ(getValue(TensorSpec::parse("3xu8")).str(), "3xui8");
}

TEST(TensorSpecTest, RefusesOtherText) {
  EXPECT_EQ(getMessage(TensorSpec::parse("4x?xbf16")),
            "type '4x?xbf16': expected an element type (i1, i8 to i64, ui8 to "
            "ui64, f16, bf16, f32, f64), found '?xbf16'");
  EXPECT_EQ(getMessage(TensorSpec::parse("4096")),
            "type '4096': expected a dimension, 'x' and more, as in "
            "'4x4096xbf16', found '4096'");
  for (llvm::StringRef text :
       {"", "x", "4x", "-1xf32", "4xf8", "4 xf32", "0x1p3xf32", "4xF32",
        "99999999999999999999xf32", "4xf32x4", "\n"})
    EXPECT_NE(getMessage(TensorSpec::parse(text)), "success") << text.str();
}

TEST(TensorSpecTest, ChecksSizes) {
  EXPECT_EQ(getMessage(TensorSpec::parse("4294967296x4294967296xi8")),
            "shape 4294967296x4294967296xi8: has 2^63 elements or more");
  EXPECT_EQ(getMessage(TensorSpec::parse("2305843009213693952xf32")),
            "shape 2305843009213693952xf32: has 2^63 bytes or more");
  // Empty, however large the other dimensions are.
  EXPECT_EQ(
      getValue(getValue(TensorSpec::parse(
                            "4611686018427387904x4611686018427387904x0xf64"))
                   .getNumBytes()),
      0);
  TensorSpec negative{ElementType::F32, {2, -1}};
  EXPECT_EQ(getMessage(negative.getNumElements()),
            "shape 2x-1xf32: dimension -1 is negative");
}

TEST(HostTensorTest, AllocatesAlignedZeros) {
  for (ElementType type : allElementTypes) {
    HostTensor tensor = getValue(HostTensor::allocate({type, {3, 5}}));
    EXPECT_EQ(reinterpret_cast<uintptr_t>(tensor.getData()) %
                  HostTensor::alignment,
              0u);
    EXPECT_EQ(tensor.getNumBytes(), 15 * getElementBytes(type));
    EXPECT_EQ(tensor.getStrides(), llvm::ArrayRef<int64_t>({5, 1}));
    for (int64_t i = 0; i < 15; ++i)
      EXPECT_EQ(tensor.getDouble(i), 0);
  }
}

TEST(HostTensorTest, EmptyTensorsMayHaveLargeDimensions) {
  HostTensor tensor =
      getValue(HostTensor::allocate({ElementType::F32, {6, INT64_MAX, 0}}));
  EXPECT_EQ(tensor.getNumBytes(), 0);
  EXPECT_TRUE(tensor.isContiguous());
}

TEST(HostTensorTest, RefusesWhatDoesNotFit) {
  EXPECT_EQ(getMessage(HostTensor::allocate({ElementType::I8, {1LL << 60}})),
            "tensor 1152921504606846976xi8: cannot allocate "
            "1152921504606846976 bytes");
  EXPECT_EQ(
      getMessage(HostTensor::allocateStrided({ElementType::F32, {2, 3}}, {3})),
      "tensor 2x3xf32: has 2 dimensions but 1 strides");
  EXPECT_EQ(
      getMessage(HostTensor::allocateStrided({ElementType::F32, {2}}, {-1})),
      "tensor 2xf32: stride -1 is negative");
  EXPECT_EQ(getMessage(HostTensor::allocateStrided({ElementType::F32, {4}},
                                                   {1LL << 61})),
            "tensor 4xf32: storage has 2^63 bytes or more");
}

TEST(HostTensorTest, RoundsOnStores) {
  HostTensor ints = getValue(HostTensor::allocate({ElementType::I8, {5}}));
  ints.setDouble(0, 127.9);
  ints.setDouble(1, 1e30);
  ints.setDouble(2, -1e30);
  ints.setDouble(3, std::nan(""));
  ints.setDouble(4, -3.7);
  EXPECT_EQ(ints.getDouble(0), 127);
  EXPECT_EQ(ints.getDouble(1), 127);
  EXPECT_EQ(ints.getDouble(2), -128);
  EXPECT_EQ(ints.getDouble(3), 0);
  EXPECT_EQ(ints.getDouble(4), -3);
  HostTensor wide = getValue(HostTensor::allocate({ElementType::U64, {1}}));
  wide.setDouble(0, 0x1p64);
  EXPECT_EQ(*wide.getDataAs<uint64_t>(), UINT64_MAX);
  HostTensor bf16 = getValue(HostTensor::allocate({ElementType::BF16, {1}}));
  bf16.setDouble(0, 1 + 0x1p-8);
  EXPECT_EQ(bf16.getDouble(0), 1);
}

TEST(HostTensorTest, Transposes) {
  // More than a square of what is copied together, and neither size one.
  HostTensor tensor = getValue(
      HostTensor::allocateStrided({ElementType::I16, {45, 33}}, {40, 1}));
  for (int64_t i = 0; i < tensor.getNumElements(); ++i)
    tensor.setDouble(i, static_cast<double>(i));
  HostTensor transposed = getValue(tensor.transpose());
  EXPECT_EQ(transposed.getSpec().str(), "33x45xi16");
  EXPECT_TRUE(transposed.isContiguous());
  for (int64_t i = 0; i < 33 * 45; ++i)
    EXPECT_EQ(transposed.getDouble(i), i % 45 * 33 + i / 45);

  HostTensor empty = getValue(HostTensor::allocate({ElementType::F32, {0, 3}}));
  EXPECT_EQ(getValue(empty.transpose()).getSpec().str(), "3x0xf32");
  HostTensor vector = getValue(HostTensor::allocate({ElementType::F32, {4}}));
  EXPECT_EQ(getMessage(vector.transpose()),
            "a tensor of rank 1 has no two axes to exchange");
}

TEST(HostTensorTest, FollowsStrides) {
  HostTensor tensor =
      getValue(HostTensor::allocateStrided({ElementType::I32, {2, 3}}, {8, 2}));
  EXPECT_FALSE(tensor.isContiguous());
  for (int64_t i = 0; i < 6; ++i)
    tensor.setDouble(i, getPattern(ElementType::I32, i));
  EXPECT_EQ(tensor.getDataAs<int32_t>()[8 + 2 * 2], 3);
  EXPECT_EQ(tensor.delinearize(5), (llvm::SmallVector<int64_t, 4>{1, 2}));
  expectPattern(tensor);
  HostTensor copy = getValue(tensor.clone());
  EXPECT_TRUE(copy.isContiguous());
  expectPattern(copy);
  EXPECT_EQ(getMessage(tensor.reshape({6})),
            "reshape of 2x3xi32 to 6xi32: the tensor is not contiguous");
}

TEST(HostTensorTest, DimensionsOfOneMayHaveAnyStride) {
  HostTensor tensor = getValue(
      HostTensor::allocateStrided({ElementType::F32, {1, 4}}, {100, 1}));
  EXPECT_TRUE(tensor.isContiguous());
}

TEST(HostTensorTest, Reshapes) {
  HostTensor tensor = makePattern(ElementType::F16, {2, 3});
  EXPECT_EQ(getMessage(tensor.reshape({3, 1, 2})), "success");
  EXPECT_EQ(tensor.getStrides(), llvm::ArrayRef<int64_t>({2, 2, 1}));
  expectPattern(tensor);
  EXPECT_EQ(getMessage(tensor.reshape({4})),
            "reshape of 3x1x2xf16 to 4xf16: has 6 elements, needs 4");
}

TEST(HostTensorTest, BorrowsAndKeepsTheOwnerAlive) {
  auto owner = std::make_shared<std::vector<float>>(6, 2.0f);
  auto *begin = reinterpret_cast<char *>(owner->data());
  HostTensor tensor = getValue(HostTensor::borrow(
      {ElementType::F32, {6}}, {begin, 6 * sizeof(float)}, owner));
  EXPECT_EQ(tensor.getData(), begin);
  EXPECT_EQ(owner.use_count(), 2);
  HostTensor alias = getValue(tensor.toContiguous());
  EXPECT_EQ(alias.getData(), begin);
  EXPECT_EQ(getMessage(HostTensor::borrow({ElementType::F32, {7}},
                                          {begin, 6 * sizeof(float)}, owner)),
            "tensor 7xf32: needs 28 bytes, found 24");
}

TEST(HostTensorTest, CopiesMisalignedBytes) {
  auto owner = std::make_shared<std::vector<char>>(17, 0);
  (*owner)[1] = 3;
  HostTensor tensor = getValue(HostTensor::borrow(
      {ElementType::I32, {4}}, {owner->data() + 1, 16}, owner));
  EXPECT_NE(tensor.getData(), owner->data() + 1);
  EXPECT_EQ(tensor.getDouble(0), 3);
}

//===- NpyTest.cpp --------------------------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// .npy files of numpy are read, and numpy's bytes are written.
//
//===----------------------------------------------------------------------===//

#include "frit/IO/Npy.h"

#include "IOTestUtils.h"

using namespace mlir::frit;
using namespace mlir::frit::test;

TEST(NpyTest, ReadsEveryTypeOfNumpy) {
  for (ElementType type : allElementTypes) {
    HostTensor tensor =
        getValue(readNpy(getDataPath(getName(type).str() + ".npy")));
    EXPECT_EQ(tensor.getSpec(), (TensorSpec{type, {2, 3}}));
    expectPattern(tensor);
  }
}

TEST(NpyTest, ReadsScalarsVectorsAndEmptyTensors) {
  HostTensor scalar = getValue(readNpy(getDataPath("scalar_f32.npy")));
  EXPECT_EQ(scalar.getSpec().str(), "f32");
  expectPattern(scalar);
  HostTensor vector = getValue(readNpy(getDataPath("vector_f32.npy")));
  EXPECT_EQ(vector.getSpec().str(), "5xf32");
  expectPattern(vector);
  EXPECT_EQ(getValue(readNpy(getDataPath("empty_f32.npy"))).getSpec().str(),
            "3x0x2xf32");
}

TEST(NpyTest, ReadsVersions2And3) {
  for (llvm::StringRef name : {"version2.npy", "version3.npy"})
    expectPattern(getValue(readNpy(getDataPath(name))));
}

TEST(NpyTest, WritesTheBytesOfNumpy) {
  TemporaryFolder folder;
  const std::string path = folder.getFile("out.npy");
  for (llvm::StringRef name :
       {"i1", "i8", "i16", "i32", "i64", "ui8", "ui16", "ui32", "ui64", "f16",
        "bf16", "f32", "f64", "scalar_f32", "vector_f32", "empty_f32"}) {
    const std::string source = getDataPath(name.str() + ".npy");
    ASSERT_EQ(getMessage(writeNpy(path, getValue(readNpy(source)))), "success");
    EXPECT_EQ(readBytes(path), readBytes(source)) << name.str();
  }
}

TEST(NpyTest, WritesStridedTensors) {
  TemporaryFolder folder;
  HostTensor tensor =
      getValue(HostTensor::allocateStrided({ElementType::F32, {2, 3}}, {7, 1}));
  for (int64_t i = 0; i < 6; ++i)
    tensor.setDouble(i, getPattern(ElementType::F32, i));
  ASSERT_EQ(getMessage(writeNpy(folder.getFile("a.npy"), tensor)), "success");
  EXPECT_EQ(readBytes(folder.getFile("a.npy")),
            readBytes(getDataPath("f32.npy")));
}

TEST(NpyTest, DoesNotChangeTheFileThroughTheMapping) {
  TemporaryFolder folder;
  const std::string path = folder.getFile("a.npy");
  // Large enough that it is mapped.
  HostTensor source = makePattern(ElementType::F32, {64, 1024});
  ASSERT_EQ(getMessage(writeNpy(path, source)), "success");
  const std::string before = readBytes(path);
  HostTensor tensor = getValue(readNpy(path));
  tensor.setDouble(0, 123);
  EXPECT_EQ(tensor.getDouble(0), 123);
  EXPECT_EQ(readBytes(path), before);
}

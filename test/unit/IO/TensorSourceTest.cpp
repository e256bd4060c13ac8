//===- TensorSourceTest.cpp -----------------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Sources of tensors as users write them.
//
//===----------------------------------------------------------------------===//

#include "frit/IO/TensorSource.h"

#include "IOTestUtils.h"

using namespace mlir::frit;
using namespace mlir::frit::test;

namespace {
llvm::Expected<HostTensor> make(llvm::StringRef source, llvm::StringRef spec) {
  return getValue(TensorSource::parse(source))
      .make(getValue(TensorSpec::parse(spec)), /*seed=*/1, /*stream=*/0);
}
} // namespace

TEST(TensorSourceTest, Generates) {
  HostTensor ones = getValue(make("ones", "2x2xbf16"));
  HostTensor zeros = getValue(make("zeros", "2x2xi8"));
  for (int64_t i = 0; i < 4; ++i) {
    EXPECT_EQ(ones.getDouble(i), 1);
    EXPECT_EQ(zeros.getDouble(i), 0);
  }
  HostTensor ids = getValue(make("random[-1,3)", "100xi32"));
  for (int64_t i = 0; i < 100; ++i)
    EXPECT_TRUE(ids.getDouble(i) >= -1 && ids.getDouble(i) < 3);
  EXPECT_NE(getValue(make("random", "f32")).getDouble(0), 0);
}

TEST(TensorSourceTest, FillsWithANumber) {
  const auto source = getValue(TensorSource::parse("-2.5"));
  const HostTensor floats =
      getValue(source.make({ElementType::BF16, {3}}, /*seed=*/0, /*stream=*/0));
  EXPECT_EQ(floats.getDouble(2), -2.5);
  EXPECT_EQ(
      getMessage(source.make({ElementType::I8, {3}}, /*seed=*/0, /*stream=*/0)),
      "-2.5 is not a value of i8");
  EXPECT_EQ(getMessage(getValue(TensorSource::parse("300"))
                           .make({ElementType::I8, {}}, 0, 0)),
            "300 is not a value of i8");
}

TEST(TensorSourceTest, ReadsFiles) {
  expectPattern(getValue(make("@" + getDataPath("f32.npy"), "2x3xf32")));
  expectPattern(getValue(
      make("@" + getDataPath("all.safetensors") + "#bf16", "2x3xbf16")));
  EXPECT_EQ(getMessage(make("@" + getDataPath("f32.npy"), "3x2xf32")),
            getDataPath("f32.npy") + ": holds 2x3xf32, expected 3x2xf32");
  EXPECT_EQ(getMessage(
                make("@" + getDataPath("all.safetensors") + "#f32", "2x3xf16")),
            getDataPath("all.safetensors") +
                ": tensor 'f32' is 2x3xf32, expected 2x3xf16");
}

TEST(TensorSourceTest, KeysMayHoldTheSeparator) {
  TensorSource source = getValue(TensorSource::parse("@a#b.safetensors#c#d"));
  EXPECT_EQ(source.path, "a#b.safetensors");
  EXPECT_EQ(source.key, "c#d");
}

TEST(TensorSourceTest, RefusesOtherText) {
  for (llvm::StringRef text : {"", "one", "random[", "random[1]", "random[1,2]",
                               "random[1,2)x", "random[a,b)", "file.npy"})
    EXPECT_EQ(getMessage(TensorSource::parse(text)),
              "'" + text.str() +
                  "': expected random, random[LOW,HIGH), zeros, ones, "
                  "a number, @FILE.npy or @FILE.safetensors#KEY");
  for (llvm::StringRef text : {"@", "@a.txt", "@a.safetensors", "@a.npy#k"})
    EXPECT_EQ(getMessage(TensorSource::parse(text)),
              "'" + text.str() +
                  "': expected @FILE.npy or @FILE.safetensors#KEY");
}

TEST(TensorSourceTest, KeepsEachBitOfAnInteger) {
  EXPECT_EQ(*getValue(make("9007199254740993", "i64")).getDataAs<int64_t>(),
            9007199254740993);
  EXPECT_EQ(getMessage(make("9223372036854775808", "i64")),
            "9.22337e+18 is not a value of i64");
}

TEST(TensorSourceTest, Writes) {
  TemporaryFolder folder;
  const HostTensor first = makePattern(ElementType::F16, {4});
  const HostTensor second = makePattern(ElementType::I8, {4});
  llvm::SmallVector<TensorSource> places;
  for (llvm::StringRef name :
       {"a.npy", "a.safetensors#key", "b.npy", "a.safetensors#other"})
    places.push_back(
        getValue(TensorSource::parseDestination("@" + folder.getFile(name))));
  ASSERT_EQ(
      getMessage(writeTensors(places, {&first, &first, &second, &second})),
      "success");
  for (const TensorSource &place : places)
    expectPattern(getValue(place.readFile()));
  EXPECT_EQ(getMessage(TensorSource::parseDestination("a.npy")),
            "'a.npy': expected @FILE.npy or @FILE.safetensors#KEY");
}

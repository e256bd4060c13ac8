//===- SafetensorsMalformedTest.cpp ---------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each kind of bad safetensors file gives one message with both sides.
//
//===----------------------------------------------------------------------===//

#include "frit/IO/Safetensors.h"

#include "IOTestUtils.h"

#include "llvm/Support/Endian.h"

using namespace mlir::frit;
using namespace mlir::frit::test;

namespace {
/// A file with this header and `dataBytes` zeros.
std::string makeFile(llvm::StringRef header, size_t dataBytes) {
  std::string file(8, '\0');
  llvm::support::endian::write64le(file.data(), header.size());
  file += header;
  file.append(dataBytes, '\0');
  return file;
}

/// What opening such a file says, without the name in front.
std::string parse(llvm::StringRef header, size_t dataBytes = 0) {
  std::string message =
      getMessage(SafetensorsFile::parse(makeFile(header, dataBytes), "x"));
  llvm::StringRef text = message;
  EXPECT_TRUE(text == "success" || text.consume_front("x: ")) << message;
  return text.str();
}
} // namespace

TEST(SafetensorsMalformedTest, TheBaseOfTheseTestsIsGood) {
  EXPECT_EQ(parse("{\"a\":{\"dtype\":\"F32\",\"shape\":[2],"
                  "\"data_offsets\":[0,8]}}   ",
                  8),
            "success");
}

TEST(SafetensorsMalformedTest, LengthAndStart) {
  EXPECT_EQ(getMessage(SafetensorsFile::parse("1234567", "x")),
            "x: not a safetensors file: expected 8 bytes of header length, "
            "found 7");
  EXPECT_EQ(getMessage(SafetensorsFile::parse(std::string(8, '\xff'), "x")),
            "x: header length: expected at most 100000000 bytes, found "
            "18446744073709551615");
  EXPECT_EQ(
      getMessage(SafetensorsFile::parse(makeFile("{}", 0).substr(0, 9), "x")),
      "x: truncated header: expected 2 bytes, found 1");
  EXPECT_EQ(parse(""), "header: expected '{' as its first byte, found the end");
  EXPECT_EQ(parse(" {}"), "header: expected '{' as its first byte, found ' '");
  EXPECT_EQ(parse("[]"), "header: expected '{' as its first byte, found '['");
}

TEST(SafetensorsMalformedTest, Json) {
  EXPECT_EQ(parse("{"), "header is not valid JSON at byte 10: found '{'");
  EXPECT_EQ(parse("{} {}"),
            "header is not valid JSON at byte 12: found '{} {'");
  EXPECT_EQ(parse("{\"a\":\"\xff\"}"),
            "header is not valid JSON at byte 15: found '\\22\\FF'");
  EXPECT_EQ(parse("{\"a\":1e999}"),
            "header is not valid JSON at byte 18: found '1e999'");
  // The parser does not recurse: a depth of millions is no stack overflow.
  EXPECT_EQ(parse("{\"a\":" + std::string(5000000, '[')),
            "header entry 'a': expected an object, found an array");
  EXPECT_EQ(parse("{\"__metadata__\":{\"a\":{\"a\":{}}}}"),
            "__metadata__ entry 'a': expected a string, found an object");
}

TEST(SafetensorsMalformedTest, KindsOfValues) {
  EXPECT_EQ(parse("{\"a\":null}"),
            "header entry 'a': expected an object, found null");
  EXPECT_EQ(parse("{\"__metadata__\":{\"k\":1}}"),
            "__metadata__ entry 'k': expected a string, found the number 1");
  EXPECT_EQ(parse("{\"a\":{\"dtype\":true}}"),
            "tensor 'a', field 'dtype': expected a string, found true");
  EXPECT_EQ(parse("{\"a\":{\"shape\":[-1]}}"),
            "tensor 'a', field 'shape': expected a dimension in [0, 2^63), "
            "found the negative number -1");
  EXPECT_EQ(parse("{\"a\":{\"shape\":[1.5]}}"),
            "tensor 'a', field 'shape': expected a dimension in [0, 2^63), "
            "found the number '1.5'");
  EXPECT_EQ(parse("{\"a\":{\"shape\":[9223372036854775808]}}"),
            "tensor 'a', field 'shape': expected a dimension in [0, 2^63), "
            "found 9223372036854775808");
  EXPECT_EQ(parse("{\"a\":{\"shape\":[99999999999999999999]}}"),
            "tensor 'a', field 'shape': expected a dimension in [0, 2^63), "
            "found the number '99999999999999999999'");
  EXPECT_EQ(parse("{\"a\":{\"shape\":[[1]]}}"),
            "tensor 'a', field 'shape': expected a dimension in [0, 2^63), "
            "found an array");
  EXPECT_EQ(parse("{\"a\":{\"data_offsets\":[0]}}"),
            "tensor 'a', field 'data_offsets': expected two offsets, found 1");
  EXPECT_EQ(parse("{\"a\":{\"data_offsets\":[0,1,2]}}"),
            "tensor 'a', field 'data_offsets': expected two offsets, found a "
            "third one, 2");
  EXPECT_EQ(parse("{\"a\":{\"data_offsets\":\"0\"}}"),
            "tensor 'a', field 'data_offsets': expected an array of two "
            "offsets, found the string '0'");
}

TEST(SafetensorsMalformedTest, Fields) {
  EXPECT_EQ(parse("{\"a\":{\"dtype\":\"F32\",\"shape\":[]}}"),
            "tensor 'a': expected the fields dtype, shape and data_offsets, "
            "found no data_offsets");
  EXPECT_EQ(parse("{\"a\":{\"strides\":[]}}"),
            "tensor 'a': expected the fields dtype, shape and data_offsets, "
            "found 'strides'");
  EXPECT_EQ(parse("{\"a\":{\"dtype\":\"float32\"}}"),
            "tensor 'a', field 'dtype': expected a dtype of the format (BOOL, "
            "I8, ..., F16, BF16, F32, F64), found 'float32'");
  EXPECT_EQ(parse("{\"a\":{\"dtype\":\"F32\",\"dtype\":\"F32\"}}"),
            "tensor 'a': field 'dtype' is there twice, expected once");
  EXPECT_EQ(parse("{\"a\":{\"dtype\":\"F32\",\"shape\":[0],"
                  "\"data_offsets\":[0,0]},\"a\":{}}"),
            "header key 'a' is there twice, expected once");
  EXPECT_EQ(parse("{\"__metadata__\":{\"k\":\"1\",\"k\":\"2\"}}"),
            "__metadata__ key 'k' is there twice, expected once");
  EXPECT_EQ(parse("{\"__metadata__\":{},\"__metadata__\":{}}"),
            "header key '__metadata__' is there twice, expected once");
}

TEST(SafetensorsMalformedTest, Offsets) {
  const auto parseTensors = [](llvm::StringRef first, llvm::StringRef second,
                               size_t dataBytes) {
    return parse(("{\"a\":{\"dtype\":\"F32\"," + first +
                  "},\"b\":{\"dtype\":\"BF16\"," + second + "}}")
                     .str(),
                 dataBytes);
  };
  constexpr llvm::StringLiteral four =
      "\"shape\":[2,2],\"data_offsets\":[0,16]";
  EXPECT_EQ(parseTensors(four, "\"shape\":[2],\"data_offsets\":[16,20]", 20),
            "success");
  EXPECT_EQ(
      parseTensors(four, "\"shape\":[2],\"data_offsets\":[16,21]", 20),
      "tensor 'b', field 'data_offsets': expected begin <= end <= 20 (the "
      "data's bytes), found [16, 21]");
  EXPECT_EQ(
      parseTensors(four, "\"shape\":[2],\"data_offsets\":[20,16]", 20),
      "tensor 'b', field 'data_offsets': expected begin <= end <= 20 (the "
      "data's bytes), found [20, 16]");
  EXPECT_EQ(
      parseTensors(four,
                   "\"shape\":[2],\"data_offsets\":"
                   "[18446744073709551612,18446744073709551615]",
                   20),
      "tensor 'b', field 'data_offsets': expected begin <= end <= 20 (the "
      "data's bytes), found [18446744073709551612, 18446744073709551615]");
  EXPECT_EQ(parseTensors(four, "\"shape\":[2],\"data_offsets\":[14,18]", 20),
            "tensor 'b', field 'data_offsets': overlaps the tensor before: "
            "expected 16 as the begin, found 14");
  EXPECT_EQ(parseTensors(four, "\"shape\":[1],\"data_offsets\":[18,20]", 20),
            "tensor 'b', field 'data_offsets': leaves a hole: expected 16 as "
            "the begin, found 18");
  EXPECT_EQ(parseTensors(four, "\"shape\":[2],\"data_offsets\":[16,20]", 24),
            "data after the last tensor: expected 20 bytes, found 24");
  EXPECT_EQ(parseTensors(four, "\"shape\":[3],\"data_offsets\":[16,20]", 20),
            "tensor 'b', field 'data_offsets': expected 6 bytes for its shape "
            "and BF16, found 4");
  EXPECT_EQ(parseTensors(four,
                         "\"shape\":[4611686018427387904,4],"
                         "\"data_offsets\":[16,20]",
                         20),
            "tensor 'b', field 'shape': has 2^64 bits or more");
}

TEST(SafetensorsMalformedTest, TypesThatFritLacksAreCheckedAndNamed) {
  SafetensorsFile file = getValue(SafetensorsFile::parse(
      makeFile("{\"a\":{\"dtype\":\"F8_E4M3\",\"shape\":[3],"
               "\"data_offsets\":[0,3]}}",
               3),
      "x"));
  EXPECT_EQ(
      getMessage(file.read("a")),
      "x: tensor 'a', field 'dtype': expected BOOL, I8 to I64, U8 to U64, "
      "F16, BF16, F32 or F64, found F8_E4M3");
  EXPECT_EQ(parse("{\"a\":{\"dtype\":\"F4\",\"shape\":[3],"
                  "\"data_offsets\":[0,2]}}",
                  2),
            "tensor 'a': expected whole bytes, found 12 bits of F4");
}

TEST(SafetensorsMalformedTest, EveryTruncationIsAnError) {
  const std::string bytes = readBytes(getDataPath("all.safetensors"));
  for (size_t length = 0; length < bytes.size(); ++length)
    EXPECT_NE(getMessage(SafetensorsFile::parse(
                  llvm::StringRef(bytes).take_front(length), "x")),
              "success")
        << length;
}

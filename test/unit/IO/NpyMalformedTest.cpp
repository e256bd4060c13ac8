//===- NpyMalformedTest.cpp -----------------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each kind of bad .npy file gives one message with both sides.
//
//===----------------------------------------------------------------------===//

#include "frit/IO/Npy.h"

#include "IOTestUtils.h"

using namespace mlir::frit;
using namespace mlir::frit::test;

namespace {
/// A version 1 file with this dictionary and `dataBytes` zeros.
std::string makeFile(llvm::StringRef dictionary, size_t dataBytes = 24) {
  std::string file = "\x93NUMPY";
  file += {'\1', '\0', static_cast<char>(dictionary.size()),
           static_cast<char>(dictionary.size() >> 8)};
  file += dictionary;
  file.append(dataBytes, '\0');
  return file;
}

std::string parseDictionary(llvm::StringRef dictionary) {
  return getMessage(parseNpy(makeFile(dictionary), "x.npy"));
}

constexpr llvm::StringLiteral good =
    "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }";
} // namespace

TEST(NpyMalformedTest, TheBaseOfTheseTestsIsGood) {
  EXPECT_EQ(parseDictionary(good), "success");
  EXPECT_EQ(parseDictionary("{\"shape\":(2,3),'fortran_order':False,"
                            "'descr':'<f4'}   \n"),
            "success");
}

TEST(NpyMalformedTest, Files) {
  EXPECT_EQ(getMessage(readNpy("no/such/file.npy")),
            "no/such/file.npy: cannot read: No such file or directory");
  const std::string folder = getDataPath("");
  EXPECT_EQ(getMessage(readNpy(folder)),
            folder + ": cannot read: not a regular file");
  EXPECT_EQ(getMessage(readNpy("/dev/zero")),
            "/dev/zero: cannot read: not a regular file");
}

TEST(NpyMalformedTest, WrittenByNumpy) {
  const auto read = [](llvm::StringRef name) {
    std::string message = getMessage(readNpy(getDataPath(name)));
    llvm::StringRef text = message;
    EXPECT_TRUE(text.consume_front(getDataPath(name) + ": ")) << message;
    return text.str();
  };
  EXPECT_EQ(read("fortran.npy"),
            "field 'fortran_order': expected False (row-major data), found "
            "True; save numpy.ascontiguousarray(a)");
  EXPECT_EQ(read("big_endian.npy"),
            "field 'descr': expected a little-endian type ('<f4'), found "
            "big-endian '>f4'");
  EXPECT_EQ(read("structured.npy"),
            "field 'descr': expected one plain type, found a structured type "
            "'[('a', '<f4'), ('b', '<i'");
  EXPECT_EQ(read("objects.npy"), "field 'descr': expected a plain type, found "
                                 "pickled Python objects '|O'");
  EXPECT_EQ(read("complex.npy"),
            "field 'descr': expected one of |b1, |i1, <i2, <i4, <i8, |u1, <u2, "
            "<u4, <u8, <f2, <f4, <f8, <V2 (bf16), found '<c8'");
  EXPECT_EQ(read("float8.npy"),
            "field 'descr': expected one of |b1, |i1, <i2, <i4, <i8, |u1, <u2, "
            "<u4, <u8, <f2, <f4, <f8, <V2 (bf16), found '<V1'");
}

TEST(NpyMalformedTest, MagicVersionAndLength) {
  EXPECT_EQ(getMessage(parseNpy("PK\3\4zip", "x.npy")),
            "x.npy: not an .npy file: expected the magic '\\93NUMPY', found "
            "'PK\\03\\04zi'");
  EXPECT_EQ(
      getMessage(parseNpy("", "x.npy")),
      "x.npy: not an .npy file: expected the magic '\\93NUMPY', found ''");
  EXPECT_EQ(getMessage(parseNpy("\x93NUMPY\1", "x.npy")),
            "x.npy: truncated .npy header: expected 2 version bytes, found 1");
  std::string file = makeFile(good);
  file[6] = 4;
  EXPECT_EQ(getMessage(parseNpy(file, "x.npy")),
            "x.npy: .npy version: expected 1.0, 2.0 or 3.0, found 4.0");
  EXPECT_EQ(getMessage(parseNpy(makeFile(good).substr(0, 9), "x.npy")),
            "x.npy: truncated .npy header: expected 2 bytes of header length, "
            "found 1");
  EXPECT_EQ(getMessage(parseNpy(makeFile(good).substr(0, 30), "x.npy")),
            "x.npy: truncated .npy header: expected 59 bytes, found 20");
  file = makeFile(good);
  file[6] = 2;
  EXPECT_EQ(getMessage(parseNpy(file, "x.npy")),
            "x.npy: .npy header length: expected at most 10000 bytes, found "
            "662372411");
}

TEST(NpyMalformedTest, EveryTruncationIsAnError) {
  const std::string file = makeFile(good);
  for (size_t length = 0; length < file.size(); ++length)
    EXPECT_NE(getMessage(parseNpy(file.substr(0, length), "x.npy")), "success")
        << length;
}

TEST(NpyMalformedTest, Data) {
  EXPECT_EQ(getMessage(parseNpy(makeFile(good, 23), "x.npy")),
            "x.npy: data of 2x3xf32: expected 24 bytes, found 23");
  EXPECT_EQ(getMessage(parseNpy(makeFile(good, 25), "x.npy")),
            "x.npy: data of 2x3xf32: expected 24 bytes, found 25");
  EXPECT_EQ(parseDictionary("{'descr': '<f4', 'fortran_order': False, 'shape': "
                            "(4294967296, 4294967296)}"),
            "x.npy: field 'shape': shape 4294967296x4294967296xf32: has 2^63 "
            "elements or more");
}

TEST(NpyMalformedTest, Dictionary) {
  EXPECT_EQ(parseDictionary("{'descr': '<f4', 'shape': (2, 3)}"),
            "x.npy: malformed .npy header: expected the fields 'descr', "
            "'fortran_order' and 'shape', found no 'fortran_order'");
  EXPECT_EQ(parseDictionary("{'descr': '<f4', 'order': 'C'}"),
            "x.npy: malformed .npy header: expected the fields 'descr', "
            "'fortran_order' and 'shape', found 'order'");
  EXPECT_EQ(parseDictionary("{'descr': '<f4', 'descr': '<f4'}"),
            "x.npy: malformed .npy header: field 'descr' is there twice, "
            "expected once");
  EXPECT_EQ(parseDictionary("{'descr': '<f4', 'fortran_order': 0}"),
            "x.npy: malformed .npy header at byte 44: expected True or False, "
            "found '0}'");
  EXPECT_EQ(parseDictionary("{'shape': (2, -3)}"),
            "x.npy: malformed .npy header at byte 24: expected a dimension, "
            "found '-3)}'");
  EXPECT_EQ(parseDictionary("{'shape': (2 3)}"),
            "x.npy: malformed .npy header at byte 23: expected ',' or ')', "
            "found '3)}'");
  EXPECT_EQ(parseDictionary("{'shape': (99999999999999999999,)}"),
            "x.npy: malformed .npy header at byte 21: expected a dimension "
            "below 2^63, found '99999999999999999999,)}'");
  EXPECT_EQ(parseDictionary("{'shape': (3)}"),
            "x.npy: field 'shape': expected a tuple '(3,)', found the integer "
            "'(3)'");
  EXPECT_EQ(
      parseDictionary("{'descr': '\\x3cf4'}"),
      "x.npy: malformed .npy header at byte 20: expected a string without "
      "escapes, found ''\\\\x3cf4'}'");
  EXPECT_EQ(parseDictionary("{'descr'"),
            "x.npy: malformed .npy header at byte 18: expected ':', found the "
            "end");
  EXPECT_EQ(parseDictionary(good.str() + " trailing"),
            "x.npy: malformed .npy header at byte 70: expected only spaces "
            "after the dictionary, found 'trailing'");
  EXPECT_EQ(
      parseDictionary("{'shape': (1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,"
                      "1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,"
                      "1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1)}"),
      "x.npy: malformed .npy header at byte 149: expected at most 64 "
      "dimensions, found '1)}'");
}

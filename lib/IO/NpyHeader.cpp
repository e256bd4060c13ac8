//===- NpyHeader.cpp ------------------------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Parses and prints the header of .npy files: a magic, a version, a length, and
// a Python dictionary with three fields. Only the literals that numpy writes
// there are taken; nothing is evaluated.
//
//===----------------------------------------------------------------------===//

#include "NpyHeader.h"

#include "FileError.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/Endian.h"

using namespace mlir::frit;

namespace {
constexpr llvm::StringLiteral magic = "\x93NUMPY";
constexpr size_t versionEnd = 8;
/// numpy aligns the data to this.
constexpr size_t headerAlignment = 64;
/// numpy refuses longer headers as well, unless told otherwise; 64 dimensions
/// need fewer than 2000 bytes.
constexpr size_t maxHeaderBytes = 10000;
constexpr size_t maxRank = 64;

/// Reads the dictionary text from left to right. The first thing that is wrong
/// is kept in `error`, with its offset in the file.
class DictionaryParser {
public:
  DictionaryParser(llvm::StringRef text, size_t fileOffset,
                   llvm::StringRef name)
      : text(text), rest(text), fileOffset(fileOffset), name(name) {}

  llvm::Expected<TensorSpec> parse();

private:
  llvm::Error parseField();
  llvm::Error parseDescr();
  llvm::Error parseFortranOrder();
  llvm::Error parseShape();
  llvm::Expected<llvm::StringRef> parseString();

  void skipSpace() { rest = rest.ltrim(" \t\n"); }
  bool consume(llvm::StringRef token) {
    skipSpace();
    return rest.consume_front(token);
  }
  llvm::Error expect(llvm::StringRef token) {
    if (consume(token))
      return llvm::Error::success();
    return unexpected(quoteText(token));
  }
  template <typename... Parts>
  llvm::Error unexpected(const Parts &...expected) {
    skipSpace();
    const size_t offset = fileOffset + (text.size() - rest.size());
    std::string found =
        rest.empty() ? "the end" : quoteText(rest.take_front(24));
    return makeFileError(name, "malformed .npy header at byte ", offset,
                         ": expected ", expected..., ", found ", found);
  }

  llvm::StringRef text;
  llvm::StringRef rest;
  size_t fileOffset;
  llvm::StringRef name;
  TensorSpec spec;
  bool hasDescr = false;
  bool hasFortranOrder = false;
  bool hasShape = false;
};

std::optional<ElementType> parseDescriptor(llvm::StringRef descr) {
  return llvm::StringSwitch<std::optional<ElementType>>(descr)
      .Cases({"|b1", "<b1"}, ElementType::I1)
      .Cases({"|i1", "<i1"}, ElementType::I8)
      .Cases({"|u1", "<u1"}, ElementType::U8)
      .Case("<i2", ElementType::I16)
      .Case("<i4", ElementType::I32)
      .Case("<i8", ElementType::I64)
      .Case("<u2", ElementType::U16)
      .Case("<u4", ElementType::U32)
      .Case("<u8", ElementType::U64)
      .Case("<f2", ElementType::F16)
      .Case("<f4", ElementType::F32)
      .Case("<f8", ElementType::F64)
      // ml_dtypes registers bfloat16 as a void type of two bytes.
      .Cases({"<V2", "|V2", "bfloat16"}, ElementType::BF16)
      .Default(std::nullopt);
}

llvm::StringRef getDescriptor(ElementType type) {
  switch (type) {
  case ElementType::I1:
    return "|b1";
  case ElementType::I8:
    return "|i1";
  case ElementType::I16:
    return "<i2";
  case ElementType::I32:
    return "<i4";
  case ElementType::I64:
    return "<i8";
  case ElementType::U8:
    return "|u1";
  case ElementType::U16:
    return "<u2";
  case ElementType::U32:
    return "<u4";
  case ElementType::U64:
    return "<u8";
  case ElementType::F16:
    return "<f2";
  case ElementType::BF16:
    return "<V2";
  case ElementType::F32:
    return "<f4";
  case ElementType::F64:
    return "<f8";
  }
  llvm_unreachable("every element type is listed");
}
} // namespace

llvm::Expected<TensorSpec> DictionaryParser::parse() {
  if (llvm::Error error = expect("{"))
    return std::move(error);
  while (!consume("}")) {
    if (llvm::Error error = parseField())
      return std::move(error);
    if (consume(","))
      continue;
    if (llvm::Error error = expect("}"))
      return std::move(error);
    break;
  }
  skipSpace();
  if (!rest.empty())
    return unexpected("only spaces after the dictionary");
  for (auto [present, field] : {std::pair(hasDescr, "descr"),
                                std::pair(hasFortranOrder, "fortran_order"),
                                std::pair(hasShape, "shape")})
    if (!present)
      return makeFileError(name, "malformed .npy header: expected the fields ",
                           "'descr', 'fortran_order' and 'shape', found no '",
                           field, "'");
  return spec;
}

llvm::Error DictionaryParser::parseField() {
  llvm::Expected<llvm::StringRef> key = parseString();
  if (!key)
    return key.takeError();
  bool *seen = llvm::StringSwitch<bool *>(*key)
                   .Case("descr", &hasDescr)
                   .Case("fortran_order", &hasFortranOrder)
                   .Case("shape", &hasShape)
                   .Default(nullptr);
  if (!seen)
    return makeFileError(name, "malformed .npy header: expected the fields ",
                         "'descr', 'fortran_order' and 'shape', found ",
                         quoteText(*key));
  if (*seen)
    return makeFileError(name, "malformed .npy header: field ", quoteText(*key),
                         " is there twice, expected once");
  *seen = true;
  if (llvm::Error error = expect(":"))
    return error;
  if (seen == &hasDescr)
    return parseDescr();
  return seen == &hasShape ? parseShape() : parseFortranOrder();
}

llvm::Expected<llvm::StringRef> DictionaryParser::parseString() {
  skipSpace();
  const llvm::StringRef start = rest;
  if (!rest.consume_front("'") && !rest.consume_front("\""))
    return unexpected("a string");
  const size_t length = rest.find_first_of("'\"\\\n");
  if (length == llvm::StringRef::npos || rest[length] != start.front()) {
    rest = start;
    return unexpected("a string without escapes");
  }
  llvm::StringRef content = rest.take_front(length);
  rest = rest.drop_front(length + 1);
  return content;
}

llvm::Error DictionaryParser::parseDescr() {
  skipSpace();
  if (rest.starts_with("["))
    return makeFileError(name, "field 'descr': expected one plain type, found ",
                         "a structured type ", quoteText(rest.take_front(24)));
  llvm::Expected<llvm::StringRef> descr = parseString();
  if (!descr)
    return descr.takeError();
  std::optional<ElementType> type = parseDescriptor(*descr);
  if (type) {
    spec.type = *type;
    return llvm::Error::success();
  }
  if (descr->starts_with(">"))
    return makeFileError(
        name, "field 'descr': expected a little-endian type ('<",
        descr->drop_front(), "'), found big-endian ", quoteText(*descr));
  if (descr->contains('O'))
    return makeFileError(name, "field 'descr': expected a plain type, found ",
                         "pickled Python objects ", quoteText(*descr));
  return makeFileError(name,
                       "field 'descr': expected one of |b1, |i1, <i2, <i4,",
                       " <i8, |u1, <u2, <u4, <u8, <f2, <f4, <f8, <V2 (bf16), ",
                       "found ", quoteText(*descr));
}

llvm::Error DictionaryParser::parseFortranOrder() {
  if (consume("False"))
    return llvm::Error::success();
  if (consume("True"))
    return makeFileError(name,
                         "field 'fortran_order': expected False (row-major ",
                         "data), found True; save numpy.ascontiguousarray(a)");
  return unexpected("True or False");
}

llvm::Error DictionaryParser::parseShape() {
  if (llvm::Error error = expect("("))
    return error;
  bool needsComma = false;
  while (!consume(")")) {
    if (needsComma)
      return unexpected("',' or ')'");
    skipSpace();
    llvm::StringRef digits = rest.take_while(llvm::isDigit);
    if (digits.empty())
      return unexpected("a dimension");
    int64_t size = 0;
    if (digits.getAsInteger(10, size))
      return unexpected("a dimension below 2^63");
    if (spec.shape.size() == maxRank)
      return unexpected("at most ", maxRank, " dimensions");
    rest = rest.drop_front(digits.size());
    // Python 2 wrote long integers with a suffix.
    rest.consume_front("L");
    spec.shape.push_back(size);
    needsComma = !consume(",");
  }
  // "(3)" is an integer in Python, not a tuple.
  if (spec.shape.size() == 1 && needsComma)
    return makeFileError(name, "field 'shape': expected a tuple '(",
                         spec.shape[0], ",)', found the integer '(",
                         spec.shape[0], ")'");
  return llvm::Error::success();
}

llvm::Expected<NpyHeader> mlir::frit::parseNpyHeader(llvm::StringRef bytes,
                                                     llvm::StringRef name) {
  if (!bytes.starts_with(magic))
    return makeFileError(name, "not an .npy file: expected the magic ",
                         quoteText(magic), ", found ",
                         quoteText(bytes.take_front(magic.size())));
  if (bytes.size() < versionEnd)
    return makeFileError(name,
                         "truncated .npy header: expected 2 version bytes, ",
                         "found ", bytes.size() - magic.size());
  const unsigned major = static_cast<uint8_t>(bytes[6]);
  const unsigned minor = static_cast<uint8_t>(bytes[7]);
  if (major < 1 || major > 3 || minor != 0)
    return makeFileError(name, ".npy version: expected 1.0, 2.0 or 3.0, found ",
                         major, ".", minor);

  const size_t lengthBytes = major == 1 ? 2 : 4;
  const size_t textOffset = versionEnd + lengthBytes;
  if (bytes.size() < textOffset)
    return makeFileError(name, "truncated .npy header: expected ", lengthBytes,
                         " bytes of header length, found ",
                         bytes.size() - versionEnd);
  const char *length = bytes.data() + versionEnd;
  const size_t textBytes = major == 1 ? llvm::support::endian::read16le(length)
                                      : llvm::support::endian::read32le(length);
  if (textBytes > maxHeaderBytes)
    return makeFileError(name, ".npy header length: expected at most ",
                         maxHeaderBytes, " bytes, found ", textBytes);
  if (bytes.size() - textOffset < textBytes)
    return makeFileError(name, "truncated .npy header: expected ", textBytes,
                         " bytes, found ", bytes.size() - textOffset);

  DictionaryParser parser(bytes.substr(textOffset, textBytes), textOffset,
                          name);
  llvm::Expected<TensorSpec> spec = parser.parse();
  if (!spec)
    return spec.takeError();
  return NpyHeader{std::move(*spec), textOffset + textBytes};
}

std::string mlir::frit::formatNpyHeader(const TensorSpec &spec) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  stream << "{'descr': '" << getDescriptor(spec.type)
         << "', 'fortran_order': False, 'shape': (";
  llvm::interleaveComma(spec.shape, stream);
  // A tuple of one needs its comma.
  stream << (spec.shape.size() == 1 ? ",), }" : "), }");

  // The text ends with a newline and is padded so that the data is aligned.
  const auto format = [&](char major, size_t lengthBytes) {
    const size_t textOffset = versionEnd + lengthBytes;
    const size_t end =
        llvm::alignTo(textOffset + text.size() + 1, headerAlignment);
    const size_t textBytes = end - textOffset;
    std::string header = magic.str() + major + '\0';
    for (size_t i = 0; i < lengthBytes; ++i)
      header += static_cast<char>(textBytes >> (8 * i));
    header += text;
    header.resize(end - 1, ' ');
    return header + '\n';
  };
  std::string header = format('\1', 2);
  return header.size() <= UINT16_MAX ? header : format('\2', 4);
}

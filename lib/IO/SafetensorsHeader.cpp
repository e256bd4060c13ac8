//===- SafetensorsHeader.cpp ----------------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reads the JSON header of a safetensors file with nlohmann-json's event
// interface: it reports every key (LLVM's JSON parser, like most, silently
// keeps one of two equal keys, which the format forbids), tells integers from
// other numbers, throws nothing in that mode, and its parser does not recurse,
// so deep nesting costs no stack. LLVM's parser recurses without a limit.
//
//===----------------------------------------------------------------------===//

#include "SafetensorsHeader.h"

#include "MessageText.h"

#include <nlohmann/json.hpp>

#include <unordered_set>
#include <utility>

using namespace mlir::frit;
using Json = nlohmann::json;

namespace {
/// Where in the header the next event belongs.
enum class Place {
  Start,
  Tensors,
  Metadata,
  Tensor,
  Shape,
  Offsets,
  End,
};

/// Receives the events; a method that returns false stops the parser, and
/// `message` says why.
class HeaderHandler : public nlohmann::json_sax<Json> {
public:
  explicit HeaderHandler(SafetensorsLayout &layout)
      : entries(layout.entries), metadata(layout.metadata) {}

  std::string message;

  bool null() override { return refuse("null"); }
  bool boolean(bool value) override { return refuse(value ? "true" : "false"); }
  bool number_integer(number_integer_t value) override {
    return refuse("the negative number ", value);
  }
  bool number_float(number_float_t, const string_t &text) override {
    return refuse("the number ", quoteText(text));
  }
  bool binary(binary_t &) override { return refuse("binary data"); }
  bool number_unsigned(number_unsigned_t value) override;
  bool string(string_t &value) override;
  bool key(string_t &name) override;
  bool start_object(size_t) override;
  bool end_object() override;
  bool start_array(size_t) override;
  bool end_array() override;
  bool parse_error(size_t position, const std::string &lastToken,
                   const nlohmann::detail::exception &error) override;

private:
  template <typename... Parts> bool fail(const Parts &...parts) {
    message = joinText(parts...);
    return false;
  }
  /// Fails because a value of the wrong kind was found at the current place.
  template <typename... Parts> bool refuse(const Parts &...found) {
    return fail(describePlace(), ": expected ", describeExpected(), ", found ",
                found...);
  }
  std::string describePlace() const;
  std::string_view describeExpected() const;

  std::vector<SafetensorsEntry> &entries;
  std::map<std::string, std::string> &metadata;
  std::unordered_set<std::string> names;
  Place place = Place::Start;
  /// The last key at the current place, "" before the first.
  std::string currentKey;
  bool hasMetadata = false;
  bool hasDtype = false;
  bool hasShape = false;
  bool hasOffsets = false;
  unsigned numOffsets = 0;
};
} // namespace

std::string HeaderHandler::describePlace() const {
  switch (place) {
  case Place::Start:
  case Place::End:
    return "header";
  case Place::Tensors:
    return "header entry " + quoteText(currentKey);
  case Place::Metadata:
    return "__metadata__ entry " + quoteText(currentKey);
  case Place::Tensor:
  case Place::Shape:
  case Place::Offsets:
    break;
  }
  return joinText("tensor ", quoteText(entries.back().name), ", field ",
                  quoteText(currentKey));
}

std::string_view HeaderHandler::describeExpected() const {
  switch (place) {
  case Place::Start:
  case Place::Tensors:
    return "an object";
  case Place::Metadata:
    return "a string";
  case Place::Tensor:
    if (currentKey == "dtype")
      return "a string";
    return currentKey == "shape" ? "an array of dimensions"
                                 : "an array of two offsets";
  case Place::Shape:
    return "a dimension in [0, 2^63)";
  case Place::Offsets:
    return "two offsets";
  case Place::End:
    break;
  }
  return "the end";
}

bool HeaderHandler::start_object(size_t) {
  switch (place) {
  case Place::Start:
    place = Place::Tensors;
    return true;
  case Place::Tensors:
    if (currentKey == safetensorsMetadataKey) {
      place = Place::Metadata;
    } else {
      place = Place::Tensor;
      entries.emplace_back().name = currentKey;
      hasDtype = hasShape = hasOffsets = false;
    }
    currentKey.clear();
    return true;
  default:
    return refuse("an object");
  }
}

bool HeaderHandler::end_object() {
  if (place == Place::Tensors) {
    place = Place::End;
    return true;
  }
  if (place == Place::Tensor)
    for (auto [present, field] :
         {std::pair(hasDtype, "dtype"), std::pair(hasShape, "shape"),
          std::pair(hasOffsets, "data_offsets")})
      if (!present)
        return fail("tensor ", quoteText(entries.back().name),
                    ": expected the fields dtype, shape and data_offsets, ",
                    "found no ", field);
  place = Place::Tensors;
  return true;
}

bool HeaderHandler::key(string_t &name) {
  currentKey = name;
  bool isNew = true;
  switch (place) {
  case Place::Tensors:
    if (name == safetensorsMetadataKey)
      isNew = !std::exchange(hasMetadata, true);
    else
      isNew = names.insert(name).second;
    if (!isNew)
      return fail("header key ", quoteText(name),
                  " is there twice, expected once");
    return true;
  case Place::Metadata:
    if (!metadata.try_emplace(name).second)
      return fail("__metadata__ key ", quoteText(name),
                  " is there twice, expected once");
    return true;
  case Place::Tensor:
    if (name == "dtype")
      isNew = !std::exchange(hasDtype, true);
    else if (name == "shape")
      isNew = !std::exchange(hasShape, true);
    else if (name == "data_offsets")
      isNew = !std::exchange(hasOffsets, true);
    else
      return fail("tensor ", quoteText(entries.back().name),
                  ": expected the fields dtype, shape and data_offsets, found ",
                  quoteText(name));
    if (!isNew)
      return fail("tensor ", quoteText(entries.back().name), ": field ",
                  quoteText(name), " is there twice, expected once");
    return true;
  default:
    return true;
  }
}

bool HeaderHandler::string(string_t &value) {
  if (place == Place::Metadata) {
    metadata[currentKey] = std::move(value);
    return true;
  }
  if (place == Place::Tensor && currentKey == "dtype") {
    if (getSafetensorsBits(value) == 0)
      return fail(describePlace(),
                  ": expected a dtype of the format (BOOL, I8, ",
                  "..., F16, BF16, F32, F64), found ", quoteText(value));
    entries.back().dtype = std::move(value);
    return true;
  }
  return refuse("the string ", quoteText(value));
}

bool HeaderHandler::start_array(size_t) {
  if (place == Place::Tensor && currentKey == "shape") {
    place = Place::Shape;
    return true;
  }
  if (place == Place::Tensor && currentKey == "data_offsets") {
    place = Place::Offsets;
    numOffsets = 0;
    return true;
  }
  return refuse("an array");
}

bool HeaderHandler::end_array() {
  if (place == Place::Offsets && numOffsets != 2)
    return refuse(numOffsets);
  place = Place::Tensor;
  return true;
}

bool HeaderHandler::number_unsigned(number_unsigned_t value) {
  if (place == Place::Shape) {
    if (value > static_cast<number_unsigned_t>(INT64_MAX))
      return refuse(value);
    entries.back().shape.push_back(static_cast<int64_t>(value));
    return true;
  }
  if (place == Place::Offsets) {
    if (numOffsets == 2)
      return refuse("a third one, ", value);
    (numOffsets++ == 0 ? entries.back().begin : entries.back().end) = value;
    return true;
  }
  return refuse("the number ", value);
}

bool HeaderHandler::parse_error(size_t position, const std::string &lastToken,
                                const nlohmann::detail::exception &) {
  return fail("header is not valid JSON at byte ",
              safetensorsLengthBytes + position, ": found ",
              lastToken.empty() ? "the end" : quoteText(lastToken));
}

std::string mlir::frit::parseSafetensorsHeader(std::string_view json,
                                               SafetensorsLayout &layout) {
  HeaderHandler handler(layout);
  if (Json::sax_parse(json.begin(), json.end(), &handler))
    return "";
  return handler.message;
}

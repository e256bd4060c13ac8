//===- Json.h ---------------------------------------------------*- C++ -*-===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Small JSON files that others wrote: the index of a checkpoint, the
// configuration of an adapter. SafetensorsHeader.cpp says why nlohmann-json.
//
//===----------------------------------------------------------------------===//

#ifndef FRIT_LIB_IO_JSON_H
#define FRIT_LIB_IO_JSON_H

#include "FileError.h"

#include <nlohmann/json.hpp>

namespace mlir::frit {

/// How deep objects and arrays may lie in each other.
constexpr size_t jsonMaxDepth = 64;

/// Checks that the text is one JSON object in which no key is twice. Messages
/// open with `path` and say where in the text or the object.
llvm::Error checkJsonObject(llvm::StringRef text, llvm::StringRef path);

/// The object, as `nlohmann::json`, or as `nlohmann::ordered_json` where the
/// order of keys matters: the time to look a key up is then linear.
template <typename Json>
llvm::Expected<Json> parseJsonObject(llvm::StringRef text,
                                     llvm::StringRef path) {
  if (llvm::Error error = checkJsonObject(text, path))
    return std::move(error);
  return Json::parse(text.begin(), text.end(), /*cb=*/nullptr,
                     /*allow_exceptions=*/false);
}

/// What a value is, for messages: "null", "the string 'a'", "an array".
template <typename Json> std::string describeJson(const Json &value) {
  if (value.is_string())
    return "the string " +
           quoteText(*value.template get_ptr<const std::string *>());
  if (value.is_object())
    return value.empty() ? "an empty object" : "an object";
  if (value.is_array())
    return value.empty() ? "an empty array" : "an array";
  return value.is_number() ? "the number " + value.dump() : value.dump();
}

} // namespace mlir::frit

#endif // FRIT_LIB_IO_JSON_H

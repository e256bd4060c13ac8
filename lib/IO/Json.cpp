//===- Json.cpp -----------------------------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Checks JSON text event by event, before it is made into values: those keep
// one of two equal keys, and nothing says which.
//
//===----------------------------------------------------------------------===//

#include "Json.h"

#include "llvm/ADT/StringSet.h"

using namespace mlir::frit;

namespace {
/// Receives the events; a method that returns false stops the parser, and
/// `message` says why.
class Checker : public nlohmann::json_sax<nlohmann::json> {
public:
  std::string message;

  bool null() override { return value("null"); }
  bool boolean(bool) override { return value("a boolean"); }
  bool number_integer(number_integer_t) override { return value("a number"); }
  bool number_unsigned(number_unsigned_t) override { return value("a number"); }
  bool number_float(number_float_t, const string_t &) override {
    return value("a number");
  }
  bool string(string_t &) override { return value("a string"); }
  bool binary(binary_t &) override { return value("binary data"); }
  bool start_object(size_t) override { return enter(); }
  bool start_array(size_t) override { return value("an array") && enter(); }
  bool end_object() override { return leave(); }
  bool end_array() override { return leave(); }
  bool key(string_t &name) override;
  bool parse_error(size_t position, const std::string &lastToken,
                   const nlohmann::detail::exception &error) override;

private:
  /// An object, or an array, which has no keys.
  struct Scope {
    llvm::StringSet<> keys;
    std::string lastKey;
  };

  template <typename... Parts> bool fail(const Parts &...parts) {
    message.clear();
    llvm::raw_string_ostream stream(message);
    (stream << ... << parts);
    return false;
  }
  /// Anything but an object has to be in one.
  bool value(llvm::StringRef what) {
    return !scopes.empty() || fail("expected an object, found ", what);
  }
  bool enter() {
    if (scopes.size() == jsonMaxDepth)
      return fail("expected at most ", jsonMaxDepth,
                  " objects and arrays in each other, found more");
    scopes.emplace_back();
    return true;
  }
  bool leave() {
    scopes.pop_back();
    return true;
  }

  std::vector<Scope> scopes;
};
} // namespace

bool Checker::key(string_t &name) {
  Scope &scope = scopes.back();
  scope.lastKey = name;
  if (scope.keys.insert(name).second)
    return true;
  std::string place;
  for (const Scope &outer : llvm::ArrayRef(scopes).drop_back())
    if (!outer.lastKey.empty())
      place += quoteText(outer.lastKey) + ": ";
  return fail(place, "key ", quoteText(name), " is there twice, expected once");
}

bool Checker::parse_error(size_t position, const std::string &lastToken,
                          const nlohmann::detail::exception &) {
  return fail("not valid JSON at byte ", position, ": found ",
              lastToken.empty() ? "the end" : quoteText(lastToken));
}

llvm::Error mlir::frit::checkJsonObject(llvm::StringRef text,
                                        llvm::StringRef path) {
  Checker checker;
  if (!nlohmann::json::sax_parse(text.begin(), text.end(), &checker))
    return makeFileError(path, checker.message);
  return llvm::Error::success();
}

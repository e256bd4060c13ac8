//===- ModulePattern.cpp --------------------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Translates the regular expressions of peft's patterns to POSIX's. Only
// whether they match the whole name counts, so that what an alternative or a
// repetition takes first is of no importance.
//
//===----------------------------------------------------------------------===//

#include "frit/IO/AdapterConfig.h"

#include "FileError.h"

#include "llvm/ADT/StringExtras.h"

using namespace mlir::frit;

/// The expression after an escape, or nothing where Python means more.
static std::optional<std::string> translateEscape(char c) {
  if (c == 'd')
    return "[0-9]";
  if (c == 'w')
    return "[[:alnum:]_]";
  if (llvm::isAlnum(c) || !llvm::isPrint(c))
    return std::nullopt;
  return std::string{'\\', c};
}

static llvm::Error refuse(llvm::StringRef key, llvm::StringRef found) {
  return makeError("expected letters, . * + ? | ( ) [ ] ^ $, escaped ",
                   "punctuation, \\d and \\w in the pattern ", quoteText(key),
                   ", found ", quoteText(found));
}

llvm::Expected<ModulePattern> ModulePattern::parse(llvm::StringRef key) {
  // Far more than a name needs, and few enough for the matcher.
  constexpr size_t maxBytes = 1000;
  if (key.empty() || key.size() > maxBytes)
    return makeError("expected a pattern of 1 to ", maxBytes, " bytes, found ",
                     key.size());
  std::string expression = "^(.*\\.)?(";
  bool isInSet = false;
  for (size_t i = 0; i < key.size(); ++i) {
    const char c = key[i];
    llvm::StringRef pair = key.substr(i, 2);
    if (c == '\\') {
      std::optional<std::string> escape;
      if (!isInSet && pair.size() == 2)
        escape = translateEscape(pair[1]);
      if (!escape)
        return refuse(key, pair);
      expression += *escape;
      ++i;
      continue;
    }
    // Counts are expanded by the matcher, (?...) are Python's own, and so are
    // lazy and possessive repetitions.
    const bool isSecondRepetition = pair.size() == 2 &&
                                    llvm::StringRef("*+?").contains(c) &&
                                    llvm::StringRef("*+?").contains(pair[1]);
    if (!isInSet && (c == '{' || pair == "(?" || isSecondRepetition))
      return refuse(key, c == '{' ? pair.take_front(1) : pair);
    // A set in a set is a class of POSIX.
    if (isInSet && c == '[')
      return refuse(key, pair);
    if (c == '[' || (c == ']' && isInSet))
      isInSet = !isInSet;
    expression += c;
  }
  expression += ")$";
  ModulePattern pattern(expression);
  std::string reason;
  if (!pattern.regex.isValid(reason))
    return makeError("the pattern ", quoteText(key),
                     " is no regular expression: ", reason);
  return std::move(pattern);
}

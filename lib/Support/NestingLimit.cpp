//===- NestingLimit.cpp ---------------------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One pass over the characters. Angle brackets also occur in arrows and
// comparisons, so a `>` closes only a `<`, and any other closing bracket closes
// what is open inside of its own.
//
//===----------------------------------------------------------------------===//

#include "frit/Support/NestingLimit.h"

#include "mlir/Bytecode/BytecodeReader.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Location.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"

using namespace mlir;
using namespace mlir::frit;

namespace {

class Scanner {
public:
  Scanner(StringRef text, const NestingLimits &limits)
      : text(text), limits(limits) {}

  std::optional<NestingError> run() {
    while (position < text.size() && !error)
      step();
    return error;
  }

private:
  struct Level {
    char open;
    unsigned operators = 0;
  };

  void step() {
    char c = text[position];
    // A definition ends with the line of its value's end.
    if (c == '\n' && levels.empty() && hasValue)
      defined = {};
    StringRef rest = text.substr(position);
    if (c == '"')
      return skipString();
    if (rest.starts_with("//")) {
      position = std::min(text.find('\n', position), text.size());
      return;
    }
    hasValue |= !llvm::isSpace(c) && c != '=';
    if (rest.starts_with("->")) {
      position += 2;
      return;
    }
    if (llvm::isAlpha(c) || c == '_')
      return word();
    if ((c == '!' || c == '#') && rest.size() > 1 &&
        (llvm::isAlnum(rest[1]) || rest[1] == '_'))
      return alias();
    switch (c) {
    case '(':
    case '[':
    case '{':
      open(c);
      break;
    case '<':
      // A comparison in an integer set is no bracket.
      if (!rest.starts_with("<="))
        open(c);
      break;
    case ')':
      close('(');
      break;
    case ']':
      close('[');
      break;
    case '}':
      close('{');
      break;
    case '>':
      if (!levels.empty() && levels.back().open == '<')
        levels.pop_back();
      break;
    case '+':
    case '-':
    case '*':
      countOperator();
      break;
    case ',':
    case ':':
    case '=':
      operators() = 0;
      break;
    default:
      break;
    }
    ++position;
  }

  void skipString() {
    for (++position; position < text.size(); ++position) {
      char c = text[position];
      if (c == '\\')
        ++position;
      else if (c == '"' || c == '\n')
        break;
    }
    ++position;
  }

  StringRef takeIdentifier() {
    StringRef name = text.substr(position).take_while([](char c) {
      return llvm::isAlnum(c) || c == '_' || c == '$' || c == '.';
    });
    position += name.size();
    return name;
  }

  void word() {
    size_t start = position;
    StringRef name = takeIdentifier();
    if (name != "mod" && name != "floordiv" && name != "ceildiv")
      return;
    std::swap(start, position);
    countOperator();
    std::swap(start, position);
  }

  /// A definition outside of brackets, or a use.
  void alias() {
    size_t start = position++;
    takeIdentifier();
    StringRef name = text.slice(start, position);
    StringRef rest = text.substr(position).ltrim(" \t");
    if (levels.empty() && rest.starts_with("=") && !rest.starts_with("==")) {
      defined = name;
      aliasDepths[defined] = 0;
      hasValue = false;
      return;
    }
    auto known = aliasDepths.find(name);
    if (known != aliasDepths.end())
      reach(levels.size() + known->second, start);
  }

  unsigned &operators() {
    return levels.empty() ? outerOperators : levels.back().operators;
  }

  void open(char c) {
    levels.push_back({c});
    reach(levels.size(), position);
  }

  /// Notes a depth, also as that of the alias that is being defined.
  void reach(unsigned depth, size_t where) {
    if (!defined.empty()) {
      unsigned &known = aliasDepths[defined];
      known = std::max(known, depth);
    }
    if (depth > limits.depth)
      fail(where, "brackets are nested " + std::to_string(depth) +
                      " deep, but the limit is " +
                      std::to_string(limits.depth));
  }

  void close(char c) {
    while (!levels.empty() && levels.back().open == '<' && c != '<')
      levels.pop_back();
    if (!levels.empty() && levels.back().open == c)
      levels.pop_back();
  }

  void countOperator() {
    if (++operators() > limits.operators)
      fail(position, "an expression has " + std::to_string(operators()) +
                         " operators, but the limit is " +
                         std::to_string(limits.operators));
  }

  void fail(size_t where, std::string message) {
    StringRef before = text.take_front(where);
    size_t lineStart = before.rfind('\n') + 1;
    error = NestingError{static_cast<unsigned>(before.count('\n') + 1),
                         static_cast<unsigned>(where - lineStart + 1),
                         std::move(message)};
  }

  StringRef text;
  const NestingLimits &limits;
  size_t position = 0;
  SmallVector<Level> levels;
  unsigned outerOperators = 0;
  /// The alias that is being defined, and the depth of each.
  StringRef defined;
  bool hasValue = false;
  llvm::StringMap<unsigned> aliasDepths;
  std::optional<NestingError> error;
};

} // namespace

std::optional<NestingError>
frit::findNestingError(StringRef text, const NestingLimits &limits) {
  if (isBytecode(llvm::MemoryBufferRef(text, "")))
    return std::nullopt;
  return Scanner(text, limits).run();
}

LogicalResult frit::checkNesting(MLIRContext *context,
                                 llvm::MemoryBufferRef buffer,
                                 const NestingLimits &limits) {
  std::optional<NestingError> error =
      findNestingError(buffer.getBuffer(), limits);
  if (!error)
    return success();
  return emitError(FileLineColLoc::get(context, buffer.getBufferIdentifier(),
                                       error->line, error->column))
         << error->message;
}

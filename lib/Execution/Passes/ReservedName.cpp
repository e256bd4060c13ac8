//===- ReservedName.cpp ---------------------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The words of C11 to C23 and C++17 to C++20, and what the headers behind
// frit-c/Entry.h declare: Frit's own, <stddef.h> and <stdint.h>.
//
//===----------------------------------------------------------------------===//

#include "frit/Execution/ReservedName.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace mlir::frit {

/// Those that begin with an underscore cannot occur.
static constexpr StringLiteral kWords[] = {"alignas",
                                           "alignof",
                                           "and",
                                           "and_eq",
                                           "asm",
                                           "auto",
                                           "bitand",
                                           "bitor",
                                           "bool",
                                           "break",
                                           "case",
                                           "catch",
                                           "char",
                                           "char16_t",
                                           "char32_t",
                                           "char8_t",
                                           "class",
                                           "co_await",
                                           "co_return",
                                           "co_yield",
                                           "compl",
                                           "concept",
                                           "const",
                                           "const_cast",
                                           "consteval",
                                           "constexpr",
                                           "constinit",
                                           "continue",
                                           "decltype",
                                           "default",
                                           "delete",
                                           "do",
                                           "double",
                                           "dynamic_cast",
                                           "else",
                                           "enum",
                                           "explicit",
                                           "export",
                                           "extern",
                                           "false",
                                           "float",
                                           "for",
                                           "friend",
                                           "goto",
                                           "if",
                                           "inline",
                                           "int",
                                           "long",
                                           "mutable",
                                           "namespace",
                                           "new",
                                           "noexcept",
                                           "not",
                                           "not_eq",
                                           "nullptr",
                                           "operator",
                                           "or",
                                           "or_eq",
                                           "private",
                                           "protected",
                                           "public",
                                           "register",
                                           "reinterpret_cast",
                                           "requires",
                                           "restrict",
                                           "return",
                                           "short",
                                           "signed",
                                           "sizeof",
                                           "static",
                                           "static_assert",
                                           "static_cast",
                                           "struct",
                                           "switch",
                                           "template",
                                           "this",
                                           "thread_local",
                                           "throw",
                                           "true",
                                           "try",
                                           "typedef",
                                           "typeid",
                                           "typename",
                                           "typeof",
                                           "typeof_unqual",
                                           "union",
                                           "unsigned",
                                           "using",
                                           "virtual",
                                           "void",
                                           "volatile",
                                           "wchar_t",
                                           "while",
                                           "xor",
                                           "xor_eq"};

/// Macros that compilers define, and one that most programs have.
static constexpr StringLiteral kMacros[] = {"errno", "linux", "unix"};

/// Beside the families of names below.
static constexpr StringLiteral kDeclared[] = {
    "NULL",      "max_align_t", "nullptr_t",  "offsetof",
    "ptrdiff_t", "size_t",      "unreachable"};

/// What <stdint.h> declares, or may: int8_t, UINT_FAST16_MAX, INT32_C, ...
static bool isOfStdint(StringRef name) {
  if (name.starts_with("int") || name.starts_with("uint"))
    return name.ends_with("_t");
  bool isLimit = name.ends_with("_MIN") || name.ends_with("_MAX") ||
                 name.ends_with("_WIDTH");
  if (name.starts_with("INT") || name.starts_with("UINT"))
    return isLimit || name.ends_with("_C");
  constexpr StringLiteral kTypes[] = {"PTRDIFF_", "SIG_ATOMIC_", "SIZE_",
                                      "WCHAR_", "WINT_"};
  return isLimit &&
         any_of(kTypes, [&](StringRef type) { return name.starts_with(type); });
}

/// Names of Frit's macros, mathematical functions, functions ("fritEntryCall")
/// and types ("FritTensor"). A function "frit_mlp" is none of them.
static bool isOfFrit(StringRef name) {
  if (name.starts_with("FRIT_") || name.starts_with("fritMath_"))
    return true;
  return (name.consume_front("Frit") || name.consume_front("frit")) &&
         !name.empty() && isUpper(name.front()) && !name.contains('_');
}

StringRef getReservation(StringRef name) {
  if (is_contained(kWords, name))
    return "is a word of C or C++";
  if (is_contained(kMacros, name))
    return "is a macro of C compilers or libraries";
  if (is_contained(kDeclared, name) || isOfStdint(name))
    return "is a name of <stddef.h> or <stdint.h>";
  return isOfFrit(name) ? "is among the names of Frit's headers" : "";
}

} // namespace mlir::frit

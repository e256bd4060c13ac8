//===- MessageText.h ------------------------------------------ -*- C++ -*-===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Text of messages, with the standard library alone: the runtime has them too.
//
//===----------------------------------------------------------------------===//

#ifndef FRIT_LIB_IO_MESSAGETEXT_H
#define FRIT_LIB_IO_MESSAGETEXT_H

#include <string>
#include <string_view>
#include <type_traits>

namespace mlir::frit {

/// `text` in single quotes, for a message: bytes that do not print are escaped
/// and what is long is cut, because it may come from a malformed file.
std::string quoteText(std::string_view text);

/// Texts and integers, one after the other.
template <typename... Parts> std::string joinText(const Parts &...parts) {
  std::string result;
  auto append = [&](const auto &part) {
    if constexpr (std::is_integral_v<std::decay_t<decltype(part)>>)
      result += std::to_string(part);
    else
      result += std::string_view(part);
  };
  (append(parts), ...);
  return result;
}

} // namespace mlir::frit

#endif // FRIT_LIB_IO_MESSAGETEXT_H

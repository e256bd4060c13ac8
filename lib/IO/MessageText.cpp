//===- MessageText.cpp ----------------------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Quotes what a message repeats of its input.
//
//===----------------------------------------------------------------------===//

#include "MessageText.h"

std::string mlir::frit::quoteText(std::string_view text) {
  constexpr size_t maxShown = 80;
  constexpr char digits[] = "0123456789ABCDEF";
  std::string result = "'";
  for (unsigned char byte : text.substr(0, maxShown)) {
    if (byte == '\\') {
      result += "\\\\";
    } else if (byte >= ' ' && byte < 0x7F && byte != '"') {
      result += static_cast<char>(byte);
    } else {
      result += '\\';
      result += digits[byte >> 4];
      result += digits[byte & 15];
    }
  }
  if (text.size() > maxShown)
    result += "...";
  return result + "'";
}

//===- StubPtx.cpp - Kernels of PTX text ----------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reads the names and parameters of kernels from PTX, so that the stub driver
// loads what the compiler generates.
//
//===----------------------------------------------------------------------===//

#include "StubState.h"

#include <cctype>
#include <sstream>

using namespace frit::stub;

/// Bytes of a type: ".u64" has 8.
static int32_t getTypeBytes(const std::string &type) {
  size_t digits = type.find_first_of("0123456789");
  return digits == std::string::npos ? 0 : std::stoi(type.substr(digits)) / 8;
}

std::vector<FunctionTag> frit::stub::parsePtx(const char *image) {
  std::vector<FunctionTag> functions;
  std::istringstream text(image);
  std::string word;
  while (text >> word) {
    if (word != ".entry")
      continue;
    FunctionTag function = {};
    std::getline(text, function.name, '(');
    function.name.erase(0, function.name.find_first_not_of(' '));
    std::string list;
    std::getline(text, list, ')');
    std::istringstream parameters(list);
    while (parameters >> word)
      if (word == ".param" && parameters >> word)
        function.parameterBytes.push_back(getTypeBytes(word));
    function.numParameters =
        static_cast<int32_t>(function.parameterBytes.size());
    functions.push_back(function);
  }
  return functions;
}

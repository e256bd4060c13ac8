//===- PropertyTest.cpp ---------------------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The loop over random programs.
//
//===----------------------------------------------------------------------===//

#include "PropertyTest.h"

#include "llvm/ADT/StringExtras.h"

#include <cstring>

using namespace mlir::frit;
using namespace mlir::frit::test;

Dim Dim::random(Random &random, int64_t low, int64_t high, double knownChance) {
  Dim dim{-1, low, high};
  if (random.chance(knownChance))
    dim.known = dim.choose(random);
  return dim;
}

std::string Dim::str(int64_t factor) const {
  return known < 0 ? "?" : std::to_string(known * factor);
}

std::string test::tensorType(llvm::ArrayRef<std::string> dims,
                             ElementType type) {
  std::string text = "tensor<";
  for (const std::string &dim : dims)
    text += dim + "x";
  return text + getName(type).str() + ">";
}

std::string test::floatText(float value) {
  uint32_t bits;
  std::memcpy(&bits, &value, sizeof(bits));
  return "0x" + llvm::utohexstr(bits, /*LowerCase=*/false, /*Width=*/8);
}

std::unique_ptr<Compiled> Compiled::compile(const std::string &text,
                                            Random &random) {
  auto compiled = std::make_unique<Compiled>();
  for (Route route :
       {Route{Route::Kind::Vector, random.pick({128u, 256u, 512u})},
        Route{Route::Kind::Linalg}, Route{Route::Kind::Reference}}) {
    auto program = Program::compile(text, route);
    if (!program) {
      ADD_FAILURE() << route.describe() << ": "
                    << llvm::toString(program.takeError());
      return nullptr;
    }
    compiled->variants.push_back({route, std::move(*program)});
  }
  return compiled;
}

void test::forEachProgram(double share, uint64_t test, int64_t casesPerProgram,
                          const std::function<void(Random &, int64_t)> &body) {
  const PropertyOptions &options = PropertyOptions::get();
  auto cases = static_cast<int64_t>(static_cast<double>(options.cases) * share);
  int64_t done = 0;
  for (uint64_t program = 0; done < cases; ++program) {
    SCOPED_TRACE("seed " + std::to_string(options.seed) + ", program " +
                 std::to_string(program));
    Random random(options.seed, test, program);
    body(random, casesPerProgram);
    if (::testing::Test::HasFailure())
      return;
    done += casesPerProgram;
  }
  ::testing::Test::RecordProperty("cases", std::to_string(done));
}

void test::fillNormal(Buffer &buffer, Random &random, double mean,
                      double deviation) {
  for (int64_t i = 0; i < buffer.size(); ++i)
    buffer.set(i, mean + deviation * random.normal());
}

void test::copyElements(const Buffer &from, Buffer &to) {
  for (int64_t i = 0; i < from.size(); ++i)
    to.set(i, from.get(i));
}

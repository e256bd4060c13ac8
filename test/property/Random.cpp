//===- Random.cpp ---------------------------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reads the options of the property tests from the environment.
//
//===----------------------------------------------------------------------===//

#include "Random.h"

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/raw_ostream.h"

#include <cstdlib>

using namespace mlir::frit::test;

static uint64_t readNumber(const char *name, uint64_t fallback) {
  const char *text = std::getenv(name);
  uint64_t number = fallback;
  if (text && llvm::StringRef(text).getAsInteger(10, number)) {
    llvm::errs() << name << " is '" << text << "', not a number\n";
    std::exit(1);
  }
  return number;
}

const PropertyOptions &PropertyOptions::get() {
  static const PropertyOptions options = [] {
    PropertyOptions options;
    const char *seed = std::getenv("FRIT_PROPERTY_SEED");
    options.seed = seed && llvm::StringRef(seed) == "random"
                       ? std::random_device()()
                       : readNumber("FRIT_PROPERTY_SEED", 1);
    options.cases =
        static_cast<int64_t>(readNumber("FRIT_PROPERTY_CASES", 2400));
    llvm::outs() << "FRIT_PROPERTY_SEED=" << options.seed
                 << " FRIT_PROPERTY_CASES=" << options.cases << "\n";
    return options;
  }();
  return options;
}

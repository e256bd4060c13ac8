//===- Processor.h - What this machine's processor executes -----*- C++ -*-===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The instructions that compiled code may use on this machine, as the bits that
// it records. An instruction that is missing would end the process.
//
//===----------------------------------------------------------------------===//

#ifndef FRIT_LIB_RUNTIME_ENTRY_PROCESSOR_H
#define FRIT_LIB_RUNTIME_ENTRY_PROCESSOR_H

#include "frit-c/Entry.h"

#include <cstddef>

namespace frit::runtime {

/// In the layout of FritEntry::processorFeatures.
struct ProcessorFeatures {
  uint64_t words[FRIT_PROCESSOR_FEATURE_WORDS] = {};

  /// Those of this machine, which the operating system lets processes use. All
  /// but x86-64 have none.
  static const ProcessorFeatures &getHost();

  /// True where every instruction of `needed` is there.
  bool contain(const uint64_t *needed) const {
    uint64_t missing = 0;
    for (size_t word = 0; word < FRIT_PROCESSOR_FEATURE_WORDS; ++word)
      missing |= needed[word] & ~words[word];
    return missing == 0;
  }

  /// Writes the names of those of `needed` that are not there, as many as have
  /// room: "avx512f, avx512bw". What this runtime has no name for is a number.
  void describeMissing(const uint64_t *needed, char *text, size_t size) const;
};

} // namespace frit::runtime

#endif // FRIT_LIB_RUNTIME_ENTRY_PROCESSOR_H

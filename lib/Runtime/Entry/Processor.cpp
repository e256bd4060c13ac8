//===- Processor.cpp - What this machine's processor executes -------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Asks the processor with CPUID, once.
//
//===----------------------------------------------------------------------===//

#include "Entry/Processor.h"

#include <cstdio>

#if defined(__x86_64__)
#include <cpuid.h>
#endif

using namespace frit::runtime;

namespace {

struct Feature {
  uint32_t number;
  const char *name;
};

constexpr Feature kFeatures[] = {
#define FRIT_PROCESSOR_FEATURE(number, name, identifier, leaf, subleaf, word,  \
                               bit, state)                                     \
  {number, name},
#include "frit-c/ProcessorFeatures.def"
};

const char *findName(uint32_t number) {
  for (const Feature &feature : kFeatures)
    if (feature.number == number)
      return feature.name;
  return nullptr;
}

#if defined(__x86_64__)

/// The registers that CPUID answers in.
enum Register { EAX, EBX, ECX, EDX };

/// Registers that the operating system must save, as bits of XCR0; SSE's belong
/// to every process.
enum State : uint64_t {
  SSE = 0,
  AVX = 0x6,
  AVX512 = 0xe6,
  APX = 1 << 19,
};

uint64_t readSavedState() {
  uint32_t words[4] = {};
  constexpr uint32_t kHasXgetbv = 1 << 27;
  if (!__get_cpuid(1, &words[EAX], &words[EBX], &words[ECX], &words[EDX]) ||
      !(words[ECX] & kHasXgetbv))
    return 0;
  uint32_t low = 0;
  uint32_t high = 0;
  __asm__("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
  return static_cast<uint64_t>(high) << 32 | low;
}

/// False for a leaf that the processor does not know.
bool hasBit(uint32_t leaf, uint32_t subleaf, Register word, uint32_t bit) {
  uint32_t words[4] = {};
  return __get_cpuid_count(leaf, subleaf, &words[EAX], &words[EBX], &words[ECX],
                           &words[EDX]) &&
         (words[word] >> bit & 1);
}

ProcessorFeatures readHost() {
  ProcessorFeatures host;
  uint64_t saved = readSavedState();
#define FRIT_PROCESSOR_FEATURE(number, name, identifier, leaf, subleaf, word,  \
                               bit, state)                                     \
  if ((saved & (state)) == (state) && hasBit(leaf, subleaf, word, bit))        \
    host.words[(number) / 64] |= uint64_t(1) << (number) % 64;
#include "frit-c/ProcessorFeatures.def"
  return host;
}

#else

ProcessorFeatures readHost() { return {}; }

#endif

} // namespace

const ProcessorFeatures &ProcessorFeatures::getHost() {
  static const ProcessorFeatures host = readHost();
  return host;
}

void ProcessorFeatures::describeMissing(const uint64_t *needed, char *text,
                                        size_t size) const {
  size_t used = 0;
  text[0] = '\0';
  for (uint32_t number = 0; number < 64 * FRIT_PROCESSOR_FEATURE_WORDS;
       ++number) {
    uint64_t bit = uint64_t(1) << number % 64;
    if (!(needed[number / 64] & ~words[number / 64] & bit))
      continue;
    char unknown[32];
    const char *name = findName(number);
    if (!name) {
      snprintf(unknown, sizeof(unknown), "feature %u", number);
      name = unknown;
    }
    int written =
        snprintf(text + used, size - used, "%s%s", used > 0 ? ", " : "", name);
    if (written < 0 || used + written >= size) {
      text[used] = '\0';
      return;
    }
    used += written;
  }
}

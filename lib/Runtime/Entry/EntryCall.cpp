//===- EntryCall.cpp - Calls with descriptors -----------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The functions of frit-c/Entry.h.
//
//===----------------------------------------------------------------------===//

#include "Entry/CallFrame.h"
#include "Entry/Processor.h"
#include "Entry/Variant.h"

#include <cstddef>

using namespace frit::runtime;

/// Checks what all functions are given.
static FritStatus begin(FritContext *context, const FritEntry *entry,
                        const FritTensor *const *values, int32_t count,
                        int32_t expected) {
  if (!context)
    return FRIT_STATUS_INVALID_ARGUMENT;
  if (FritStatus status = fritContextErrorCode(context))
    return status;
  EntryReporter reporter(context, *entry);
  if (count != expected)
    return reporter.report(FRIT_STATUS_INVALID_ARGUMENT,
                           "got %d values, expected %d (%d arguments, %d "
                           "results)",
                           count, expected, entry->numArguments,
                           expected - entry->numArguments);
  if (count > 0 && !values)
    return reporter.report(FRIT_STATUS_INVALID_ARGUMENT,
                           "the list of its %d values is null", count);
  return FRIT_STATUS_OK;
}

/// The sizes of entries of versions 0.3 and 0.4, which end before these fields.
static constexpr uint64_t kSize03 = offsetof(FritEntry, processorFeatures);
static constexpr uint64_t kSize04 = offsetof(FritEntry, weights);

/// Checks that the processor executes what the entry's code may use.
static FritStatus checkProcessor(FritContext *context, const FritEntry &entry) {
  const ProcessorFeatures &host = ProcessorFeatures::getHost();
  if (host.contain(entry.processorFeatures))
    return FRIT_STATUS_OK;
  char missing[256];
  host.describeMissing(entry.processorFeatures, missing, sizeof(missing));
  return EntryReporter(context, entry)
      .report(FRIT_STATUS_DEVICE_UNAVAILABLE,
              "its code for the host is for another processor than this "
              "machine's, which lacks %s",
              missing);
}

/// Checks that the code has been given the constants that are not in it.
static FritStatus checkWeights(FritContext *context, const FritEntry &entry) {
  const FritWeights *weights = entry.weights;
  if (!weights || __atomic_load_n(weights->state, __ATOMIC_ACQUIRE))
    return FRIT_STATUS_OK;
  return EntryReporter(context, entry)
      .report(FRIT_STATUS_INVALID_ARGUMENT,
              "its code has not been given its %d weights, of which '%.200s' "
              "is the first: call fritWeightsLoad",
              weights->numWeights, weights->weights[0].name);
}

/// Checks an entry as far as it can be seen, and finds the one whose code runs:
/// of several architectures that of the context's device.
static FritStatus resolve(FritContext *context, const FritEntry *&entry) {
  if (!entry)
    return fritReportError(context, FRIT_STATUS_INVALID_ARGUMENT,
                           "the entry to call is null");
  if (entry->size == kSize03)
    return FRIT_STATUS_OK;
  if (entry->size != sizeof(FritEntry) && entry->size != kSize04)
    return fritReportMismatch(context, FRIT_STATUS_INVALID_ARGUMENT,
                              "an entry has another size than this runtime "
                              "knows",
                              static_cast<int64_t>(entry->size),
                              sizeof(FritEntry));
  if (FritStatus status = checkProcessor(context, *entry))
    return status;
  if (entry->size == sizeof(FritEntry))
    if (FritStatus status = checkWeights(context, *entry))
      return status;
  return pickVariant(context, entry);
}

/// Runs `use` on a frame with all values.
template <typename Use>
static FritStatus withFrame(FritContext *context, const FritEntry *entry,
                            const FritTensor *const *values, int32_t count,
                            Use use) {
  if (FritStatus status = resolve(context, entry))
    return status;
  if (FritStatus status = begin(context, entry, values, count,
                                entry->numArguments + entry->numResults))
    return status;
  CallFrame frame(context, *entry);
  if (FritStatus status = frame.prepare())
    return status;
  if (FritStatus status = frame.addArguments(values))
    return status;
  if (FritStatus status = frame.addResults(values + entry->numArguments))
    return status;
  return use(frame);
}

FritStatus fritEntryCheck(FritContext *context, const FritEntry *entry,
                          const FritTensor *const *values, int32_t count) {
  return withFrame(context, entry, values, count,
                   [](CallFrame &) { return FRIT_STATUS_OK; });
}

FritStatus fritEntryCall(FritContext *context, const FritEntry *entry,
                         const FritTensor *const *values, int32_t count) {
  return withFrame(context, entry, values, count,
                   [](CallFrame &frame) { return frame.run(); });
}

int32_t fritEntryNumResultSizes(const FritEntry *entry) {
  int32_t count = 0;
  for (int32_t result = 0; entry && result < entry->numResults; ++result)
    count += entry->values[entry->numArguments + result].rank;
  return count;
}

FritStatus fritEntryResultSizes(FritContext *context, const FritEntry *entry,
                                const FritTensor *const *arguments,
                                int32_t count, int64_t *sizes,
                                int32_t numSizes) {
  if (FritStatus status = resolve(context, entry))
    return status;
  if (FritStatus status =
          begin(context, entry, arguments, count, entry->numArguments))
    return status;
  EntryReporter reporter(context, *entry);
  int32_t expected = fritEntryNumResultSizes(entry);
  if (numSizes != expected || (expected > 0 && !sizes))
    return reporter.report(FRIT_STATUS_INVALID_ARGUMENT,
                           "there is %s for %d sizes of results, expected %d",
                           sizes ? "room" : "no memory", numSizes, expected);
  CallFrame frame(context, *entry);
  if (FritStatus status = frame.prepare())
    return status;
  if (FritStatus status = frame.addArguments(arguments))
    return status;
  return frame.computeResultSizes(sizes);
}

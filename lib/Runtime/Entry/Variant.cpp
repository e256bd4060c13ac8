//===- Variant.cpp - Code for several GPU architectures -------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Binaries run on the architecture that they are for and on later ones of its
// generation; those that use what is specific to one run on it alone.
//
//===----------------------------------------------------------------------===//

#include "Entry/Variant.h"

#include "Entry/EntryReporter.h"

#include "frit-c/RuntimeDevice.h"

#include <cinttypes>

namespace frit::runtime {

static bool isExact(const FritEntry &entry) {
  return entry.flags & FRIT_ENTRY_EXACT_SM;
}

static bool runsOn(const FritEntry &entry, int64_t sm) {
  if (isExact(entry))
    return entry.sm == sm;
  return entry.sm / 10 == sm / 10 && entry.sm <= sm;
}

const FritEntry *findVariant(const FritEntry &entry, int64_t sm) {
  const FritEntry *best = nullptr;
  for (int32_t index = 0; index < entry.numVariants; ++index) {
    const FritEntry *variant = entry.variants[index];
    if (!runsOn(*variant, sm))
      continue;
    if (!best || variant->sm > best->sm ||
        (variant->sm == best->sm && isExact(*variant)))
      best = variant;
  }
  return best;
}

FritStatus pickVariant(FritContext *context, const FritEntry *&entry) {
  if (entry->numVariants == 0 || fritContextDevice(context) == FRIT_NO_DEVICE)
    return FRIT_STATUS_OK;
  int64_t sm = fritDeviceAttribute(context, FRIT_DEVICE_SM_VERSION);
  if (const FritEntry *variant = findVariant(*entry, sm)) {
    entry = variant;
    return FRIT_STATUS_OK;
  }
  return EntryReporter(context, *entry)
      .report(FRIT_STATUS_DEVICE_UNAVAILABLE,
              "is compiled for %.200s, of which none runs on the context's "
              "device, an sm_%" PRId64,
              entry->target, sm);
}

} // namespace frit::runtime

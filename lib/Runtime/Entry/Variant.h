//===- Variant.h - Code for several GPU architectures -----------*- C++ -*-===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Which of several compilations of a function a device is given.
//
//===----------------------------------------------------------------------===//

#ifndef FRIT_LIB_RUNTIME_ENTRY_VARIANT_H
#define FRIT_LIB_RUNTIME_ENTRY_VARIANT_H

#include "frit-c/Entry.h"

namespace frit::runtime {

/// Of the variants of `entry` the one that suits a device of the architecture
/// `sm` best: code for exactly it, then the newest that runs on it, which is
/// code for an earlier one of the same generation. Null where none runs.
const FritEntry *findVariant(const FritEntry &entry, int64_t sm);

/// Replaces an entry that has variants by the one for the context's device. An
/// entry without variants, and any in a context without a device, stays.
/// Reports an architecture that no variant runs on.
FritStatus pickVariant(FritContext *context, const FritEntry *&entry);

} // namespace frit::runtime

#endif // FRIT_LIB_RUNTIME_ENTRY_VARIANT_H

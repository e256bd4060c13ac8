//===- Layout.cpp - Where the elements of a tensor are --------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Whether tensors share bytes.
//
//===----------------------------------------------------------------------===//

#include "Entry/Layout.h"

#include <algorithm>

namespace frit::runtime {

bool Layout::hasDistinctElements() const {
  int64_t reach = 0;
  int64_t last = 0;
  while (true) {
    // The next larger stride; equal ones are one place twice.
    int32_t next = -1;
    for (int32_t d = 0; d < rank; ++d) {
      if (sizes[d] == 1 || strides[d] <= last)
        continue;
      if (next >= 0 && strides[d] == strides[next])
        return false;
      if (next < 0 || strides[d] < strides[next])
        next = d;
    }
    if (next < 0)
      return true;
    if (strides[next] <= reach)
      return false;
    last = strides[next];
    reach += (sizes[next] - 1) * last;
  }
}

/// The smallest stride between rows in bytes; 0 for one row.
static int64_t getPitch(const Layout &layout) {
  int64_t pitch = 0;
  for (int32_t d = 0; d + 1 < layout.rank; ++d) {
    int64_t bytes = layout.strides[d] * layout.elementBytes;
    if (layout.sizes[d] > 1 && (pitch == 0 || bytes < pitch))
      pitch = bytes;
  }
  return pitch;
}

static bool hasPitch(const Layout &layout, int64_t pitch) {
  for (int32_t d = 0; d + 1 < layout.rank; ++d)
    if (layout.sizes[d] > 1 &&
        layout.strides[d] * layout.elementBytes % pitch != 0)
      return false;
  return true;
}

/// Bytes of a row.
static int64_t getWidth(const Layout &layout) {
  if (layout.rank == 0)
    return layout.elementBytes;
  int32_t inner = layout.rank - 1;
  return ((layout.sizes[inner] - 1) * layout.strides[inner] + 1) *
         layout.elementBytes;
}

bool mayOverlap(const Layout &a, const Layout &b) {
  if (a.address > b.address)
    return mayOverlap(b, a);
  uint64_t distance = b.address - a.address;
  if (distance >= static_cast<uint64_t>(a.span))
    return false;
  int64_t pitch = getPitch(a);
  int64_t other = getPitch(b);
  pitch = pitch == 0 || other == 0 ? std::max(pitch, other)
                                   : std::min(pitch, other);
  if (pitch == 0 || !hasPitch(a, pitch) || !hasPitch(b, pitch))
    return true;
  int64_t column = distance % pitch;
  return column < getWidth(a) || column + getWidth(b) > pitch;
}

} // namespace frit::runtime

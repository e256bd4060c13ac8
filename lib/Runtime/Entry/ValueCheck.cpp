//===- ValueCheck.cpp - Descriptors against values ------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The checks of one descriptor, and of it against those before it.
//
//===----------------------------------------------------------------------===//

#include "Entry/CallFrame.h"

#include <cinttypes>
#include <cstdio>

using namespace frit::runtime;

namespace {

/// The name of a type, or its code.
class TypeText {
public:
  explicit TypeText(int32_t type) : name(fritTypeName(type)) {
    if (name)
      return;
    snprintf(buffer, sizeof(buffer), "of code 0x%x", type);
    name = buffer;
  }
  const char *text() const { return name; }

private:
  const char *name;
  char buffer[32];
};

/// "cuda:1", "the host".
class DeviceText {
public:
  explicit DeviceText(int32_t device) {
    if (device == FRIT_NO_DEVICE)
      snprintf(buffer, sizeof(buffer), "the host");
    else
      snprintf(buffer, sizeof(buffer), "cuda:%d", device);
  }
  const char *text() const { return buffer; }

private:
  char buffer[24];
};

} // namespace

FritStatus CallFrame::checkType(int32_t index, const FritTensor &tensor) const {
  const FritValue &value = entry.values[index];
  if (tensor.type != value.type)
    return reporter.reportValue(index, "has element type %s, expected %s",
                                TypeText(tensor.type).text(),
                                TypeText(value.type).text());
  if (tensor.rank != value.rank)
    return reporter.reportValue(index, "has rank %d, expected %d", tensor.rank,
                                value.rank);
  if (int32_t unknown = tensor.flags & ~FRIT_TENSOR_READ_ONLY)
    return reporter.reportValue(index,
                                "has the flags 0x%x, of which this runtime "
                                "does not know 0x%x",
                                static_cast<unsigned>(tensor.flags),
                                static_cast<unsigned>(unknown));
  int32_t expected = value.flags & FRIT_VALUE_SCALAR ? FRIT_NO_DEVICE : device;
  if (tensor.device != expected)
    return reporter.reportValue(index, "is in the memory of %s, expected %s",
                                DeviceText(tensor.device).text(),
                                DeviceText(expected).text());
  if (value.flags & FRIT_VALUE_WRITTEN && tensor.flags & FRIT_TENSOR_READ_ONLY)
    return reporter.reportValue(index,
                                "is read-only, but the function writes to it");
  return FRIT_STATUS_OK;
}

FritStatus CallFrame::checkSizes(int32_t index, const FritTensor &tensor,
                                 const int64_t *sizes) {
  const FritValue &value = entry.values[index];
  if (value.rank > 0 && !tensor.sizes)
    return reporter.reportValue(index, "has rank %d, but its sizes are null",
                                tensor.rank);
  for (int32_t d = 0; d < value.rank; ++d) {
    int64_t size = tensor.sizes[d];
    if (size < 0)
      return reporter.reportValue(
          index, "dimension %d has size %" PRId64 ", expected 0 or more", d,
          size);
    // Of a name first: the message says where the other size comes from.
    if (value.dims[d] != FRIT_ANY)
      if (FritStatus status = checkDim(index, d, size))
        return status;
    int64_t expected = sizes ? sizes[d] : value.sizes[d];
    if (expected != FRIT_ANY && size != expected)
      return reporter.reportValue(
          index, "dimension %d has size %" PRId64 ", expected %" PRId64, d,
          size, expected);
  }
  return FRIT_STATUS_OK;
}

FritStatus CallFrame::checkDim(int32_t index, int32_t dimension, int64_t size) {
  int32_t id = entry.values[index].dims[dimension];
  Dim &dim = dims[id];
  if (dim.size == FRIT_ANY) {
    dim = {size, index, dimension};
    return FRIT_STATUS_OK;
  }
  if (size == dim.size)
    return FRIT_STATUS_OK;
  return reporter.reportValue(index,
                              "dimension %d ('%.80s') has size %" PRId64
                              ", but %" PRId64 " in %s, dimension %d",
                              dimension, entry.dims[id], size, dim.size,
                              EntryReporter::Label(entry, dim.value).text(),
                              dim.dimension);
}

FritStatus CallFrame::checkStrides(int32_t index, const FritTensor &tensor,
                                   int64_t *strides, int64_t &span) const {
  const FritValue &value = entry.values[index];
  // The strides of the same sizes without gaps, in place of those that do not
  // matter.
  int64_t packed = 1;
  bool isEmpty = false;
  bool overflows = false;
  for (int32_t d = value.rank - 1; d >= 0; --d) {
    strides[d] = packed;
    int64_t size = tensor.sizes[d];
    isEmpty |= size == 0;
    overflows |= __builtin_mul_overflow(packed, size == 0 ? 1 : size, &packed);
  }
  span = isEmpty ? 0 : 1;
  for (int32_t d = 0; d < value.rank && !isEmpty && !overflows; ++d) {
    int64_t size = tensor.sizes[d];
    if (size == 1)
      continue;
    int64_t stride = tensor.strides ? tensor.strides[d] : strides[d];
    int64_t expected =
        value.flags & FRIT_VALUE_CONTIGUOUS ? strides[d] : value.strides[d];
    if (stride <= 0 && expected == FRIT_ANY)
      return reporter.reportValue(
          index,
          "dimension %d has stride %" PRId64
          "%s, expected a positive one (its size is %" PRId64 ")",
          d, stride, stride == 0 ? " (a broadcast)" : "", size);
    if (expected != FRIT_ANY && stride != expected)
      return reporter.reportValue(
          index, "dimension %d has stride %" PRId64 ", expected %" PRId64, d,
          stride, expected);
    int64_t reach = 0;
    overflows |= __builtin_mul_overflow(size - 1, stride, &reach);
    overflows |= __builtin_add_overflow(span, reach, &span);
    strides[d] = stride;
  }
  int64_t bytes = 0;
  overflows |= __builtin_mul_overflow(span, (value.type & 0xff) / 8, &bytes);
  if (overflows)
    return reporter.reportValue(index,
                                "its elements are spread over more than 2^63 "
                                "bytes");
  return FRIT_STATUS_OK;
}

FritStatus CallFrame::checkMemory(int32_t index, const FritTensor &tensor,
                                  const Slot &slot) const {
  const Layout &layout = slot.layout;
  if (slot.isEmpty)
    return FRIT_STATUS_OK;
  if (!tensor.data)
    return reporter.reportValue(index,
                                "its address is null, but it has elements");
  if (layout.address % layout.elementBytes != 0)
    return reporter.reportValue(
        index,
        "its address 0x%" PRIxPTR " is not aligned to the %" PRId64
        " bytes of %s",
        layout.address, layout.elementBytes, fritTypeName(tensor.type));
  return FRIT_STATUS_OK;
}

FritStatus CallFrame::checkOverlap(int32_t index) const {
  const Slot &slot = slots[index];
  if (slot.isEmpty || entry.values[index].flags & FRIT_VALUE_SCALAR)
    return FRIT_STATUS_OK;
  if (slot.isWritten && !slot.layout.hasDistinctElements())
    return reporter.reportValue(index, "is written to, but its strides put "
                                       "several elements at one place");
  for (int32_t other = 0; other < index; ++other) {
    if (slots[other].isEmpty || entry.values[other].flags & FRIT_VALUE_SCALAR ||
        !(slot.isWritten || slots[other].isWritten) ||
        !mayOverlap(slot.layout, slots[other].layout))
      continue;
    return reporter.reportValue(index,
                                "shares memory with %s, and one of them "
                                "is written to",
                                EntryReporter::Label(entry, other).text());
  }
  return FRIT_STATUS_OK;
}

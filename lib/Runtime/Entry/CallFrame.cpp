//===- CallFrame.cpp - Checked arguments of a call ------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Lays the values of a call out: pointers, memref descriptors, sizes by name.
//
//===----------------------------------------------------------------------===//

#include "Entry/CallFrame.h"

#include "frit-c/RuntimeDevice.h"

#include <cinttypes>
#include <new>

using namespace frit::runtime;

CallFrame::CallFrame(FritContext *context, const FritEntry &entry)
    : context(context), entry(entry), reporter(context, entry),
      device(entry.flags & FRIT_ENTRY_ON_DEVICE ? fritContextDevice(context)
                                                : FRIT_NO_DEVICE),
      numResultSizes(fritEntryNumResultSizes(&entry)) {}

FritStatus CallFrame::prepare() {
  if (entry.flags & FRIT_ENTRY_ON_DEVICE && device == FRIT_NO_DEVICE)
    return reporter.report(FRIT_STATUS_DEVICE_UNAVAILABLE,
                           "is compiled for %.200s, but the context has no "
                           "device",
                           entry.target);
  int32_t numValues = entry.numArguments + entry.numResults;
  // A memref has two pointers, an offset, sizes and strides.
  size_t numWords = numResultSizes;
  for (int32_t index = 0; index < numValues; ++index)
    numWords += 3 + 2 * static_cast<size_t>(entry.values[index].rank);
  // One pointer more, for the sizes of the results of a function without any.
  size_t bytes = numValues * sizeof(Slot) + entry.numDims * sizeof(Dim) +
                 (numValues + 1) * sizeof(void *) + numWords * sizeof(int64_t);
  char *memory = local;
  if (bytes > kLocalBytes) {
    heap.reset(new (std::nothrow) char[bytes]);
    memory = heap.get();
    if (!memory)
      return reporter.report(FRIT_STATUS_OUT_OF_MEMORY,
                             "no %zu bytes for the descriptors of a call",
                             bytes);
  }
  slots = reinterpret_cast<Slot *>(memory);
  dims = reinterpret_cast<Dim *>(slots + numValues);
  pointers = reinterpret_cast<void **>(dims + entry.numDims);
  resultSizes = reinterpret_cast<int64_t *>(pointers + numValues + 1);
  next = resultSizes + numResultSizes;
  for (int32_t dim = 0; dim < entry.numDims; ++dim)
    dims[dim].size = FRIT_ANY;
  return FRIT_STATUS_OK;
}

FritStatus CallFrame::addArguments(const FritTensor *const *values) {
  for (int32_t index = 0; index < entry.numArguments; ++index)
    if (FritStatus status = add(index, values[index], nullptr))
      return status;
  return FRIT_STATUS_OK;
}

FritStatus CallFrame::addResults(const FritTensor *const *values) {
  if (FritStatus status = computeResultSizes(resultSizes))
    return status;
  const int64_t *sizes = resultSizes;
  for (int32_t result = 0; result < entry.numResults; ++result) {
    int32_t index = entry.numArguments + result;
    if (FritStatus status = add(index, values[result], sizes))
      return status;
    sizes += entry.values[index].rank;
  }
  return FRIT_STATUS_OK;
}

FritStatus CallFrame::computeResultSizes(int64_t *sizes) {
  if (entry.resultSizes) {
    auto address = reinterpret_cast<intptr_t>(sizes);
    int64_t memref[] = {address, address, 0, numResultSizes, 1};
    pointers[entry.numArguments] = memref;
    if (FritStatus status = entry.resultSizes(context, pointers))
      return status;
    return checkResultSizes(sizes);
  }
  for (int32_t result = 0; result < entry.numResults; ++result) {
    const FritValue &value = entry.values[entry.numArguments + result];
    for (int32_t d = 0; d < value.rank; ++d)
      *sizes++ = value.sizes[d] == FRIT_ANY ? dims[value.dims[d]].size
                                            : value.sizes[d];
  }
  return FRIT_STATUS_OK;
}

FritStatus CallFrame::checkResultSizes(const int64_t *sizes) const {
  for (int32_t result = 0; result < entry.numResults; ++result) {
    int32_t index = entry.numArguments + result;
    for (int32_t d = 0; d < entry.values[index].rank; ++d, ++sizes)
      if (*sizes < 0)
        return reporter.reportValue(
            index,
            "for these arguments dimension %d has size %" PRId64
            ", expected 0 or more",
            d, *sizes);
  }
  return FRIT_STATUS_OK;
}

FritStatus CallFrame::add(int32_t index, const FritTensor *tensor,
                          const int64_t *sizes) {
  if (!tensor)
    return reporter.reportValue(index, "the descriptor is null");
  if (FritStatus status = checkType(index, *tensor))
    return status;
  if (FritStatus status = checkSizes(index, *tensor, sizes))
    return status;

  const FritValue &value = entry.values[index];
  bool isScalar = value.flags & FRIT_VALUE_SCALAR;
  int64_t *memref = next;
  int64_t *strides = memref + 3 + value.rank;
  int64_t span = 0;
  if (FritStatus status = checkStrides(index, *tensor, strides, span))
    return status;
  auto address = reinterpret_cast<intptr_t>(tensor->data);
  int64_t elementBytes = (value.type & 0xff) / 8;
  Slot &slot = slots[index];
  slot.layout = {static_cast<uintptr_t>(address),
                 elementBytes,
                 tensor->sizes,
                 strides,
                 value.rank,
                 span * elementBytes};
  slot.isEmpty = span == 0;
  slot.isWritten = value.flags & FRIT_VALUE_WRITTEN;
  if (FritStatus status = checkMemory(index, *tensor, slot))
    return status;
  if (FritStatus status = checkOverlap(index))
    return status;

  memref[0] = memref[1] = address;
  memref[2] = 0;
  for (int32_t d = 0; d < value.rank; ++d)
    memref[3 + d] = tensor->sizes[d];
  pointers[index] = isScalar ? tensor->data : memref;
  next = strides + value.rank;
  return FRIT_STATUS_OK;
}

//===- Calls.cpp ----------------------------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The device functions that compiled code calls.
//
//===----------------------------------------------------------------------===//

#include "frit-c/RuntimeDevice.h"

static FritStatus reportNoDevice(FritContext *context) {
  return fritReportError(context, FRIT_STATUS_DEVICE_UNAVAILABLE,
                         "the context has no device");
}

int64_t fritDeviceAttribute(FritContext *context, int32_t) {
  reportNoDevice(context);
  return -1;
}

void *fritDeviceScratchAlloc(FritContext *context, uint64_t, uint64_t) {
  reportNoDevice(context);
  return nullptr;
}

void fritDeviceScratchFree(FritContext *context, void *) {
  reportNoDevice(context);
}

const void *fritDeviceConstant(FritContext *context,
                               const FritConstantDescriptor *) {
  reportNoDevice(context);
  return nullptr;
}

FritStatus fritDeviceCopy(FritContext *context, void *, const void *,
                          uint64_t) {
  return reportNoDevice(context);
}

FritStatus fritDeviceFill(FritContext *context, void *, uint64_t, uint32_t,
                          int32_t) {
  return reportNoDevice(context);
}

FritStatus fritLaunchKernel(FritContext *context, const FritKernelDescriptor *,
                            const FritLaunchConfig *, void *const *, int32_t) {
  return reportNoDevice(context);
}

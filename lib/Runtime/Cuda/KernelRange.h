//===- KernelRange.h --------------------------------------------*- C++ -*-===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A range on a profiler's time line that is named by a kernel, where the
// library was built with NVTX.
//
//===----------------------------------------------------------------------===//

#ifndef FRIT_LIB_RUNTIME_CUDA_KERNELRANGE_H
#define FRIT_LIB_RUNTIME_CUDA_KERNELRANGE_H

#if FRIT_HAVE_NVTX
#include <nvtx3/nvToolsExt.h>
#endif

namespace frit::runtime::cuda {

#if FRIT_HAVE_NVTX

inline nvtxDomainHandle_t getProfilerDomain() {
  static nvtxDomainHandle_t domain = nvtxDomainCreateA("Frit");
  return domain;
}

inline void pushKernelRange(const char *id) {
  nvtxEventAttributes_t attributes = {};
  attributes.version = NVTX_VERSION;
  attributes.size = NVTX_EVENT_ATTRIB_STRUCT_SIZE;
  attributes.messageType = NVTX_MESSAGE_TYPE_ASCII;
  attributes.message.ascii = id;
  nvtxDomainRangePushEx(getProfilerDomain(), &attributes);
}

inline void popKernelRange() { nvtxDomainRangePop(getProfilerDomain()); }

#else

inline void pushKernelRange(const char *) {}
inline void popKernelRange() {}

#endif

/// Spans the host code that queues a kernel; profilers show the kernel's run on
/// the device under the same name. A few nanoseconds where none is attached.
class KernelRange {
public:
  explicit KernelRange(const char *id) { pushKernelRange(id); }
  ~KernelRange() { popKernelRange(); }
  KernelRange(const KernelRange &) = delete;
  KernelRange &operator=(const KernelRange &) = delete;
};

} // namespace frit::runtime::cuda

#endif // FRIT_LIB_RUNTIME_CUDA_KERNELRANGE_H

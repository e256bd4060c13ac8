//===- CudaTarget.cpp - The GPU that code is generated for ----------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Asks the runtime for the devices of this machine.
//
//===----------------------------------------------------------------------===//

#include "frit/Execution/CudaTarget.h"

#include "frit-c/RuntimeDevice.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"

using namespace llvm;

namespace mlir::frit {

static Error makeThreadError(FritStatus status) {
  return createStringError(Twine(fritStatusName(status)) + ": " +
                           fritThreadErrorMessage());
}

static Expected<int64_t> query(int32_t device, FritDeviceAttributeCode what) {
  int64_t value = 0;
  FritStatus status = fritDeviceQuery(device, what, &value);
  if (status != FRIT_STATUS_OK)
    return makeThreadError(status);
  return value;
}

int32_t countCudaDevices(std::string *reason) {
  int32_t count = 0;
  FritStatus status = fritDeviceCount(&count);
  if (status != FRIT_STATUS_OK && reason)
    *reason = toString(makeThreadError(status));
  return status == FRIT_STATUS_OK ? count : 0;
}

Expected<CudaTarget> CudaTarget::getArch(StringRef chip) {
  CudaTarget target;
  StringRef text = chip;
  std::optional<CudaArch> arch;
  if (text.consume_front("sm_"))
    arch = CudaArch::parse(text);
  if (!arch || !arch->isKnown())
    return createStringError("code can be made for " +
                             CudaArch::describeKnown() + ", but not for '" +
                             chip + "'");
  target.arch = *arch;
  return target;
}

Expected<CudaTarget> CudaTarget::getDevice(int32_t device) {
  std::string reason;
  int32_t count = countCudaDevices(&reason);
  if (count == 0)
    return createStringError(reason.empty() ? "there is no CUDA device"
                                            : reason);
  if (device >= count)
    return createStringError("device " + Twine(device) +
                             " does not exist: there are " + Twine(count) +
                             ", numbered from 0");
  Expected<int64_t> sm = query(device, FRIT_DEVICE_SM_VERSION);
  if (!sm)
    return sm.takeError();
  std::optional<CudaArch> arch = CudaArch::getBestFor(*sm);
  if (!arch)
    return createStringError("device " + Twine(device) + " is an sm_" +
                             Twine(*sm) + ", but code can be made for " +
                             CudaArch::describeKnown() + " only");
  CudaTarget target;
  target.device = device;
  target.arch = *arch;
  char name[256];
  FritStatus status = fritDeviceName(device, name, sizeof(name));
  if (status != FRIT_STATUS_OK)
    return makeThreadError(status);
  target.name = name;
  return target;
}

void printCudaDevices(raw_ostream &stream) {
  std::string reason;
  int32_t count = countCudaDevices(&reason);
  if (count == 0)
    stream << "no CUDA device" << (reason.empty() ? "" : ": ") << reason
           << "\n";
  for (int32_t device = 0; device < count; ++device) {
    stream << "cuda:" << device << ": ";
    auto target = CudaTarget::getDevice(device);
    auto bytes = query(device, FRIT_DEVICE_MEMORY_BYTES);
    auto multiprocessors = query(device, FRIT_DEVICE_MULTIPROCESSORS);
    if (!target)
      stream << toString(target.takeError());
    else
      stream << target->name << ", " << target->getChip();
    if (multiprocessors)
      stream << ", " << *multiprocessors << " multiprocessors";
    if (bytes)
      stream << format(", %.1f GiB", *bytes / double(1 << 30));
    stream << "\n";
    consumeError(bytes.takeError());
    consumeError(multiprocessors.takeError());
  }
}

} // namespace mlir::frit

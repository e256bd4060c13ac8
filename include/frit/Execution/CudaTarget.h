//===- CudaTarget.h - The GPU that code is generated for --------*- C++ -*-===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The GPU that code is generated for, and the devices of this machine.
//
//===----------------------------------------------------------------------===//

#ifndef FRIT_EXECUTION_CUDATARGET_H
#define FRIT_EXECUTION_CUDATARGET_H

#include "frit/Kernels/KernelTarget.h"

#include "llvm/Support/Error.h"
#include "llvm/Support/raw_ostream.h"

namespace mlir::frit {

/// A GPU: one of this machine, or an architecture alone.
struct CudaTarget {
  /// The driver's ordinal; FRIT_NO_DEVICE (-1) where only code is made.
  int32_t device = -1;
  /// As the driver calls it; empty without a device.
  std::string name;
  CudaArch arch;

  /// "sm_90a".
  std::string getChip() const { return "sm_" + arch.str(); }

  /// A device of this machine. Errors: no driver, no such device (the message
  /// has both numbers), or an architecture that no code can be made for.
  static llvm::Expected<CudaTarget> getDevice(int32_t device);

  /// An architecture, as "sm_90a". Errors: one that is unknown.
  static llvm::Expected<CudaTarget> getArch(llvm::StringRef chip);
};

/// The number of devices; 0 without a driver. `reason` is why there is none.
int32_t countCudaDevices(std::string *reason = nullptr);

/// Prints a line for each device, or why there is none.
void printCudaDevices(llvm::raw_ostream &stream);

} // namespace mlir::frit

#endif // FRIT_EXECUTION_CUDATARGET_H

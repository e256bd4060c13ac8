//===- KernelEntry.cpp ----------------------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Names of providers and the state of an entry's code.
//
//===----------------------------------------------------------------------===//

#include "frit/Kernels/KernelEntry.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir;
using namespace mlir::frit;

StringRef frit::stringifyKernelProvider(KernelProvider provider) {
  switch (provider) {
  case KernelProvider::Cuda:
    return "cuda";
  case KernelProvider::Library:
    return "library";
  case KernelProvider::Native:
    return "native";
  }
  llvm_unreachable("unknown provider");
}

std::optional<KernelProvider> frit::symbolizeKernelProvider(StringRef text) {
  return llvm::StringSwitch<std::optional<KernelProvider>>(text)
      .Case("cuda", KernelProvider::Cuda)
      .Case("library", KernelProvider::Library)
      .Case("native", KernelProvider::Native)
      .Default(std::nullopt);
}

std::string KernelEntry::describeBuild() const {
  if (provider != KernelProvider::Cuda)
    return "built in";
  if (!image)
    return "built without CUDA";
  return "built: " + llvm::join(llvm::map_range(image->archs,
                                                [](const CudaArch &arch) {
                                                  return arch.str();
                                                }),
                                ", ");
}

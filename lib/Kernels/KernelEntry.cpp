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
  if (provider == KernelProvider::Library)
    return "opened at run time";
  if (provider == KernelProvider::Native)
    return "built in";
  if (images.empty())
    return "built without CUDA";
  SmallVector<StringRef> archs;
  StringRef(images.front().architectures).split(archs, ',');
  return "built: " + llvm::join(archs, ", ");
}

std::vector<KernelStep> KernelEntry::getSteps() const {
  std::vector<KernelStep> steps = {{launchPlan, argumentPlan, function}};
  llvm::append_range(steps, laterSteps);
  return steps;
}

const KernelImage *KernelEntry::getImage(StringRef elementType) const {
  if (images.size() < 2)
    return images.empty() ? nullptr : &images.front();
  auto type = llvm::find(elementTypes, elementType);
  return type == elementTypes.end() ? nullptr
                                    : &images[type - elementTypes.begin()];
}

SmallVector<CudaArch> KernelEntry::getBuiltArchs() const {
  SmallVector<StringRef> texts;
  if (!images.empty())
    StringRef(images.front().architectures).split(texts, ',');
  SmallVector<CudaArch> archs;
  for (StringRef text : texts)
    if (std::optional<CudaArch> arch = CudaArch::parse(text.trim()))
      archs.push_back(*arch);
  return archs;
}

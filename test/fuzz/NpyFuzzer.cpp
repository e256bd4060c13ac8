//===- NpyFuzzer.cpp ------------------------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Feeds arbitrary bytes to the .npy reader. What it takes must have as many
// bytes as its shape says, all readable.
//
//===----------------------------------------------------------------------===//

#include "FuzzSupport.h"
#include "frit/IO/Npy.h"

using namespace mlir::frit;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  llvm::StringRef bytes(reinterpret_cast<const char *>(data), size);
  llvm::Expected<HostTensor> tensor = parseNpy(bytes, "input");
  if (!tensor)
    return fuzz::rejectWithMessage(tensor.takeError());
  fuzz::check(fuzz::sumElements(*tensor) == tensor->getNumElements());
  // The shape's text reads back.
  llvm::Expected<TensorSpec> spec = TensorSpec::parse(tensor->getSpec().str());
  fuzz::check(spec && *spec == tensor->getSpec());
  return 0;
}

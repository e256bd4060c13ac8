//===- TransposedInputs.cpp -----------------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The tensor that was read goes as soon as there is the other: it is stored
// once.
//
//===----------------------------------------------------------------------===//

#include "TransposedInputs.h"

#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace mlir::frit {

Error transposeInputs(const Signature &before, const Signature &now,
                      std::vector<HostTensor> &inputs, raw_ostream &os) {
  for (auto [old, argument] : zip_equal(before.arguments, now.arguments)) {
    if (argument.isTransposed == old.isTransposed)
      continue;
    Expected<int64_t> bytes = argument.spec.getNumBytes();
    if (!bytes)
      return bytes.takeError();
    os << argument.describe() << " (" << toString(old)
       << ") is stored transposed: " << *bytes << " bytes, once\n";
    if (inputs.empty())
      continue;
    Expected<HostTensor> transposed = inputs[argument.index].transpose();
    if (!transposed)
      return transposed.takeError();
    inputs[argument.index] = std::move(*transposed);
  }
  return Error::success();
}

} // namespace mlir::frit

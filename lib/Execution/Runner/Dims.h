//===- Dims.h ---------------------------------------------------*- C++ -*-===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Sizes of named dimensions, and where each is known from.
//
//===----------------------------------------------------------------------===//

#ifndef FRIT_LIB_EXECUTION_RUNNER_DIMS_H
#define FRIT_LIB_EXECUTION_RUNNER_DIMS_H

#include "Signature.h"

#include "llvm/ADT/StringMap.h"

namespace mlir::frit {

/// Sizes of dimensions by name. The first to know a size says it; whoever
/// says another is told both.
class DimTable {
public:
  /// Takes the sizes of `--dim`. Errors: names that no dimension of the
  /// signature has, and sizes that disagree.
  llvm::Error addOptions(const Signature &signature,
                         llvm::ArrayRef<std::pair<std::string, int64_t>> dims);

  /// Takes the shape of a tensor that is bound to an argument, and checks it
  /// against the argument's type. `origin` names the tensor.
  llvm::Error addShape(const ArgumentInfo &argument, const TensorSpec &spec,
                       const llvm::Twine &origin);

  /// The spec of an argument whose tensor is to be made. Errors: a size that is
  /// not known.
  llvm::Expected<TensorSpec> getSpec(const ArgumentInfo &argument) const;

private:
  llvm::Error add(llvm::StringRef name, int64_t size,
                  const llvm::Twine &origin);

  struct Size {
    int64_t value;
    std::string origin;
  };
  llvm::StringMap<Size> sizes;
};

} // namespace mlir::frit

#endif // FRIT_LIB_EXECUTION_RUNNER_DIMS_H

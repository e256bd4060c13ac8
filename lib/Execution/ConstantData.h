//===- ConstantData.h ----------------------------------------- -*- C++ -*-===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Keeps large constants out of LLVM: the weights of a model would be copied
// into LLVM's constants, into the object file and into the linked image, and
// are of no use to the optimizer.
//
//===----------------------------------------------------------------------===//

#ifndef FRIT_LIB_EXECUTION_CONSTANTDATA_H
#define FRIT_LIB_EXECUTION_CONSTANTDATA_H

#include "mlir/IR/BuiltinOps.h"
#include "llvm/Support/Error.h"

#include <memory>
#include <string>
#include <vector>

namespace mlir::frit {

/// The data of one global, which code refers to by name.
class ConstantData {
public:
  /// Copies `bytes` to memory aligned to `alignment`, a power of two. An error
  /// if there is not enough.
  static llvm::Expected<ConstantData>
  copy(llvm::StringRef name, llvm::ArrayRef<char> bytes, uint64_t alignment);

  const std::string &getName() const { return name; }
  void *getAddress() const { return memory.get(); }

private:
  struct Release {
    void operator()(void *memory) const { std::free(memory); }
  };

  std::string name;
  std::unique_ptr<void, Release> memory;
};

/// A module in LLVM's dialect without its large constants.
struct LiftedModule {
  /// A copy in which they are declarations; null if there were none.
  OwningOpRef<ModuleOp> module;
  std::vector<ConstantData> constants;
};

/// Takes the constants out that are so large that their way through LLVM would
/// be felt. `module` stays as it is.
llvm::Expected<LiftedModule> liftConstants(ModuleOp module);

} // namespace mlir::frit

#endif // FRIT_LIB_EXECUTION_CONSTANTDATA_H

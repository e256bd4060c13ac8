//===- Call.h ---------------------------------------------------*- C++ -*-===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Calls a compiled function over tensors with tensors of the host.
//
//===----------------------------------------------------------------------===//

#ifndef FRIT_LIB_EXECUTION_RUNNER_CALL_H
#define FRIT_LIB_EXECUTION_RUNNER_CALL_H

#include "Signature.h"

#include "frit/Execution/Executable.h"

#include "frit-c/Runtime.h"

namespace mlir::frit {

/// Pointers to scalars and to memref descriptors, as entry points take them.
/// Points into the tensors that were added, which must stay where they are.
class ArgumentPack {
public:
  /// A scalar (rank 0, passed by address), or a descriptor.
  void add(HostTensor &tensor, bool isScalar);

  void **getPointers() { return pointers.data(); }

private:
  std::vector<void *> pointers;
  std::vector<std::unique_ptr<int64_t[]>> descriptors;
};

/// A compiled function, its signature, and the context that it runs in.
class CompiledFunction {
public:
  /// Errors: an entry point that is missing, or no context.
  static llvm::Expected<CompiledFunction>
  create(std::unique_ptr<Executable> executable, const Signature &signature,
         int32_t threads);

  /// Tensors for the results, sized by the arguments.
  llvm::Expected<std::vector<HostTensor>>
  allocateResults(std::vector<HostTensor> &inputs);

  /// What `call` takes.
  ArgumentPack pack(std::vector<HostTensor> &inputs,
                    std::vector<HostTensor> &results) const;

  /// Runs the function once. Errors: what the function reported.
  llvm::Error call(ArgumentPack &arguments) {
    return call(entry, arguments.getPointers());
  }

  int32_t getThreads() const { return fritContextThreads(context.get()); }

private:
  CompiledFunction() = default;

  llvm::Error call(Executable::EntryPoint function, void **arguments);

  struct ContextDeleter {
    void operator()(FritContext *context) { fritContextDestroy(context); }
  };

  Signature signature;
  std::unique_ptr<Executable> executable;
  Executable::EntryPoint entry = nullptr;
  /// Null where all results have static shapes.
  Executable::EntryPoint shapes = nullptr;
  std::unique_ptr<FritContext, ContextDeleter> context;
};

} // namespace mlir::frit

#endif // FRIT_LIB_EXECUTION_RUNNER_CALL_H

//===- Lifetimes.h ----------------------------------------------*- C++ -*-===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// When the buffers of a function are in use.
//
//===----------------------------------------------------------------------===//

#ifndef FRIT_LIB_CONVERSION_PLANSCRATCH_LIFETIMES_H
#define FRIT_LIB_CONVERSION_PLANSCRATCH_LIFETIMES_H

#include "Plan.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

#include "llvm/ADT/DenseMap.h"

namespace mlir::frit {

/// The lifetime of an allocation, or why it has none that is known.
struct BufferLifetime {
  Lifetime lifetime;
  memref::DeallocOp dealloc;
  /// Null if the lifetime is known.
  const char *unknown = nullptr;
};

/// Numbers the ops of a function as they run; the branches of an scf.if, of
/// which one runs, do not overlap.
class Lifetimes {
public:
  explicit Lifetimes(FunctionOpInterface function);

  BufferLifetime get(memref::AllocOp alloc) const;

private:
  void number(Region &region);

  DenseMap<Operation *, Lifetime> positions;
  uint32_t next = 0;
};

} // namespace mlir::frit

#endif // FRIT_LIB_CONVERSION_PLANSCRATCH_LIFETIMES_H

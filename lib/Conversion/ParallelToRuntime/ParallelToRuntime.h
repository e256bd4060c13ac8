//===- ParallelToRuntime.h
//---------------------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The steps of convert-parallel-to-frit-runtime.
//
//===----------------------------------------------------------------------===//

#ifndef FRIT_LIB_CONVERSION_PARALLELTORUNTIME_PARALLELTORUNTIME_H
#define FRIT_LIB_CONVERSION_PARALLELTORUNTIME_PARALLELTORUNTIME_H

#include "../RuntimeCalls/RuntimeCalls.h"
#include "../Utils/SequentialLoops.h"
#include "../Utils/StackBuffer.h"

#include "mlir/Conversion/LLVMCommon/TypeConverter.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/PatternMatch.h"

#include "llvm/ADT/SetVector.h"

namespace mlir::frit {

/// The grain of a loop: its frit.grain attribute, else the number of iterations
/// that makes a part worth handing to a thread, by the size of the body.
int64_t getGrain(scf::ParallelOp op);

/// The values that cross from a function into the body of a parallel loop, and
/// the struct that carries them.
class Closure {
public:
  /// Finds a type for each value; reports a value that has none on `op`.
  static FailureOr<Closure> create(Operation *op, ArrayRef<Value> captures,
                                   const LLVMTypeConverter &typeConverter);

  LLVM::LLVMStructType getType() const { return type; }

  /// Writes the values to the struct at `address`.
  void buildStore(OpBuilder &builder, Location loc, Value address) const;

  /// Reads the values back, in the order of the captures.
  SmallVector<Value> buildLoad(OpBuilder &builder, Location loc,
                               Value address) const;

private:
  Value buildFieldAddress(OpBuilder &builder, Location loc, Value address,
                          int32_t field) const;

  SmallVector<Value> captures;
  LLVM::LLVMStructType type;
};

/// Moves the body of a parallel loop without reductions into a function and
/// replaces the loop by a call of the runtime. Parallel loops inside must be
/// sequential already.
LogicalResult outlineParallelLoop(scf::ParallelOp op, RuntimeCalls &runtime,
                                  StackBuffer &closureBuffer,
                                  const LLVMTypeConverter &typeConverter);

} // namespace mlir::frit

#endif // FRIT_LIB_CONVERSION_PARALLELTORUNTIME_PARALLELTORUNTIME_H

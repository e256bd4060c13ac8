//===- Closure.cpp
//-----------------------------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The values that a parallel loop takes along to its threads.
//
//===----------------------------------------------------------------------===//

#include "ParallelToRuntime.h"

#include "mlir/Interfaces/DataLayoutInterfaces.h"

using namespace mlir;
using namespace mlir::frit;

/// Casts to a type that the usual conversions to LLVM make equal.
static Value castTo(OpBuilder &builder, Location loc, Type type, Value value) {
  if (value.getType() == type)
    return value;
  return UnrealizedConversionCastOp::create(builder, loc, type, value)
      .getResult(0);
}

FailureOr<Closure> Closure::create(Operation *op, ArrayRef<Value> captures,
                                   const LLVMTypeConverter &typeConverter) {
  SmallVector<Type> fields;
  for (Value capture : captures) {
    Type field = typeConverter.convertType(capture.getType());
    if (!field || !LLVM::isCompatibleType(field)) {
      InFlightDiagnostic diagnostic =
          op->emitError("uses a value of type ")
          << capture.getType()
          << " from outside, which has no LLVM type to pass it to a thread";
      diagnostic.attachNote(capture.getLoc()) << "the value is defined here";
      return diagnostic;
    }
    fields.push_back(field);
  }
  Closure closure;
  closure.captures.assign(captures.begin(), captures.end());
  closure.type = LLVM::LLVMStructType::getLiteral(op->getContext(), fields);
  return closure;
}

Value Closure::buildFieldAddress(OpBuilder &builder, Location loc,
                                 Value address, int32_t field) const {
  return LLVM::GEPOp::create(builder, loc, address.getType(), type, address,
                             ArrayRef<LLVM::GEPArg>{0, field});
}

void Closure::buildStore(OpBuilder &builder, Location loc,
                         Value address) const {
  for (auto [index, capture, field] :
       llvm::enumerate(captures, type.getBody())) {
    Value value = castTo(builder, loc, field, capture);
    LLVM::StoreOp::create(builder, loc, value,
                          buildFieldAddress(builder, loc, address, index));
  }
}

SmallVector<Value> Closure::buildLoad(OpBuilder &builder, Location loc,
                                      Value address) const {
  SmallVector<Value> values;
  for (auto [index, capture, field] :
       llvm::enumerate(captures, type.getBody())) {
    Value value = LLVM::LoadOp::create(
        builder, loc, field, buildFieldAddress(builder, loc, address, index));
    values.push_back(castTo(builder, loc, capture.getType(), value));
  }
  return values;
}

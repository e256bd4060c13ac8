//===- ElementType.h --------------------------------------------*- C++ -*-===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The element types of host tensors, and the C++ type that stores each.
//
//===----------------------------------------------------------------------===//

#ifndef FRIT_IO_ELEMENTTYPE_H
#define FRIT_IO_ELEMENTTYPE_H

#include "frit/IO/Float16.h"

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/ErrorHandling.h"

#include <cstdint>
#include <optional>

namespace mlir::frit {

/// The element type of a host tensor. Booleans (`I1`) take one byte, 0 or 1,
/// as in memrefs of i1 and in numpy. Signed and unsigned integers are told
/// apart because files do; MLIR's signless integers are read as signed.
enum class ElementType : uint8_t {
  I1,
  I8,
  I16,
  I32,
  I64,
  U8,
  U16,
  U32,
  U64,
  F16,
  BF16,
  F32,
  F64
};

/// The storage of an `I1` element: a type of its own, so that generic code can
/// tell it from an `I8`.
struct Bool8 {
  uint8_t value = 0;
};

/// Bytes of one element.
unsigned getElementBytes(ElementType type);

/// True for F16, BF16, F32 and F64.
bool isFloat(ElementType type);

/// MLIR's spelling: "i1", "i32", "ui32", "bf16", ...
llvm::StringRef getName(ElementType type);

/// The inverse of `getName`; "si32" and "u32" are also taken.
std::optional<ElementType> parseElementType(llvm::StringRef name);

/// Calls `fn` with a value-initialized object of the C++ storage type of
/// `type` (Bool8, int8_t, ..., Float16, BFloat16, float, double) and returns
/// what it returns: `fn` is usually a generic lambda that only looks at the
/// type of its argument.
template <typename Fn>
decltype(auto) dispatchElementType(ElementType type, Fn &&fn) {
  switch (type) {
  case ElementType::I1:
    return fn(Bool8{});
  case ElementType::I8:
    return fn(int8_t{});
  case ElementType::I16:
    return fn(int16_t{});
  case ElementType::I32:
    return fn(int32_t{});
  case ElementType::I64:
    return fn(int64_t{});
  case ElementType::U8:
    return fn(uint8_t{});
  case ElementType::U16:
    return fn(uint16_t{});
  case ElementType::U32:
    return fn(uint32_t{});
  case ElementType::U64:
    return fn(uint64_t{});
  case ElementType::F16:
    return fn(Float16{});
  case ElementType::BF16:
    return fn(BFloat16{});
  case ElementType::F32:
    return fn(float{});
  case ElementType::F64:
    return fn(double{});
  }
  llvm_unreachable("every element type is listed");
}

/// The value of a stored element as a double: exact for every type but 64-bit
/// integers beyond 2^53, which are rounded to nearest even.
template <typename T> double toDouble(T stored) {
  return static_cast<double>(stored);
}
inline double toDouble(Bool8 stored) { return stored.value != 0; }
inline double toDouble(Float16 stored) { return stored.toDouble(); }
inline double toDouble(BFloat16 stored) { return stored.toDouble(); }

} // namespace mlir::frit

#endif // FRIT_IO_ELEMENTTYPE_H

//===- Bytecode.h -----------------------------------------------*- C++ -*-===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The version of the frit dialect that bytecode files carry.
//
//===----------------------------------------------------------------------===//

#ifndef FRIT_DIALECT_FRIT_IR_BYTECODE_H
#define FRIT_DIALECT_FRIT_IR_BYTECODE_H

#include "mlir/Bytecode/BytecodeImplementation.h"

namespace mlir::frit {

/// A version of the dialect: one number, raised by every change of the ops or
/// of the encoding of attributes that an older reader would misunderstand. A
/// reader accepts files up to its own version and refuses newer ones with an
/// error that names both.
///
///   1  The first.
struct FritDialectVersion : DialectVersion {
  /// The version that this build writes and the newest that it reads.
  static constexpr uint64_t kCurrent = 1;

  explicit FritDialectVersion(uint64_t number = kCurrent) : number(number) {}

  uint64_t number;
};

} // namespace mlir::frit

#endif // FRIT_DIALECT_FRIT_IR_BYTECODE_H

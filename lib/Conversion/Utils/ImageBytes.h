//===- ImageBytes.h - The device code behind a gpu.binary -------*- C++ -*-===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The device code behind a gpu.binary: its own object's, or a kernel image of
// this build, which its text only names.
//
//===----------------------------------------------------------------------===//

#ifndef FRIT_LIB_CONVERSION_UTILS_IMAGEBYTES_H
#define FRIT_LIB_CONVERSION_UTILS_IMAGEBYTES_H

#include "frit/Dialect/Frit/IR/Frit.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"

#include <string>

namespace mlir::frit {

/// A hash as #frit.image writes it.
std::string formatImageHash(uint64_t hash);

/// The hash of generated device code.
std::string hashImageBytes(StringRef bytes);

/// The bytes of a binary with a #frit.image. Errors, on the binary: another
/// handler, an image that this build does not have, bytes of another hash than
/// the attribute's.
FailureOr<StringRef> getImageBytes(gpu::BinaryOp binary);

/// The global that holds the bytes of a binary in the host's code.
std::string getImageSymbol(StringRef binary);

} // namespace mlir::frit

#endif // FRIT_LIB_CONVERSION_UTILS_IMAGEBYTES_H

//===- NpyHeader.h ----------------------------------------------*- C++ -*-===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The header of an .npy file: between its bytes and its three fields.
//
//===----------------------------------------------------------------------===//

#ifndef FRIT_LIB_IO_NPYHEADER_H
#define FRIT_LIB_IO_NPYHEADER_H

#include "frit/IO/HostTensor.h"

namespace mlir::frit {

/// The header of an .npy file after validation.
struct NpyHeader {
  TensorSpec spec;
  /// Where the data begins, in bytes from the start of the file.
  size_t dataOffset = 0;
};

/// Reads the header at the start of `bytes`; `name` opens every message.
llvm::Expected<NpyHeader> parseNpyHeader(llvm::StringRef bytes,
                                         llvm::StringRef name);

/// The bytes that come before the data: a multiple of 64, version 1 where the
/// header fits into it, else version 2.
std::string formatNpyHeader(const TensorSpec &spec);

} // namespace mlir::frit

#endif // FRIT_LIB_IO_NPYHEADER_H

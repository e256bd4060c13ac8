//===- SafetensorsHeader.h --------------------------------------*- C++ -*-===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The JSON header of a safetensors file, read event by event.
//
//===----------------------------------------------------------------------===//

#ifndef FRIT_LIB_IO_SAFETENSORSHEADER_H
#define FRIT_LIB_IO_SAFETENSORSHEADER_H

#include "frit/IO/Safetensors.h"

namespace mlir::frit {

/// The JSON object of a header; `path` opens every message. Entries are in the
/// order of the text and not yet checked against the data.
llvm::Error
parseSafetensorsHeader(llvm::StringRef json, llvm::StringRef path,
                       llvm::SmallVectorImpl<SafetensorsEntry> &entries,
                       std::map<std::string, std::string> &metadata);

/// The bits of one element of a dtype that the format defines, or 0.
unsigned getSafetensorsBits(llvm::StringRef dtype);

/// The element type of a dtype, if Frit has it, and the inverse.
std::optional<ElementType> parseSafetensorsType(llvm::StringRef dtype);
llvm::StringRef getSafetensorsType(ElementType type);

/// The key that holds the metadata and can name no tensor.
constexpr llvm::StringLiteral safetensorsMetadataKey = "__metadata__";
/// The format's limit on the header, against files that exhaust memory.
constexpr uint64_t safetensorsMaxHeaderBytes = 100000000;
/// The bytes of the header length at the start.
constexpr size_t safetensorsLengthBytes = 8;

} // namespace mlir::frit

#endif // FRIT_LIB_IO_SAFETENSORSHEADER_H

//===- SafetensorsTypes.h ------------------------------------- -*- C++ -*-===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The element types of tensors in safetensors files.
//
//===----------------------------------------------------------------------===//

#ifndef FRIT_LIB_IO_SAFETENSORSTYPES_H
#define FRIT_LIB_IO_SAFETENSORSTYPES_H

#include "frit/IO/ElementType.h"

#include "llvm/ADT/StringRef.h"

#include <optional>

namespace mlir::frit {

/// The element type of a dtype, if Frit has it, and the inverse.
std::optional<ElementType> parseSafetensorsType(llvm::StringRef dtype);
llvm::StringRef getSafetensorsType(ElementType type);

} // namespace mlir::frit

#endif // FRIT_LIB_IO_SAFETENSORSTYPES_H

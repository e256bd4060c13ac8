//===- SafetensorsHeader.h ------------------------------------ -*- C++ -*-===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The JSON header of a safetensors file, read event by event. With the standard
// library alone, see frit/IO/SafetensorsLayout.h.
//
//===----------------------------------------------------------------------===//

#ifndef FRIT_LIB_IO_SAFETENSORSHEADER_H
#define FRIT_LIB_IO_SAFETENSORSHEADER_H

#include "frit/IO/SafetensorsLayout.h"

namespace mlir::frit {

/// Reads the JSON object of a header. Entries are in the order of the text and
/// not yet checked against the data. Returns what is wrong, or "".
std::string parseSafetensorsHeader(std::string_view json,
                                   SafetensorsLayout &layout);

} // namespace mlir::frit

#endif // FRIT_LIB_IO_SAFETENSORSHEADER_H

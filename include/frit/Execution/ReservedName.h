//===- ReservedName.h - Names that C and C++ keep ---------------*- C++ -*-===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Names that a C header cannot give to a function or a parameter.
//
//===----------------------------------------------------------------------===//

#ifndef FRIT_EXECUTION_RESERVEDNAME_H
#define FRIT_EXECUTION_RESERVEDNAME_H

#include "llvm/ADT/StringRef.h"

namespace mlir::frit {

/// Why a header that includes frit-c/Entry.h cannot declare `name`, as the end
/// of a sentence ("is a word of C or C++"); empty where it can. `name` has
/// letters, digits and underscores, a letter first.
llvm::StringRef getReservation(llvm::StringRef name);

} // namespace mlir::frit

#endif // FRIT_EXECUTION_RESERVEDNAME_H

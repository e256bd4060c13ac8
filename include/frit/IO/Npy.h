//===- Npy.h ----------------------------------------------------*- C++ -*-===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reading and writing tensors in numpy's .npy format.
//
//===----------------------------------------------------------------------===//

#ifndef FRIT_IO_NPY_H
#define FRIT_IO_NPY_H

#include "frit/IO/HostTensor.h"
#include "frit/IO/OutputFile.h"

namespace mlir::frit {

/// Reads the tensor of an .npy file (format versions 1, 2 and 3). The file is
/// mapped, so only touched pages are read.
///
/// Taken are little-endian arrays in C order of the types in ElementType.
/// numpy has no name for bf16: ml_dtypes arrays are saved with the descriptor
/// '<V2', and that is read as bf16.
///
/// Refused, each with one message that starts with the path and states the
/// field, what was found and what was expected: another magic or version, a
/// header that is cut off or not the dictionary of the format's definition,
/// Fortran order (a transposing copy would hide that the producer's layout is
/// not the one that the graph states), big endian, structured and object types,
/// a shape beyond 2^63 bytes, and data that is shorter or longer than the shape
/// says.
llvm::Expected<HostTensor> readNpy(llvm::StringRef path);

/// The same from memory; `name` stands for the path in messages.
llvm::Expected<HostTensor> parseNpy(llvm::StringRef bytes,
                                    llvm::StringRef name);

/// Writes a tensor so that `numpy.load` returns the same values (bf16 as
/// ml_dtypes writes it: load it with `.view(ml_dtypes.bfloat16)`). The file
/// appears whole or not at all: an existing one is replaced at the end.
llvm::Error writeNpy(llvm::StringRef path, const HostTensor &tensor);

/// The same, for the caller to keep.
llvm::Expected<StagedFile> stageNpy(llvm::StringRef path,
                                    const HostTensor &tensor);

} // namespace mlir::frit

#endif // FRIT_IO_NPY_H

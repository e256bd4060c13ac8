//===- TensorSource.h -------------------------------------------*- C++ -*-===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Where a tensor's values come from, as written on a command line.
//
//===----------------------------------------------------------------------===//

#ifndef FRIT_IO_TENSORSOURCE_H
#define FRIT_IO_TENSORSOURCE_H

#include "frit/IO/Random.h"

namespace mlir::frit {

/// The source of a tensor's values: "zeros", "ones", "random",
/// "random[LOW,HIGH)" (uniform), a number that every element gets, "@file.npy"
/// or "@file.safetensors#key".
struct TensorSource {
  enum class Kind { Zeros, Ones, Number, Random, Npy, Safetensors };

  Kind kind = Kind::Random;
  /// Of `Number`; rounded to the element type, and for integers one of its
  /// values.
  double number = 0;
  /// The number where it is an integer of 64 bits, which a double may round.
  std::optional<int64_t> integer;
  /// Of a file, and of the tensor in it.
  std::string path;
  std::string key;
  std::optional<std::pair<int64_t, int64_t>> range;

  /// Parses the text; a file's format is told by its extension, and an error
  /// shows the text and the forms.
  static llvm::Expected<TensorSource> parse(llvm::StringRef text);

  /// Parses the place of a result, "@file.npy" or "@file.safetensors#key".
  static llvm::Expected<TensorSource> parseDestination(llvm::StringRef text);

  bool isFile() const { return kind == Kind::Npy || kind == Kind::Safetensors; }

  /// Of a file: "file.npy" or "file.safetensors#key".
  std::string getPlace() const;

  /// True for two destinations of which one would replace the other, however
  /// their paths are spelled.
  bool isSamePlace(const TensorSource &other) const;

  /// The tensor of a file source.
  llvm::Expected<HostTensor> readFile() const;

  /// The tensor: generated with `spec`, or read, in which case its type and
  /// shape must be `spec`'s. `seed` and `stream` are as in RandomOptions.
  llvm::Expected<HostTensor> make(const TensorSpec &spec, uint64_t seed,
                                  uint64_t stream) const;
};

/// Writes each tensor to its destination, a file source; no two are the same
/// place. Destinations in one safetensors file make one file, which holds these
/// tensors and no others. No file appears, and none is replaced, before all are
/// written.
llvm::Error writeTensors(llvm::ArrayRef<TensorSource> destinations,
                         llvm::ArrayRef<const HostTensor *> tensors);

} // namespace mlir::frit

#endif // FRIT_IO_TENSORSOURCE_H

//===- Safetensors.h --------------------------------------------*- C++ -*-===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reading and writing files in the safetensors format.
//
//===----------------------------------------------------------------------===//

#ifndef FRIT_IO_SAFETENSORS_H
#define FRIT_IO_SAFETENSORS_H

#include "frit/IO/HostTensor.h"
#include "frit/IO/OutputFile.h"
#include "frit/IO/SafetensorsLayout.h"

#include "llvm/ADT/StringMap.h"

#include <map>
#include <string>
#include <vector>

namespace mlir::frit {

/// A safetensors file, mapped into memory. Opening checks the whole header as
/// SafetensorsLayout::parse says, so that a file that opens has no bad entry.
/// Every refusal is one message: the path, the tensor and field, what was
/// found and what was expected.
class SafetensorsFile {
public:
  static llvm::Expected<SafetensorsFile> open(llvm::StringRef path);

  /// The same from memory; `name` stands for the path in messages.
  static llvm::Expected<SafetensorsFile> parse(llvm::StringRef bytes,
                                               llvm::StringRef name);

  /// All entries in the order of their data.
  llvm::ArrayRef<SafetensorsEntry> getEntries() const { return layout.entries; }

  /// The entry of a tensor, or null.
  const SafetensorsEntry *find(llvm::StringRef tensorName) const;

  /// The names of all entries in the same order.
  std::vector<std::string> getNames() const;

  /// The free-form strings under `__metadata__`.
  const std::map<std::string, std::string> &getMetadata() const {
    return layout.metadata;
  }

  /// The tensor; its bytes stay in the mapping, which it keeps alive. An
  /// unknown name is an error as describeAbsent has it, and a dtype that
  /// has no ElementType is one that names it.
  llvm::Expected<HostTensor> read(llvm::StringRef tensorName) const;

  llvm::StringRef getPath() const { return path; }

private:
  friend class SafetensorsParser;
  SafetensorsFile() = default;

  std::string path;
  llvm::MutableArrayRef<char> data;
  std::shared_ptr<void> owner;
  SafetensorsLayout layout;
  llvm::StringMap<size_t> index;
};

/// What to say of a name that is none of `names`, which are names of `what`:
/// their number and the nearest one, or the first eight where none is near.
std::string describeAbsent(llvm::StringRef what, llvm::StringRef name,
                           llvm::ArrayRef<std::string> names);

/// A tensor to write and its name.
struct NamedTensor {
  llvm::StringRef name;
  const HostTensor *tensor;
};

/// Writes tensors and metadata as one file, which appears whole or not at all.
/// The order in the file is by descending element size and then by name, so
/// that every tensor is aligned and the bytes do not depend on the caller's
/// order. Names must be different valid UTF-8, and none is `__metadata__`.
llvm::Error
writeSafetensors(llvm::StringRef path, llvm::ArrayRef<NamedTensor> tensors,
                 const std::map<std::string, std::string> &metadata = {});

/// The same, for the caller to keep.
llvm::Expected<StagedFile>
stageSafetensors(llvm::StringRef path, llvm::ArrayRef<NamedTensor> tensors,
                 const std::map<std::string, std::string> &metadata = {});

} // namespace mlir::frit

#endif // FRIT_IO_SAFETENSORS_H

//===- Checkpoint.h ---------------------------------------------*- C++ -*-===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The weights of a model in the layout of Hugging Face: one safetensors file,
// or several with an index.
//
//===----------------------------------------------------------------------===//

#ifndef FRIT_IO_CHECKPOINT_H
#define FRIT_IO_CHECKPOINT_H

#include "frit/IO/Safetensors.h"

namespace mlir::frit {

/// What `model.safetensors.index.json` says. Parsing checks that the text is
/// an object in which no key is twice, and that each shard is the name of a
/// file beside the index: no folder, no "..".
struct CheckpointIndex {
  /// The file name of each tensor's shard, by the name of the tensor.
  std::map<std::string, std::string> shards;
  /// The bytes of all tensors by `metadata.total_size`, if it is there.
  std::optional<uint64_t> totalSize;

  /// `name` stands for the path in messages.
  static llvm::Expected<CheckpointIndex> parse(llvm::StringRef json,
                                               llvm::StringRef name);
};

/// The tensors of a checkpoint by name. Every file is mapped once, when it is
/// opened, and read where a tensor is used.
class Checkpoint {
public:
  /// Opens a safetensors file; an index (`*.json`); or a folder that has
  /// `model.safetensors` or, if not, `model.safetensors.index.json`. Errors: a
  /// shard that does not open, a tensor that its shard lacks, a tensor in two
  /// shards.
  static llvm::Expected<Checkpoint> open(llvm::StringRef path);

  /// The files that `open` reads, of which only an index is read here: the
  /// safetensors file, or the index and its shards, which need not be there.
  static llvm::Expected<std::vector<std::string>>
  findFiles(llvm::StringRef path);

  /// The names of all tensors: by shard, and there in the order of the data.
  llvm::ArrayRef<std::string> getNames() const { return names; }

  bool contains(llvm::StringRef tensorName) const {
    return fileOf.contains(tensorName);
  }

  /// As `SafetensorsFile::read`.
  llvm::Expected<HostTensor> read(llvm::StringRef tensorName) const;

  /// "file#tensor" of a tensor that is there, for messages.
  std::string describe(llvm::StringRef tensorName) const;

  llvm::ArrayRef<SafetensorsFile> getFiles() const { return files; }

  /// What does not fit together and hinders nothing: a wrong total size,
  /// tensors that the index does not name and that are left out.
  llvm::ArrayRef<std::string> getWarnings() const { return warnings; }

  llvm::StringRef getPath() const { return path; }

private:
  Checkpoint() = default;
  static llvm::Expected<Checkpoint> openIndex(llvm::StringRef path);
  llvm::Error openShards(const CheckpointIndex &index);
  llvm::Error checkShards(const CheckpointIndex &index);
  void addNames(const CheckpointIndex *index);

  std::string path;
  std::vector<SafetensorsFile> files;
  std::vector<std::string> names;
  /// The position in `files` of each tensor's file.
  llvm::StringMap<size_t> fileOf;
  std::vector<std::string> warnings;
};

} // namespace mlir::frit

#endif // FRIT_IO_CHECKPOINT_H

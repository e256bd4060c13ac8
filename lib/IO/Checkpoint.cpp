//===- Checkpoint.cpp -----------------------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Opens checkpoints of one or several safetensors files, and checks the shards
// against their index.
//
//===----------------------------------------------------------------------===//

#include "frit/IO/Checkpoint.h"

#include "FileError.h"
#include "MappedFile.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

#include <set>

using namespace mlir::frit;
namespace fs = llvm::sys::fs;

static std::string makePath(llvm::StringRef folder, llvm::StringRef name) {
  llvm::SmallString<128> path(folder);
  llvm::sys::path::append(path, name);
  return path.str().str();
}

static llvm::StringRef getFileName(const SafetensorsFile &file) {
  return llvm::sys::path::filename(file.getPath());
}

/// The file that stands for the checkpoint: the index or the safetensors file.
static llvm::Expected<std::string> findFile(llvm::StringRef path) {
  constexpr llvm::StringLiteral fileName = "model.safetensors";
  constexpr llvm::StringLiteral indexName = "model.safetensors.index.json";
  if (!fs::is_directory(path))
    return path.str();
  // In the order in which transformers looks for them.
  for (llvm::StringRef name : {fileName, indexName})
    if (std::string inFolder = makePath(path, name); fs::exists(inFolder))
      return inFolder;
  return makeFileError(path, "expected ", fileName, " or ", indexName,
                       " in the folder, found neither");
}

static bool isIndex(llvm::StringRef file) { return file.ends_with(".json"); }

static llvm::Expected<CheckpointIndex> readIndex(llvm::StringRef path) {
  llvm::Expected<MappedFile> text = mapFile(path);
  if (!text)
    return text.takeError();
  if (text->bytes.size() > safetensorsMaxHeaderBytes)
    return makeFileError(path, "expected an index of at most ",
                         safetensorsMaxHeaderBytes, " bytes, found ",
                         text->bytes.size());
  return CheckpointIndex::parse(text->getText(), path);
}

llvm::Expected<Checkpoint> Checkpoint::open(llvm::StringRef path) {
  llvm::Expected<std::string> found = findFile(path);
  if (!found)
    return found.takeError();
  if (isIndex(*found))
    return openIndex(*found);
  llvm::Expected<SafetensorsFile> file = SafetensorsFile::open(*found);
  if (!file)
    return file.takeError();
  Checkpoint checkpoint;
  checkpoint.path = *found;
  checkpoint.files.push_back(std::move(*file));
  checkpoint.addNames(/*index=*/nullptr);
  return std::move(checkpoint);
}

llvm::Expected<std::vector<std::string>>
Checkpoint::findFiles(llvm::StringRef path) {
  llvm::Expected<std::string> found = findFile(path);
  if (!found)
    return found.takeError();
  std::vector<std::string> files = {*found};
  if (!isIndex(*found))
    return files;
  llvm::Expected<CheckpointIndex> index = readIndex(*found);
  if (!index)
    return index.takeError();
  std::set<llvm::StringRef> shards;
  for (const auto &[tensor, shard] : index->shards)
    shards.insert(shard);
  for (llvm::StringRef shard : shards)
    files.push_back(makePath(llvm::sys::path::parent_path(*found), shard));
  return files;
}

llvm::Expected<Checkpoint> Checkpoint::openIndex(llvm::StringRef path) {
  llvm::Expected<CheckpointIndex> index = readIndex(path);
  if (!index)
    return index.takeError();
  Checkpoint checkpoint;
  checkpoint.path = path.str();
  if (llvm::Error error = checkpoint.openShards(*index))
    return std::move(error);
  if (llvm::Error error = checkpoint.checkShards(*index))
    return std::move(error);
  checkpoint.addNames(&*index);
  return std::move(checkpoint);
}

llvm::Error Checkpoint::openShards(const CheckpointIndex &index) {
  llvm::StringRef folder = llvm::sys::path::parent_path(path);
  llvm::StringMap<size_t> opened;
  for (const auto &[tensor, shard] : index.shards) {
    if (!opened.try_emplace(shard, files.size()).second)
      continue;
    llvm::Expected<SafetensorsFile> file =
        SafetensorsFile::open(makePath(folder, shard));
    if (!file)
      return makeFileError(path, "weight_map entry ", quoteText(tensor), ": ",
                           llvm::toString(file.takeError()));
    files.push_back(std::move(*file));
  }
  // The order of the data is that of the shards' names.
  llvm::sort(files,
             [](const SafetensorsFile &left, const SafetensorsFile &right) {
               return left.getPath() < right.getPath();
             });
  return llvm::Error::success();
}

llvm::Error Checkpoint::checkShards(const CheckpointIndex &index) {
  llvm::StringMap<const SafetensorsFile *> byName;
  for (const SafetensorsFile &file : files)
    byName[getFileName(file)] = &file;
  for (const auto &[tensor, shard] : index.shards) {
    const SafetensorsFile &named = *byName.lookup(shard);
    if (named.find(tensor))
      continue;
    for (const SafetensorsFile &file : files)
      if (file.find(tensor))
        return makeFileError(path, "weight_map entry ", quoteText(tensor),
                             ": expected in ", quoteText(getFileName(file)),
                             ", which has it, found ", quoteText(shard));
    return makeFileError(path, "weight_map entry ", quoteText(tensor), ": ",
                         named.getPath(), ": ",
                         describeAbsent("tensor", tensor, named.getNames()));
  }
  // What one shard has twice it refuses itself.
  for (const SafetensorsFile &file : files)
    for (const SafetensorsEntry &entry : file.getEntries()) {
      auto known = index.shards.find(entry.name);
      if (known != index.shards.end() && known->second != getFileName(file))
        return makeFileError(path, "tensor ", quoteText(entry.name),
                             ": expected in one shard, found in ",
                             quoteText(known->second), " and ",
                             quoteText(getFileName(file)));
    }
  return llvm::Error::success();
}

void Checkpoint::addNames(const CheckpointIndex *index) {
  uint64_t totalSize = 0;
  for (auto [position, file] : llvm::enumerate(files)) {
    std::vector<std::string> unnamed;
    for (const SafetensorsEntry &entry : file.getEntries()) {
      if (index && index->shards.count(entry.name) == 0) {
        unnamed.push_back(entry.name);
        continue;
      }
      names.push_back(entry.name);
      fileOf.try_emplace(entry.name, position);
      totalSize += entry.end - entry.begin;
    }
    if (!unnamed.empty())
      warnings.push_back(path + ": the weight_map leaves out " +
                         std::to_string(unnamed.size()) + " tensors of " +
                         quoteText(getFileName(file)) + ", the first is " +
                         quoteText(unnamed.front()));
  }
  if (index && index->totalSize && *index->totalSize != totalSize)
    warnings.push_back(
        path + ": metadata.total_size is " + std::to_string(*index->totalSize) +
        ", but the tensors have " + std::to_string(totalSize) + " bytes");
}

llvm::Expected<HostTensor> Checkpoint::read(llvm::StringRef tensorName) const {
  auto found = fileOf.find(tensorName);
  if (found == fileOf.end())
    return makeFileError(path, describeAbsent("tensor", tensorName, names));
  return files[found->second].read(tensorName);
}

std::string Checkpoint::describe(llvm::StringRef tensorName) const {
  return (files[fileOf.at(tensorName)].getPath() + "#" + tensorName).str();
}

//===- Adapter.cpp --------------------------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Opens the folder of an adapter and pairs its tensors.
//
//===----------------------------------------------------------------------===//

#include "frit/IO/Adapter.h"

#include "frit/IO/Safetensors.h"

#include "FileError.h"
#include "MappedFile.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace mlir::frit;

/// The module and the letter of "base_model.model.MODULE.lora_A.weight".
static std::optional<std::pair<llvm::StringRef, char>>
splitTensorName(llvm::StringRef name) {
  if (!name.consume_front("base_model.model.") || !name.consume_back(".weight"))
    return std::nullopt;
  for (llvm::StringRef suffix : {".lora_A", ".lora_B"})
    if (llvm::StringRef module = name;
        module.consume_back(suffix) && !module.empty())
      return std::pair(module, suffix.back());
  return std::nullopt;
}

static llvm::Expected<AdapterConfig> openConfig(llvm::StringRef path) {
  llvm::Expected<MappedFile> file = mapFile(path);
  if (!file)
    return file.takeError();
  return AdapterConfig::parse(file->getText(), path);
}

static llvm::Expected<SafetensorsFile> openTensors(llvm::StringRef folder,
                                                   llvm::StringRef path) {
  llvm::SmallString<128> pickle(folder);
  llvm::sys::path::append(pickle, "adapter_model.bin");
  if (!llvm::sys::fs::exists(path) && llvm::sys::fs::exists(pickle))
    return makeFileError(folder, "expected adapter_model.safetensors, found ",
                         "adapter_model.bin: saving with ",
                         "safe_serialization=True writes the former");
  return SafetensorsFile::open(path);
}

/// Checks the tensors of a module against each other and the configuration.
static llvm::Error checkModule(llvm::StringRef path, llvm::StringRef name,
                               const AdapterModule &module,
                               const AdapterConfig &config) {
  const std::string prefix = "module " + quoteText(name) + ": ";
  if (!config.isTarget(name))
    return makeFileError(path, prefix, "expected one that target_modules ",
                         "names, which begins with ",
                         quoteText(config.targetModules.front()));
  const TensorSpec &a = module.a.getSpec();
  const TensorSpec &b = module.b.getSpec();
  if (a.shape.size() != 2 || b.shape.size() != 2)
    return makeFileError(path, prefix, "expected A and B of two dimensions, ",
                         "found ", a.str(), " and ", b.str());
  if (a.type != b.type || !isFloat(a.type))
    return makeFileError(path, prefix, "expected A and B of one float type, ",
                         "found ", a.str(), " and ", b.str());
  const int64_t rank = config.getRank(name);
  if (a.shape[0] != rank || b.shape[1] != rank)
    return makeFileError(path, prefix, "expected rank ", rank,
                         " as the configuration has it, found A ", a.str(),
                         " and B ", b.str());
  return llvm::Error::success();
}

Adapter::Files Adapter::getFiles(llvm::StringRef folder) {
  auto getPath = [&](llvm::StringRef name) {
    llvm::SmallString<128> path(folder);
    llvm::sys::path::append(path, name);
    return path.str().str();
  };
  return {getPath("adapter_config.json"), getPath("adapter_model.safetensors")};
}

llvm::Expected<Adapter> Adapter::open(llvm::StringRef name,
                                      llvm::StringRef folder) {
  const auto [configPath, path] = getFiles(folder);
  llvm::Expected<AdapterConfig> config = openConfig(configPath);
  if (!config)
    return config.takeError();
  llvm::Expected<SafetensorsFile> file = openTensors(folder, path);
  if (!file)
    return file.takeError();

  std::map<std::string, std::pair<std::string, std::string>> tensors;
  for (const SafetensorsEntry &entry : file->getEntries()) {
    auto split = splitTensorName(entry.name);
    if (!split)
      return makeFileError(path, "tensor ", quoteText(entry.name),
                           ": expected base_model.model.MODULE.lora_A.weight ",
                           "or .lora_B.weight");
    auto &[a, b] = tensors[split->first.str()];
    (split->second == 'A' ? a : b) = entry.name;
  }

  Adapter adapter(name);
  for (const auto &[module, names] : tensors) {
    const auto &[nameOfA, nameOfB] = names;
    if (nameOfA.empty() || nameOfB.empty())
      return makeFileError(path, "module ", quoteText(module),
                           ": expected lora_A and lora_B, found no ",
                           nameOfA.empty() ? "lora_A" : "lora_B");
    llvm::Expected<HostTensor> a = file->read(nameOfA);
    if (!a)
      return a.takeError();
    llvm::Expected<HostTensor> b = file->read(nameOfB);
    if (!b)
      return b.takeError();
    AdapterModule loaded{std::move(*a), std::move(*b),
                         static_cast<float>(config->getScale(module))};
    if (llvm::Error error = checkModule(path, module, loaded, *config))
      return std::move(error);
    adapter.modules.try_emplace(module, std::move(loaded));
  }
  return std::move(adapter);
}

const AdapterModule *Adapter::find(llvm::StringRef module) const {
  auto found = modules.find(module.str());
  return found == modules.end() ? nullptr : &found->second;
}

//===- Adapter.h ------------------------------------------------*- C++ -*-===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A LoRA adapter as peft saves it: a folder with `adapter_config.json` and
// `adapter_model.safetensors`.
//
//===----------------------------------------------------------------------===//

#ifndef FRIT_IO_ADAPTER_H
#define FRIT_IO_ADAPTER_H

#include "frit/IO/AdapterConfig.h"
#include "frit/IO/HostTensor.h"

#include <map>

namespace mlir::frit {

/// What an adapter adds to one linear layer: scale * B A x.
struct AdapterModule {
  /// A is [rank, inputs] and B is [outputs, rank], both of one type.
  HostTensor a;
  HostTensor b;
  float scale = 0;

  int64_t getRank() const { return a.getShape()[0]; }
  int64_t getInputs() const { return a.getShape()[1]; }
  int64_t getOutputs() const { return b.getShape()[0]; }
  ElementType getType() const { return a.getType(); }
};

class Adapter {
public:
  /// Opens a folder. Errors, with the file and the tensor: a configuration
  /// that AdapterConfig refuses, a tensor that is no A or B of a module or
  /// lacks the other, shapes that contradict each other or the configuration's
  /// rank, modules that it does not target.
  static llvm::Expected<Adapter> open(llvm::StringRef name,
                                      llvm::StringRef folder);

  /// The files in the folder that `open` reads.
  struct Files {
    std::string config;
    std::string tensors;
  };
  static Files getFiles(llvm::StringRef folder);

  /// The user's name of the adapter.
  llvm::StringRef getName() const { return name; }

  /// By the module's name in the base model: "model.layers.0.mlp.up_proj".
  const std::map<std::string, AdapterModule> &getModules() const {
    return modules;
  }

  /// The module, or null.
  const AdapterModule *find(llvm::StringRef module) const;

private:
  explicit Adapter(llvm::StringRef name) : name(name) {}

  std::string name;
  std::map<std::string, AdapterModule> modules;
};

} // namespace mlir::frit

#endif // FRIT_IO_ADAPTER_H

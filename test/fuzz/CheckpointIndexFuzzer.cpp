//===- CheckpointIndexFuzzer.cpp ------------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Feeds arbitrary bytes to the readers of small JSON files: the index of a
// checkpoint, whose shards must be beside it, and the configuration of an
// adapter, which must give a rank and a factor for any module.
//
//===----------------------------------------------------------------------===//

#include "FuzzSupport.h"
#include "frit/IO/AdapterConfig.h"
#include "frit/IO/Checkpoint.h"

using namespace mlir::frit;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  llvm::StringRef bytes(reinterpret_cast<const char *>(data), size);
  if (auto index = CheckpointIndex::parse(bytes, "input"))
    for (const auto &[tensor, shard] : index->shards)
      fuzz::check(!shard.empty() && shard != ".." &&
                  shard.find('/') == std::string::npos);
  else
    fuzz::rejectWithMessage(index.takeError());
  if (auto config = AdapterConfig::parse(bytes, "input"))
    for (llvm::StringRef module : {"", "q", "model.layers.10.mlp.up_proj"}) {
      fuzz::check(config->getRank(module) > 0);
      volatile double scale = config->getScale(module);
      (void)scale;
      config->isTarget(module);
    }
  else
    fuzz::rejectWithMessage(config.takeError());
  return 0;
}

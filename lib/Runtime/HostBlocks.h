//===- HostBlocks.h ---------------------------------------------*- C++ -*-===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Blocks of scratch memory of the host, each with its header in front.
//
//===----------------------------------------------------------------------===//

#ifndef FRIT_LIB_RUNTIME_HOSTBLOCKS_H
#define FRIT_LIB_RUNTIME_HOSTBLOCKS_H

#include "BlockSource.h"

namespace frit::runtime {

class HostBlocks final : public BlockSource {
public:
  uint64_t getBlockBytes(uint64_t bytes, uint64_t alignment) const override;
  BlockHeader *allocate(uint64_t bytes, uint64_t alignment,
                        bool &isShort) override;
  void release(BlockHeader *block) override;
  BlockHeader *find(void *memory) override;
};

} // namespace frit::runtime

#endif // FRIT_LIB_RUNTIME_HOSTBLOCKS_H

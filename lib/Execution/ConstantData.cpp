//===- ConstantData.cpp ---------------------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Globals with much data become declarations. The data is copied once: it
// belongs to the MLIR context, which compiled code may outlive.
//
//===----------------------------------------------------------------------===//

#include "ConstantData.h"

#include "Passes/LargeConstant.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

#include <cstdlib>
#include <cstring>

using namespace llvm;

namespace mlir::frit {

/// Vectors of any width are aligned.
static constexpr uint64_t kLeastAlignment = 64;

Expected<ConstantData> ConstantData::copy(StringRef name, ArrayRef<char> bytes,
                                          uint64_t alignment) {
  ConstantData result;
  result.name = name.str();
  result.memory.reset(
      std::aligned_alloc(alignment, alignTo(bytes.size(), alignment)));
  if (!result.memory)
    return createStringError("no memory for the " + Twine(bytes.size()) +
                             " bytes of constant '" + name + "'");
  std::memcpy(result.memory.get(), bytes.data(), bytes.size());
  return result;
}

Expected<LiftedModule> liftConstants(ModuleOp module) {
  LiftedModule result;
  if (llvm::none_of(module.getOps<LLVM::GlobalOp>(), [](LLVM::GlobalOp global) {
        return !getLargeData(global, kLeastLargeBytes).empty();
      }))
    return result;
  result.module = module.clone();
  for (LLVM::GlobalOp global : result.module->getOps<LLVM::GlobalOp>()) {
    ArrayRef<char> bytes = getLargeData(global, kLeastLargeBytes);
    if (bytes.empty())
      continue;
    auto data = ConstantData::copy(
        global.getSymName(), bytes,
        std::max(global.getAlignment().value_or(1), kLeastAlignment));
    if (!data)
      return data.takeError();
    result.constants.push_back(std::move(*data));
    global.removeValueAttr();
    global.setLinkage(LLVM::Linkage::External);
    // Reached through a table of addresses: the data may be far from the code.
    global.setDsoLocal(false);
  }
  return result;
}

} // namespace mlir::frit

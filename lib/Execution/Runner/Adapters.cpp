//===- Adapters.cpp -------------------------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The adapters of --adapter.
//
//===----------------------------------------------------------------------===//

#include "Adapters.h"

#include "Progress.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

#include <set>

using namespace llvm;

namespace mlir::frit {

Expected<AdapterStack> loadAdapters(const RunnerOptions &options) {
  AdapterStack stack;
  for (const AdapterOption &option : options.adapters) {
    Progress progress("loading adapter '" + option.name + "'");
    auto adapter = Adapter::open(option.name, option.folder);
    Error error =
        adapter ? stack.add(std::move(*adapter)) : adapter.takeError();
    if (error)
      return createStringError("--adapter=" + option.text + ": " +
                               toString(std::move(error)));
  }
  return stack;
}

void describeAdapters(const AdapterStack &adapters, raw_ostream &os) {
  for (auto [id, adapter] : enumerate(adapters.getAdapters())) {
    std::set<int64_t> ranks;
    for (const auto &[name, module] : adapter.getModules())
      ranks.insert(module.getRank());
    os << "adapter " << id << ": '" << adapter.getName() << "', "
       << adapter.getModules().size() << " modules, "
       << (ranks.size() == 1 ? "rank " : "ranks ");
    interleaveComma(ranks, os);
    os << "\n";
  }
}

} // namespace mlir::frit

//===- Adapters.h -----------------------------------------------*- C++ -*-===//
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

#ifndef FRIT_LIB_EXECUTION_RUNNER_ADAPTERS_H
#define FRIT_LIB_EXECUTION_RUNNER_ADAPTERS_H

#include "Options.h"

#include "frit/IO/AdapterStack.h"

namespace mlir::frit {

/// Opens the folders of `--adapter`; an error names the option.
llvm::Expected<AdapterStack> loadAdapters(const RunnerOptions &options);

/// A line for each adapter: its id, name, modules and ranks.
void describeAdapters(const AdapterStack &adapters, llvm::raw_ostream &os);

} // namespace mlir::frit

#endif // FRIT_LIB_EXECUTION_RUNNER_ADAPTERS_H

//===- KernelTestContext.h ------------------------------------ -*- C++ -*-===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A context with the kernel table, and ops to ask it about.
//
//===----------------------------------------------------------------------===//

#ifndef FRIT_TEST_UNIT_KERNELS_KERNELTESTCONTEXT_H
#define FRIT_TEST_UNIT_KERNELS_KERNELTESTCONTEXT_H

#include "frit/InitAll.h"
#include "frit/Kernels/KernelSelection.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/Parser/Parser.h"

#include <string>

namespace mlir::frit::test {

/// Collects the messages that a context reports.
class Messages {
public:
  explicit Messages(MLIRContext *context)
      : handler(context, [this](Diagnostic &diagnostic) {
          text += diagnostic.str() + "\n";
          for (Diagnostic &note : diagnostic.getNotes())
            text += "note: " + note.str() + "\n";
        }) {}

  const std::string &str() const { return text; }
  bool contains(StringRef part) const { return StringRef(text).contains(part); }

private:
  std::string text;
  ScopedDiagnosticHandler handler;
};

/// A context in which Frit and what `addEntries` adds are loaded.
class KernelTestContext {
public:
  explicit KernelTestContext(void (*addEntries)(KernelTable &) = nullptr) {
    DialectRegistry registry;
    registerAllDialects(registry);
    registerAllExtensions(registry);
    registerAllButFusedKernels(registry);
    if (addEntries)
      registerKernels(registry, addEntries);
    context.appendDialectRegistry(registry);
    context.loadDialect<FritDialect, func::FuncDialect>();
  }

  MLIRContext *get() { return &context; }
  const KernelTable &getTable() { return *KernelTable::get(&context); }
  KernelTable &getMutableTable() {
    return *context.getLoadedDialect<FritDialect>()
                ->getRegisteredInterface<KernelTable>();
  }

  /// The first op with kernels in a function `@f` of the given text.
  KernelOpInterface parseOp(StringRef function) {
    modules.push_back(parseSourceString<ModuleOp>(function, &context));
    KernelOpInterface found;
    if (modules.back())
      modules.back()->walk([&](KernelOpInterface op) {
        if (!found)
          found = op;
      });
    return found;
  }

private:
  MLIRContext context{MLIRContext::Threading::DISABLED};
  std::vector<OwningOpRef<ModuleOp>> modules;
};

/// A silu of `type` (an element type) on `rows` rows of `columns` results.
inline std::string makeSilu(StringRef rows, StringRef columns, StringRef packed,
                            StringRef type) {
  std::string x = ("tensor<" + rows + "x" + packed + "x" + type + ">").str();
  std::string y = ("tensor<" + rows + "x" + columns + "x" + type + ">").str();
  return "func.func @f(%x: " + x + ", %y: " + y + ") -> " + y +
         " { %0 = frit.act_and_mul silu ins(%x : " + x + ") outs(%y : " + y +
         ") -> " + y + " return %0 : " + y + " }";
}

} // namespace mlir::frit::test

#endif // FRIT_TEST_UNIT_KERNELS_KERNELTESTCONTEXT_H

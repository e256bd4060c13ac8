//===- Executable.h ---------------------------------------------*- C++ -*-===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Machine code of a module, in this process or as the bytes of an object file.
//
//===----------------------------------------------------------------------===//

#ifndef FRIT_EXECUTION_EXECUTABLE_H
#define FRIT_EXECUTION_EXECUTABLE_H

#include "frit/Execution/CpuTarget.h"

#include "frit-c/Entry.h"

#include "mlir/IR/BuiltinOps.h"

#include "llvm/Support/MemoryBuffer.h"

#include <mutex>

namespace llvm {
class LLVMContext;
class Module;
namespace orc {
class LLJIT;
} // namespace orc
} // namespace llvm

namespace mlir::frit {

class ConstantData;

/// Translates a module in LLVM's dialect and optimizes it for `target`.
llvm::Expected<std::unique_ptr<llvm::Module>>
translateToLLVM(ModuleOp module, const CpuTarget &target,
                llvm::LLVMContext &context);

/// Generates an object file from what `translateToLLVM` returned.
llvm::Expected<std::unique_ptr<llvm::MemoryBuffer>>
generateObject(llvm::Module &module, const CpuTarget &target);

/// Object code that was linked into this process, with the functions of Frit's
/// runtime and of libm.
class Executable {
public:
  /// `int32_t entry(context, arguments)`, as frit-emit-entry-points makes it.
  using EntryPoint = int32_t (*)(FritContext *, void **);

  /// Links `object`. Errors: symbols that nothing defines, by name.
  static llvm::Expected<std::unique_ptr<Executable>>
  link(std::unique_ptr<llvm::MemoryBuffer> object, const CpuTarget &target);

  /// Translates, optimizes, generates and links a module in LLVM's dialect.
  /// Large constants are copied once, past LLVM.
  static llvm::Expected<std::unique_ptr<Executable>>
  compile(ModuleOp module, const CpuTarget &target);

  ~Executable();

  /// The entry point of function `name` (its name in the source). An error if
  /// there is none, or if it needs a symbol that nothing defines.
  llvm::Expected<EntryPoint> lookup(llvm::StringRef name);

  /// What the code says of function `name`, for fritEntryCall; lives as long as
  /// the executable. The error lists what there is.
  llvm::Expected<const FritEntry *> lookupEntry(llvm::StringRef name);

  /// The functions that `lookupEntry` knows, where a module was compiled.
  llvm::ArrayRef<std::string> getEntryNames() const { return entryNames; }

private:
  explicit Executable(std::unique_ptr<llvm::orc::LLJIT> jit);

  static llvm::Expected<std::unique_ptr<Executable>>
  link(std::unique_ptr<llvm::MemoryBuffer> object, const CpuTarget &target,
       std::vector<ConstantData> constants);
  llvm::Error add(std::unique_ptr<llvm::MemoryBuffer> object);
  llvm::Expected<void *> lookupSymbol(llvm::StringRef symbol);

  std::vector<std::string> entryNames;

  /// What the code refers to.
  std::vector<ConstantData> constants;

  /// What went wrong while linking; the linker may use threads.
  std::mutex mutex;
  std::vector<std::string> reasons;
  // Last: its end may still report.
  std::unique_ptr<llvm::orc::LLJIT> jit;
};

} // namespace mlir::frit

#endif // FRIT_EXECUTION_EXECUTABLE_H

//===- Compiler.h - From text to code ---------------------------*- C++ -*-===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The steps of a compilation, which frit-run, frit-compile and the C API take:
//
//   readSource, parseModule     text or bytecode to a module
//   findFunction, exportOnly    which of its functions are compiled
//   transposeArguments          where the caller can pass weights another way
//   lowerModule                 to LLVM's dialect, for a CompileTarget
//
// and then for code in this process
//
//   Executable::compile         (Executable.h)
//
// or for files
//
//   externalizeConstants        where large ones go to a file of their own
//   exportEntries               functions with C types; hides everything else
//   emitModule, emitHeader      the bytes of a file
//   linkSharedLibrary
//
// Nothing here is global or ends the process. A failure is an llvm::Error, or,
// where LogicalResult is returned, diagnostics that the context's handlers got.
//
//===----------------------------------------------------------------------===//

#ifndef FRIT_EXECUTION_COMPILER_H
#define FRIT_EXECUTION_COMPILER_H

#include "frit/Execution/CompileTarget.h"
#include "frit/Pipelines/Pipelines.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/raw_ostream.h"

#include <memory>
#include <string>
#include <vector>

namespace mlir::frit {

/// What a compilation may choose.
struct CompileOptions {
  /// Which kernels selection may pick: auto, native, require=PROVIDER or
  /// batch-invariant.
  std::string policy = "auto";
  /// Sparse feed-forward networks may leave out products with zeros: no weight
  /// is an infinity or NaN.
  bool assumeFiniteWeights = false;
  /// Passes over graphs to leave out.
  std::vector<OptionalPass> without;
  /// Folder of the CUDA Toolkit; empty: where the environment leads.
  std::string toolkit;
  /// Spread parallel loops on a CPU over the threads of the context.
  bool parallel = true;
  /// Check at run time what types leave open: sizes, ids, true ranks, indices.
  bool verify = false;
  /// Leave generated kernels as PTX, also where there is ptxas.
  bool ptxOnly = false;

  /// What passes over graphs are told; `target` as frit-select-kernels takes
  /// it.
  GraphOptions getGraphOptions(llvm::StringRef target) const;

  /// Leaves out passes, with commas between their names. Errors: a name that is
  /// no such pass's.
  llvm::Error leaveOut(llvm::StringRef passNames);

  /// Errors: weights shall be transposed, and the pass for it is left out.
  llvm::Error checkTransposeWeights() const;

  /// Errors: a policy that is unknown.
  llvm::Error checkPolicy(MLIRContext &context) const;
};

/// Reads a file ("-": standard input) into `sources`, which diagnostics quote.
/// An error names the file and the system's reason.
llvm::Error readSource(llvm::StringRef path, llvm::SourceMgr &sources);

/// Parses the main buffer of `sources`, text or bytecode. Text that is nested
/// so deeply that the parser would end the process is refused. Null after
/// diagnostics.
OwningOpRef<ModuleOp>
parseModule(const std::shared_ptr<llvm::SourceMgr> &sources,
            MLIRContext &context);

/// The function named `name`. Errors: there is none, or it has no body; the
/// message lists what there is.
llvm::Expected<func::FuncOp> findFunction(ModuleOp module,
                                          llvm::StringRef name);

/// `main`, or the only public function with a body. The error lists what there
/// is.
llvm::Expected<func::FuncOp> findMainFunction(ModuleOp module);

/// Leaves `functions` as the only public ones, so that only what they need is
/// compiled.
void exportOnly(ModuleOp module, llvm::ArrayRef<func::FuncOp> functions);

/// Exchanges, with frit-transpose-weights, the axes of arguments of public
/// functions that are faster to read so. Such an argument has the attribute
/// frit.transposed afterwards, and what it holds is the caller's to exchange,
/// once. Calls are inlined on the way.
LogicalResult transposeArguments(ModuleOp module, const CompileTarget &target,
                                 const CompileOptions &options);

/// Lowers the module to LLVM's dialect with frit-to-cpu or frit-to-cuda.
LogicalResult lowerModule(ModuleOp module, const CompileTarget &target,
                          const CompileOptions &options);

/// The same with frit-native-reference, what faster code is compared with.
LogicalResult lowerToReference(ModuleOp module);

/// Puts modules that lowerModule made of one module, for the architectures of
/// several GPUs, into the first: `modules` and `targets` have one order and are
/// at least two. Each entry has a description that lists its variants, of which
/// the runtime calls the one that suits the device. Fails after a diagnostic.
LogicalResult
joinArchitectures(llvm::MutableArrayRef<OwningOpRef<ModuleOp>> modules,
                  llvm::ArrayRef<CompileTarget> targets);

/// A constant that code leaves out.
struct ExternalConstant {
  /// By which the runtime finds it.
  std::string name;
  /// Its elements are of a type of Tensor.h.
  ElementsAttr value;
  /// Its bytes, which belong to the MLIR context.
  llvm::ArrayRef<char> data;
};

/// Takes constants of `leastBytes` or more out of a lowered module, with
/// frit-externalize-constants. Returns them; the runtime gives them to the code
/// (frit-c/Weights.h).
FailureOr<SmallVector<ExternalConstant>>
externalizeConstants(ModuleOp module, uint64_t leastBytes);

/// Gives a lowered module functions with C types, whose names begin with
/// `prefix`, and hides everything else, with frit-export-entries. A function
/// that EntrySignature::get refused before the lowering is hidden too.
LogicalResult exportEntries(ModuleOp module, llvm::StringRef prefix);

/// What can be made of a lowered module.
enum class EmitKind {
  /// The module in LLVM's dialect, as text.
  Mlir,
  /// The same as bytecode.
  MlirBytecode,
  /// Optimized LLVM IR, as text.
  Llvm,
  /// The PTX of generated kernels; needs CompileOptions::ptxOnly.
  Ptx,
  /// An object file.
  Object,
};

/// Writes `kind` of a module that lowerModule lowered. Errors: what the code
/// generator cannot do. Of PTX: the target is no GPU.
llvm::Error emitModule(ModuleOp module, const CompileTarget &target,
                       EmitKind kind, llvm::raw_ostream &stream);

/// What a header says of its module.
struct HeaderOptions {
  /// As in exportEntries.
  std::string prefix;
  /// Of the source file, for the reader.
  std::string source;
  /// For the reader: "cpu:x86-64-v3".
  std::string target;
  /// Tensors are in memory of a device.
  bool isOnDevice = false;
  /// What externalizeConstants took out of the module.
  llvm::ArrayRef<ExternalConstant> constants;
};

/// Writes the C header (C11 and C++17) of a module that was lowered.
llvm::Error emitHeader(ModuleOp module, const HeaderOptions &options,
                       llvm::raw_ostream &stream);

/// Says before the work on what is to be linked that linkSharedLibrary would
/// find no `linker`.
llvm::Error checkLinker(llvm::StringRef linker);

/// Links an object file to a shared library that needs Frit's runtime, with the
/// program `linker`: a C compiler's driver; empty: cc or clang. Errors: none is
/// found, or what it printed.
llvm::Expected<std::string> linkSharedLibrary(llvm::StringRef object,
                                              llvm::StringRef linker);

} // namespace mlir::frit

#endif // FRIT_EXECUTION_COMPILER_H

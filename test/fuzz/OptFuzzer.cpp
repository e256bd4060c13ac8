//===- OptFuzzer.cpp ------------------------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Feeds arbitrary text to what frit-opt does before any pass: the check of
// nesting, the parser, the verifiers of the frit, arith, func and tensor
// dialects, and the printer. A module that verifies must print, as text and as
// bytecode, as one that reads back and prints the same again.
//
//===----------------------------------------------------------------------===//

#include "frit/Dialect/Frit/IR/Frit.h"
#include "frit/Support/NestingLimit.h"

#include "mlir/Bytecode/BytecodeReader.h"
#include "mlir/Bytecode/BytecodeWriter.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/SourceMgr.h"

#include <cstdlib>

using namespace mlir;

namespace {
/// The context, made anew after some inputs: it keeps every type and attribute
/// that it has seen.
MLIRContext &getContextForInput() {
  constexpr unsigned maxUses = 2000;
  static std::unique_ptr<MLIRContext> context;
  static unsigned uses = 0;
  if (!context || ++uses == maxUses) {
    uses = 0;
    DialectRegistry registry;
    registry.insert<frit::FritDialect, arith::ArithDialect, func::FuncDialect,
                    tensor::TensorDialect>();
    context = std::make_unique<MLIRContext>(registry,
                                            MLIRContext::Threading::DISABLED);
    context->loadAllAvailableDialects();
    // Messages are made, because that runs code too, and dropped.
    context->getDiagEngine().registerHandler(
        [](Diagnostic &diagnostic) { (void)diagnostic.str(); });
  }
  return *context;
}

OwningOpRef<ModuleOp> parse(MLIRContext &context, llvm::StringRef text) {
  llvm::MemoryBufferRef buffer(text, "input");
  if (failed(frit::checkNesting(&context, buffer)))
    return nullptr;
  llvm::SourceMgr sources;
  sources.AddNewSourceBuffer(
      llvm::MemoryBuffer::getMemBuffer(buffer,
                                       /*RequiresNullTerminator=*/false),
      llvm::SMLoc());
  return parseSourceFile<ModuleOp>(sources, ParserConfig(&context));
}

std::string print(ModuleOp module) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  module.print(stream);
  return text;
}
} // namespace

// LLVM's headers poison free memory of its allocators where they are compiled
// with AddressSanitizer, as here; the same allocators in LLVM's library, which
// is not, know nothing of it.
extern "C" const char *__asan_default_options() {
  return "allow_user_poisoning=0";
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  // The lexer needs the zero byte that a std::string ends with.
  const std::string input(reinterpret_cast<const char *>(data), size);
  // MLIR's reader of bytecode believes the counts in the file and ends the
  // process on some (docs/KnownIssues.md).
  if (isBytecode(llvm::MemoryBufferRef(input, "input")))
    return 0;
  MLIRContext &context = getContextForInput();
  OwningOpRef<ModuleOp> module = parse(context, input);
  if (!module)
    return 0;
  const std::string text = print(*module);
  std::string bytecode;
  llvm::raw_string_ostream stream(bytecode);
  if (failed(writeBytecodeToFile(*module, stream)))
    std::abort();
  for (llvm::StringRef form :
       {llvm::StringRef(text), llvm::StringRef(bytecode)}) {
    OwningOpRef<ModuleOp> again = parse(context, form);
    if (!again || print(*again) != text)
      std::abort();
  }
  return 0;
}

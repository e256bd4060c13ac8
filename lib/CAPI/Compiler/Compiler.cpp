//===- Compiler.cpp -------------------------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The functions of the C API that compile.
//
//===----------------------------------------------------------------------===//

#include "Compilation.h"
#include "DiagnosticLog.h"
#include "Failure.h"

#include "frit/InitAll.h"

#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"

using namespace mlir;
using namespace mlir::frit;

struct FritCompiler {
  DialectRegistry registry;
  FritCompilerOptions options = {};
};

FritStatus fritCompilerCreate(const FritCompilerOptions *options,
                              FritCompiler **compiler) {
  if (!compiler)
    return fail(FRIT_STATUS_INVALID_ARGUMENT,
                "fritCompilerCreate: 'compiler' is null");
  *compiler = nullptr;
  if (options)
    if (FritStatus status = checkStructSize("FritCompilerOptions",
                                            options->size, sizeof(*options)))
      return status;

  auto created = std::make_unique<FritCompiler>();
  if (options)
    created->options = *options;
  registerAllDialects(created->registry);
  registerAllExtensions(created->registry);
  // No pass is registered: those of the process are not this library's.
  mlir::frit::registerDialect(created->registry);
  registerCudaKernels(created->registry);
  *compiler = created.release();
  return FRIT_STATUS_OK;
}

void fritCompilerDestroy(FritCompiler *compiler) { delete compiler; }

/// Checks what all compilations are given; `*program` becomes null.
static FritStatus checkArguments(const FritCompiler *compiler,
                                 const void *source,
                                 const FritCompileOptions *options,
                                 FritProgram **program) {
  DiagnosticLog::get().clear();
  if (program)
    *program = nullptr;
  if (!compiler || !source || !program)
    return fail(FRIT_STATUS_INVALID_ARGUMENT, Twine("fritCompile: '") +
                                                  (!compiler ? "compiler"
                                                   : !source ? "source"
                                                             : "program") +
                                                  "' is null");
  if (!options)
    return FRIT_STATUS_OK;
  if (FritStatus status = checkStructSize("FritCompileOptions", options->size,
                                          sizeof(*options)))
    return status;
  if (options->numEntries < 0 || (options->entries && !options->numEntries) ||
      (!options->entries && options->numEntries))
    return fail(FRIT_STATUS_INVALID_ARGUMENT,
                "FritCompileOptions::numEntries is " +
                    Twine(options->numEntries) + ", but 'entries' is " +
                    (options->entries ? "given" : "null"));
  for (int32_t i = 0; i < options->numEntries; ++i)
    if (!options->entries[i])
      return fail(FRIT_STATUS_INVALID_ARGUMENT,
                  "FritCompileOptions::entries[" + Twine(i) + "] is null");
  return FRIT_STATUS_OK;
}

static FritStatus compile(const FritCompiler &compiler,
                          const std::shared_ptr<llvm::SourceMgr> &sources,
                          const FritCompileOptions *options,
                          FritProgram **program) {
  FritCompileOptions defaults = {};
  Compilation compilation(compiler.registry, compiler.options,
                          options ? *options : defaults);
  FritStatus status = FRIT_STATUS_OK;
  *program = compilation.run(sources, status).release();
  return status;
}

FritStatus fritCompileSource(const FritCompiler *compiler, const char *source,
                             size_t bytes, const char *name,
                             const FritCompileOptions *options,
                             FritProgram **program) {
  if (FritStatus status = checkArguments(compiler, source, options, program))
    return status;
  auto buffer =
      llvm::MemoryBuffer::getMemBufferCopy({source, bytes}, name ? name : "");
  if (!buffer)
    return fail(FRIT_STATUS_OUT_OF_MEMORY,
                "no memory for a source of " + Twine(bytes) + " bytes");
  auto sources = std::make_shared<llvm::SourceMgr>();
  sources->AddNewSourceBuffer(std::move(buffer), llvm::SMLoc());
  return compile(*compiler, sources, options, program);
}

FritStatus fritCompileFile(const FritCompiler *compiler, const char *path,
                           const FritCompileOptions *options,
                           FritProgram **program) {
  if (FritStatus status = checkArguments(compiler, path, options, program))
    return status;
  auto sources = std::make_shared<llvm::SourceMgr>();
  // A file of this name, and not the standard input.
  StringRef file = StringRef(path) == "-" ? "./-" : path;
  if (llvm::Error error = readSource(file, *sources))
    return fail(FRIT_STATUS_INVALID_ARGUMENT, toString(std::move(error)));
  return compile(*compiler, sources, options, program);
}

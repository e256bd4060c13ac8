//===- Emission.cpp - Lowered modules as bytes ----------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Writes a lowered module: as MLIR, as LLVM IR, as an object file, or the PTX
// in it.
//
//===----------------------------------------------------------------------===//

#include "../ObjectSymbols.h"

#include "frit/Execution/Compiler.h"
#include "frit/Execution/Executable.h"

#include "mlir/Bytecode/BytecodeWriter.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"

#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace mlir::frit {

/// The PTX of the generated kernels, without the zero that the driver needs.
static void printPtx(ModuleOp module, raw_ostream &stream) {
  for (auto binary : module.getOps<gpu::BinaryOp>())
    for (auto object : binary.getObjects().getAsRange<gpu::ObjectAttr>())
      if (object.getFormat() == gpu::CompilationTarget::Assembly)
        stream << object.getObject().getValue().rtrim('\0');
}

static Error writeBytecode(ModuleOp module, raw_ostream &stream) {
  if (failed(writeBytecodeToFile(module, stream)))
    return createStringError("the module could not be written as bytecode");
  return Error::success();
}

Error emitModule(ModuleOp module, const CompileTarget &target, EmitKind kind,
                 raw_ostream &stream) {
  switch (kind) {
  case EmitKind::Mlir:
    module.print(stream);
    return Error::success();
  case EmitKind::MlirBytecode:
    return writeBytecode(module, stream);
  case EmitKind::Ptx:
    if (!target.cuda)
      return createStringError("the target cpu has no PTX");
    printPtx(module, stream);
    return Error::success();
  case EmitKind::Llvm:
  case EmitKind::Object:
    break;
  }
  LLVMContext context;
  auto translated = translateToLLVM(module, target.cpu, context);
  if (!translated)
    return translated.takeError();
  if (kind == EmitKind::Llvm) {
    (*translated)->print(stream, nullptr);
    return Error::success();
  }
  auto object = generateObject(**translated, target.cpu);
  if (!object)
    return object.takeError();
  auto bound = bindToRuntime(**object);
  if (!bound)
    return bound.takeError();
  stream << (*bound)->getBuffer();
  return Error::success();
}

} // namespace mlir::frit

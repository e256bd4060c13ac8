//===- DeviceCode.cpp - PTX from NVVM -------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// LLVM's NVPTX backend in this process. Products and sums are never contracted,
// divisions and square roots are rounded correctly, subnormals are kept.
//
//===----------------------------------------------------------------------===//

#include "DeviceCode.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/ExecutionEngine/OptUtils.h"
#include "mlir/Target/LLVMIR/Export.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/IRReader/IRReader.h"
#include "llvm/Linker/Linker.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/Transforms/IPO/Internalize.h"

using namespace mlir;
using namespace mlir::frit;

static constexpr StringLiteral kTriple = "nvptx64-nvidia-cuda";

/// The architecture has been checked: an unknown one would end the process.
static FailureOr<std::unique_ptr<llvm::TargetMachine>>
createTargetMachine(gpu::GPUModuleOp module, CudaArch arch) {
  static const bool initialized = [] {
    LLVMInitializeNVPTXTargetInfo();
    LLVMInitializeNVPTXTarget();
    LLVMInitializeNVPTXTargetMC();
    LLVMInitializeNVPTXAsmPrinter();
    return true;
  }();
  (void)initialized;
  llvm::Triple triple(kTriple);
  std::string message;
  const llvm::Target *target =
      llvm::TargetRegistry::lookupTarget(triple, message);
  if (!target)
    return module.emitError("no code generator for ")
           << kTriple << ": " << message;
  llvm::TargetOptions options;
  options.AllowFPOpFusion = llvm::FPOpFusion::Strict;
  std::unique_ptr<llvm::TargetMachine> machine(target->createTargetMachine(
      triple, "sm_" + arch.str(), /*Features=*/"", options, std::nullopt,
      std::nullopt, llvm::CodeGenOptLevel::Aggressive));
  if (!machine)
    return module.emitError("no code generator for sm_") << arch.str();
  return machine;
}

/// Intrinsics without an instruction end the process in the backend.
static LogicalResult checkIntrinsics(gpu::GPUModuleOp module) {
  WalkResult result = module.walk([](Operation *op) {
    if (!isa<LLVM::ACosOp, LLVM::ASinOp, LLVM::ATan2Op, LLVM::ATanOp,
             LLVM::CosOp, LLVM::CoshOp, LLVM::Exp10Op, LLVM::ExpOp,
             LLVM::FractionExpOp, LLVM::LoadExpOp, LLVM::Log10Op, LLVM::Log2Op,
             LLVM::LogOp, LLVM::PowIOp, LLVM::PowOp, LLVM::SinOp,
             LLVM::SincosOp, LLVM::SinhOp, LLVM::TanOp, LLVM::TanhOp>(op))
      return WalkResult::advance();
    op->emitOpError("has no instruction in PTX");
    return WalkResult::interrupt();
  });
  return failure(result.wasInterrupted());
}

/// Functions that are called and defined nowhere.
static SmallVector<StringRef> findUndefined(const llvm::Module &module) {
  SmallVector<StringRef> names;
  for (const llvm::Function &function : module)
    if (function.isDeclaration() && !function.isIntrinsic() &&
        !function.use_empty())
      names.push_back(function.getName());
  return names;
}

static LogicalResult linkLibdevice(gpu::GPUModuleOp op, llvm::Module &module,
                                   StringRef path) {
  llvm::SMDiagnostic diagnostic;
  std::unique_ptr<llvm::Module> library =
      llvm::parseIRFile(path, diagnostic, module.getContext());
  if (!library)
    return op.emitError("cannot read ")
           << path << ": " << diagnostic.getMessage();
  library->setTargetTriple(module.getTargetTriple());
  library->setDataLayout(module.getDataLayout());
  bool hasFailed = llvm::Linker::linkModules(
      module, std::move(library), llvm::Linker::LinkOnlyNeeded,
      [](llvm::Module &linked, const llvm::StringSet<> &symbols) {
        llvm::internalizeModule(linked, [&](const llvm::GlobalValue &value) {
          return !value.hasName() || !symbols.contains(value.getName());
        });
      });
  return hasFailed ? op.emitError("cannot link ") << path : success();
}

FailureOr<std::string> frit::generatePtx(gpu::GPUModuleOp module, CudaArch arch,
                                         const CudaToolkit &toolkit) {
  if (failed(checkIntrinsics(module)))
    return failure();
  auto machine = createTargetMachine(module, arch);
  if (failed(machine))
    return failure();
  llvm::LLVMContext context;
  std::unique_ptr<llvm::Module> code =
      translateModuleToLLVMIR(module, context, module.getName());
  if (!code)
    return module.emitError("could not be translated to LLVM IR");
  code->setTargetTriple((*machine)->getTargetTriple());
  code->setDataLayout((*machine)->createDataLayout());

  SmallVector<StringRef> undefined = findUndefined(*code);
  if (!undefined.empty() && !toolkit.libdevice.empty()) {
    if (failed(linkLibdevice(module, *code, toolkit.libdevice)))
      return failure();
    undefined = findUndefined(*code);
    llvm::erase_if(undefined,
                   [](StringRef name) { return name == "__nvvm_reflect"; });
  }
  if (!undefined.empty())
    return module.emitError("needs functions that nothing defines: ")
           << llvm::join(undefined, ", ")
           << (toolkit.libdevice.empty()
                   ? " (no CUDA Toolkit with libdevice was found)"
                   : "");

  auto optimize = makeOptimizingTransformer(/*optLevel=*/3, /*sizeLevel=*/0,
                                            machine->get());
  if (llvm::Error error = optimize(code.get()))
    return module.emitError("could not be optimized: ")
           << llvm::toString(std::move(error));

  SmallVector<char, 0> text;
  llvm::raw_svector_ostream stream(text);
  llvm::legacy::PassManager passes;
  if ((*machine)->addPassesToEmitFile(passes, stream, nullptr,
                                      llvm::CodeGenFileType::AssemblyFile))
    return module.emitError("no PTX can be made for sm_") << arch.str();
  passes.run(*code);
  StringRef ptx(text.data(), text.size());
  // The backend may call functions that the IR did not.
  if (ptx.contains(".extern .func"))
    return module.emitError("calls functions that nothing defines: ")
           << ptx.split(".extern .func").second.split(';').first.trim();
  return ptx.str();
}

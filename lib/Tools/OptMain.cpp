//===- OptMain.cpp --------------------------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Opens the files itself, so that the input is checked before it is parsed.
//
//===----------------------------------------------------------------------===//

#include "frit/Tools/OptMain.h"

#include "frit/InitAll.h"
#include "frit/Support/ExportHint.h"
#include "frit/Support/NestingLimit.h"

#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/InitAllPasses.h"
#include "mlir/Support/FileUtilities.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/ToolOutputFile.h"

using namespace mlir;

static void print(StringRef file, unsigned line, unsigned column,
                  StringRef kind, StringRef message) {
  llvm::errs() << file << ":" << line << ":" << column << ": " << kind << ": "
               << message << "\n";
}

static LogicalResult optMain(StringRef inputName, StringRef outputName,
                             DialectRegistry &registry,
                             const MlirOptMainConfig &config) {
  if (inputName == "-" &&
      llvm::sys::Process::FileDescriptorIsDisplayed(fileno(stdin)))
    llvm::errs() << "(processing input from stdin now, hit ctrl-c/ctrl-d to "
                    "interrupt)\n";
  std::string message;
  std::unique_ptr<llvm::MemoryBuffer> input =
      openInputFile(inputName, &message);
  if (!input) {
    llvm::errs() << message << "\n";
    return failure();
  }
  if (std::optional<frit::NestingError> error =
          frit::findNestingError(input->getBuffer())) {
    print(input->getBufferIdentifier(), error->line, error->column, "error",
          error->message);
    return failure();
  }
  std::string file = input->getBufferIdentifier().str();
  // Looked for where the text is at hand; said where it was not parsed.
  std::optional<frit::ExportHint> hint;
  if (!config.shouldAllowUnregisteredDialects())
    hint = frit::findExportHint(input->getBuffer());
  std::unique_ptr<llvm::ToolOutputFile> output =
      openOutputFile(outputName, &message);
  if (!output) {
    llvm::errs() << message << "\n";
    return failure();
  }
  if (failed(MlirOptMain(output->os(), std::move(input), registry, config))) {
    if (hint)
      print(file, hint->line, hint->column, "note", hint->message);
    return failure();
  }
  output->keep();
  return success();
}

int frit::optMain(int argc, char **argv, StringRef header,
                  DialectRegistry &registry) {
  registerAllDialects(registry);
  registerAllExtensions(registry);
  registerAllPasses();
  registerAllButFusedKernels(registry);
  if (listKernelsIfAsked({argv, static_cast<size_t>(argc)}, registry,
                         llvm::outs()))
    return 0;
  auto [input, output] =
      registerAndParseCLIOptions(argc, argv, header, registry);
  MlirOptMainConfig config = MlirOptMainConfig::createFromCLOptions();
  // These read no input.
  if (config.shouldShowDialects() || config.shouldListPasses())
    return asMainReturnCode(MlirOptMain(argc, argv, input, output, registry));
  llvm::InitLLVM initLLVM(argc, argv);
  return asMainReturnCode(::optMain(input, output, registry, config));
}

//===- CudaToolkit.cpp - Tools and libraries of the CUDA Toolkit ----------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Finds the parts of a CUDA Toolkit that code generation uses, and runs ptxas.
//
//===----------------------------------------------------------------------===//

#include "DeviceCode.h"

#include "llvm/ADT/ScopeExit.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/Program.h"

using namespace mlir;
using namespace mlir::frit;

static void look(StringRef root, CudaToolkit &toolkit) {
  SmallString<128> ptxas(root), libdevice(root);
  llvm::sys::path::append(ptxas, "bin", "ptxas");
  llvm::sys::path::append(libdevice, "nvvm", "libdevice", "libdevice.10.bc");
  if (toolkit.ptxas.empty() && llvm::sys::fs::can_execute(ptxas))
    toolkit.ptxas = ptxas.str().str();
  if (toolkit.libdevice.empty() && llvm::sys::fs::exists(libdevice))
    toolkit.libdevice = libdevice.str().str();
}

CudaToolkit CudaToolkit::find(StringRef root) {
  CudaToolkit toolkit;
  if (!root.empty()) {
    look(root, toolkit);
    return toolkit;
  }
  for (StringRef variable : {"CUDA_HOME", "CUDA_PATH"})
    if (std::optional<std::string> path = llvm::sys::Process::GetEnv(variable))
      look(*path, toolkit);
  if (llvm::ErrorOr<std::string> ptxas =
          llvm::sys::findProgramByName("ptxas")) {
    // The program may be a link into a toolkit.
    SmallString<128> real;
    if (!llvm::sys::fs::real_path(*ptxas, real))
      look(llvm::sys::path::parent_path(llvm::sys::path::parent_path(real)),
           toolkit);
    if (toolkit.ptxas.empty())
      toolkit.ptxas = *ptxas;
  }
  look("/usr/local/cuda", toolkit);
  return toolkit;
}

namespace {
/// A file that is removed at the end.
class TemporaryFile {
public:
  static FailureOr<TemporaryFile> create(gpu::GPUModuleOp module,
                                         StringRef suffix) {
    TemporaryFile file;
    if (std::error_code error =
            llvm::sys::fs::createTemporaryFile("frit", suffix, file.path))
      return module.emitError("cannot create a temporary file: ")
             << error.message();
    return file;
  }
  TemporaryFile(TemporaryFile &&other) : path(std::move(other.path)) {
    other.path.clear();
  }
  ~TemporaryFile() {
    // One that is gone already is as good, and nobody is left to tell.
    if (!path.empty())
      llvm::consumeError(llvm::errorCodeToError(llvm::sys::fs::remove(path)));
  }

  StringRef getPath() const { return path; }

private:
  TemporaryFile() = default;
  SmallString<128> path;
};
} // namespace

static std::string readOrEmpty(StringRef path) {
  auto buffer = llvm::MemoryBuffer::getFile(path);
  return buffer ? (*buffer)->getBuffer().str() : "";
}

FailureOr<std::string> frit::assemblePtx(gpu::GPUModuleOp module, StringRef ptx,
                                         CudaArch arch,
                                         const CudaToolkit &toolkit) {
  auto input = TemporaryFile::create(module, "ptx");
  auto output = TemporaryFile::create(module, "cubin");
  auto log = TemporaryFile::create(module, "log");
  if (failed(input) || failed(output) || failed(log))
    return failure();
  std::error_code error;
  llvm::raw_fd_ostream stream(input->getPath(), error);
  stream << ptx;
  stream.close();
  if (error || stream.has_error()) {
    InFlightDiagnostic diagnostic =
        module.emitError("cannot write ")
        << input->getPath() << ": "
        << (error ? error : stream.error()).message();
    stream.clear_error();
    return diagnostic;
  }

  std::string chip = "sm_" + arch.str();
  StringRef arguments[] = {toolkit.ptxas,   "-arch", chip,
                           "-O3",           "-o",    output->getPath(),
                           input->getPath()};
  std::optional<StringRef> redirects[] = {std::nullopt, log->getPath(),
                                          log->getPath()};
  std::string message;
  int status =
      llvm::sys::ExecuteAndWait(toolkit.ptxas, arguments, /*Env=*/std::nullopt,
                                redirects, /*SecondsToWait=*/0,
                                /*MemoryLimit=*/0, &message);
  std::string cubin = status == 0 ? readOrEmpty(output->getPath()) : "";
  if (!cubin.empty())
    return cubin;
  InFlightDiagnostic diagnostic = module.emitError("ptxas failed with status ")
                                  << status;
  message += readOrEmpty(log->getPath());
  diagnostic.attachNote(module.getLoc())
      << toolkit.ptxas << ": "
      << (message.empty() ? "no message" : StringRef(message).trim());
  return diagnostic;
}

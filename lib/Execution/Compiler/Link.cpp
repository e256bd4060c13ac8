//===- Link.cpp - Shared libraries of compiled modules --------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Runs the system's compiler driver as a linker.
//
//===----------------------------------------------------------------------===//

#include "frit/Execution/Compiler.h"

#include "frit-c/Runtime.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"

#include <dlfcn.h>

using namespace llvm;

namespace mlir::frit {

/// A file that is removed at the end.
class TemporaryFile {
public:
  static Expected<TemporaryFile> create(StringRef suffix) {
    TemporaryFile file;
    if (std::error_code code =
            sys::fs::createTemporaryFile("frit", suffix, file.path))
      return createStringError("no temporary file: " + code.message());
    return std::move(file);
  }
  TemporaryFile(TemporaryFile &&other) : path(std::move(other.path)) {
    other.path.clear();
  }
  ~TemporaryFile() {
    // What cannot be removed stays in the folder of temporary files.
    if (!path.empty())
      llvm::consumeError(errorCodeToError(sys::fs::remove(path)));
  }

  StringRef getPath() const { return path; }

  Error write(StringRef bytes) const {
    std::error_code code;
    raw_fd_ostream stream(path, code);
    if (!code) {
      stream << bytes;
      stream.close();
      code = stream.error();
      stream.clear_error();
    }
    return code ? createStringError("cannot write '" + path +
                                    "': " + code.message())
                : Error::success();
  }

  Expected<std::string> read() const {
    auto buffer = MemoryBuffer::getFile(path, /*IsText=*/false,
                                        /*RequiresNullTerminator=*/false);
    if (!buffer)
      return createStringError("cannot read '" + path +
                               "': " + buffer.getError().message());
    return (*buffer)->getBuffer().str();
  }

private:
  TemporaryFile() = default;

  SmallString<128> path;
};

static Expected<std::string> findLinker(StringRef linker) {
  SmallVector<StringRef> names = {"cc", "clang", "gcc", "clang-22"};
  if (!linker.empty())
    names = {linker};
  for (StringRef name : names)
    if (auto path = sys::findProgramByName(name))
      return *path;
  if (!linker.empty())
    return createStringError("--linker=" + linker +
                             ": no such program, or it is not in PATH");
  return createStringError("there is no linker: none of " + join(names, ", ") +
                           " is in PATH");
}

Error checkLinker(StringRef linker) { return findLinker(linker).takeError(); }

/// The file of the runtime that this process uses.
static Expected<std::string> findRuntime() {
  Dl_info info;
  if (!dladdr(reinterpret_cast<void *>(&fritRuntimeVersion), &info) ||
      !info.dli_fname || !sys::fs::exists(info.dli_fname))
    return createStringError("the file of Frit's runtime is not known");
  return std::string(info.dli_fname);
}

Expected<std::string> linkSharedLibrary(StringRef object, StringRef linker) {
  auto program = findLinker(linker);
  if (!program)
    return program.takeError();
  auto runtime = findRuntime();
  if (!runtime)
    return runtime.takeError();
  auto input = TemporaryFile::create("o");
  if (!input)
    return input.takeError();
  auto output = TemporaryFile::create("so");
  if (!output)
    return output.takeError();
  auto messages = TemporaryFile::create("txt");
  if (!messages)
    return messages.takeError();
  if (Error error = input->write(object))
    return error;

  // The runtime is found beside the library, or where the system looks.
  StringRef arguments[] = {*program,
                           "-shared",
                           "-o",
                           output->getPath(),
                           input->getPath(),
                           *runtime,
                           "-Wl,--no-undefined",
                           "-Wl,-rpath,$ORIGIN"};
  std::optional<StringRef> redirects[] = {StringRef(), messages->getPath(),
                                          messages->getPath()};
  std::string reason;
  int code =
      sys::ExecuteAndWait(*program, arguments, std::nullopt, redirects,
                          /*SecondsToWait=*/0, /*MemoryLimit=*/0, &reason);
  if (code == 0)
    return output->read();
  if (auto text = messages->read())
    reason += reason.empty() ? *text : ": " + *text;
  else
    consumeError(text.takeError());
  StringRef said = StringRef(reason).rtrim();
  return createStringError(
      "'" + *program + "' did not link the library: it returned " +
      Twine(code) +
      (said.empty() ? " and said nothing; expected the driver of a C compiler"
                    : ": " + said));
}

} // namespace mlir::frit

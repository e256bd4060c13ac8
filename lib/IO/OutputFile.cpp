//===- OutputFile.cpp -----------------------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Atomic replacement of files on top of LLVM's TempFile.
//
//===----------------------------------------------------------------------===//

#include "frit/IO/OutputFile.h"

#include "FileError.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

#include <cerrno>
#include <climits>
#include <csignal>
#include <ctime>
#include <unistd.h>

namespace fs = llvm::sys::fs;
using namespace mlir::frit;

namespace {
/// While one lives, a write of this thread beyond the process's limit on file
/// sizes fails with EFBIG. Without it the kernel sends SIGXFSZ, which ends the
/// process. Handlers of the process are left alone.
class FileSizeSignalBlock {
public:
  FileSizeSignalBlock() {
    sigemptyset(&signals);
    sigaddset(&signals, SIGXFSZ);
    wasPending = isPending();
    isBlocked = ::pthread_sigmask(SIG_BLOCK, &signals, &before) == 0;
  }
  FileSizeSignalBlock(const FileSizeSignalBlock &) = delete;
  FileSizeSignalBlock &operator=(const FileSizeSignalBlock &) = delete;
  ~FileSizeSignalBlock() {
    if (!isBlocked)
      return;
    // Takes the signal of a write here before it could be delivered.
    const timespec now = {};
    if (!wasPending && isPending())
      ::sigtimedwait(&signals, nullptr, &now);
    ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
  }

private:
  static bool isPending() {
    sigset_t pending;
    sigemptyset(&pending);
    return ::sigpending(&pending) == 0 && sigismember(&pending, SIGXFSZ) == 1;
  }

  sigset_t signals;
  sigset_t before;
  bool wasPending = false;
  bool isBlocked = false;
};
} // namespace

static llvm::Error makeWriteError(llvm::StringRef path, std::error_code code) {
  return makeFileError(path, "cannot write: ", code.message());
}

/// Streams into `fd` and returns the first error of any write.
static std::error_code
writeAll(int fd, llvm::function_ref<void(llvm::raw_ostream &)> write) {
  FileSizeSignalBlock block;
  llvm::raw_fd_ostream stream(fd, /*shouldClose=*/false);
  write(stream);
  stream.flush();
  std::error_code code = stream.error();
  // An error that is not cleared ends the process in the destructor.
  stream.clear_error();
  return code;
}

static llvm::Error
writeDirectly(llvm::StringRef path,
              llvm::function_ref<void(llvm::raw_ostream &)> write) {
  int fd = -1;
  if (std::error_code code =
          fs::openFileForWrite(path, fd, fs::CD_OpenExisting))
    return makeWriteError(path, code);
  std::error_code code = writeAll(fd, write);
  if (::close(fd) != 0 && !code)
    code = std::error_code(errno, std::generic_category());
  return code ? makeWriteError(path, code) : llvm::Error::success();
}

/// Replaces a symbolic link by what it points to, which need not exist.
static std::error_code followLinks(llvm::SmallString<256> &path) {
  // As many as the system follows.
  constexpr int kMaxLinks = 40;
  for (int links = 0; links < kMaxLinks; ++links) {
    if (!fs::is_symlink_file(path))
      return {};
    char buffer[PATH_MAX];
    ssize_t size = ::readlink(path.c_str(), buffer, sizeof(buffer));
    if (size < 0)
      return std::error_code(errno, std::generic_category());
    llvm::StringRef next(buffer, size);
    if (llvm::sys::path::is_relative(next))
      llvm::sys::path::remove_filename(path);
    else
      path.clear();
    llvm::sys::path::append(path, next);
  }
  return std::make_error_code(std::errc::too_many_symbolic_link_levels);
}

llvm::Expected<StagedFile>
StagedFile::write(llvm::StringRef path,
                  llvm::function_ref<void(llvm::raw_ostream &)> write) {
  llvm::SmallString<256> target(path);
  if (std::error_code code = followLinks(target))
    return makeWriteError(path, code);
  StagedFile file(path, target.str().str());
  fs::file_status status;
  const bool exists = !fs::status(path, status) && fs::exists(status);
  if (exists) {
    if (status.type() == fs::file_type::directory_file)
      return makeWriteError(path,
                            std::make_error_code(std::errc::is_a_directory));
    if (status.type() != fs::file_type::regular_file) {
      if (llvm::Error error = writeDirectly(path, write))
        return error;
      return file;
    }
    // Renaming would replace a read-only file without asking.
    if (std::error_code code = fs::access(target, fs::AccessMode::Write))
      return makeWriteError(path, code);
  }

  llvm::Expected<fs::TempFile> temporary =
      fs::TempFile::create(target + ".%%%%%%%%.tmp");
  if (!temporary)
    return makeWriteError(path, llvm::errorToErrorCode(temporary.takeError()));
  file.temporary = std::move(*temporary);

  std::error_code code = writeAll(file.temporary->FD, write);
  if (!code && exists)
    code = fs::setPermissions(file.temporary->FD, status.permissions());
  if (!code && ::fsync(file.temporary->FD) != 0)
    code = std::error_code(errno, std::generic_category());
  if (code)
    return makeWriteError(path, code);
  return file;
}

StagedFile::~StagedFile() {
  if (temporary)
    llvm::consumeError(temporary->discard());
}

llvm::Error StagedFile::keep() {
  if (!temporary)
    return llvm::Error::success();
  // Removes the temporary if the renaming fails.
  llvm::Error error = temporary->keep(target);
  temporary.reset();
  return error ? makeWriteError(path, llvm::errorToErrorCode(std::move(error)))
               : llvm::Error::success();
}

llvm::Error mlir::frit::writeFileAtomically(
    llvm::StringRef path, llvm::function_ref<void(llvm::raw_ostream &)> write) {
  llvm::Expected<StagedFile> file = StagedFile::write(path, write);
  return file ? file->keep() : file.takeError();
}

llvm::Error mlir::frit::checkWritable(llvm::StringRef path) {
  fs::file_status status;
  // Opening a pipe would already show at its other end.
  if (!fs::status(path, status) && fs::exists(status) &&
      status.type() != fs::file_type::regular_file &&
      status.type() != fs::file_type::directory_file)
    return llvm::Error::success();
  // It is not kept.
  return StagedFile::write(path, [](llvm::raw_ostream &) {}).takeError();
}

std::string mlir::frit::getFileIdentity(llvm::StringRef path) {
  llvm::SmallString<256> target(path);
  llvm::SmallString<256> real;
  if (followLinks(target))
    return path.str();
  // A file that does not exist yet is known by its folder.
  llvm::StringRef folder = llvm::sys::path::parent_path(target);
  if (fs::real_path(folder.empty() ? "." : folder, real))
    return path.str();
  llvm::sys::path::append(real, llvm::sys::path::filename(target));
  return real.str().str();
}

bool mlir::frit::isSameFile(llvm::StringRef left, llvm::StringRef right) {
  return getFileIdentity(left) == getFileIdentity(right) ||
         fs::equivalent(left, right);
}

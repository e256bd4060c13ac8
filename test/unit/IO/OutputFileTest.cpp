//===- OutputFileTest.cpp -------------------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Output files appear whole or not at all.
//
//===----------------------------------------------------------------------===//

#include "frit/IO/OutputFile.h"

#include "IOTestUtils.h"
#include "frit/IO/Npy.h"

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace mlir::frit;
using namespace mlir::frit::test;

namespace {
std::string write(llvm::StringRef path, llvm::StringRef text) {
  return getMessage(writeFileAtomically(
      path, [&](llvm::raw_ostream &stream) { stream << text; }));
}

/// Lets no file of the process grow beyond `bytes` in this scope: writes fail
/// as on a full disk, unless the signal that comes along ends the process.
class FileSizeLimit {
public:
  explicit FileSizeLimit(rlim_t bytes) {
    ::getrlimit(RLIMIT_FSIZE, &before);
    rlimit limit = before;
    limit.rlim_cur = bytes;
    EXPECT_EQ(::setrlimit(RLIMIT_FSIZE, &limit), 0);
  }
  FileSizeLimit(const FileSizeLimit &) = delete;
  FileSizeLimit &operator=(const FileSizeLimit &) = delete;
  ~FileSizeLimit() { ::setrlimit(RLIMIT_FSIZE, &before); }

private:
  rlimit before = {};
};
} // namespace

TEST(OutputFileTest, CreatesAndReplaces) {
  TemporaryFolder folder;
  const std::string path = folder.getFile("a");
  EXPECT_EQ(write(path, "first"), "success");
  EXPECT_EQ(readBytes(path), "first");
  EXPECT_EQ(write(path, "second one"), "success");
  EXPECT_EQ(readBytes(path), "second one");
  EXPECT_EQ(folder.list(), std::vector<std::string>{"a"});
}

TEST(OutputFileTest, AFullDiskLeavesTheEarlierFile) {
  TemporaryFolder folder;
  const std::string path = folder.getFile("a.npy");
  const HostTensor small = makePattern(ElementType::F32, {2, 3});
  const HostTensor large = makePattern(ElementType::F32, {64, 64});
  ASSERT_EQ(getMessage(writeNpy(path, small)), "success");
  const std::string before = readBytes(path);
  {
    FileSizeLimit limit(4096);
    EXPECT_EQ(getMessage(writeNpy(path, large)),
              path + ": cannot write: File too large");
    EXPECT_EQ(getMessage(writeNpy(folder.getFile("new.npy"), large)),
              folder.getFile("new.npy") + ": cannot write: File too large");
  }
  EXPECT_EQ(readBytes(path), before);
  EXPECT_EQ(folder.list(), std::vector<std::string>{"a.npy"});
  EXPECT_EQ(getMessage(writeNpy(path, large)), "success");
}

TEST(OutputFileTest, DevicesAreWrittenToDirectly) {
  if (::access("/dev/full", W_OK) != 0)
    GTEST_SKIP() << "no /dev/full";
  EXPECT_EQ(write("/dev/full", "text"),
            "/dev/full: cannot write: No space left on device");
  struct stat status = {};
  ASSERT_EQ(::stat("/dev/full", &status), 0);
  EXPECT_TRUE(S_ISCHR(status.st_mode));
  EXPECT_EQ(write("/dev/null", "text"), "success");
  ASSERT_EQ(::stat("/dev/null", &status), 0);
  EXPECT_TRUE(S_ISCHR(status.st_mode));
}

TEST(OutputFileTest, UnwritablePlaces) {
  TemporaryFolder folder;
  EXPECT_EQ(write(folder.getFile("no/file"), "text"),
            folder.getFile("no/file") +
                ": cannot write: No such file or directory");
  EXPECT_EQ(write(folder.getFile(""), "text"),
            folder.getFile("") + ": cannot write: Is a directory");
  const std::string file = folder.getFile("a");
  ASSERT_EQ(write(file, "text"), "success");
  EXPECT_EQ(write(file + "/b", "text"),
            file + "/b: cannot write: Not a directory");
  EXPECT_EQ(folder.list(), std::vector<std::string>{"a"});
}

TEST(OutputFileTest, ReadOnlyFilesStay) {
  if (::geteuid() == 0)
    GTEST_SKIP() << "root may write everywhere";
  TemporaryFolder folder;
  const std::string path = folder.getFile("a");
  ASSERT_EQ(write(path, "first"), "success");
  ASSERT_EQ(::chmod(path.c_str(), 0444), 0);
  EXPECT_EQ(write(path, "second"), path + ": cannot write: Permission denied");
  EXPECT_EQ(readBytes(path), "first");
}

TEST(OutputFileTest, KeepsLinksAndPermissions) {
  TemporaryFolder folder;
  const std::string path = folder.getFile("a");
  const std::string link = folder.getFile("link");
  ASSERT_EQ(write(path, "first"), "success");
  ASSERT_EQ(::chmod(path.c_str(), 0640), 0);
  ASSERT_EQ(::symlink("a", link.c_str()), 0);
  EXPECT_EQ(write(link, "second"), "success");
  EXPECT_EQ(readBytes(path), "second");
  struct stat status = {};
  ASSERT_EQ(::lstat(link.c_str(), &status), 0);
  EXPECT_TRUE(S_ISLNK(status.st_mode));
  ASSERT_EQ(::stat(path.c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777, 0640u);
}

TEST(OutputFileTest, CreatesWhatLinksPointTo) {
  TemporaryFolder folder;
  const std::string link = folder.getFile("link");
  const std::string next = folder.getFile("next");
  ASSERT_EQ(::symlink(next.c_str(), link.c_str()), 0);
  ASSERT_EQ(::symlink("a", next.c_str()), 0);
  EXPECT_EQ(write(link, "text"), "success");
  EXPECT_EQ(readBytes(folder.getFile("a")), "text");
  struct stat status = {};
  for (const std::string &path : {link, next}) {
    ASSERT_EQ(::lstat(path.c_str(), &status), 0);
    EXPECT_TRUE(S_ISLNK(status.st_mode));
  }
  const std::string loop = folder.getFile("loop");
  ASSERT_EQ(::symlink("loop", loop.c_str()), 0);
  EXPECT_EQ(write(loop, "text"),
            loop + ": cannot write: Too many levels of symbolic links");
}

TEST(OutputFileTest, StagedFilesAppearWhenTheyAreKept) {
  TemporaryFolder folder;
  const std::string path = folder.getFile("a");
  auto write = [](llvm::raw_ostream &stream) { stream << "text"; };
  {
    llvm::Expected<StagedFile> file = StagedFile::write(path, write);
    ASSERT_TRUE(static_cast<bool>(file));
    EXPECT_EQ(::access(path.c_str(), F_OK), -1);
  }
  EXPECT_EQ(folder.list(), std::vector<std::string>());
  llvm::Expected<StagedFile> file = StagedFile::write(path, write);
  ASSERT_TRUE(static_cast<bool>(file));
  EXPECT_EQ(getMessage(file->keep()), "success");
  EXPECT_EQ(readBytes(path), "text");
  EXPECT_EQ(folder.list(), std::vector<std::string>{"a"});
}

TEST(OutputFileTest, NewFilesFollowTheUmask) {
  TemporaryFolder folder;
  const mode_t before = ::umask(027);
  EXPECT_EQ(write(folder.getFile("a"), "text"), "success");
  ::umask(before);
  struct stat status = {};
  ASSERT_EQ(::stat(folder.getFile("a").c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777, 0640u);
}

TEST(OutputFileTest, KnowsFilesByWhatLinksLeadTo) {
  TemporaryFolder folder;
  const std::string path = folder.getFile("a");
  const std::string absent = folder.getFile("b");
  const std::string link = folder.getFile("link");
  const std::string hard = folder.getFile("hard");
  ASSERT_EQ(::symlink("b", link.c_str()), 0);
  EXPECT_TRUE(isSameFile(absent, link));
  EXPECT_FALSE(isSameFile(path, link));
  ASSERT_EQ(write(path, "text"), "success");
  ASSERT_EQ(::link(path.c_str(), hard.c_str()), 0);
  EXPECT_TRUE(isSameFile(path, hard));
  EXPECT_FALSE(isSameFile(path, absent));
}

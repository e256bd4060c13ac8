//===- IOTestUtils.h --------------------------------------------*- C++ -*-===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Helpers of the tests of lib/IO.
//
//===----------------------------------------------------------------------===//

#ifndef FRIT_TEST_UNIT_IO_IOTESTUTILS_H
#define FRIT_TEST_UNIT_IO_IOTESTUTILS_H

#include "frit/IO/HostTensor.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "gtest/gtest.h"

namespace mlir::frit::test {

/// A file of test/data/io.
inline std::string getDataPath(llvm::StringRef name) {
  return (llvm::Twine(FRIT_TEST_DATA_DIR) + "/io/" + name).str();
}

/// The message of an error; "success" for none.
inline std::string getMessage(llvm::Error error) {
  return error ? llvm::toString(std::move(error)) : "success";
}
template <typename T> std::string getMessage(llvm::Expected<T> value) {
  return getMessage(value.takeError());
}

/// The value of an Expected; the test ends the process if there is none,
/// because it cannot go on.
template <typename T> T getValue(llvm::Expected<T> value) {
  if (value)
    return std::move(*value);
  ADD_FAILURE() << llvm::toString(value.takeError());
  std::exit(1);
}

/// The bytes of a file.
inline std::string readBytes(llvm::StringRef path) {
  auto buffer = llvm::MemoryBuffer::getFile(path);
  if (!buffer) {
    ADD_FAILURE() << path.str() << ": " << buffer.getError().message();
    return "";
  }
  return (*buffer)->getBuffer().str();
}

/// A fresh folder that is removed with everything in it.
class TemporaryFolder {
public:
  TemporaryFolder() {
    std::error_code code =
        llvm::sys::fs::createUniqueDirectory("frit-io-test", path);
    EXPECT_FALSE(code) << code.message();
  }
  TemporaryFolder(const TemporaryFolder &) = delete;
  TemporaryFolder &operator=(const TemporaryFolder &) = delete;
  ~TemporaryFolder() {
    std::error_code code = llvm::sys::fs::remove_directories(path);
    EXPECT_FALSE(code) << code.message();
  }

  std::string getFile(llvm::StringRef name) const {
    return (path + "/" + name).str();
  }

  /// The names in the folder, sorted.
  std::vector<std::string> list() const {
    std::vector<std::string> names;
    std::error_code code;
    for (llvm::sys::fs::directory_iterator it(path, code), end;
         it != end && !code; it.increment(code))
      names.push_back(llvm::sys::path::filename(it->path()).str());
    llvm::sort(names);
    return names;
  }

private:
  llvm::SmallString<128> path;
};

/// All element types.
constexpr ElementType allElementTypes[] = {
    ElementType::I1,  ElementType::I8,  ElementType::I16,  ElementType::I32,
    ElementType::I64, ElementType::U8,  ElementType::U16,  ElementType::U32,
    ElementType::U64, ElementType::F16, ElementType::BF16, ElementType::F32,
    ElementType::F64};

/// Element `index` of every tensor in test/data/io (see generate.py there).
inline double getPattern(ElementType type, int64_t index) {
  if (type == ElementType::I1)
    return index % 2;
  if (isFloat(type))
    return (index - 2) * 0.5;
  return type >= ElementType::U8 ? index : index - 2;
}

inline void expectPattern(const HostTensor &tensor) {
  for (int64_t i = 0; i < tensor.getNumElements(); ++i)
    EXPECT_EQ(tensor.getDouble(i), getPattern(tensor.getType(), i)) << i;
}

inline HostTensor makePattern(ElementType type, llvm::ArrayRef<int64_t> shape) {
  HostTensor tensor = getValue(HostTensor::allocate(
      TensorSpec{type, llvm::SmallVector<int64_t, 4>(shape)}));
  for (int64_t i = 0; i < tensor.getNumElements(); ++i)
    tensor.setDouble(i, getPattern(type, i));
  return tensor;
}

} // namespace mlir::frit::test

#endif // FRIT_TEST_UNIT_IO_IOTESTUTILS_H

//===- KernelImagesTest.cpp -----------------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The table of embedded kernel images. A build without CUDA has an empty one.
//
//===----------------------------------------------------------------------===//

#include "frit/Kernels/KernelImages.h"

#include <cstring>
#include <gtest/gtest.h>
#include <set>

using namespace mlir::frit;

namespace {

TEST(KernelImages, UnknownNameHasNoImage) {
  EXPECT_EQ(lookupKernelImage("no_such_image"), nullptr);
  EXPECT_EQ(lookupKernelImage(""), nullptr);
}

TEST(KernelImages, EachIsAFatbinFoundByItsName) {
  std::set<uint64_t> hashes;
  for (const KernelImage &image : getKernelImages()) {
    EXPECT_EQ(lookupKernelImage(image.name), &image);
    EXPECT_TRUE(hashes.insert(image.hash).second) << image.name;
    EXPECT_FALSE(image.architectures.empty()) << image.name;
    // The header: a magic number, a version, its own size and that of the rest.
    ASSERT_GE(image.size, 16u) << image.name;
    uint32_t magic = 0;
    uint16_t headerSize = 0;
    uint64_t contentSize = 0;
    std::memcpy(&magic, image.data, sizeof magic);
    std::memcpy(&headerSize, image.data + 6, sizeof headerSize);
    std::memcpy(&contentSize, image.data + 8, sizeof contentSize);
    EXPECT_EQ(magic, 0xba55ed50u) << image.name;
    EXPECT_EQ(headerSize + contentSize, image.size) << image.name;
  }
}

} // namespace

//===- KernelImages.h -------------------------------------------*- C++ -*-===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The images of the hand-fused CUDA kernels that this build carries: each is a
// fatbin of one file of kernels/, found by name. A build without CUDA carries
// none. Includes nothing of LLVM.
//
//===----------------------------------------------------------------------===//

#ifndef FRIT_KERNELS_KERNELIMAGES_H
#define FRIT_KERNELS_KERNELIMAGES_H

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace mlir::frit {

/// One image. All of it is constant data of the program.
struct KernelImage {
  std::string_view name;
  /// A fatbin that the CUDA driver loads.
  const unsigned char *data;
  /// In bytes.
  size_t size;
  /// Identifies the content: equal bytes have equal hashes.
  uint64_t hash;
  /// The architectures that it was built for, as in "80,90a".
  std::string_view architectures;
};

/// The images, in the order of their declaration.
struct KernelImageTable {
  const KernelImage *first;
  const KernelImage *last;
  const KernelImage *begin() const { return first; }
  const KernelImage *end() const { return last; }
};

const KernelImageTable &getKernelImages();

/// The image with this name, or null.
const KernelImage *lookupKernelImage(std::string_view name);

} // namespace mlir::frit

#endif // FRIT_KERNELS_KERNELIMAGES_H

//===- Activations.cpp - What activation kernels share --------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Sizes and conditions that the kernels of both gated ops share.
//
//===----------------------------------------------------------------------===//

#include "Activations.h"

#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace mlir::frit;

AffineExpr frit::getRowVectors(AffineExpr d, AffineExpr elementBytes) {
  return (d * elementBytes).ceilDiv(16);
}

KernelCondition frit::rowVectors(int64_t low, int64_t high) {
  std::string atLeast =
      llvm::formatv("at least {0} vectors of 16 bytes in a row", low);
  std::string atMost =
      llvm::formatv("at most {0} vectors of 16 bytes in a row", high);
  auto check = [=](KernelOpInterface op, const KernelShape &shape) {
    MLIRContext *context = op.getContext();
    unsigned bytes = op.getKernelElementType().getIntOrFloatBitWidth() / 8;
    AffineExpr vectors = getRowVectors(shape.getSymbol("d", context),
                                       getAffineConstantExpr(bytes, context));
    KernelFinding finding;
    using Kind = KernelRequirement::Kind;
    if (low > 0)
      finding.requirements.push_back({vectors, Kind::AtLeast, low, atLeast});
    if (high < std::numeric_limits<int64_t>::max())
      finding.requirements.push_back({vectors, Kind::AtMost, high, atMost});
    return finding;
  };
  std::string needs =
      low == 0 ? atMost
      : high == std::numeric_limits<int64_t>::max()
          ? atLeast
          : std::string(llvm::formatv("{0} to {1} vectors of 16 bytes in a row",
                                      low, high));
  return {"row_vectors", needs, check};
}

bool frit::isBeside(KernelOpInterface op) {
  DictionaryAttr params = op.getKernel().getParams();
  auto beside =
      params ? params.getAs<IntegerAttr>(kernel_param::kBeside) : IntegerAttr();
  return beside && !beside.getValue().isZero();
}

std::string frit::getTypeName(Type type) {
  std::string name;
  llvm::raw_string_ostream(name) << type;
  return name;
}

std::vector<KernelImage> frit::findImages(ArrayRef<std::string> names) {
  std::vector<KernelImage> images;
  for (const std::string &name : names)
    if (const KernelImage *image = lookupKernelImage(name))
      images.push_back(*image);
  return images;
}

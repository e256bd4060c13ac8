//===- ImageBytes.cpp - The device code behind a gpu.binary ---------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Finds the device code behind a gpu.binary and checks its hash.
//
//===----------------------------------------------------------------------===//

#include "ImageBytes.h"

#include "frit/Kernels/KernelTable.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/xxhash.h"

using namespace mlir;
using namespace mlir::frit;

std::string frit::formatImageHash(uint64_t hash) {
  return llvm::utohexstr(hash, /*LowerCase=*/true, /*Width=*/16);
}

std::string frit::hashImageBytes(StringRef bytes) {
  return formatImageHash(llvm::xxh3_64bits(llvm::arrayRefFromStringRef(bytes)));
}

std::string frit::getImageSymbol(StringRef binary) {
  return ("frit_image_bytes." + binary).str();
}

FailureOr<StringRef> frit::getImageBytes(gpu::BinaryOp binary) {
  auto image = dyn_cast<ImageAttr>(binary.getOffloadingHandlerAttr());
  if (!image)
    return binary.emitError("binary '")
           << binary.getName() << "' has the offloading handler "
           << binary.getOffloadingHandlerAttr()
           << ", but Frit's runtime needs a #frit.image";
  StringRef bytes =
      cast<gpu::ObjectAttr>(binary.getObjects()[0]).getObject().getValue();
  std::string hash;
  if (bytes.empty()) {
    const KernelTable *table = KernelTable::get(binary.getContext());
    const KernelImage *known =
        table ? table->lookupImage(image.getName()) : nullptr;
    if (!known)
      return binary.emitError("kernel image '")
             << image.getName() << "' is not in this build";
    bytes = StringRef(reinterpret_cast<const char *>(known->data), known->size);
    hash = formatImageHash(known->hash);
  } else {
    hash = hashImageBytes(bytes);
  }
  if (hash != image.getHash())
    return binary.emitError("kernel image '")
           << image.getName() << "' has hash " << hash
           << ", but the code was compiled for the one with hash "
           << image.getHash();
  return bytes;
}

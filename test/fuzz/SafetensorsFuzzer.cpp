//===- SafetensorsFuzzer.cpp ----------------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Feeds arbitrary bytes to the safetensors reader. Every tensor of a file that
// it takes must be readable to its last byte.
//
//===----------------------------------------------------------------------===//

#include "FuzzSupport.h"
#include "frit/IO/Safetensors.h"

using namespace mlir::frit;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  llvm::StringRef bytes(reinterpret_cast<const char *>(data), size);
  llvm::Expected<SafetensorsFile> file = SafetensorsFile::parse(bytes, "input");
  if (!file)
    return fuzz::rejectWithMessage(file.takeError());
  for (const SafetensorsEntry &entry : file->getEntries()) {
    fuzz::check(file->find(entry.name) == &entry);
    llvm::Expected<HostTensor> tensor = file->read(entry.name);
    if (!tensor) {
      fuzz::rejectWithMessage(tensor.takeError());
      continue;
    }
    fuzz::check(fuzz::sumElements(*tensor) == tensor->getNumElements());
  }
  // A name that is not there is an error, with or without a suggestion.
  if (!file->find("absent"))
    fuzz::rejectWithMessage(file->read("absent").takeError());
  return 0;
}

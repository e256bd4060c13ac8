//===- SafetensorsLayout.h ------------------------------------ -*- C++ -*-===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What lies where in a file of the safetensors format. With the standard
// library alone: the runtime, which has no LLVM, reads files with the same
// code.
//
//===----------------------------------------------------------------------===//

#ifndef FRIT_IO_SAFETENSORSLAYOUT_H
#define FRIT_IO_SAFETENSORSLAYOUT_H

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace mlir::frit {

/// One tensor of a safetensors file, without its data.
struct SafetensorsEntry {
  std::string name;
  /// The format's spelling: "F32", "BF16", "F8_E4M3", ...
  std::string dtype;
  std::vector<int64_t> shape;
  /// Byte range within the data section.
  uint64_t begin = 0;
  uint64_t end = 0;
};

/// A safetensors file without its data.
struct SafetensorsLayout {
  /// In the order of their data.
  std::vector<SafetensorsEntry> entries;
  /// The free-form strings under `__metadata__`.
  std::map<std::string, std::string> metadata;
  /// Where the data section begins in the file.
  size_t dataBegin = 0;

  /// Reads the layout of a whole file and checks it as the format demands:
  /// * 8 bytes of header length (at most 100 MB), then that many bytes of JSON
  ///   that start with '{' and may be padded with spaces;
  /// * no key twice, exactly the fields dtype, shape and data_offsets in each
  ///   entry, `__metadata__` maps strings to strings;
  /// * dtype is one that the format defines; shape times its size, checked for
  ///   overflow, is the length of the byte range;
  /// * the byte ranges cover the data section without hole and overlap, and
  ///   the file ends with it.
  /// Returns what is wrong: the tensor and field, what was found and what was
  /// expected; "" if nothing is.
  std::string parse(std::string_view file);
};

/// The bits of one element of a dtype that the format defines, or 0.
unsigned getSafetensorsBits(std::string_view dtype);

/// The key that holds the metadata and can name no tensor.
constexpr std::string_view safetensorsMetadataKey = "__metadata__";
/// The format's limit on the header, against files that exhaust memory.
constexpr uint64_t safetensorsMaxHeaderBytes = 100000000;
/// The bytes of the header length at the start.
constexpr size_t safetensorsLengthBytes = 8;

} // namespace mlir::frit

#endif // FRIT_IO_SAFETENSORSLAYOUT_H

//===- TensorSource.cpp ---------------------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Parses tensor sources and makes their tensors.
//
//===----------------------------------------------------------------------===//

#include "frit/IO/TensorSource.h"

#include "FileError.h"

#include "frit/IO/Npy.h"
#include "frit/IO/OutputFile.h"
#include "frit/IO/Safetensors.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/Format.h"

#include <cmath>
#include <limits>
#include <vector>

using namespace mlir::frit;

/// The path and key of "@file.npy" or "@file.safetensors#key".
static llvm::Expected<TensorSource> parseFile(llvm::StringRef text) {
  TensorSource source;
  llvm::StringRef name = text.drop_front();
  if (name.ends_with(".npy")) {
    source.kind = TensorSource::Kind::Npy;
    source.path = name.str();
    return source;
  }
  // A key may hold '#' too, and so may a path.
  constexpr llvm::StringLiteral separator = ".safetensors#";
  const size_t position = name.find(separator);
  if (position == llvm::StringRef::npos)
    return makeError(quoteText(text), ": expected @FILE.npy or ",
                     "@FILE.safetensors#KEY");
  source.kind = TensorSource::Kind::Safetensors;
  source.path = name.take_front(position + separator.size() - 1).str();
  source.key = name.drop_front(position + separator.size()).str();
  return source;
}

llvm::Expected<TensorSource>
TensorSource::parseDestination(llvm::StringRef text) {
  if (!text.starts_with("@"))
    return makeError(quoteText(text), ": expected @FILE.npy or ",
                     "@FILE.safetensors#KEY");
  return parseFile(text);
}

llvm::Expected<TensorSource> TensorSource::parse(llvm::StringRef text) {
  TensorSource source;
  if (text.starts_with("@"))
    return parseFile(text);
  if (text == "zeros") {
    source.kind = Kind::Zeros;
    return source;
  }
  if (text == "ones") {
    source.kind = Kind::Ones;
    return source;
  }
  if (!text.getAsDouble(source.number)) {
    if (std::isinf(source.number) && !text.contains_insensitive("inf"))
      return makeError(quoteText(text), ": exceeds the largest value of f64, ",
                       llvm::format("%g", std::numeric_limits<double>::max()));
    source.kind = Kind::Number;
    int64_t integer = 0;
    if (!text.getAsInteger(10, integer))
      source.integer = integer;
    return source;
  }
  llvm::StringRef range = text;
  if (range.consume_front("random")) {
    source.kind = Kind::Random;
    if (range.empty())
      return source;
    int64_t low = 0;
    int64_t high = 0;
    if (range.consume_front("[") && !range.consumeInteger(10, low) &&
        range.consume_front(",") && !range.consumeInteger(10, high) &&
        range == ")") {
      source.range = {low, high};
      return source;
    }
  }
  return makeError(quoteText(text),
                   ": expected random, random[LOW,HIGH), zeros, ",
                   "ones, a number, @FILE.npy or @FILE.safetensors#KEY");
}

llvm::Expected<HostTensor> TensorSource::readFile() const {
  if (kind == Kind::Npy)
    return readNpy(path);
  llvm::Expected<SafetensorsFile> file = SafetensorsFile::open(path);
  if (!file)
    return file.takeError();
  return file->read(key);
}

llvm::Expected<HostTensor> TensorSource::make(const TensorSpec &spec,
                                              uint64_t seed,
                                              uint64_t stream) const {
  if (isFile()) {
    llvm::Expected<HostTensor> tensor = readFile();
    if (tensor && tensor->getSpec() != spec)
      return makeFileError(path,
                           key.empty() ? std::string("holds ")
                                       : "tensor " + quoteText(key) + " is ",
                           tensor->getSpec().str(), ", expected ", spec.str());
    return tensor;
  }
  llvm::Expected<HostTensor> tensor = HostTensor::allocate(spec);
  if (!tensor || kind == Kind::Zeros)
    return tensor;
  if (kind == Kind::Random) {
    if (llvm::Error error = fillRandom(*tensor, {seed, stream, range}))
      return std::move(error);
    return tensor;
  }
  if (integer && spec.type == ElementType::I64) {
    std::fill_n(tensor->getDataAs<int64_t>(), tensor->getNumElements(),
                *integer);
    return tensor;
  }
  const double value = kind == Kind::Ones ? 1 : number;
  for (int64_t i = 0; i < tensor->getNumElements(); ++i)
    tensor->setDouble(i, value);
  // An integer type takes no fraction, no NaN and nothing beyond its range. The
  // largest i64 is 2^63 as a double, which is beyond.
  if (!isFloat(spec.type) && tensor->getNumElements() > 0 &&
      (tensor->getDouble(0) != value ||
       (spec.type == ElementType::I64 && value >= 0x1p63)))
    return makeError(llvm::format("%g", value), " is not a value of ",
                     getName(spec.type).str());
  if (isFloat(spec.type) && tensor->getNumElements() > 0 &&
      std::isfinite(value) && !std::isfinite(tensor->getDouble(0)))
    return makeError(llvm::format("%g", value),
                     " exceeds the largest value of ",
                     getName(spec.type).str());
  return tensor;
}

bool TensorSource::isSamePlace(const TensorSource &other) const {
  const bool areTensorsOfOneFile = kind == Kind::Safetensors &&
                                   other.kind == Kind::Safetensors &&
                                   key != other.key;
  return !areTensorsOfOneFile && isSameFile(path, other.path);
}

std::string TensorSource::getPlace() const {
  return kind == Kind::Safetensors ? path + "#" + key : path;
}

llvm::Error
mlir::frit::writeTensors(llvm::ArrayRef<TensorSource> destinations,
                         llvm::ArrayRef<const HostTensor *> tensors) {
  std::vector<StagedFile> staged;
  auto stage = [&](llvm::Expected<StagedFile> file) -> llvm::Error {
    if (!file)
      return file.takeError();
    staged.push_back(std::move(*file));
    return llvm::Error::success();
  };
  // The tensors of each safetensors file, however it is spelled, and the first
  // spelling.
  llvm::StringMap<size_t> known;
  std::vector<std::pair<llvm::StringRef, llvm::SmallVector<NamedTensor>>> files;
  for (auto [destination, tensor] : llvm::zip_equal(destinations, tensors))
    if (destination.kind == TensorSource::Kind::Safetensors) {
      auto [entry, isNew] =
          known.try_emplace(getFileIdentity(destination.path), files.size());
      if (isNew)
        files.push_back({destination.path, {}});
      files[entry->second].second.push_back({destination.key, tensor});
    } else if (llvm::Error error = stage(stageNpy(destination.path, *tensor))) {
      return error;
    }
  for (const auto &[path, named] : files)
    if (llvm::Error error = stage(stageSafetensors(path, named)))
      return error;
  for (StagedFile &file : staged)
    if (llvm::Error error = file.keep())
      return error;
  return llvm::Error::success();
}

//===- Dims.cpp -----------------------------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Sizes of named dimensions, and where each is known from.
//
//===----------------------------------------------------------------------===//

#include "Dims.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace mlir::frit {

Error DimTable::add(StringRef name, int64_t size, const Twine &origin) {
  auto [entry, isNew] = sizes.try_emplace(name, Size{size, origin.str()});
  if (isNew || entry->second.value == size)
    return Error::success();
  return createStringError(
      "dimension '" + name + "' is " + Twine(entry->second.value) + " by " +
      entry->second.origin + ", but " + Twine(size) + " by " + origin);
}

Error DimTable::addOptions(const Signature &signature,
                           ArrayRef<std::pair<std::string, int64_t>> dims) {
  SetVector<StringRef> known;
  for (const ArgumentInfo &argument : signature.arguments)
    for (const std::string &name : argument.dims)
      known.insert(name);
  for (const auto &[name, size] : dims) {
    if (!known.contains(name))
      return createStringError(
          "--dim " + name + "=" + Twine(size) + ": no dimension of '@" +
          signature.name + "' has this name" +
          (known.empty() ? ""
                         : "; there are " + join(known.getArrayRef(), ", ")));
    if (Error error = add(name, size, "--dim"))
      return error;
  }
  // Static sizes of the signature name dimensions too.
  for (const ArgumentInfo &argument : signature.arguments)
    for (auto [name, size] :
         llvm::zip_equal(argument.dims, argument.spec.shape))
      if (!ShapedType::isDynamic(size))
        if (Error error = add(name, size,
                              "the type of " + argument.describe() + " (" +
                                  toString(argument) + ")"))
          return error;
  return Error::success();
}

Error DimTable::addShape(const ArgumentInfo &argument, const TensorSpec &spec,
                         const Twine &origin) {
  bool fits = spec.type == argument.spec.type &&
              spec.shape.size() == argument.spec.shape.size();
  for (size_t d = 0; fits && d < spec.shape.size(); ++d)
    fits = ShapedType::isDynamic(argument.spec.shape[d]) ||
           argument.spec.shape[d] == spec.shape[d];
  if (!fits)
    return createStringError(origin + " is " + spec.str() + ", but " +
                             argument.describe() + " is " + toString(argument));
  for (auto [name, size] : llvm::zip_equal(argument.dims, spec.shape))
    if (Error error =
            add(name, size, argument.describe() + " (" + origin + ")"))
      return error;
  return Error::success();
}

Expected<TensorSpec> DimTable::getSpec(const ArgumentInfo &argument) const {
  TensorSpec spec = argument.spec;
  for (auto [d, name] : llvm::enumerate(argument.dims)) {
    if (!ShapedType::isDynamic(spec.shape[d]))
      continue;
    auto known = sizes.find(name);
    if (known == sizes.end())
      return createStringError("the size of dimension " + Twine(d) + " of " +
                               argument.describe() + " (" + toString(argument) +
                               ") is not known: pass --dim " + name +
                               "=SIZE, or a type with --input");
    spec.shape[d] = known->second.value;
  }
  return spec;
}

} // namespace mlir::frit

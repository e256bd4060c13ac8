//===- FritBytecode.cpp ---------------------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Bytecode of the dialect's attributes, and its version. Each attribute is a
// code and then its parameters; codes are never given a second meaning. Files
// from before the first version have the same encoding.
//
//===----------------------------------------------------------------------===//

#include "FritBytecode.h"

#include "frit/Dialect/Frit/IR/Bytecode.h"
#include "frit/Dialect/Frit/IR/Frit.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::frit;

namespace {

enum Code : uint64_t {
  /// id: string, params: optional attribute
  kKernel = 0,
  /// op: string, mode: varint
  kOrigin = 1,
  /// value: varint, for all of these
  kApproximate = 2,
  kRounding = 3,
  kLoraRounding = 4,
  kIntermediate = 5,
  kActivation = 6,
  kFpMode = 7,
  kDownLayout = 8,
};

/// Reads the number of an enumerator.
template <typename EnumT>
FailureOr<EnumT> readEnum(DialectBytecodeReader &reader,
                          std::optional<EnumT> (*symbolize)(uint32_t),
                          StringRef name) {
  uint64_t number;
  if (failed(reader.readVarInt(number)))
    return failure();
  std::optional<EnumT> value;
  if (number <= std::numeric_limits<uint32_t>::max())
    value = symbolize(number);
  if (!value)
    return reader.emitError() << "the enumeration '" << name
                              << "' has no case of number " << number;
  return *value;
}

template <typename AttrT, typename EnumT>
Attribute readEnumAttr(DialectBytecodeReader &reader,
                       std::optional<EnumT> (*symbolize)(uint32_t)) {
  FailureOr<EnumT> value =
      readEnum<EnumT>(reader, symbolize, AttrT::getMnemonic());
  return succeeded(value) ? AttrT::get(reader.getContext(), *value)
                          : Attribute();
}

Attribute readKernel(DialectBytecodeReader &reader) {
  StringRef id;
  Attribute params;
  if (failed(reader.readString(id)) ||
      failed(reader.readOptionalAttribute(params)))
    return {};
  if (params && !isa<DictionaryAttr>(params)) {
    reader.emitError() << "the parameters of kernel '" << id
                       << "' must be a dictionary, but are " << params;
    return {};
  }
  return KernelAttr::getChecked([&] { return reader.emitError(); },
                                reader.getContext(), id,
                                cast_if_present<DictionaryAttr>(params));
}

Attribute readOrigin(DialectBytecodeReader &reader) {
  StringRef op;
  if (failed(reader.readString(op)))
    return {};
  FailureOr<FpMode> mode =
      readEnum<FpMode>(reader, symbolizeFpMode, FpModeAttr::getMnemonic());
  return succeeded(mode) ? OriginAttr::get(reader.getContext(), op, *mode)
                         : Attribute();
}

struct FritBytecodeInterface : BytecodeDialectInterface {
  explicit FritBytecodeInterface(Dialect *dialect)
      : BytecodeDialectInterface(dialect) {}

  void writeVersion(DialectBytecodeWriter &writer) const override {
    FailureOr<const DialectVersion *> asked =
        writer.getDialectVersion(FritDialect::getDialectNamespace());
    writer.writeVarInt(
        succeeded(asked)
            ? static_cast<const FritDialectVersion *>(*asked)->number
            : FritDialectVersion::kCurrent);
  }

  std::unique_ptr<DialectVersion>
  readVersion(DialectBytecodeReader &reader) const override {
    uint64_t number;
    if (failed(reader.readVarInt(number)))
      return nullptr;
    if (number > FritDialectVersion::kCurrent) {
      reader.emitError() << "the file has version " << number
                         << " of the frit dialect, but this build reads up to "
                         << FritDialectVersion::kCurrent;
      return nullptr;
    }
    return std::make_unique<FritDialectVersion>(number);
  }

  LogicalResult writeAttribute(Attribute attribute,
                               DialectBytecodeWriter &writer) const override {
    auto writeEnum = [&](Code code, auto value) {
      writer.writeVarInt(code);
      writer.writeVarInt(static_cast<uint32_t>(value));
      return success();
    };
    return TypeSwitch<Attribute, LogicalResult>(attribute)
        .Case([&](KernelAttr kernel) {
          writer.writeVarInt(kKernel);
          writer.writeOwnedString(kernel.getId());
          writer.writeOptionalAttribute(kernel.getParams());
          return success();
        })
        .Case([&](OriginAttr origin) {
          writer.writeVarInt(kOrigin);
          writer.writeOwnedString(origin.getOp());
          writer.writeVarInt(static_cast<uint32_t>(origin.getMode()));
          return success();
        })
        .Case([&](ApproximateAttr a) {
          return writeEnum(kApproximate, a.getValue());
        })
        .Case(
            [&](RoundingAttr a) { return writeEnum(kRounding, a.getValue()); })
        .Case([&](LoraRoundingAttr a) {
          return writeEnum(kLoraRounding, a.getValue());
        })
        .Case([&](IntermediateAttr a) {
          return writeEnum(kIntermediate, a.getValue());
        })
        .Case([&](ActivationAttr a) {
          return writeEnum(kActivation, a.getValue());
        })
        .Case([&](FpModeAttr a) { return writeEnum(kFpMode, a.getValue()); })
        .Case([&](DownLayoutAttr a) {
          return writeEnum(kDownLayout, a.getValue());
        })
        .Default([](Attribute) { return failure(); });
  }

  Attribute readAttribute(DialectBytecodeReader &reader) const override {
    uint64_t code;
    if (failed(reader.readVarInt(code)))
      return {};
    switch (code) {
    case kKernel:
      return readKernel(reader);
    case kOrigin:
      return readOrigin(reader);
    case kApproximate:
      return readEnumAttr<ApproximateAttr>(reader, symbolizeApproximate);
    case kRounding:
      return readEnumAttr<RoundingAttr>(reader, symbolizeRounding);
    case kLoraRounding:
      return readEnumAttr<LoraRoundingAttr>(reader, symbolizeLoraRounding);
    case kIntermediate:
      return readEnumAttr<IntermediateAttr>(reader, symbolizeIntermediate);
    case kActivation:
      return readEnumAttr<ActivationAttr>(reader, symbolizeActivation);
    case kFpMode:
      return readEnumAttr<FpModeAttr>(reader, symbolizeFpMode);
    case kDownLayout:
      return readEnumAttr<DownLayoutAttr>(reader, symbolizeDownLayout);
    default:
      reader.emitError() << "the frit dialect has no attribute of code "
                         << code;
      return {};
    }
  }
};

} // namespace

void frit::addBytecodeInterface(FritDialect &dialect) {
  dialect.addInterfaces<FritBytecodeInterface>();
}

//===- Header.cpp - C headers of compiled modules -------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Writes the C header of a module whose entries were exported.
//
//===----------------------------------------------------------------------===//

#include "frit/Execution/Compiler.h"
#include "frit/Execution/EntrySignature.h"
#include "frit/Execution/ExportedName.h"
#include "frit/Execution/ReservedName.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

#include "llvm/ADT/StringSet.h"

using namespace llvm;

namespace mlir::frit {

namespace {

/// The type that a scalar is passed as.
StringRef getScalarType(Type type) {
  if (type.isF64())
    return "double";
  if (type.isF32())
    return "float";
  if (type.isF16() || type.isBF16())
    return "uint16_t";
  if (type.isInteger(1))
    return "uint8_t";
  if (type.isInteger(8))
    return "int8_t";
  if (type.isInteger(16))
    return "int16_t";
  return type.isInteger(32) ? "int32_t" : "int64_t";
}

/// Text of the source without what would end a comment or break its lines.
std::string makeCommentText(StringRef text) {
  std::string result;
  for (char character : text) {
    // No "*/", no "/*", and no trigraphs.
    bool ends =
        !result.empty() && ((result.back() == '*' && character == '/') ||
                            (result.back() == '/' && character == '*'));
    if (ends || character == '?')
      result += ends ? " " : "";
    result += isPrint(character) ? character : '_';
  }
  return result;
}

class HeaderWriter {
public:
  HeaderWriter(raw_ostream &stream, const HeaderOptions &options)
      : stream(stream), options(options) {}

  void write(ArrayRef<EntrySignature> entries) {
    // As the prefix is written: two may differ in case alone.
    std::string guard = "FRIT_COMPILED_" + options.prefix + "_H";
    stream
        << "/* " << makeCommentText(options.source) << ", compiled for "
        << makeCommentText(options.target)
        << " by frit-compile.\n *\n"
           " * Every function takes a context of Frit's runtime and returns "
           "FRIT_STATUS_OK or\n"
           " * the code of an error, whose message the context keeps\n"
           " * (fritContextErrorMessage) until fritContextClearError. Tensors "
           "are checked\n"
           " * before anything runs: what does not fit is "
           "FRIT_STATUS_INVALID_ARGUMENT. Sizes\n"
           " * in brackets are outermost first; dimensions of one name have "
           "one size, and\n"
           " * the ones called any may have any. Elements of a row are next "
           "to each other,\n"
           " * other strides may be any positive ones, unless the text says "
           "otherwise.\n";
    if (options.isOnDevice)
      stream << " * Tensors are in the memory of the context's device; "
                "functions return before the\n"
                " * device has done the work.\n";
    stream << " */\n\n#ifndef " << guard << "\n#define " << guard
           << "\n\n#include \"frit-c/Entry.h\"\n\n"
              "#ifdef __cplusplus\nextern \"C\" {\n#endif\n";
    for (const EntrySignature &entry : entries)
      writeEntry(entry);
    if (!options.constants.empty())
      writeWeights();
    stream << "\n#ifdef __cplusplus\n} /* extern \"C\" */\n#endif\n\n"
              "#endif /* "
           << guard << " */\n";
  }

private:
  /// Names of C for the values, each one once.
  SmallVector<std::string> nameValues(const EntrySignature &entry) {
    StringSet<> used;
    used.insert("context");
    SmallVector<std::string> names;
    auto add = [&](StringRef wanted, const std::string &otherwise) {
      std::string name = makeIdentifier(wanted);
      if (name.empty() || isDigit(name.front()) || name.front() == '_' ||
          !getReservation(name).empty() || used.contains(name))
        name = otherwise;
      while (!used.insert(name).second)
        name += "_";
      names.push_back(name);
    };
    for (auto [index, value] : llvm::enumerate(entry.arguments))
      add(value.name, ("arg" + Twine(index)).str());
    for (size_t index = 0; index < entry.results.size(); ++index)
      add("", entry.results.size() == 1 ? "result"
                                        : ("result" + Twine(index)).str());
    return names;
  }

  void writeShape(const EntryValue &value) {
    stream << "[";
    llvm::interleaveComma(
        llvm::zip_equal(value.getShape(), value.dims), stream, [&](auto pair) {
          auto [size, dim] = pair;
          if (!ShapedType::isDynamic(size))
            stream << size;
          else
            stream << (dim.empty() ? "any" : makeCommentText(dim));
        });
    stream << "] ";
  }

  void writeStrides(const EntryValue &value) {
    if (value.isContiguous()) {
      stream << ", row-major without gaps";
    } else if (isa<MemRefType>(value.type)) {
      stream << ", strides [";
      llvm::interleaveComma(value.getStrides(), stream, [&](int64_t stride) {
        if (ShapedType::isDynamic(stride))
          stream << "any";
        else
          stream << stride;
      });
      stream << "]";
    }
  }

  void writeValue(StringRef name, const EntryValue &value, bool isResult) {
    stream << " *   " << name << ": ";
    bool isScalar = value.isScalar() && !isResult;
    if (!isScalar)
      writeShape(value);
    stream << value.getElementType();
    if (isScalar) {
      if (value.type.isF16() || value.type.isBF16())
        stream << ", its bits";
    } else if (isResult) {
      stream << ", written";
    } else if (isa<MemRefType>(value.type)) {
      stream << ", may be written";
    } else {
      stream << ", read";
    }
    writeStrides(value);
    if (!value.name.empty() && value.name != name)
      stream << " ('" << makeCommentText(value.name) << "')";
    stream << "\n";
  }

  void writeEntry(const EntrySignature &entry) {
    std::string name = getExportedName(options.prefix, entry.name);
    SmallVector<std::string> names = nameValues(entry);
    stream << "\n/** @" << makeCommentText(entry.name) << "\n *\n";
    for (auto [index, value] : llvm::enumerate(entry.arguments))
      writeValue(names[index], value, /*isResult=*/false);
    for (auto [index, value] : llvm::enumerate(entry.results))
      writeValue(names[entry.arguments.size() + index], value,
                 /*isResult=*/true);
    stream << " */\nFritStatus " << name << "(FritContext *context";
    for (auto [index, parameter] : llvm::enumerate(names)) {
      stream << ",\n    ";
      if (index < entry.arguments.size() && entry.arguments[index].isScalar())
        stream << getScalarType(entry.arguments[index].type) << " ";
      else
        stream << "const FritTensor *";
      stream << parameter;
    }
    stream << ");\n\n/** What the code says of " << name
           << ", for fritEntryCheck, fritEntryCall and\n"
              " * fritEntryResultSizes. */\nextern const FritEntry "
           << getExportedMetadataName(options.prefix, entry.name) << ";\n";
  }

  void writeWeights() {
    std::string name = getExportedWeightsName(options.prefix);
    stream << "\n/** The constants that the code does not contain. Before the "
              "first call, once:\n * fritWeightsLoad(&"
           << name << ", FILE), see frit-c/Weights.h.\n *\n";
    for (const ExternalConstant &constant : options.constants) {
      stream << " *   " << makeCommentText(constant.name) << ": [";
      llvm::interleaveComma(constant.value.getShapedType().getShape(), stream);
      stream << "] " << constant.value.getElementType() << "\n";
    }
    stream << " */\nextern const FritWeights " << name << ";\n";
  }

  raw_ostream &stream;
  const HeaderOptions &options;
};

} // namespace

Error emitHeader(ModuleOp module, const HeaderOptions &options,
                 raw_ostream &stream) {
  SmallVector<EntrySignature> entries;
  for (auto function : module.getOps<LLVM::LLVMFuncOp>()) {
    auto signature = EntrySignature::read(function);
    if (failed(signature))
      return createStringError("the signature of '" + function.getName() +
                               "' is malformed");
    if (*signature)
      entries.push_back(std::move(**signature));
  }
  HeaderWriter(stream, options).write(entries);
  return Error::success();
}

} // namespace mlir::frit

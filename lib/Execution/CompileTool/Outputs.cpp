//===- Outputs.cpp --------------------------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Makes all outputs before the first is written, and writes all before the
// first appears.
//
//===----------------------------------------------------------------------===//

#include "Outputs.h"

#include "frit/IO/Safetensors.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Path.h"

using namespace llvm;

namespace mlir::frit {

namespace {

class OutputMaker {
public:
  OutputMaker(const LoweredModules &modules, ArrayRef<CompileTarget> targets,
              const CompileToolOptions &options)
      : modules(modules), targets(targets), options(options) {}

  Expected<std::string> make(OutputKind kind) {
    switch (kind) {
    case OutputKind::Object:
      return getObject();
    case OutputKind::SharedLibrary: {
      auto bytes = getObject();
      if (!bytes)
        return bytes.takeError();
      return linkSharedLibrary(*bytes, options.linker);
    }
    case OutputKind::Header:
      return emit([&](raw_ostream &stream) { return writeHeader(stream); });
    case OutputKind::Ptx:
      return getPtx();
    case OutputKind::Llvm:
      return emitCode(EmitKind::Llvm);
    case OutputKind::Bytecode:
      return emitCode(EmitKind::MlirBytecode);
    case OutputKind::Weights:
      if (modules.constants.empty())
        return createStringError("--emit=weights: no constant has " +
                                 Twine(options.weightBytes) +
                                 " bytes or more (see --weights-from)");
      return "";
    }
    llvm_unreachable("every kind is listed");
  }

private:
  Expected<std::string> emit(function_ref<Error(raw_ostream &)> write) {
    std::string bytes;
    raw_string_ostream stream(bytes);
    if (Error error = write(stream))
      return error;
    return bytes;
  }

  Expected<std::string> emitCode(EmitKind kind) {
    return emit([&](raw_ostream &stream) {
      return emitModule(*modules.code, targets.front(), kind, stream);
    });
  }

  Expected<std::string> getObject() {
    if (object)
      return *object;
    auto bytes = emitCode(EmitKind::Object);
    if (bytes)
      object = *bytes;
    return bytes;
  }

  Expected<std::string> getPtx() {
    auto text = emit([&](raw_ostream &stream) {
      return emitModule(*modules.ptx, targets.front(), EmitKind::Ptx, stream);
    });
    if (text && text->empty())
      return createStringError("--emit=ptx: no kernel was generated, all are "
                               "hand-written ones (see frit-run --explain)");
    return text;
  }

  Error writeHeader(raw_ostream &stream) {
    HeaderOptions header;
    header.prefix = options.prefix;
    header.source = options.file == "-"
                        ? "standard input"
                        : sys::path::filename(options.file).str();
    const CompileTarget &first = targets.front();
    header.target = getKernelTargets(targets) +
                    (first.cuda ? ", the host's part for " : ":") +
                    first.cpu.cpu;
    header.isOnDevice = first.cuda.has_value();
    header.constants = modules.constants;
    return emitHeader(*modules.code, header, stream);
  }

  const LoweredModules &modules;
  ArrayRef<CompileTarget> targets;
  const CompileToolOptions &options;
  std::optional<std::string> object;
};

} // namespace

Expected<SmallVector<std::string>>
makeOutputs(const LoweredModules &modules, ArrayRef<CompileTarget> targets,
            const CompileToolOptions &options) {
  OutputMaker maker(modules, targets, options);
  SmallVector<std::string> all;
  for (const OutputFile &output : options.outputs) {
    auto bytes = maker.make(output.kind);
    if (!bytes)
      return bytes.takeError();
    all.push_back(std::move(*bytes));
  }
  return all;
}

/// The file of weights, to be kept.
static Expected<StagedFile> stageWeights(StringRef path,
                                         ArrayRef<ExternalConstant> constants) {
  std::vector<HostTensor> tensors;
  SmallVector<NamedTensor> named;
  tensors.reserve(constants.size());
  for (const ExternalConstant &constant : constants) {
    std::string type;
    raw_string_ostream(type) << constant.value.getElementType();
    auto element = parseElementType(type);
    if (!element)
      return createStringError("the constant '" + constant.name + "' is of " +
                               type + ", which no file of weights has");
    // Nothing writes to it.
    MutableArrayRef<char> bytes(const_cast<char *>(constant.data.data()),
                                constant.data.size());
    auto tensor = HostTensor::borrow(
        TensorSpec{*element, SmallVector<int64_t, 4>(
                                 constant.value.getShapedType().getShape())},
        bytes, nullptr);
    if (!tensor)
      return tensor.takeError();
    tensors.push_back(std::move(*tensor));
    named.push_back({constant.name, &tensors.back()});
  }
  return stageSafetensors(path, named);
}

Error writeOutputs(ArrayRef<std::string> bytes,
                   ArrayRef<ExternalConstant> constants,
                   const CompileToolOptions &options) {
  SmallVector<StagedFile> files;
  for (auto pair : zip_equal(options.outputs, bytes)) {
    const OutputFile &output = std::get<0>(pair);
    StringRef content = std::get<1>(pair);
    if (output.path == "-") {
      outs() << content;
      continue;
    }
    auto file = output.kind == OutputKind::Weights
                    ? stageWeights(output.path, constants)
                    : StagedFile::write(output.path, [&](raw_ostream &stream) {
                        stream << content;
                      });
    if (!file)
      return file.takeError();
    files.push_back(std::move(*file));
  }
  for (StagedFile &file : files)
    if (Error error = file.keep())
      return error;
  return Error::success();
}

} // namespace mlir::frit

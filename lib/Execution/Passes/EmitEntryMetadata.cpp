//===- EmitEntryMetadata.cpp ----------------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The pass frit-emit-entry-metadata: writes signatures as constant data, in the
// layout of frit-c/Entry.h, which the runtime checks calls against.
//
//===----------------------------------------------------------------------===//

#include "ConstantEmitter.h"

#include "frit/Execution/EntrySignature.h"
#include "frit/Execution/Passes.h"
#include "frit/Kernels/KernelTarget.h"

#include "frit-c/Entry.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringSwitch.h"

namespace mlir::frit {

#define GEN_PASS_DEF_EMITENTRYMETADATAPASS
#include "frit/Execution/Passes.h.inc"

std::string getEntryMetadataName(StringRef name) {
  return getEntryPointName(name) + ".entry";
}

std::string getVariantMetadataName(StringRef name, StringRef chip) {
  return (getEntryMetadataName(name) + "." + chip).str();
}

StringRef getProcessorFeaturesAttrName() { return "frit.processor_features"; }

namespace {

using Struct = ConstantEmitter::Struct;

int64_t toC(int64_t size) {
  return ShapedType::isDynamic(size) ? FRIT_ANY : size;
}

/// What a module was lowered for.
struct Target {
  std::string text;
  /// GPU architectures, as "sm_90a"; none: a CPU.
  SmallVector<StringRef> chips;
  SmallVector<CudaArch> archs;
  uint64_t processorFeatures[FRIT_PROCESSOR_FEATURE_WORDS] = {};

  bool hasVariants() const { return archs.size() > 1; }

  LogicalResult read(ModuleOp module) {
    StringRef list = text;
    if (list.consume_front("cuda:"))
      list.split(chips, ',');
    for (StringRef chip : chips) {
      StringRef number = chip;
      std::optional<CudaArch> arch;
      if (number.consume_front("sm_"))
        arch = CudaArch::parse(number);
      if (!arch)
        return module.emitError() << "the target is '" << text
                                  << "', expected cpu or cuda:sm_XX[,sm_YY...]";
      archs.push_back(*arch);
    }
    return readProcessorFeatures(module);
  }

  int32_t getFlags() const {
    return (archs.empty() ? 0 : FRIT_ENTRY_ON_DEVICE) |
           (archs.size() == 1 && archs.front().isSpecific ? FRIT_ENTRY_EXACT_SM
                                                          : 0);
  }

private:
  LogicalResult readProcessorFeatures(ModuleOp module) {
    auto names =
        module->getAttrOfType<ArrayAttr>(getProcessorFeaturesAttrName());
    if (!names)
      return success();
    for (StringRef name : names.getAsValueRange<StringAttr>()) {
      std::optional<unsigned> number = getFeatureNumber(name);
      if (!number)
        return module.emitError()
               << "'" << getProcessorFeaturesAttrName() << "' names '" << name
               << "', which the runtime does not know";
      processorFeatures[*number / 64] |= uint64_t(1) << *number % 64;
    }
    return success();
  }

  static std::optional<unsigned> getFeatureNumber(StringRef text) {
    return llvm::StringSwitch<std::optional<unsigned>>(text)
#define FRIT_PROCESSOR_FEATURE(number, name, identifier, leaf, subleaf, word,  \
                               bit, state)                                     \
  .Case(name, number)
#include "frit-c/ProcessorFeatures.def"
        .Default(std::nullopt);
  }
};

class MetadataEmitter {
public:
  MetadataEmitter(ConstantEmitter &constants, const EntrySignature &signature)
      : constants(constants), signature(signature),
        name(getEntryMetadataName(signature.name)) {}

  LLVM::GlobalOp emit(const Target &target) {
    SmallVector<Struct> values;
    for (const EntryValue &value : signature.arguments)
      values.push_back(emitValue(value, /*isResult=*/false));
    for (const EntryValue &value : signature.results)
      values.push_back(emitValue(value, /*isResult=*/true));
    FlatSymbolRefAttr valueArray =
        constants.emitStructs(name + ".values", values);
    SmallVector<Struct> dimNames;
    for (StringRef dim : dims)
      dimNames.push_back({constants.emitString(name + ".dim", dim)});
    FlatSymbolRefAttr dimArray =
        constants.emitStructs(name + ".dims", dimNames);

    std::string sizes = getEntryPointName(getResultShapesName(signature.name));
    bool needsSizes = !signature.hasKnownResultSizes();
    SmallVector<Struct> variants;
    if (target.hasVariants())
      for (StringRef chip : target.chips)
        variants.push_back(
            {getSymbol(getVariantMetadataName(signature.name, chip))});
    Struct fields = {static_cast<int64_t>(sizeof(FritEntry)),
                     constants.emitString(name + ".name", signature.name),
                     constants.emitString(name + ".target", target.text),
                     target.hasVariants()
                         ? ConstantEmitter::null()
                         : getSymbol(getEntryPointName(signature.name)),
                     needsSizes ? getSymbol(sizes) : ConstantEmitter::null(),
                     valueArray,
                     dimArray,
                     static_cast<int32_t>(signature.arguments.size()),
                     static_cast<int32_t>(signature.results.size()),
                     static_cast<int32_t>(dims.size()),
                     target.getFlags()};
    for (uint64_t word : target.processorFeatures)
      fields.push_back(static_cast<int64_t>(word));
    fields.push_back(constants.emitStructs(name + ".variants", variants));
    fields.push_back(static_cast<int32_t>(variants.size()));
    fields.push_back(static_cast<int32_t>(
        target.archs.size() == 1 ? target.archs.front().sm : 0));
    // Of frit-externalize-constants.
    fields.push_back(ConstantEmitter::null());
    return constants.emitExportedStruct(name, fields);
  }

private:
  ConstantEmitter::Field getSymbol(StringRef symbol) {
    return FlatSymbolRefAttr::get(constants.getSymbols().getOp()->getContext(),
                                  symbol);
  }

  Struct emitValue(const EntryValue &value, bool isResult) {
    SmallVector<int64_t> sizes = llvm::map_to_vector(value.getShape(), toC);
    SmallVector<int64_t> strides = llvm::map_to_vector(value.getStrides(), toC);
    SmallVector<int32_t> dimNumbers;
    for (const std::string &dim : value.dims) {
      if (dim.empty()) {
        dimNumbers.push_back(FRIT_ANY);
        continue;
      }
      dims.insert(dim);
      dimNumbers.push_back(llvm::find(dims, dim) - dims.begin());
    }
    int32_t flags = 0;
    if (value.isScalar() && !isResult)
      flags |= FRIT_VALUE_SCALAR;
    // What a memref is given for is not known.
    if (isResult || isa<MemRefType>(value.type))
      flags |= FRIT_VALUE_WRITTEN;
    if (value.isContiguous())
      flags |= FRIT_VALUE_CONTIGUOUS;
    return {constants.emitString(name + ".value", value.name),
            constants.emitNumbers(name + ".sizes", sizes),
            constants.emitNumbers(name + ".strides", strides),
            constants.emitNumbers(name + ".dim_numbers", dimNumbers),
            static_cast<int32_t>(value.getShape().size()),
            *getTypeCode(value.getElementType()),
            flags,
            int32_t(0)};
  }

  ConstantEmitter &constants;
  const EntrySignature &signature;
  std::string name;
  llvm::SetVector<StringRef> dims;
};

class EmitEntryMetadataPass
    : public impl::EmitEntryMetadataPassBase<EmitEntryMetadataPass> {
public:
  using EmitEntryMetadataPassBase::EmitEntryMetadataPassBase;

  void runOnOperation() override {
    Target target;
    target.text = this->target;
    if (failed(target.read(getOperation())))
      return signalPassFailure();
    ConstantEmitter constants(getOperation());
    for (auto function :
         llvm::to_vector(getOperation().getOps<LLVM::LLVMFuncOp>())) {
      FailureOr<std::optional<EntrySignature>> signature =
          EntrySignature::read(function);
      if (failed(signature))
        return signalPassFailure();
      if (!*signature)
        continue;
      if (failed(check(function, **signature, target, constants.getSymbols())))
        return signalPassFailure();
      MetadataEmitter(constants, **signature).emit(target);
      ++numEmitted;
    }
  }

private:
  static LogicalResult check(LLVM::LLVMFuncOp function,
                             const EntrySignature &signature,
                             const Target &target, SymbolTable &symbols) {
    std::string entry = getEntryPointName(signature.name);
    if (function.getName() != entry)
      return function.emitError()
             << "has the signature of '@" << entry << "', but is '@"
             << function.getName() << "'";
    std::string sizes = getEntryPointName(getResultShapesName(signature.name));
    if (!signature.hasKnownResultSizes() && !symbols.lookup(sizes))
      return function.emitError()
             << "the sizes of its results are computed by '@" << sizes
             << "', which does not exist";
    for (StringRef chip : target.hasVariants() ? ArrayRef(target.chips)
                                               : ArrayRef<StringRef>()) {
      std::string variant = getVariantMetadataName(signature.name, chip);
      if (!symbols.lookup<LLVM::GlobalOp>(variant))
        return function.emitError()
               << "for " << chip << " it is described by '@" << variant
               << "', which does not exist";
    }
    std::string name = getEntryMetadataName(signature.name);
    if (Operation *other = symbols.lookup(name)) {
      InFlightDiagnostic diagnostic = function.emitError()
                                      << "its metadata needs the name '@"
                                      << name << "', which exists already";
      diagnostic.attachNote(other->getLoc()) << "it is here";
      return diagnostic;
    }
    return success();
  }
};

} // namespace
} // namespace mlir::frit

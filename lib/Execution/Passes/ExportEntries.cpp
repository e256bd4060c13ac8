//===- ExportEntries.cpp --------------------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The pass frit-export-entries: functions with C types for an object file, in
// which nothing else can be seen.
//
//===----------------------------------------------------------------------===//

#include "frit/Execution/EntrySignature.h"
#include "frit/Execution/ExportedName.h"
#include "frit/Execution/Passes.h"
#include "frit/Execution/ReservedName.h"

#include "frit-c/Entry.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/SymbolTable.h"

#include "llvm/ADT/StringMap.h"

namespace mlir::frit {

#define GEN_PASS_DEF_EXPORTENTRIESPASS
#include "frit/Execution/Passes.h.inc"

namespace {

constexpr StringLiteral kCall = "fritEntryCall";

/// The type that a scalar is passed as: the bits of 16-bit floats, a byte for
/// i1.
Type getScalarType(Type type) {
  Builder builder(type.getContext());
  if (type.isInteger(1))
    return builder.getI8Type();
  if (type.isIndex())
    return builder.getI64Type();
  if (type.isF16() || type.isBF16())
    return builder.getI16Type();
  return type;
}

class Exporter {
public:
  Exporter(ModuleOp module, StringRef prefix)
      : symbols(module), prefix(prefix), builder(module.getContext()),
        pointer(LLVM::LLVMPointerType::get(module.getContext())) {}

  LogicalResult exportEntry(LLVM::LLVMFuncOp function,
                            const EntrySignature &signature) {
    std::string name = getExportedName(prefix, signature.name);
    std::string metadataName = getExportedMetadataName(prefix, signature.name);
    auto metadata =
        symbols.lookup<LLVM::GlobalOp>(getEntryMetadataName(signature.name));
    if (!metadata)
      return function.emitError() << "'@" << signature.name
                                  << "' has no metadata (run "
                                     "frit-emit-entry-metadata first)";
    for (const std::string &needed : {name, metadataName})
      if (failed(checkName(function, signature.name, needed)))
        return failure();
    if (failed(symbols.rename(metadata, metadataName)))
      return failure();
    emitFunction(function.getLoc(), name, metadataName, signature);
    for (const std::string &taken : {name, metadataName})
      exported.try_emplace(taken, Source{signature.name, function.getLoc()});
    return success();
  }

  /// Exports what describes the constants that are not in the code, if any.
  LogicalResult exportWeights() {
    auto weights = symbols.lookup<LLVM::GlobalOp>(getWeightsName());
    if (!weights)
      return success();
    std::string name = getExportedWeightsName(prefix);
    if (Operation *other = symbols.lookup(name)) {
      InFlightDiagnostic diagnostic = weights.emitError()
                                      << "the weights are exported as '" << name
                                      << "', which exists already: expected "
                                         "another function name";
      diagnostic.attachNote(other->getLoc()) << "it is here";
      return diagnostic;
    }
    if (failed(symbols.rename(weights, name)))
      return failure();
    exported.try_emplace(name, Source{name, weights.getLoc()});
    return success();
  }

  /// Everything that has a definition and was not exported becomes internal.
  void hideTheRest() {
    for (Operation &op : cast<ModuleOp>(symbols.getOp()).getOps()) {
      if (auto function = dyn_cast<LLVM::LLVMFuncOp>(op)) {
        if (!function.isExternal() && !exported.contains(function.getName()))
          function.setLinkage(LLVM::Linkage::Internal);
      } else if (auto global = dyn_cast<LLVM::GlobalOp>(op)) {
        bool isDefined =
            global.getValueOrNull() || !global.getInitializerRegion().empty();
        if (isDefined && !exported.contains(global.getSymName()))
          global.setLinkage(LLVM::Linkage::Internal);
      }
    }
  }

private:
  /// A function of the source.
  struct Source {
    std::string name;
    Location loc;
  };

  /// Checks that the exported name `needed` of `@source` is a new name of C.
  LogicalResult checkName(LLVM::LLVMFuncOp function, StringRef source,
                          const std::string &needed) {
    StringRef reservation = getReservation(needed);
    if (!reservation.empty())
      return function.emitError()
             << "'@" << source << "' is exported as '" << needed << "', which "
             << reservation << ": expected another prefix than '" << prefix
             << "', or another function name";
    Operation *other = symbols.lookup(needed);
    if (!other)
      return success();
    InFlightDiagnostic diagnostic = function.emitError();
    diagnostic << "'@" << source << "' is exported as '" << needed << "', ";
    auto owner = exported.find(needed);
    if (owner == exported.end()) {
      diagnostic << "which exists already";
      diagnostic.attachNote(other->getLoc()) << "it is here";
      return diagnostic;
    }
    const Source &first = owner->second;
    bool isEntry = needed != getExportedName(prefix, first.name);
    diagnostic << "and so is " << (isEntry ? "the FritEntry of " : "") << "'@"
               << first.name << "'";
    diagnostic.attachNote(first.loc) << "it is here";
    return diagnostic;
  }

  Value emitConstant(Location loc, int32_t value) {
    return LLVM::ConstantOp::create(builder, loc, builder.getI32Type(), value);
  }

  void store(Location loc, Value value, Type structType, Value base,
             int32_t field) {
    Value address = LLVM::GEPOp::create(builder, loc, pointer, structType, base,
                                        ArrayRef<LLVM::GEPArg>{0, field});
    LLVM::StoreOp::create(builder, loc, value, address);
  }

  /// A FritTensor for a scalar.
  Value emitScalar(Location loc, Value value, int32_t typeCode) {
    Type i32 = builder.getI32Type();
    Type tensor = LLVM::LLVMStructType::getLiteral(
        builder.getContext(), {pointer, pointer, pointer, i32, i32, i32, i32});
    Value one = emitConstant(loc, 1);
    Value slot =
        LLVM::AllocaOp::create(builder, loc, pointer, value.getType(), one);
    LLVM::StoreOp::create(builder, loc, value, slot);
    Value descriptor =
        LLVM::AllocaOp::create(builder, loc, pointer, tensor, one);
    Value null = LLVM::ZeroOp::create(builder, loc, pointer);
    store(loc, slot, tensor, descriptor, 0);
    store(loc, null, tensor, descriptor, 1);
    store(loc, null, tensor, descriptor, 2);
    store(loc, emitConstant(loc, 0), tensor, descriptor, 3);
    store(loc, emitConstant(loc, typeCode), tensor, descriptor, 4);
    store(loc, emitConstant(loc, FRIT_NO_DEVICE), tensor, descriptor, 5);
    store(loc, emitConstant(loc, 0), tensor, descriptor, 6);
    return descriptor;
  }

  void emitFunction(Location loc, StringRef name, StringRef metadata,
                    const EntrySignature &signature) {
    SmallVector<Type> types = {pointer};
    for (const EntryValue &value : signature.arguments)
      types.push_back(value.isScalar() ? getScalarType(value.type)
                                       : Type(pointer));
    types.append(signature.results.size(), pointer);
    Type i32 = builder.getI32Type();
    LLVM::LLVMFuncOp call = getCall(loc);
    builder.setInsertionPointToEnd(cast<ModuleOp>(symbols.getOp()).getBody());
    auto function = LLVM::LLVMFuncOp::create(
        builder, loc, name, LLVM::LLVMFunctionType::get(i32, types));
    symbols.insert(function);
    // It runs before the processor is known to be the one of the rest.
    if (symbols.getOp()->hasAttr(getProcessorFeaturesAttrName())) {
      function.setTargetCpu("x86-64");
      function.setTargetFeaturesAttr(
          LLVM::TargetFeaturesAttr::get(builder.getContext(), "+sse2"));
    }
    Block *body = function.addEntryBlock(builder);
    builder.setInsertionPointToStart(body);

    auto count = static_cast<int32_t>(types.size() - 1);
    Type listType = LLVM::LLVMArrayType::get(pointer, std::max(count, 1));
    Value list = LLVM::AllocaOp::create(builder, loc, pointer, listType,
                                        emitConstant(loc, 1));
    for (int32_t index = 0; index < count; ++index) {
      Value value = body->getArgument(index + 1);
      if (index < static_cast<int32_t>(signature.arguments.size()) &&
          signature.arguments[index].isScalar())
        value = emitScalar(
            loc, value,
            *getTypeCode(signature.arguments[index].getElementType()));
      store(loc, value, listType, list, index);
    }
    Value entry = LLVM::AddressOfOp::create(builder, loc, pointer, metadata);
    auto status =
        LLVM::CallOp::create(builder, loc, call,
                             ValueRange{body->getArgument(0), entry, list,
                                        emitConstant(loc, count)});
    LLVM::ReturnOp::create(builder, loc, status.getResult());
  }

  LLVM::LLVMFuncOp getCall(Location loc) {
    if (auto known = symbols.lookup<LLVM::LLVMFuncOp>(kCall))
      return known;
    Type i32 = builder.getI32Type();
    builder.setInsertionPointToStart(cast<ModuleOp>(symbols.getOp()).getBody());
    auto call = LLVM::LLVMFuncOp::create(
        builder, loc, kCall,
        LLVM::LLVMFunctionType::get(i32, {pointer, pointer, pointer, i32}));
    symbols.insert(call);
    return call;
  }

  SymbolTable symbols;
  StringRef prefix;
  OpBuilder builder;
  LLVM::LLVMPointerType pointer;
  /// The functions of the source, by their names and those of their entries.
  llvm::StringMap<Source> exported;
};

class ExportEntriesPass
    : public impl::ExportEntriesPassBase<ExportEntriesPass> {
public:
  using ExportEntriesPassBase::ExportEntriesPassBase;

  void runOnOperation() override {
    if (!isExportPrefix(prefix)) {
      getOperation().emitError()
          << "the prefix of exported names is '" << prefix
          << "', but must be letters, digits and underscores and begin with a "
             "letter";
      return signalPassFailure();
    }
    Exporter exporter(getOperation(), prefix);
    for (auto function :
         llvm::to_vector(getOperation().getOps<LLVM::LLVMFuncOp>())) {
      FailureOr<std::optional<EntrySignature>> signature =
          EntrySignature::read(function);
      if (failed(signature))
        return signalPassFailure();
      if (!*signature)
        continue;
      if (failed(exporter.exportEntry(function, **signature)))
        return signalPassFailure();
      ++numExported;
    }
    if (failed(exporter.exportWeights()))
      return signalPassFailure();
    exporter.hideTheRest();
  }
};

} // namespace
} // namespace mlir::frit

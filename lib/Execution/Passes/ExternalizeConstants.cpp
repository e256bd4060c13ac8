//===- ExternalizeConstants.cpp -------------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The pass frit-externalize-constants: code that is given its large constants
// by the runtime, see frit-c/Weights.h.
//
//===----------------------------------------------------------------------===//

#include "ConstantEmitter.h"
#include "LargeConstant.h"

#include "frit/Execution/EntrySignature.h"
#include "frit/Execution/Passes.h"
#include "frit/Support/ContentHash.h"

#include "frit-c/Weights.h"

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/DialectResourceBlobManager.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringSet.h"

namespace mlir::frit {

#define GEN_PASS_DEF_EXTERNALIZECONSTANTSPASS
#include "frit/Execution/Passes.h.inc"

StringRef getWeightsName() { return "_frit.weights"; }

StringRef getWeightsAttrName() { return "frit.weights"; }

namespace {

using Struct = ConstantEmitter::Struct;

/// Where an initializer has the address of a constant: one field of a struct.
LLVM::InsertValueOp getField(LLVM::AddressOfOp address) {
  if (!address->hasOneUse() || !isa<LLVM::GlobalOp>(address->getParentOp()))
    return {};
  auto insert = dyn_cast<LLVM::InsertValueOp>(*address->user_begin());
  if (!insert || insert.getValue() != address ||
      insert.getPosition().size() != 1)
    return {};
  auto owner = cast<LLVM::GlobalOp>(address->getParentOp());
  return insert.getType() == owner.getGlobalType() ? insert
                                                   : LLVM::InsertValueOp();
}

class Externalizer {
public:
  explicit Externalizer(ModuleOp module)
      : module(module), constants(module), builder(module.getContext()),
        pointer(LLVM::LLVMPointerType::get(module.getContext())) {}

  /// Finds where addresses of globals are taken.
  void findUsers() {
    if (auto uses = SymbolTable::getSymbolUses(&module.getBodyRegion()))
      for (const SymbolTable::SymbolUse &use : *uses)
        users[use.getSymbolRef().getRootReference()].push_back(use.getUser());
  }

  /// Takes a constant out of the code, if every use can be changed.
  LogicalResult externalize(LLVM::GlobalOp global, ArrayRef<char> bytes) {
    ArrayRef<Operation *> used = users[global.getSymNameAttr()];
    auto value = cast<ElementsAttr>(*global.getValue());
    std::optional<int32_t> type = getTypeCode(value.getElementType());
    if (!type || !llvm::all_of(used, [](Operation *user) {
          auto address = dyn_cast<LLVM::AddressOfOp>(user);
          return address && (address->getParentOfType<LLVM::LLVMFuncOp>() ||
                             getField(address));
        }))
      return success();
    std::string name = makeName(global, value);
    if (StringRef(name).contains('\0'))
      return global.emitError("the name of a constant has a zero character");

    SmallVector<Struct> places;
    FlatSymbolRefAttr inFunctions;
    for (Operation *user : used) {
      auto address = cast<LLVM::AddressOfOp>(user);
      if (LLVM::InsertValueOp field = getField(address)) {
        places.push_back({clearField(field)});
      } else {
        if (!inFunctions) {
          inFunctions = emitPointer((global.getSymName() + ".place").str());
          places.push_back({inFunctions});
        }
        loadAddress(address, inFunctions);
      }
    }
    SmallVector<int64_t> sizes(value.getShapedType().getShape());
    weights.push_back(
        {constants.emitString("frit.weight.name", name),
         constants.emitNumbers("frit.weight.sizes", sizes),
         constants.emitStructs("frit.weight.places", places),
         static_cast<int64_t>(bytes.size()),
         static_cast<int64_t>(hashContent(bytes.data(), bytes.size())),
         static_cast<int32_t>(sizes.size()), *type,
         static_cast<int32_t>(places.size()), int32_t(0)});
    values.push_back(builder.getDictionaryAttr(
        {builder.getNamedAttr("name", builder.getStringAttr(name)),
         builder.getNamedAttr("value", value)}));
    // Later: what is emitted may go before it.
    replaced.push_back(global);
    return success();
  }

  /// Writes the FritWeights, and that entries need it.
  LogicalResult finish() {
    if (weights.empty())
      return success();
    if (Operation *other = constants.getSymbols().lookup(getWeightsName()))
      return other->emitError("the constants of the module are external "
                              "already");
    LLVM::GlobalOp set = constants.emitExportedStruct(
        getWeightsName(), {static_cast<int64_t>(sizeof(FritWeights)),
                           constants.emitStructs("frit.weights.list", weights),
                           emitPointer("frit.weights.state"),
                           static_cast<int32_t>(weights.size()), int32_t(0)});
    for (auto function : module.getOps<LLVM::LLVMFuncOp>()) {
      auto signature = EntrySignature::read(function);
      if (failed(signature) ||
          (*signature && failed(nameWeights(function, **signature, set))))
        return failure();
    }
    for (LLVM::GlobalOp global : replaced)
      constants.getSymbols().erase(global);
    module->setAttr(getWeightsAttrName(), builder.getArrayAttr(values));
    return success();
  }

  size_t getNumWeights() const { return weights.size(); }

private:
  /// The name of the resource, or of the global, made unique.
  std::string makeName(LLVM::GlobalOp global, ElementsAttr value) {
    StringRef name = global.getSymName();
    // As code for devices calls it.
    name.consume_front("frit_constant_");
    name = name.ltrim('_');
    if (auto resource = dyn_cast<DenseResourceElementsAttr>(value))
      name = resource.getRawHandle().getKey();
    std::string unique = name.str();
    for (unsigned number = 1; !names.insert(unique).second; ++number)
      unique = (name + "_" + Twine(number)).str();
    return unique;
  }

  /// A variable for an address, null at first.
  FlatSymbolRefAttr emitPointer(StringRef name) {
    builder.setInsertionPointToStart(module.getBody());
    auto global = LLVM::GlobalOp::create(
        builder, module.getLoc(), pointer,
        /*isConstant=*/false, LLVM::Linkage::Internal, name, Attribute());
    constants.getSymbols().insert(global);
    builder.createBlock(&global.getInitializerRegion());
    Value null = LLVM::ZeroOp::create(builder, global.getLoc(), pointer);
    LLVM::ReturnOp::create(builder, global.getLoc(), null);
    return FlatSymbolRefAttr::get(global);
  }

  /// Makes a struct a variable with a null pointer in a field.
  ConstantEmitter::Field clearField(LLVM::InsertValueOp insert) {
    Operation *address = insert.getValue().getDefiningOp();
    auto owner = cast<LLVM::GlobalOp>(insert->getParentOp());
    owner.setConstant(false);
    builder.setInsertionPoint(insert);
    insert.getValueMutable().assign(
        LLVM::ZeroOp::create(builder, insert.getLoc(), pointer));
    address->erase();
    return ConstantEmitter::FieldAddress{
        FlatSymbolRefAttr::get(owner), owner.getGlobalType(),
        static_cast<int32_t>(insert.getPosition().front())};
  }

  /// The runtime stores it before any function runs.
  void loadAddress(LLVM::AddressOfOp address, FlatSymbolRefAttr place) {
    builder.setInsertionPoint(address);
    Location loc = address.getLoc();
    Value variable =
        LLVM::AddressOfOp::create(builder, loc, pointer, place.getValue());
    Value value = LLVM::LoadOp::create(builder, loc, pointer, variable,
                                       /*alignment=*/0, /*isVolatile=*/false,
                                       /*isNonTemporal=*/false,
                                       /*isInvariant=*/true);
    address.replaceAllUsesWith(value);
    address.erase();
  }

  /// Sets FritEntry::weights.
  LogicalResult nameWeights(LLVM::LLVMFuncOp function,
                            const EntrySignature &signature,
                            LLVM::GlobalOp set) {
    auto entry = constants.getSymbols().lookup<LLVM::GlobalOp>(
        getEntryMetadataName(signature.name));
    if (!entry)
      return function.emitError() << "'@" << signature.name
                                  << "' has no metadata (run "
                                     "frit-emit-entry-metadata first)";
    Operation *end = entry.getInitializerRegion().front().getTerminator();
    builder.setInsertionPoint(end);
    Value address = LLVM::AddressOfOp::create(builder, end->getLoc(), set);
    auto type = cast<LLVM::LLVMStructType>(entry.getGlobalType());
    int64_t last = static_cast<int64_t>(type.getBody().size()) - 1;
    end->setOperand(0, LLVM::InsertValueOp::create(builder, end->getLoc(),
                                                   end->getOperand(0), address,
                                                   last));
    return success();
  }

  ModuleOp module;
  ConstantEmitter constants;
  OpBuilder builder;
  LLVM::LLVMPointerType pointer;
  llvm::DenseMap<StringAttr, SmallVector<Operation *>> users;
  llvm::StringSet<> names;
  SmallVector<Struct> weights;
  SmallVector<LLVM::GlobalOp> replaced;
  /// Names and values, in the same order.
  SmallVector<Attribute> values;
};

class ExternalizeConstantsPass
    : public impl::ExternalizeConstantsPassBase<ExternalizeConstantsPass> {
public:
  using ExternalizeConstantsPassBase::ExternalizeConstantsPassBase;

  void runOnOperation() override {
    Externalizer externalizer(getOperation());
    externalizer.findUsers();
    for (auto global :
         llvm::to_vector(getOperation().getOps<LLVM::GlobalOp>())) {
      ArrayRef<char> bytes = getLargeData(global, leastBytes);
      if (!bytes.empty() && failed(externalizer.externalize(global, bytes)))
        return signalPassFailure();
    }
    if (failed(externalizer.finish()))
      return signalPassFailure();
    numExternalized += externalizer.getNumWeights();
  }
};

} // namespace
} // namespace mlir::frit

//===- FritDialect.cpp ----------------------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Registers the attributes and operations of the frit dialect and verifies its
// discardable attributes.
//
//===----------------------------------------------------------------------===//

#include "frit/Dialect/Frit/IR/Frit.h"

#include "FritBytecode.h"
#include "OpSupport.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Transforms/InliningUtils.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::frit;

#include "frit/Dialect/Frit/IR/FritDialect.cpp.inc"
#include "frit/Dialect/Frit/IR/FritEnums.cpp.inc"
#include "frit/Dialect/Frit/IR/FritInterfaces.cpp.inc"

#define GET_ATTRDEF_CLASSES
#include "frit/Dialect/Frit/IR/FritAttributes.cpp.inc"

#define GET_OP_CLASSES
#include "frit/Dialect/Frit/IR/FritOps.cpp.inc"

namespace {
/// Every op may go wherever its function is called: an op depends on nothing
/// but its operands.
struct FritInlinerInterface : DialectInlinerInterface {
  using DialectInlinerInterface::DialectInlinerInterface;

  bool isLegalToInline(Operation *, Region *, bool, IRMapping &) const final {
    return true;
  }
};
} // namespace

void FritDialect::initialize() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "frit/Dialect/Frit/IR/FritAttributes.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "frit/Dialect/Frit/IR/FritOps.cpp.inc"
      >();
  addBytecodeInterface(*this);
  addInterfaces<FritInlinerInterface>();
}

LogicalResult FritDialect::verifyOperationAttribute(Operation *op,
                                                    NamedAttribute attribute) {
  StringRef name = attribute.getName().getValue();
  if (name == KernelAttr::getOpAttrName()) {
    if (!isa<KernelAttr>(attribute.getValue()))
      return op->emitOpError()
             << "'" << name << "' must be a #frit.kernel attribute, but is "
             << attribute.getValue();
    if (!isa<KernelOpInterface>(op))
      return op->emitOpError()
             << "'" << name << "' is for operations that a kernel executes";
    return success();
  }
  if (name == LaunchAttr::getOpAttrName()) {
    if (!isa<LaunchAttr>(attribute.getValue()))
      return op->emitOpError()
             << "'" << name << "' must be a #frit.launch attribute, but is "
             << attribute.getValue();
    if (op->getName().getStringRef() != "gpu.launch_func")
      return op->emitOpError() << "'" << name << "' belongs on gpu.launch_func";
    return success();
  }
  if (name == getHostAttrName()) {
    if (!isa<UnitAttr>(attribute.getValue()) || !isa<FunctionOpInterface>(op))
      return op->emitOpError()
             << "'" << name << "' is a unit attribute of functions, but is "
             << attribute.getValue() << " here";
    return success();
  }
  if (name == "frit.signature") {
    if (!isa<DictionaryAttr>(attribute.getValue()) ||
        !isa<FunctionOpInterface>(op))
      return op->emitOpError()
             << "'" << name << "' is a dictionary of functions, but is "
             << attribute.getValue() << " here";
    return success();
  }
  if (name == "frit.processor_features") {
    auto names = dyn_cast<ArrayAttr>(attribute.getValue());
    if (!names || !isa<ModuleOp>(op) ||
        !llvm::all_of(names, llvm::IsaPred<StringAttr>))
      return op->emitOpError()
             << "'" << name << "' is an array of strings, of modules, but is "
             << attribute.getValue() << " here";
    return success();
  }
  if (name == "frit.weights") {
    auto weights = dyn_cast<ArrayAttr>(attribute.getValue());
    if (!weights || !isa<ModuleOp>(op) ||
        !llvm::all_of(weights, [](Attribute weight) {
          auto fields = dyn_cast<DictionaryAttr>(weight);
          return fields && fields.getAs<StringAttr>("name") &&
                 fields.getAs<ElementsAttr>("value");
        }))
      return op->emitOpError()
             << "'" << name
             << "' is an array of {name, value}, of modules, but is "
             << attribute.getValue() << " here";
    return success();
  }
  if (name == getGrainAttrName()) {
    auto grain = dyn_cast<IntegerAttr>(attribute.getValue());
    if (!grain || !grain.getType().isInteger(64) || grain.getInt() < 1)
      return op->emitOpError()
             << "'" << name << "' must be a positive i64, but is "
             << attribute.getValue();
    if (op->getName().getStringRef() != "scf.parallel")
      return op->emitOpError() << "'" << name << "' belongs on scf.parallel";
    return success();
  }
  return op->emitOpError() << "'" << name
                           << "' is not an attribute of the frit dialect for "
                              "operations";
}

LogicalResult FritDialect::verifyRegionArgAttribute(Operation *op,
                                                    unsigned regionIndex,
                                                    unsigned argIndex,
                                                    NamedAttribute attribute) {
  StringRef name = attribute.getName().getValue();
  Attribute value = attribute.getValue();
  if (name == "frit.tensor") {
    if (!isa<StringAttr>(value))
      return op->emitOpError() << "'frit.tensor' on argument " << argIndex
                               << " must be a string, but is " << value;
    return success();
  }
  if (name == "frit.dims") {
    auto names = dyn_cast<ArrayAttr>(value);
    if (!names || !llvm::all_of(names, llvm::IsaPred<StringAttr>))
      return op->emitOpError()
             << "'frit.dims' on argument " << argIndex
             << " must be an array of strings, but is " << value;
    auto function = dyn_cast<FunctionOpInterface>(op);
    if (!function)
      return success();
    Type argument = function.getArgumentTypes()[argIndex];
    auto type = dyn_cast<ShapedType>(argument);
    if (!type || !type.hasRank())
      return op->emitOpError()
             << "'frit.dims' on argument " << argIndex
             << " needs a ranked type, but the argument is " << argument;
    if (static_cast<int64_t>(names.size()) != type.getRank())
      return op->emitOpError()
             << "'frit.dims' on argument " << argIndex << " names "
             << names.size() << " dimensions, but the argument has "
             << type.getRank();
    return success();
  }
  if (name == "frit.transposed") {
    if (!isa<UnitAttr>(value))
      return op->emitOpError() << "'" << name << "' on argument " << argIndex
                               << " must be a unit, but is " << value;
    auto function = dyn_cast<FunctionOpInterface>(op);
    if (!function)
      return success();
    Type argument = function.getArgumentTypes()[argIndex];
    auto type = dyn_cast<ShapedType>(argument);
    if (!type || !type.hasRank() || type.getRank() != 2)
      return op->emitOpError()
             << "'" << name << "' on argument " << argIndex
             << " needs a matrix, but the argument is " << argument;
    return success();
  }
  return op->emitOpError() << "'" << name
                           << "' is not an attribute of the frit dialect for "
                              "arguments";
}

LogicalResult
FritDialect::verifyRegionResultAttribute(Operation *op, unsigned regionIndex,
                                         unsigned resultIndex,
                                         NamedAttribute attribute) {
  return op->emitOpError() << "'" << attribute.getName().getValue()
                           << "' is not an attribute of the frit dialect for "
                              "results";
}

LogicalResult KernelAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                                 StringRef id, DictionaryAttr params) {
  if (id.empty())
    return emitError() << "the id of a kernel must not be empty";
  return success();
}

LogicalResult ImageAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                                StringRef name, StringRef hash) {
  if (name.empty())
    return emitError() << "the name of an image must not be empty";
  if (hash.size() != 16 || !llvm::all_of(hash, llvm::isHexDigit))
    return emitError() << "the hash of image '" << name
                       << "' must be 16 hexadecimal digits, but is '" << hash
                       << "'";
  return success();
}

//===- DeviceData.cpp - Descriptors of kernels and constants --------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Constant data of a module: the descriptors that the runtime takes, laid out
// as RuntimeDevice.h has them.
//
//===----------------------------------------------------------------------===//

#include "GpuToRuntime.h"

#include "../Utils/ImageBytes.h"

#include "frit-c/RuntimeDevice.h"

#include "mlir/IR/DialectResourceBlobManager.h"

#include "llvm/Support/xxhash.h"

using namespace mlir;
using namespace mlir::frit;

/// A private global whose name is made unique.
static LLVM::GlobalOp createGlobal(SymbolTable &symbolTable, Location loc,
                                   Type type, StringRef name, Attribute value) {
  auto module = cast<ModuleOp>(symbolTable.getOp());
  OpBuilder builder = OpBuilder::atBlockBegin(module.getBody());
  auto global = LLVM::GlobalOp::create(builder, loc, type, /*isConstant=*/true,
                                       LLVM::Linkage::Private, name, value);
  symbolTable.insert(global);
  return global;
}

LLVM::GlobalOp DeviceData::getString(StringRef text, Location loc) {
  LLVM::GlobalOp &global = strings[text];
  if (!global) {
    std::string bytes = text.str();
    bytes.push_back('\0');
    Builder builder(symbolTable.getOp()->getContext());
    auto type = LLVM::LLVMArrayType::get(builder.getI8Type(), bytes.size());
    global = createGlobal(symbolTable, loc, type, "frit_string",
                          builder.getStringAttr(bytes));
  }
  return global;
}

LLVM::GlobalOp DeviceData::getImage(gpu::BinaryOp binary, uint64_t size) {
  LLVM::GlobalOp &global = images[binary];
  if (!global) {
    auto module = cast<ModuleOp>(symbolTable.getOp());
    OpBuilder builder = OpBuilder::atBlockBegin(module.getBody());
    // External without a value: translation of the binary defines it.
    global = LLVM::GlobalOp::create(
        builder, binary.getLoc(),
        LLVM::LLVMArrayType::get(builder.getI8Type(), size),
        /*isConstant=*/true, LLVM::Linkage::External,
        getImageSymbol(binary.getName()), Attribute());
    symbolTable.insert(global);
  }
  return global;
}

LLVM::GlobalOp DeviceData::createDescriptor(
    StringRef name, Location loc,
    ArrayRef<llvm::PointerUnion<Operation *, Attribute>> fields) {
  MLIRContext *context = symbolTable.getOp()->getContext();
  auto pointer = LLVM::LLVMPointerType::get(context);
  SmallVector<Type> types;
  for (auto field : fields)
    types.push_back(isa<Operation *>(field)
                        ? Type(pointer)
                        : cast<IntegerAttr>(cast<Attribute>(field)).getType());
  auto type = LLVM::LLVMStructType::getLiteral(context, types);
  LLVM::GlobalOp global =
      createGlobal(symbolTable, loc, type, name, Attribute());
  OpBuilder builder(context);
  builder.createBlock(&global.getInitializerRegion());
  Value value = LLVM::UndefOp::create(builder, loc, type);
  for (auto [position, field] : llvm::enumerate(fields)) {
    Value part;
    if (auto *op = dyn_cast<Operation *>(field))
      part = LLVM::AddressOfOp::create(builder, loc, cast<LLVM::GlobalOp>(op));
    else
      part = LLVM::ConstantOp::create(builder, loc,
                                      cast<TypedAttr>(cast<Attribute>(field)));
    value = LLVM::InsertValueOp::create(builder, loc, value, part, position);
  }
  LLVM::ReturnOp::create(builder, loc, value);
  return global;
}

FailureOr<LLVM::GlobalOp> DeviceData::getKernel(gpu::BinaryOp binary,
                                                StringRef function,
                                                StringRef id, Operation *user) {
  Builder builder(binary.getContext());
  auto key = builder.getArrayAttr({binary.getSymNameAttr(),
                                   builder.getStringAttr(function),
                                   builder.getStringAttr(id)});
  LLVM::GlobalOp &kernel = kernels[key];
  if (kernel)
    return kernel;
  FailureOr<StringRef> bytes = getImageBytes(binary);
  uint64_t hash = 0;
  if (failed(bytes) || cast<ImageAttr>(binary.getOffloadingHandlerAttr())
                           .getHash()
                           .getAsInteger(16, hash))
    return failure();
  Location loc = user->getLoc();
  auto number = [&](uint64_t value) -> Attribute {
    return builder.getI64IntegerAttr(static_cast<int64_t>(value));
  };
  kernel = createDescriptor(("frit_kernel_" + function).str(), loc,
                            {number(sizeof(FritKernelDescriptor)),
                             getString(id, loc).getOperation(),
                             getString(function, loc).getOperation(),
                             getImage(binary, bytes->size()).getOperation(),
                             number(bytes->size()), number(hash)});
  return kernel;
}

/// The bytes of a value, one element for a splat; none where it has none.
static std::optional<ArrayRef<char>> getRawData(ElementsAttr value) {
  if (auto dense = dyn_cast_if_present<DenseElementsAttr>(value))
    return dense.getRawData();
  if (auto resource = dyn_cast_if_present<DenseResourceElementsAttr>(value))
    if (AsmResourceBlob *blob = resource.getRawHandle().getBlob())
      return blob->getData();
  return std::nullopt;
}

FailureOr<LLVM::GlobalOp>
DeviceData::getConstant(memref::GlobalOp constant,
                        const LLVMTypeConverter &converter) {
  LLVM::GlobalOp &descriptor = constants[constant];
  if (descriptor)
    return descriptor;
  auto value =
      dyn_cast_if_present<ElementsAttr>(constant.getInitialValueAttr());
  std::optional<ArrayRef<char>> raw = getRawData(value);
  if (!constant.getConstant() || !raw)
    return constant.emitError("global '")
           << constant.getSymName()
           << "' is not a constant with dense elements; device code has no "
              "other globals";
  MemRefType type = constant.getType();
  Type elementType = converter.convertType(type.getElementType());
  if (!elementType || !type.getLayout().isIdentity())
    return constant.emitError("global '")
           << constant.getSymName() << "' is of type " << type
           << ", which has no contiguous form in memory";
  uint64_t bytes =
      type.getNumElements() *
      DataLayout::closest(constant).getTypeSize(type.getElementType());

  // Equal bytes of other types or sizes are told apart by the text.
  std::string content;
  llvm::raw_string_ostream(content) << value.getType();
  content.append(raw->begin(), raw->end());
  uint64_t hash = llvm::xxh3_64bits(llvm::arrayRefFromStringRef(content));

  Type arrayType = elementType;
  for (int64_t size : llvm::reverse(type.getShape()))
    arrayType = LLVM::LLVMArrayType::get(arrayType, size);
  Attribute data = value;
  if (auto dense = dyn_cast<DenseElementsAttr>(value);
      dense && type.getRank() == 0)
    data = dense.getSplatValue<Attribute>();
  LLVM::GlobalOp global =
      createGlobal(symbolTable, constant.getLoc(), arrayType,
                   ("frit_constant_" + constant.getSymName()).str(), data);
  Builder builder(constant.getContext());
  auto number = [&](uint64_t value) -> Attribute {
    return builder.getI64IntegerAttr(static_cast<int64_t>(value));
  };
  descriptor = createDescriptor(
      ("frit_descriptor_" + constant.getSymName()).str(), constant.getLoc(),
      {number(sizeof(FritConstantDescriptor)), global.getOperation(),
       number(bytes), number(hash)});
  return descriptor;
}

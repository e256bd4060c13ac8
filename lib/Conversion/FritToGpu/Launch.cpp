//===- Launch.cpp - The launches of a fused kernel ------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Computes what the launch plans and the argument plans of an entry say of an
// op.
//
//===----------------------------------------------------------------------===//

#include "FritToGpu.h"

#include "../Utils/ImageBytes.h"

#include "frit-c/RuntimeDevice.h"
#include "frit/Dialect/Frit/Transforms/KernelSizes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace mlir::frit;

gpu::BinaryOp LaunchContext::getBinary(const KernelImage &image) {
  gpu::BinaryOp &binary = binaries[image.name];
  if (binary)
    return binary;
  auto module = cast<ModuleOp>(runtime.getSymbolTable().getOp());
  module->setAttr(gpu::GPUDialect::getContainerModuleAttrName(),
                  UnitAttr::get(module.getContext()));
  std::string name = "frit_image_" + std::string(image.name);
  binary = runtime.getSymbolTable().lookup<gpu::BinaryOp>(name);
  if (binary)
    return binary;
  OpBuilder builder = OpBuilder::atBlockBegin(module.getBody());
  MLIRContext *context = module.getContext();
  // Translation finds the bytes by the name; a binary needs an object.
  auto object = gpu::ObjectAttr::get(NVVM::NVVMTargetAttr::get(context),
                                     gpu::CompilationTarget::Fatbin,
                                     builder.getStringAttr(""));
  binary = gpu::BinaryOp::create(
      builder, module.getLoc(), name,
      ImageAttr::get(context, image.name, formatImageHash(image.hash)),
      ArrayRef<Attribute>(object));
  runtime.getSymbolTable().insert(binary);
  return binary;
}

FailureOr<Value> LaunchContext::getMultiprocessors(Operation *op) {
  FailureOr<Value> context = getContextArgument(op);
  if (failed(context))
    return failure();
  auto function = op->getParentOfType<func::FuncOp>();
  Value &count = multiprocessors[function];
  if (count)
    return count;
  OpBuilder builder = OpBuilder::atBlockBegin(&function.getBody().front());
  Location loc = function.getLoc();
  Value what = LLVM::ConstantOp::create(
      builder, loc, builder.getI32IntegerAttr(FRIT_DEVICE_MULTIPROCESSORS));
  FailureOr<LLVM::CallOp> call =
      runtime.call(builder, loc, runtime_symbol::fritDeviceAttribute,
                   builder.getI64Type(), {*context, what});
  if (failed(call))
    return failure();
  Value zero =
      LLVM::ConstantOp::create(builder, loc, builder.getI64IntegerAttr(0));
  propagateErrorUnless(builder, loc,
                       LLVM::ICmpOp::create(builder, loc,
                                            LLVM::ICmpPredicate::sgt,
                                            call->getResult(), zero));
  count = arith::IndexCastOp::create(builder, loc, builder.getIndexType(),
                                     call->getResult());
  return count;
}

namespace {

class LaunchBuilder {
public:
  LaunchBuilder(KernelOpInterface op, const KernelEntry &entry,
                LaunchContext &launches, RewriterBase &rewriter)
      : op(op), entry(entry), launches(launches), rewriter(rewriter),
        loc(op.getLoc()), shape(op.getKernelShape()) {}

  LogicalResult build();

private:
  LogicalResult buildStep(const KernelStep &step, const KernelPlanSizes &sizes,
                          gpu::BinaryOp binary);

  Value createIndex(int64_t value) {
    return rewriter.createOrFold<arith::ConstantIndexOp>(loc, value);
  }
  Value castToI64(Value index) {
    return rewriter.createOrFold<arith::IndexCastOp>(loc, rewriter.getI64Type(),
                                                     index);
  }

  Value buildSize(AffineExpr expr) {
    return buildSizeExpr(rewriter, loc, expr, shape, multiprocessors);
  }
  Value buildPlanValue(const KernelPlanValue &value);
  std::array<Value, 3> buildDim3(const std::array<KernelPlanValue, 3> &values);
  /// True where the op has nothing to write; null where it always has.
  Value buildIsEmpty();
  /// Whether a size of a grid is known to be more than zero.
  bool isPositive(Value number);
  /// Tells the kernel to begin beside the one ahead, where it can.
  void overlap();
  Value buildArgument(const KernelArgument &argument);
  Value buildPointer(Value memref, AffineExpr offset);
  memref::ExtractStridedMetadataOp getMetadata(Value memref);
  Effect getEffect(const KernelArgument &argument);

  KernelOpInterface op;
  const KernelEntry &entry;
  LaunchContext &launches;
  RewriterBase &rewriter;
  Location loc;
  KernelShape shape;
  Value multiprocessors;
  Value workspace;
  gpu::LaunchFuncOp lastLaunch;
  DenseMap<Value, memref::ExtractStridedMetadataOp> metadata;
};

Value LaunchBuilder::buildPlanValue(const KernelPlanValue &value) {
  Value least;
  for (AffineExpr expr : value.expressions) {
    Value next = buildSize(expr);
    least =
        least ? rewriter.createOrFold<arith::MinSIOp>(loc, least, next) : next;
  }
  if (value.least)
    least = rewriter.createOrFold<arith::MaxSIOp>(loc, least,
                                                  buildSize(value.least));
  return least;
}

std::array<Value, 3>
LaunchBuilder::buildDim3(const std::array<KernelPlanValue, 3> &values) {
  std::array<Value, 3> result;
  for (auto [value, planned] : llvm::zip_equal(result, values))
    value = planned.isAbsent() ? createIndex(1) : buildPlanValue(planned);
  return result;
}

Value LaunchBuilder::buildIsEmpty() {
  Value isEmpty;
  Value zero = createIndex(0);
  auto destinations = cast<DestinationStyleOpInterface>(op.getOperation());
  for (Value init : destinations.getDpsInits()) {
    auto type = cast<MemRefType>(init.getType());
    Value isInitEmpty;
    for (int64_t dim = 0; dim < type.getRank(); ++dim) {
      if (!type.isDynamicDim(dim) && type.getDimSize(dim) != 0)
        continue;
      Value size = rewriter.createOrFold<memref::DimOp>(loc, init, dim);
      Value test = rewriter.createOrFold<arith::CmpIOp>(
          loc, arith::CmpIPredicate::eq, size, zero);
      isInitEmpty =
          isInitEmpty
              ? rewriter.createOrFold<arith::OrIOp>(loc, isInitEmpty, test)
              : test;
    }
    // One destination with something to write is enough.
    if (!isInitEmpty)
      return {};
    isEmpty = isEmpty ? rewriter.createOrFold<arith::AndIOp>(loc, isEmpty,
                                                             isInitEmpty)
                      : isInitEmpty;
  }
  return isEmpty;
}

memref::ExtractStridedMetadataOp LaunchBuilder::getMetadata(Value memref) {
  memref::ExtractStridedMetadataOp &known = metadata[memref];
  if (!known)
    known = memref::ExtractStridedMetadataOp::create(rewriter, loc, memref);
  return known;
}

Value LaunchBuilder::buildPointer(Value memref, AffineExpr offset) {
  Value address =
      memref::ExtractAlignedPointerAsIndexOp::create(rewriter, loc, memref);
  Value elements = getValueOrCreateConstantIndexOp(
      rewriter, loc, getMetadata(memref).getConstifiedMixedOffset());
  if (offset)
    elements =
        rewriter.createOrFold<arith::AddIOp>(loc, elements, buildSize(offset));
  Type elementType = cast<MemRefType>(memref.getType()).getElementType();
  Value bytes = rewriter.createOrFold<arith::MulIOp>(
      loc, elements,
      createIndex(DataLayout::closest(op).getTypeSize(elementType)));
  address = rewriter.createOrFold<arith::AddIOp>(loc, address, bytes);
  return LLVM::IntToPtrOp::create(rewriter, loc,
                                  LLVM::LLVMPointerType::get(op.getContext()),
                                  castToI64(address));
}

Value LaunchBuilder::buildArgument(const KernelArgument &argument) {
  switch (argument.kind) {
  case KernelArgument::Kind::Pointer:
    return buildPointer(op->getOperand(argument.operand), argument.offset);
  case KernelArgument::Kind::Size:
    return castToI64(buildPlanValue(argument.value));
  case KernelArgument::Kind::Stride: {
    auto strides = getMetadata(op->getOperand(argument.operand))
                       .getConstifiedMixedStrides();
    return castToI64(
        getValueOrCreateConstantIndexOp(rewriter, loc, strides[argument.dim]));
  }
  case KernelArgument::Kind::Constant:
    return arith::ConstantOp::create(rewriter, loc, argument.constant);
  case KernelArgument::Kind::Workspace:
    return buildPointer(workspace, argument.offset);
  }
  llvm_unreachable("unknown kind of argument");
}

Effect LaunchBuilder::getEffect(const KernelArgument &argument) {
  if (argument.kind == KernelArgument::Kind::Workspace)
    return Effect::ReadWrite;
  if (argument.kind != KernelArgument::Kind::Pointer)
    return Effect::None;
  auto effects = cast<MemoryEffectOpInterface>(op.getOperation());
  Value memref = op->getOperand(argument.operand);
  bool reads =
      effects.getEffectOnValue<MemoryEffects::Read>(memref).has_value();
  bool writes =
      effects.getEffectOnValue<MemoryEffects::Write>(memref).has_value();
  return reads && writes ? Effect::ReadWrite
         : writes        ? Effect::Write
                         : Effect::Read;
}

LogicalResult LaunchBuilder::buildStep(const KernelStep &step,
                                       const KernelPlanSizes &sizes,
                                       gpu::BinaryOp binary) {
  KernelLaunchPlan plan = step.launchPlan(sizes);
  std::vector<KernelArgument> planned = step.argumentPlan(op, sizes);
  if (!sizes.getUnknown().empty())
    return op.emitOpError("is to run kernel '")
           << entry.id << "', whose plans use the size '"
           << sizes.getUnknown().front() << "', which the op does not have";
  if (!multiprocessors && plan.usesSymbol(sizes.getMultiprocessorsPosition())) {
    FailureOr<Value> count = launches.getMultiprocessors(op);
    if (failed(count))
      return failure();
    multiprocessors = *count;
  }

  std::array<Value, 3> grid = buildDim3(plan.grid);
  if (Value isEmpty = buildIsEmpty())
    grid[0] = rewriter.createOrFold<arith::SelectOp>(loc, isEmpty,
                                                     createIndex(0), grid[0]);
  std::array<Value, 3> block = buildDim3(plan.block);
  std::optional<gpu::KernelDim3> cluster;
  std::array<Value, 3> clusterSizes = buildDim3(plan.cluster);
  if (llvm::any_of(clusterSizes,
                   [](Value size) { return !matchPattern(size, m_One()); }))
    cluster =
        gpu::KernelDim3{clusterSizes[0], clusterSizes[1], clusterSizes[2]};
  Value sharedMemory;
  if (!plan.dynamicSharedMemory.isAbsent()) {
    // The runtime refuses what is too much; it must only not wrap around.
    Value bytes = rewriter.createOrFold<arith::MinSIOp>(
        loc, buildPlanValue(plan.dynamicSharedMemory),
        createIndex(std::numeric_limits<int32_t>::max()));
    sharedMemory = rewriter.createOrFold<arith::IndexCastOp>(
        loc, rewriter.getI32Type(), bytes);
  }
  SmallVector<Value> arguments;
  SmallVector<Effect> effects;
  for (const KernelArgument &argument : planned) {
    arguments.push_back(buildArgument(argument));
    effects.push_back(getEffect(argument));
  }
  auto kernel = SymbolRefAttr::get(
      binary.getSymNameAttr(),
      FlatSymbolRefAttr::get(op.getContext(), step.function(op)));
  auto launch = gpu::LaunchFuncOp::create(
      rewriter, loc, kernel, gpu::KernelDim3{grid[0], grid[1], grid[2]},
      gpu::KernelDim3{block[0], block[1], block[2]}, sharedMemory, arguments,
      /*asyncObject=*/Value(), cluster);
  launch->setAttr(
      LaunchAttr::getOpAttrName(),
      LaunchAttr::get(op.getContext(), entry.id, effects, plan.isProgrammatic));
  lastLaunch = launch;
  return success();
}

bool LaunchBuilder::isPositive(Value number) {
  APInt constant;
  if (matchPattern(number, m_ConstantInt(&constant)))
    return constant.isStrictlyPositive();
  // The function ends with an error where the device has none.
  if (number == multiprocessors)
    return true;
  Operation *op = number.getDefiningOp();
  auto isOperandPositive = [&](Value value) { return isPositive(value); };
  if (isa_and_present<arith::MaxSIOp>(op))
    return llvm::any_of(op->getOperands(), isOperandPositive);
  // Products of sizes of memory do not wrap around.
  return isa_and_present<arith::MinSIOp, arith::MulIOp>(op) &&
         llvm::all_of(op->getOperands(), isOperandPositive);
}

void LaunchBuilder::overlap() {
  if (!launches.overlaps || !entry.operandsAfterWait ||
      !launches.history.isCompleteBefore(op, entry.operandsAfterWait(op)))
    return;
  KernelAttr kernel = op.getKernel();
  NamedAttrList params(kernel.getParams());
  params.set(kernel_param::kBeside, rewriter.getI64IntegerAttr(1));
  op.setKernel(KernelAttr::get(op.getContext(), kernel.getId(),
                               params.getDictionary(op.getContext())));
}

LogicalResult LaunchBuilder::build() {
  rewriter.setInsertionPoint(op);
  overlap();
  int64_t elementBytes =
      DataLayout::closest(op).getTypeSize(op.getKernelElementType());
  KernelPlanSizes sizes(shape, elementBytes, op.getKernel().getParams(),
                        op.getContext());
  std::string elementType;
  llvm::raw_string_ostream(elementType) << op.getKernelElementType();
  const KernelImage *image = entry.getImage(elementType);
  if (!image)
    return op.emitOpError("is to run kernel '")
           << entry.id << "', which has no image for " << elementType;
  gpu::BinaryOp binary = launches.getBinary(*image);

  if (entry.workspace)
    workspace = memref::AllocOp::create(
        rewriter, loc,
        MemRefType::get({ShapedType::kDynamic}, rewriter.getI8Type()),
        buildSize(entry.workspace(sizes)));
  for (const KernelStep &step : entry.getSteps())
    if (failed(buildStep(step, sizes, binary)))
      return failure();
  gpu::KernelDim3 grid = lastLaunch.getGridSizeOperandValues();
  bool hasBlocks =
      isPositive(grid.x) && isPositive(grid.y) && isPositive(grid.z);
  launches.history.record(lastLaunch, op, /*mayBeSkipped=*/!hasBlocks);
  if (workspace)
    memref::DeallocOp::create(rewriter, loc, workspace);
  rewriter.eraseOp(op);
  return success();
}

} // namespace

LogicalResult frit::convertToLaunch(KernelOpInterface op,
                                    const KernelEntry &entry,
                                    LaunchContext &launches,
                                    RewriterBase &rewriter) {
  return LaunchBuilder(op, entry, launches, rewriter).build();
}

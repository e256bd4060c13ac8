//===- GraphRewrites.cpp --------------------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each rewrite picks one place at random and changes it, or does nothing where
// the module has no such place.
//
//===----------------------------------------------------------------------===//

#include "GraphRewrites.h"

#include "GraphPlaces.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"

using namespace mlir;
using namespace mlir::frit::test;

namespace {

bool isElementwise(linalg::GenericOp op) {
  return op.getNumReductionLoops() == 0 && op.getNumDpsInits() == 1 &&
         op.hasPureTensorSemantics() &&
         op.getIndexingMapsArray().back().isIdentity();
}

//===----------------------------------------------------------------------===//
// Scalars
//===----------------------------------------------------------------------===//

bool commute(ModuleOp module, Random &random) {
  auto op = pick<Operation *>(module, random, [](Operation *op) {
    return isInBody(op) && op->getNumOperands() == 2 &&
           op->hasTrait<OpTrait::IsCommutative>();
  });
  if (!op)
    return false;
  Value first = op->getOperand(0);
  op->setOperand(0, op->getOperand(1));
  op->setOperand(1, first);
  return true;
}

using Predicate = arith::CmpFPredicate;

/// Pairs of predicates.
using Pairs = ArrayRef<std::pair<Predicate, Predicate>>;

/// The other predicate of a pair; itself if it is in none.
Predicate getOther(Predicate predicate, Pairs pairs) {
  for (auto [first, second] : pairs) {
    if (predicate == first)
      return second;
    if (predicate == second)
      return first;
  }
  return predicate;
}

const std::pair<Predicate, Predicate> kOpposites[] = {
    {Predicate::OGT, Predicate::ULE}, {Predicate::OGE, Predicate::ULT},
    {Predicate::OLT, Predicate::UGE}, {Predicate::OLE, Predicate::UGT},
    {Predicate::OEQ, Predicate::UNE}, {Predicate::ONE, Predicate::UEQ},
    {Predicate::ORD, Predicate::UNO}};
const std::pair<Predicate, Predicate> kSwapped[] = {
    {Predicate::OGT, Predicate::OLT},
    {Predicate::OGE, Predicate::OLE},
    {Predicate::UGT, Predicate::ULT},
    {Predicate::UGE, Predicate::ULE}};

bool invertSelect(ModuleOp module, Random &random) {
  auto op = pick<arith::SelectOp>(module, random, [](arith::SelectOp op) {
    return isInBody(op) && op.getCondition().getDefiningOp<arith::CmpFOp>();
  });
  if (!op)
    return false;
  auto compare = op.getCondition().getDefiningOp<arith::CmpFOp>();
  OpBuilder builder(op);
  Value inverse = arith::CmpFOp::create(
      builder, op.getLoc(), getOther(compare.getPredicate(), kOpposites),
      compare.getLhs(), compare.getRhs());
  Value other = arith::SelectOp::create(builder, op.getLoc(), inverse,
                                        op.getFalseValue(), op.getTrueValue());
  op.replaceAllUsesWith(other);
  op.erase();
  return true;
}

bool swapCompare(ModuleOp module, Random &random) {
  auto op = pick<arith::CmpFOp>(module, random);
  if (!op)
    return false;
  Value lhs = op.getLhs();
  op.getLhsMutable().assign(op.getRhs());
  op.getRhsMutable().assign(lhs);
  op.setPredicate(getOther(op.getPredicate(), kSwapped));
  return true;
}

/// To a wider type and back.
bool castAndBack(ModuleOp module, Random &random) {
  OpOperand *operand = pickFloat(module, random);
  if (!operand)
    return false;
  OpBuilder builder(operand->getOwner());
  Location loc = operand->getOwner()->getLoc();
  Type type = operand->get().getType();
  if (type.isF64())
    return false;
  Type wide = type.isF32() || random.chance(0.5) ? Type(builder.getF64Type())
                                                 : Type(builder.getF32Type());
  Value extended = arith::ExtFOp::create(builder, loc, wide, operand->get());
  operand->set(arith::TruncFOp::create(builder, loc, type, extended));
  return true;
}

/// A product with 1, or a quotient by it.
bool multiplyByOne(ModuleOp module, Random &random) {
  OpOperand *operand = pickFloat(module, random);
  if (!operand)
    return false;
  OpBuilder builder(operand->getOwner());
  Location loc = operand->getOwner()->getLoc();
  Type type = operand->get().getType();
  Value one =
      arith::ConstantOp::create(builder, loc, builder.getFloatAttr(type, 1));
  Value value = operand->get();
  if (random.chance(0.3))
    operand->set(arith::DivFOp::create(builder, loc, value, one));
  else if (random.chance(0.5))
    operand->set(arith::MulFOp::create(builder, loc, value, one));
  else
    operand->set(arith::MulFOp::create(builder, loc, one, value));
  return true;
}

//===----------------------------------------------------------------------===//
// Tensors
//===----------------------------------------------------------------------===//

bool copyInput(ModuleOp module, Random &random) {
  OpOperand *operand = pickInput(module, random);
  if (!operand)
    return false;
  OpBuilder builder(operand->getOwner());
  Location loc = operand->getOwner()->getLoc();
  Value tensor = operand->get();
  auto type = cast<RankedTensorType>(tensor.getType());
  Value empty = tensor::EmptyOp::create(
      builder, loc, tensor::getMixedSizes(builder, loc, tensor),
      type.getElementType());
  SmallVector<AffineMap> maps(2,
                              builder.getMultiDimIdentityMap(type.getRank()));
  SmallVector<utils::IteratorType> loops(type.getRank(),
                                         utils::IteratorType::parallel);
  auto copy = linalg::GenericOp::create(
      builder, loc, empty.getType(), tensor, empty, maps, loops,
      [](OpBuilder &body, Location bodyLoc, ValueRange arguments) {
        linalg::YieldOp::create(body, bodyLoc, arguments.front());
      });
  Value result = copy.getResult(0);
  if (result.getType() != type)
    result = tensor::CastOp::create(builder, loc, type, result);
  operand->set(result);
  return true;
}

bool hideSizes(ModuleOp module, Random &random) {
  OpOperand *operand = pickInput(module, random);
  if (!operand)
    return false;
  OpBuilder builder(operand->getOwner());
  Location loc = operand->getOwner()->getLoc();
  auto type = cast<RankedTensorType>(operand->get().getType());
  if (type.getRank() == 0)
    return false;
  SmallVector<int64_t> shape(type.getShape());
  shape[random.integer(0, type.getRank() - 1)] = ShapedType::kDynamic;
  Value dynamic = tensor::CastOp::create(
      builder, loc, RankedTensorType::get(shape, type.getElementType()),
      operand->get());
  operand->set(tensor::CastOp::create(builder, loc, type, dynamic));
  return true;
}

/// Gives an axis of size 1 to a tensor and takes it away.
bool reshapeAndBack(ModuleOp module, Random &random) {
  OpOperand *operand = pickInput(module, random);
  if (!operand)
    return false;
  OpBuilder builder(operand->getOwner());
  Location loc = operand->getOwner()->getLoc();
  auto type = cast<RankedTensorType>(operand->get().getType());
  if (type.getRank() == 0 || !type.hasStaticShape())
    return false;
  int64_t split = random.integer(0, type.getRank() - 1);
  SmallVector<int64_t> shape;
  SmallVector<ReassociationIndices> groups;
  for (auto [axis, size] : llvm::enumerate(type.getShape())) {
    groups.emplace_back();
    if (static_cast<int64_t>(axis) == split) {
      groups.back().push_back(static_cast<int64_t>(shape.size()));
      // An even axis can also become two.
      int64_t outer = size % 2 == 0 && random.chance(0.5) ? 2 : 1;
      shape.push_back(outer);
      groups.back().push_back(static_cast<int64_t>(shape.size()));
      shape.push_back(size / outer);
      continue;
    }
    groups.back().push_back(static_cast<int64_t>(shape.size()));
    shape.push_back(size);
  }
  Value expanded = tensor::ExpandShapeOp::create(
      builder, loc, RankedTensorType::get(shape, type.getElementType()),
      operand->get(), groups);
  operand->set(
      tensor::CollapseShapeOp::create(builder, loc, type, expanded, groups));
  return true;
}

//===----------------------------------------------------------------------===//
// Generics
//===----------------------------------------------------------------------===//

/// The generic with one more input; its argument is the last of the inputs'.
linalg::GenericOp addInput(linalg::GenericOp op, Value tensor, AffineMap map) {
  OpBuilder builder(op);
  SmallVector<Value> inputs(op.getDpsInputs());
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  maps.insert(maps.begin() + static_cast<int64_t>(inputs.size()), map);
  inputs.push_back(tensor);
  auto added = linalg::GenericOp::create(
      builder, op.getLoc(), op.getResultTypes(), inputs, op.getOutputs(), maps,
      op.getIteratorTypesArray());
  added.getRegion().takeBody(op.getRegion());
  added.getBody()->insertArgument(static_cast<unsigned>(inputs.size()) - 1,
                                  getElementTypeOrSelf(tensor.getType()),
                                  op.getLoc());
  op.replaceAllUsesWith(added);
  op.erase();
  return added;
}

/// Computes one step of a body in a generic of its own.
bool splitGeneric(ModuleOp module, Random &random) {
  auto isStep = [](Operation &op) {
    return op.getNumResults() == 1 && isa<FloatType>(op.getResult(0).getType());
  };
  auto op = pick<linalg::GenericOp>(module, random, [&](linalg::GenericOp op) {
    return isElementwise(op) &&
           llvm::count_if(op.getBody()->without_terminator(), isStep) > 1;
  });
  if (!op)
    return false;
  SmallVector<unsigned> steps;
  for (auto [i, step] : llvm::enumerate(op.getBody()->without_terminator()))
    if (isStep(step))
      steps.push_back(i);
  unsigned chosen =
      steps[random.integer(0, static_cast<int64_t>(steps.size()) - 1)];

  OpBuilder builder(op);
  Location loc = op.getLoc();
  auto getStep = [&](linalg::GenericOp generic) {
    return &*std::next(generic.getBody()->begin(), chosen);
  };
  Type type = getStep(op)->getResult(0).getType();
  Value empty = tensor::EmptyOp::create(
      builder, loc,
      tensor::getMixedSizes(builder, loc, op.getDpsInits().front()), type);
  auto part = linalg::GenericOp::create(
      builder, loc, empty.getType(), op.getDpsInputs(), empty,
      op.getIndexingMapsArray(), op.getIteratorTypesArray());
  IRMapping mapping;
  op.getRegion().cloneInto(&part.getRegion(), mapping);
  part.getBody()->getTerminator()->setOperands(getStep(part)->getResults());
  part.getBody()->getArguments().back().setType(type);
  // What the step does not need goes from the clone.
  SmallVector<Operation *> clones;
  for (Operation &clone : part.getBody()->without_terminator())
    clones.push_back(&clone);
  for (Operation *clone : llvm::reverse(clones))
    if (clone->use_empty())
      clone->erase();
  if (!part.getBody()->getArguments().back().use_empty()) {
    part.erase();
    return false;
  }
  linalg::GenericOp rest =
      addInput(op, part.getResult(0), op.getIndexingMapsArray().back());
  Operation *step = getStep(rest);
  step->replaceAllUsesWith(ValueRange(rest.getBody()->getArgument(
      static_cast<unsigned>(rest.getNumDpsInputs()) - 1)));
  step->erase();
  return true;
}

/// Reads a constant of a body from a tensor.
bool moveConstant(ModuleOp module, Random &random) {
  OpOperand *operand = pickFloat(module, random);
  FloatAttr number;
  if (!operand || !matchPattern(operand->get(), m_Constant(&number)))
    return false;
  auto op = cast<linalg::GenericOp>(operand->getOwner()->getParentOp());
  if (!op.hasPureTensorSemantics())
    return false;
  OpBuilder builder(op);
  bool isScalar = random.chance(0.5);
  SmallVector<int64_t> shape(isScalar ? 0 : 1, 1);
  auto type = RankedTensorType::get(shape, number.getType());
  Value tensor = arith::ConstantOp::create(
      builder, op.getLoc(), DenseElementsAttr::get(type, number));
  SmallVector<AffineExpr> index(isScalar ? 0 : 1,
                                getAffineConstantExpr(0, builder.getContext()));
  AffineMap map =
      AffineMap::get(op.getNumLoops(), 0, index, builder.getContext());
  linalg::GenericOp added = addInput(op, tensor, map);
  operand->set(added.getBody()->getArgument(
      static_cast<unsigned>(added.getNumDpsInputs()) - 1));
  return true;
}

bool interchangeLoops(ModuleOp module, Random &random) {
  auto op = pick<linalg::GenericOp>(module, random, [](linalg::GenericOp op) {
    return op.getNumLoops() > 1 && op.hasPureTensorSemantics();
  });
  if (!op)
    return false;
  SmallVector<unsigned> order(
      llvm::to_vector(llvm::seq<unsigned>(0, op.getNumLoops())));
  for (unsigned i = order.size(); i > 1; --i)
    std::swap(order[i - 1], order[random.integer(0, i - 1)]);
  IRRewriter rewriter(op.getContext());
  rewriter.setInsertionPoint(op);
  return succeeded(linalg::interchangeGenericOp(rewriter, op, order));
}

bool runPass(ModuleOp module, Random &random) {
  return succeeded(runPipeline(
      module,
      random.pick({"linalg-fuse-elementwise-ops", "linalg-generalize-named-ops",
                   "canonicalize", "cse", "linalg-fold-unit-extent-dims",
                   "linalg-inline-scalar-operands"})));
}

struct Rewrite {
  const char *name;
  bool (*apply)(ModuleOp, Random &);
};

constexpr Rewrite kRewrites[] = {
    {"commute", commute},
    {"invert-select", invertSelect},
    {"swap-compare", swapCompare},
    {"cast-and-back", castAndBack},
    {"multiply-by-one", multiplyByOne},
    {"copy-input", copyInput},
    {"hide-sizes", hideSizes},
    {"reshape-and-back", reshapeAndBack},
    {"split-generic", splitGeneric},
    {"move-constant", moveConstant},
    {"interchange-loops", interchangeLoops},
    {"run-pass", runPass},
};

} // namespace

LogicalResult frit::test::runPipeline(ModuleOp module, StringRef pipeline) {
  PassManager pm(module.getContext());
  if (failed(parsePassPipeline(pipeline, pm)))
    return failure();
  return pm.run(module);
}

std::string frit::test::rewriteRandomly(ModuleOp module, Random &random,
                                        int64_t count) {
  std::string done;
  for (int64_t i = 0; i < count; ++i) {
    const Rewrite &rewrite = kRewrites[random.integer(
        0, static_cast<int64_t>(std::size(kRewrites)) - 1)];
    if (rewrite.apply(module, random))
      done += std::string(done.empty() ? "" : ", ") + rewrite.name;
  }
  return done;
}

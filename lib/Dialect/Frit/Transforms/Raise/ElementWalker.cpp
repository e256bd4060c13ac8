//===- ElementWalker.cpp --------------------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Elements of tensors as expressions: moves are followed at once, linalg ops
// that compute are expanded on request.
//
//===----------------------------------------------------------------------===//

#include "ElementWalker.h"

#include "TensorAccess.h"

#include "../RoundingMode.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallBitVector.h"

using namespace mlir;
using namespace mlir::frit;

using Expr = ElementWalker::Expr;

/// The evaluation of the body of a linalg op.
struct ElementWalker::Body {
  linalg::LinalgOp op;
  /// The operand that the wanted result starts from.
  OpOperand *init;
  /// The loops of the op in terms of dims and symbols.
  SmallVector<AffineExpr> loops;
  /// Whether the loops run over all of the root, so that an operand with its
  /// indices has its shape.
  bool isWhole = false;
  DenseMap<Value, Expr> values;

  SmallVector<AffineExpr> getIndices(OpOperand *operand) {
    SmallVector<AffineExpr> indices;
    for (AffineExpr expr : op.getMatchingIndexingMap(operand).getResults())
      indices.push_back(expr.replaceDims(loops));
    return indices;
  }
};

ElementWalker::ElementWalker(Value root) : root(root) {
  auto type = cast<RankedTensorType>(root.getType());
  for (int64_t k = 0, e = type.getRank(); k < e; ++k) {
    shape.push_back(getExtent(root, k));
    identity.push_back(type.getDimSize(k) == 1
                           ? getAffineConstantExpr(0, root.getContext())
                           : getAffineDimExpr(k, root.getContext()));
  }
}

Extent ElementWalker::getExtent(Value tensor, int64_t axis) {
  int64_t size = cast<RankedTensorType>(tensor.getType()).getDimSize(axis);
  return ShapedType::isDynamic(size) ? Extent{size, tensor, axis}
                                     : Extent{size, Value(), 0};
}

void ElementWalker::boundSymbol(unsigned symbol, const Extent &extent) {
  std::optional<int64_t> bound;
  if (extent.isStatic())
    bound = std::max<int64_t>(extent.size - 1, 0);
  if (symbol >= symbolBounds.size())
    symbolBounds.resize(symbol + 1, 0);
  std::optional<int64_t> &known = symbolBounds[symbol];
  known =
      known && bound ? std::optional(std::max(*known, *bound)) : std::nullopt;
}

/// (x floordiv c) * c + x mod c, which is x, in a sum of two; null for others.
static AffineExpr joinQuotient(AffineExpr lhs, AffineExpr rhs) {
  auto product = dyn_cast<AffineBinaryOpExpr>(lhs);
  auto rest = dyn_cast<AffineBinaryOpExpr>(rhs);
  if (!product || !rest || product.getKind() != AffineExprKind::Mul ||
      rest.getKind() != AffineExprKind::Mod ||
      product.getRHS() != rest.getRHS())
    return {};
  auto quotient = dyn_cast<AffineBinaryOpExpr>(product.getLHS());
  if (!quotient || quotient.getKind() != AffineExprKind::FloorDiv ||
      quotient.getRHS() != rest.getRHS() || quotient.getLHS() != rest.getLHS())
    return {};
  return rest.getLHS();
}

AffineExpr ElementWalker::simplify(AffineExpr expr) {
  auto binary = dyn_cast<AffineBinaryOpExpr>(expr);
  if (!binary)
    return expr;
  AffineExpr lhs = simplify(binary.getLHS());
  AffineExpr rhs = simplify(binary.getRHS());
  if (binary.getKind() == AffineExprKind::Add) {
    if (AffineExpr whole = joinQuotient(lhs, rhs))
      return whole;
    if (AffineExpr whole = joinQuotient(rhs, lhs))
      return whole;
  }
  AffineExpr joined = getAffineBinaryOpExpr(expr.getKind(), lhs, rhs);
  binary = dyn_cast<AffineBinaryOpExpr>(joined);
  auto divisor =
      binary ? dyn_cast<AffineConstantExpr>(binary.getRHS()) : nullptr;
  bool isDivision = joined.getKind() == AffineExprKind::FloorDiv ||
                    joined.getKind() == AffineExprKind::Mod;
  if (!divisor || !isDivision)
    return joined != expr && joined.getKind() == AffineExprKind::Add
               ? simplify(joined)
               : joined;
  SmallVector<std::optional<int64_t>> lower(shape.size() + symbolBounds.size(),
                                            0);
  SmallVector<std::optional<int64_t>> upper;
  for (const Extent &extent : shape)
    upper.push_back(extent.isStatic() ? std::optional(extent.size - 1)
                                      : std::nullopt);
  llvm::append_range(upper, symbolBounds);
  std::optional<int64_t> largest =
      getBoundForAffineExpr(binary.getLHS(), shape.size(), symbolBounds.size(),
                            lower, upper, /*isUpper=*/true);
  if (!largest || *largest >= divisor.getValue())
    return joined;
  return joined.getKind() == AffineExprKind::Mod
             ? binary.getLHS()
             : getAffineConstantExpr(0, expr.getContext());
}

/// Whether a linalg op writes every element of a result.
static bool writesAll(linalg::LinalgOp op, OpResult result) {
  AffineMap map = op.getIndexingMapMatchingResult(result);
  auto type = cast<ShapedType>(result.getType());
  llvm::SmallBitVector seen(map.getNumDims());
  for (auto [axis, index] : llvm::enumerate(map.getResults())) {
    if (isa<AffineConstantExpr>(index) && type.getDimSize(axis) == 1)
      continue;
    auto dim = dyn_cast<AffineDimExpr>(index);
    if (!dim || seen.test(dim.getPosition()))
      return false;
    seen.set(dim.getPosition());
  }
  return true;
}

/// The number that a linalg op fills its result with; null if there is none.
static TypedAttr getFilledNumber(Value tensor) {
  auto op = tensor.getDefiningOp<linalg::LinalgOp>();
  if (!op || !op.hasPureTensorSemantics() || op.getNumReductionLoops() != 0 ||
      !writesAll(op, cast<OpResult>(tensor)))
    return {};
  unsigned result = cast<OpResult>(tensor).getResultNumber();
  Attribute number;
  if (!matchPattern(op.getBlock()->getTerminator()->getOperand(result),
                    m_Constant(&number)) ||
      !isa<FloatAttr, IntegerAttr>(number))
    return {};
  return cast<TypedAttr>(number);
}

/// The operand whose element a linalg op returns as it is; null if there is
/// none. The op only moves elements.
static OpOperand *getMovedOperand(OpResult result) {
  auto op = dyn_cast<linalg::LinalgOp>(result.getOwner());
  if (!op || !op.hasPureTensorSemantics() || op.getNumReductionLoops() != 0)
    return nullptr;
  Operation *yield = op.getBlock()->getTerminator();
  auto argument =
      dyn_cast<BlockArgument>(yield->getOperand(result.getResultNumber()));
  if (!argument || argument.getOwner() != op.getBlock())
    return nullptr;
  return &op->getOpOperand(argument.getArgNumber());
}

bool ElementWalker::mayHaveShapeOfRoot(RankedTensorType type) const {
  if (failed(verifyCompatibleShape(type, root.getType())))
    return false;
  // The first row of a tensor is read at the same index as all rows of one.
  return llvm::all_of(llvm::zip_equal(shape, type.getShape()), [](auto pair) {
    return std::get<0>(pair).size != 1 || std::get<1>(pair) == 1;
  });
}

Expr ElementWalker::load(Value tensor, ArrayRef<AffineExpr> indices,
                         bool isNoted) {
  SmallVector<AffineExpr> current(indices);
  SmallVector<Value> passed;
  bool isWhole = isNoted;
  Expr found = nullptr;
  while (!found) {
    auto type = dyn_cast<RankedTensorType>(tensor.getType());
    if (!type)
      break;
    for (auto [k, index] : llvm::enumerate(current))
      index = type.getDimSize(k) == 1
                  ? getAffineConstantExpr(0, type.getContext())
                  : simplify(index);
    if (isWhole && ArrayRef(current) == ArrayRef(identity) &&
        mayHaveShapeOfRoot(type))
      passed.push_back(tensor);

    SplatElementsAttr splat;
    if (matchPattern(tensor, m_Constant(&splat))) {
      found = makeConstant(splat.getSplatValue<TypedAttr>());
      break;
    }
    if (TypedAttr number = getFilledNumber(tensor)) {
      found = makeConstant(number);
      break;
    }
    if (std::optional<TensorAccess> source = getMovedFrom(tensor, current)) {
      isWhole &= !tensor.getDefiningOp<tensor::ExtractSliceOp>();
      tensor = source->tensor;
      current = std::move(source->indices);
      continue;
    }
    auto result = dyn_cast<OpResult>(tensor);
    OpOperand *moved = result ? getMovedOperand(result) : nullptr;
    if (!moved)
      break;
    auto op = cast<linalg::LinalgOp>(result.getOwner());
    OpOperand *init = op.getDpsInitOperand(result.getResultNumber());
    SmallVector<Extent> extents;
    FailureOr<SmallVector<AffineExpr>> loops =
        getLoops(op, init, current, 0, extents);
    if (failed(loops))
      break;
    if (!isa<ShapedType>(moved->get().getType())) {
      found = scalar(moved->get());
      break;
    }
    Body body{op, init, std::move(*loops), isWhole, DenseMap<Value, Expr>()};
    current = body.getIndices(moved);
    tensor = moved->get();
  }
  if (!found) {
    ElementExpr node;
    node.kind = ElementExpr::Kind::Load;
    node.type = getElementTypeOrSelf(tensor.getType());
    node.value = tensor;
    node.indices = current;
    found = intern(node);
  }
  if (passed.empty())
    return found;
  SmallVector<Value, 2> &known = tensors[found];
  for (Value value : passed)
    if (!llvm::is_contained(known, value))
      known.push_back(value);
  return found;
}

ArrayRef<Value> ElementWalker::getTensors(Expr expr) const {
  auto it = tensors.find(expr);
  return it == tensors.end() ? ArrayRef<Value>() : ArrayRef<Value>(it->second);
}

FailureOr<SmallVector<AffineExpr>>
ElementWalker::getLoops(linalg::LinalgOp op, OpOperand *init,
                        ArrayRef<AffineExpr> indices, unsigned firstSymbol,
                        SmallVectorImpl<Extent> &extents) {
  SmallVector<AffineExpr> loops(op.getNumLoops());
  for (auto [result, index] :
       llvm::zip_equal(op.getMatchingIndexingMap(init).getResults(), indices)) {
    // Other elements along this axis are what the init has.
    if (isa<AffineConstantExpr>(result) && result == index)
      continue;
    auto dim = dyn_cast<AffineDimExpr>(result);
    if (!dim || loops[dim.getPosition()])
      return failure();
    loops[dim.getPosition()] = index;
  }
  SmallVector<utils::IteratorType> iterators = op.getIteratorTypesArray();
  for (auto [loop, index] : llvm::enumerate(loops)) {
    if (index)
      continue;
    std::optional<Extent> extent;
    for (OpOperand &operand : op->getOpOperands()) {
      if (!isa<RankedTensorType>(operand.get().getType()))
        continue;
      AffineMap map = op.getMatchingIndexingMap(&operand);
      std::optional<unsigned> axis =
          map.getResultPosition(getAffineDimExpr(loop, op.getContext()));
      if (!axis)
        continue;
      Extent found = getExtent(operand.get(), *axis);
      if (!extent || found.isStatic())
        extent = found;
    }
    if (!extent)
      return failure();
    bool isUnit = extent->size == 1;
    if (iterators[loop] == utils::IteratorType::reduction) {
      unsigned symbol = firstSymbol + extents.size();
      boundSymbol(symbol, *extent);
      extents.push_back(*extent);
      if (!isUnit)
        index = getAffineSymbolExpr(symbol, op.getContext());
    } else if (!isUnit) {
      return failure();
    }
    if (isUnit)
      index = getAffineConstantExpr(0, op.getContext());
  }
  return loops;
}

Expr ElementWalker::evaluate(Value value, Body &body) {
  if (Expr known = body.values.lookup(value))
    return known;
  Operation *op = value.getDefiningOp();
  auto argument = dyn_cast<BlockArgument>(value);
  bool isInside = value.getParentRegion() == &body.op->getRegion(0);
  Expr found = nullptr;
  if (!isInside) {
    found = isa<ShapedType>(value.getType()) ? nullptr : scalar(value);
  } else if (argument) {
    OpOperand *operand = &body.op->getOpOperand(argument.getArgNumber());
    bool isCarried =
        body.op.isInitTensor(operand) && body.op.getNumReductionLoops() != 0;
    if (isCarried && operand == body.init) {
      ElementExpr node;
      node.kind = ElementExpr::Kind::Carry;
      node.type = value.getType();
      found = intern(node);
    } else if (!isCarried) {
      found = isa<ShapedType>(operand->get().getType())
                  ? load(operand->get(), body.getIndices(operand), body.isWhole)
                  : scalar(operand->get());
    }
  } else if (auto index = dyn_cast<linalg::IndexOp>(op)) {
    ElementExpr node;
    node.kind = ElementExpr::Kind::Index;
    node.type = value.getType();
    AffineExpr indices[] = {body.loops[index.getDim()]};
    node.indices = indices;
    found = intern(node);
  } else {
    Value tensor;
    SmallVector<Expr> operands;
    for (Value operand : op->getOperands()) {
      if (isa<ShapedType>(operand.getType())) {
        tensor = operand;
        continue;
      }
      operands.push_back(evaluate(operand, body));
      if (!operands.back())
        return nullptr;
    }
    if (!tensor || isa<tensor::ExtractOp>(op))
      found = evaluateOp(op, operands);
  }
  if (found)
    body.values[value] = found;
  return found;
}

Expr ElementWalker::evaluateOp(Operation *op, ArrayRef<Expr> operands) {
  if (auto extract = dyn_cast<tensor::ExtractOp>(op)) {
    SmallVector<AffineExpr> indices;
    for (Expr operand : operands) {
      if (operand->kind == ElementExpr::Kind::Index)
        indices.push_back(operand->indices.front());
      else if (auto number = dyn_cast_or_null<IntegerAttr>(operand->constant))
        indices.push_back(
            getAffineConstantExpr(number.getInt(), op->getContext()));
    }
    // Indices do not say how large the tensor is.
    if (indices.size() == operands.size())
      return load(extract.getTensor(), indices, /*isNoted=*/false);
    return makeOp(op->getName(), extract.getType(), operands, {},
                  extract.getTensor());
  }
  Attribute constant;
  if (matchPattern(op, m_Constant(&constant)))
    return isa<FloatAttr, IntegerAttr>(constant)
               ? makeConstant(cast<TypedAttr>(constant))
               : nullptr;
  bool isKnown = isa<arith::ArithDialect, math::MathDialect>(op->getDialect());
  if (!isKnown || op->getNumResults() != 1 || op->getNumRegions() != 0)
    return nullptr;
  if (getOtherRounding(op))
    return nullptr;
  // Fast-math flags only permit: what they permit is not done.
  NamedAttrList attributes;
  for (NamedAttribute attribute : op->getAttrDictionary())
    if (attribute.getName() != "fastmath" &&
        attribute.getName() != "roundingmode")
      attributes.append(attribute);
  return makeOp(op->getName(), op->getResult(0).getType(), operands,
                attributes.getDictionary(op->getContext()));
}

Expr ElementWalker::scalar(Value value, unsigned depth) {
  if (Expr known = scalars.lookup(value))
    return known;
  return scalars[value] = computeScalar(value, depth);
}

Expr ElementWalker::computeScalar(Value value, unsigned depth) {
  Operation *op = depth < kMaxBodyOps ? value.getDefiningOp() : nullptr;
  bool isSeenThrough =
      op && llvm::none_of(op->getOperandTypes(),
                          [](Type type) { return isa<ShapedType>(type); });
  if (isSeenThrough || isa_and_nonnull<tensor::ExtractOp>(op)) {
    SmallVector<Expr> operands;
    for (Value operand : op->getOperands())
      if (!isa<ShapedType>(operand.getType()))
        operands.push_back(scalar(operand, depth + 1));
    if (Expr found = evaluateOp(op, operands))
      return found;
  }
  ElementExpr node;
  node.kind = ElementExpr::Kind::Scalar;
  node.type = value.getType();
  node.value = value;
  return intern(node);
}

Expr ElementWalker::expand(Expr load) {
  if (!load->isLoad())
    return nullptr;
  if (auto it = expansions.find(load); it != expansions.end())
    return it->second;
  Expr expansion = computeExpansion(load);
  expansions[load] = expansion;
  if (expansion) {
    SmallVector<Value, 2> names = tensors.lookup(load);
    SmallVector<Value, 2> &known = tensors[expansion];
    for (Value name : names)
      if (!llvm::is_contained(known, name))
        known.push_back(name);
  }
  return expansion;
}

/// Whether the partial result of a reduction is part of an expression.
static bool usesCarry(Expr expr) {
  SetVector<Expr> nodes;
  nodes.insert(expr);
  for (unsigned i = 0; i < nodes.size(); ++i) {
    if (nodes[i]->kind == ElementExpr::Kind::Carry)
      return true;
    nodes.insert_range(nodes[i]->operands);
  }
  return false;
}

bool ElementWalker::isLarge(linalg::LinalgOp op) {
  return op.getBlock()->getOperations().size() > kMaxBodyOps;
}

Expr ElementWalker::computeExpansion(Expr expr) {
  auto result = dyn_cast<OpResult>(expr->value);
  auto op = result ? dyn_cast<linalg::LinalgOp>(result.getOwner()) : nullptr;
  if (!op || !op.hasPureTensorSemantics() || isLarge(op))
    return nullptr;
  OpOperand *init = op.getDpsInitOperand(result.getResultNumber());
  unsigned firstSymbol = getFirstFreeSymbol(expr->indices);
  SmallVector<Extent> extents;
  FailureOr<SmallVector<AffineExpr>> loops =
      getLoops(op, init, expr->indices, firstSymbol, extents);
  if (failed(loops))
    return nullptr;
  bool isWhole = llvm::is_contained(getTensors(expr), expr->value);
  Body body{op, init, std::move(*loops), isWhole, DenseMap<Value, Expr>()};
  Operation *yield = op.getBlock()->getTerminator();
  Expr yielded = evaluate(yield->getOperand(result.getResultNumber()), body);
  if (!yielded)
    return nullptr;
  // Loops that are called reductions may run over axes of the result.
  if (extents.empty())
    return usesCarry(yielded) ? nullptr : yielded;

  // A reduction is `carry op term`.
  if (yielded->kind != ElementExpr::Kind::Op ||
      !yielded->name->hasTrait<OpTrait::IsCommutative>() ||
      yielded->operands.size() != 2)
    return nullptr;
  bool isFirst = yielded->getOperand(0)->kind == ElementExpr::Kind::Carry;
  Expr carry = yielded->getOperand(isFirst ? 0 : 1);
  Expr term = yielded->getOperand(isFirst ? 1 : 0);
  if (carry->kind != ElementExpr::Kind::Carry || usesCarry(term))
    return nullptr;
  Expr start = load(init->get(), body.getIndices(init), isWhole);
  return makeReduce(*yielded->name, term, start, firstSymbol, extents);
}

Expr ElementWalker::peel(Expr expr) {
  while (Expr expansion = expand(expr))
    expr = expansion;
  return expr;
}

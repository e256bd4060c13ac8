//===- Chain.cpp ----------------------------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Finds the dense chain: up from the activation to gate and up, and down from
// it to the projection that reads it.
//
//===----------------------------------------------------------------------===//

#include "Chain.h"

#include "../FormMatmuls/Contraction.h"
#include "../FormMatmuls/Epilogue.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/ValueBoundsOpInterface.h"

using namespace mlir;
using namespace mlir::frit;

/// True for dimensions that are known to have the same size. Two dynamic ones
/// need not have it.
static bool isSameSize(Value lhs, int64_t lhsDim, Value rhs, int64_t rhsDim) {
  FailureOr<bool> isSame =
      ValueBoundsConstraintSet::areEqual({lhs, lhsDim}, {rhs, rhsDim});
  return succeeded(isSame) && *isSame;
}

bool frit::isSameVector(Value lhs, Value rhs) {
  if (lhs == rhs)
    return true;
  Attribute leftValue, rightValue;
  auto left = lhs.getDefiningOp<linalg::FillOp>();
  auto right = rhs.getDefiningOp<linalg::FillOp>();
  if (left && right) {
    if (left.getResultTypes() != right.getResultTypes() ||
        !isSameSize(lhs, 0, rhs, 0))
      return false;
    lhs = left.getInputs()[0];
    rhs = right.getInputs()[0];
  }
  return matchPattern(lhs, m_Constant(&leftValue)) &&
         matchPattern(rhs, m_Constant(&rightValue)) && leftValue == rightValue;
}

Operation *frit::getOnlyUser(Value value) {
  Operation *only = nullptr;
  for (Operation *user : value.getUsers()) {
    if (isa<tensor::DimOp>(user) || user == only)
      continue;
    if (only)
      return nullptr;
    only = user;
  }
  return only;
}

namespace {

int64_t getRank(Value value) {
  return cast<RankedTensorType>(value.getType()).getRank();
}
int64_t getSize(Value value, int64_t dim) {
  return cast<RankedTensorType>(value.getType()).getDimSize(dim);
}

/// True for a reshape that leaves rows whole.
template <typename ReshapeOp> bool keepsRows(ReshapeOp op) {
  return !op.getReassociationIndices().empty() &&
         op.getReassociationIndices().back().size() == 1;
}
bool isReshapeOfTokens(Operation *op) {
  if (auto expand = dyn_cast<tensor::ExpandShapeOp>(op))
    return keepsRows(expand);
  auto collapse = dyn_cast<tensor::CollapseShapeOp>(op);
  return collapse && keepsRows(collapse);
}

/// True for a slice of a matmul's result, as it is or rounded or with a LoRA.
bool isSliceOfMatmul(Value value) {
  auto slice = value.getDefiningOp<tensor::ExtractSliceOp>();
  if (!slice)
    return false;
  Operation *source = slice.getSource().getDefiningOp();
  while (source && isReshapeOfTokens(source))
    source = source->getOperand(0).getDefiningOp();
  if (isa_and_present<MatmulOp, LoraMatmulOp>(source))
    return true;
  auto isSum = [](Operation *op) {
    auto linalgOp = dyn_cast_if_present<linalg::LinalgOp>(op);
    return linalgOp && isSumOfProducts(linalgOp);
  };
  return isSum(source) || (isa_and_present<linalg::LinalgOp>(source) &&
                           llvm::any_of(source->getOperands(), [&](Value v) {
                             return isSum(v.getDefiningOp());
                           }));
}

class ChainMatcher {
public:
  ChainMatcher(GeluAndMulSparseOp activation, std::string &reason)
      : reason(reason) {
    chain.activation = activation;
    elementType = activation.getElementType();
  }

  FailureOr<DenseChain> match() {
    GeluAndMulSparseOp act = chain.activation;
    if (!act.hasPureTensorSemantics())
      return fail("is on memrefs");
    Value gate = peelReshapes(act.getX());
    if (act.isPacked()) {
      chain.isPacked = true;
    } else {
      Value up = peelReshapes(act.getUp());
      if (Value packed = getPackedSource(gate, up)) {
        chain.isPacked = true;
        gate = packed;
      } else if (isSliceOfMatmul(gate) || isSliceOfMatmul(up)) {
        return fail("has slices of a matmul's result for gate or up that are "
                    "not known to be the first and the last half of its "
                    "columns, with all of its rows");
      }
    }
    if (failed(matchUpwards(gate, chain.isPacked ? "gate and up" : "the gate",
                            chain.gate)))
      return failure();
    if (chain.isPacked)
      chain.up = chain.gate;
    else if (failed(matchUpwards(peelReshapes(act.getUp()), "up", chain.up)))
      return failure();
    chain.ops.insert(act);
    if (failed(matchDown()) || failed(checkForm()) || failed(checkUses()))
      return failure();
    if (!chain.residual.value)
      matchResidual(chain);
    return chain;
  }

private:
  LogicalResult fail(const Twine &text) {
    reason = text.str();
    return failure();
  }

  /// The matrix that a value is a reshape of, which becomes part of the chain.
  Value peelReshapes(Value value) {
    while (Operation *op = value.getDefiningOp()) {
      if (!isReshapeOfTokens(op))
        break;
      chain.ops.insert(op);
      value = op->getOperand(0);
    }
    return value;
  }

  /// The matrix of which gate and up are the left and the right half, with all
  /// rows: the op has as many tokens as its x.
  Value getPackedSource(Value gate, Value up) {
    auto left = gate.getDefiningOp<tensor::ExtractSliceOp>();
    auto right = up.getDefiningOp<tensor::ExtractSliceOp>();
    if (!left || !right || left.getSource() != right.getSource() ||
        getRank(gate) != 2 || getRank(left.getSource()) != 2)
      return {};
    int64_t width = getSize(gate, 1);
    auto isHalf = [&](tensor::ExtractSliceOp slice, int64_t offset) {
      return slice.hasUnitStride() && slice.getStaticOffset(0) == 0 &&
             slice.getStaticOffset(1) == offset &&
             slice.getStaticSize(1) == width &&
             isSameSize(slice.getResult(), 0, slice.getSource(), 0);
    };
    if (ShapedType::isDynamic(width) || !isHalf(left, 0) ||
        !isHalf(right, width) || getSize(left.getSource(), 1) != 2 * width)
      return {};
    chain.ops.insert(left);
    chain.ops.insert(right);
    return left.getSource();
  }

  bool hasElementType(ArrayRef<Value> values) {
    return llvm::all_of(values, [&](Value value) {
      return getElementTypeOrSelf(value.getType()) == elementType;
    });
  }

  /// Whether the matmul of a projection may add to its destination. Sums are
  /// f32 and in any order, and in f32 the op's two roundings are no more than
  /// that; in 16 bits the matmul rounds once.
  bool mayAccumulate(const DenseProjection &projection) {
    return &projection == &chain.down && !projection.lora &&
           elementType.isF32();
  }

  /// The matmul whose rounded result `base` is.
  LogicalResult matchMatmul(Value base, StringRef name,
                            DenseProjection &projection) {
    projection.base = base;
    Operation *op = base.getDefiningOp();
    if (auto matmul = dyn_cast_if_present<MatmulOp>(op)) {
      bool accumulates = matmul.getAccumulate();
      if (matmul.getBias() || matmul.isBatched() || matmul.getTransposeA() ||
          (accumulates && !mayAccumulate(projection)))
        return fail("has a matmul for " + name +
                    " with a bias, a batch, an accumulation or a transposed "
                    "left factor");
      if (!hasElementType({matmul.getA(), matmul.getB(), base}))
        return fail("has a matmul for " + name +
                    " that is no product of two matrices in the element type");
      projection.x = matmul.getA();
      projection.weights = matmul.getB();
      projection.isByOutput = matmul.getTransposeB();
      projection.destination = matmul.getOut();
      if (accumulates)
        chain.residual.value = matmul.getOut();
      chain.ops.insert(op);
      return success();
    }
    auto last = dyn_cast_if_present<linalg::LinalgOp>(op);
    if (!last)
      return fail("has no matmul for " + name);
    linalg::LinalgOp sum = last;
    if (!isSumOfProducts(sum)) {
      sum = {};
      for (OpOperand *input : last.getDpsInputOperands()) {
        auto producer = input->get().getDefiningOp<linalg::LinalgOp>();
        if (!producer || !isSumOfProducts(producer))
          continue;
        std::optional<Epilogue> epilogue =
            matchEpilogue(cast<OpResult>(input->get()), elementType);
        if (epilogue && epilogue->op == last && !epilogue->bias &&
            !epilogue->old)
          sum = producer;
      }
    }
    if (!sum)
      return fail("has no matmul for " + name +
                  " that is rounded once and to which nothing is added");
    std::string why;
    FailureOr<MatmulForm> form = frit::matchMatmul(sum, why);
    if (failed(form))
      return fail("has a sum for " + name + " that " + why);
    Value init = sum.getDpsInits()[0];
    auto fill = init.getDefiningOp<linalg::FillOp>();
    bool accumulates =
        !fill || !matchPattern(fill.getInputs()[0], m_PosZeroFloat());
    if (accumulates && (sum != last || !mayAccumulate(projection)))
      return fail("has a matmul for " + name + " that adds to something");
    if (form->transposesA || getRank(form->a) != 2 || getRank(form->b) != 2 ||
        !hasElementType({form->a, form->b, base}))
      return fail("has a matmul for " + name +
                  " that is no product of two matrices in the element type");
    projection.x = form->a;
    projection.weights = form->b;
    projection.isByOutput = form->transposesB;
    if (accumulates)
      chain.residual.value = init;
    projection.destination = accumulates   ? init
                             : sum == last ? fill.getOutputs()[0]
                                           : last.getDpsInits()[0];
    chain.ops.insert(sum);
    chain.ops.insert(last);
    return success();
  }

  LogicalResult matchUpwards(Value result, StringRef name,
                             DenseProjection &projection) {
    projection.result = result;
    Value base = result;
    if (auto lora = result.getDefiningOp<LoraMatmulOp>()) {
      projection.lora = lora;
      base = lora.getOut();
    }
    if (failed(matchMatmul(base, name, projection)))
      return failure();
    if (projection.lora)
      chain.ops.insert(projection.lora);
    return success();
  }

  LogicalResult matchDown() {
    // A reshape, the same for all users.
    Value h = chain.activation->getResult(0);
    while (Operation *user = getOnlyUser(h)) {
      if (!isReshapeOfTokens(user))
        break;
      chain.ops.insert(user);
      h = user->getResult(0);
    }
    LoraMatmulOp lora;
    for (Operation *user : h.getUsers())
      if (auto candidate = dyn_cast<LoraMatmulOp>(user)) {
        if (lora || candidate.getX() != h)
          return fail("is read by two LoRAs, or is not what they multiply");
        lora = candidate;
      }
    Value base;
    if (lora) {
      base = lora.getOut();
    } else {
      Operation *matmul = getOnlyUser(h);
      // A copy into another order of dimensions, or to f32.
      for (int steps = 0; matmul && steps < 2; ++steps) {
        auto linalgOp = dyn_cast<linalg::LinalgOp>(matmul);
        if (!linalgOp || isSumOfProducts(linalgOp) ||
            matmul->getNumResults() != 1)
          break;
        matmul = getOnlyUser(matmul->getResult(0));
      }
      if (!matmul || matmul->getNumResults() != 1)
        return fail("has results that are not read by one matmul alone");
      base = matmul->getResult(0);
      if (!isa<MatmulOp>(matmul) &&
          getElementTypeOrSelf(base.getType()) != elementType) {
        Operation *rounding = getOnlyUser(base);
        if (!rounding || rounding->getNumResults() != 1)
          return fail("has a sum for down that more than one rounding reads");
        base = rounding->getResult(0);
      }
    }
    DenseProjection &down = chain.down;
    down.lora = lora;
    if (failed(matchMatmul(base, "down", down)))
      return failure();
    if (down.x != h)
      return fail("is not the left factor of the matmul that reads it");
    down.result = base;
    if (lora) {
      down.result = lora->getResult(0);
      chain.ops.insert(lora);
    }
    return success();
  }

  LoraMatmulOp getFirstLora() {
    for (DenseProjection *projection : {&chain.gate, &chain.up, &chain.down})
      if (projection->lora)
        return projection->lora;
    return {};
  }

  /// True where a LoRA can have the numbers of adapters and of ranks that
  /// `first` has: it is known to, or a guard asks for it. Where they are
  /// static, all its operands must say so: they become operands of one op, and
  /// scales and ranks rows of one tensor.
  bool hasSameSizes(LoraMatmulOp lora, LoraMatmulOp first) {
    Value firstA = first.getA(0);
    int64_t adapters = getSize(firstA, 0), ranks = getSize(firstA, 1);
    for (unsigned slice = 0; slice < lora.getNumSlices(); ++slice) {
      Value a = lora.getA(slice), b = lora.getB(slice);
      if (getSize(a, 0) != adapters || getSize(a, 1) != ranks ||
          getSize(b, 0) != adapters || getSize(b, 2) != ranks)
        return false;
    }
    for (Value entries : {lora.getScales(), lora.getRanks()})
      if (entries && getSize(entries, getRank(entries) - 1) != adapters)
        return false;
    Value a = lora.getA(0);
    for (int64_t dim : {0, 1}) {
      FailureOr<bool> isSame =
          ValueBoundsConstraintSet::areEqual({a, dim}, {firstA, dim});
      if (succeeded(isSame) && !*isSame)
        return false;
      if (failed(isSame))
        chain.equalSizes.push_back({a, firstA, dim});
    }
    return true;
  }

  LogicalResult checkLora(const DenseProjection &projection, StringRef name,
                          unsigned slices, int64_t width) {
    LoraMatmulOp lora = projection.lora;
    if (!lora)
      return success();
    if (lora.getX() != projection.x)
      return fail("has a LoRA for " + name + " on something else than x");
    bool isWhole = lora.getNumSlices() == slices && lora.getOffset() == 0 &&
                   lora.getAccumulate();
    for (unsigned slice = 0; isWhole && slice < slices; ++slice)
      isWhole = getSize(lora.getB(slice), 1) == width;
    if (!isWhole)
      return fail("has a LoRA for " + name +
                  " that is not added to all of its columns");
    LoraMatmulOp first = getFirstLora();
    if (!isSameVector(lora.getIds(), first.getIds()) ||
        lora.getRounding() != first.getRounding() ||
        lora.getIntermediate() != first.getIntermediate() ||
        lora.getWeightType() != first.getWeightType())
      return fail("has LoRAs that differ in ids, roundings or element types");
    if (!hasSameSizes(lora, first))
      return fail("has LoRAs that are not known to have the same numbers of "
                  "adapters and of ranks");
    return success();
  }

  LogicalResult checkForm() {
    if (chain.gate.x != chain.up.x)
      return fail("has a gate and an up that are made of different x");
    if (!chain.gate.isByOutput || !chain.up.isByOutput)
      return fail("has weights of gate or up that are stored as [H, d]: the "
                  "weights of a column are not contiguous");
    int64_t width = getSize(chain.gate.x, 1);
    int64_t columns = getSize(chain.down.x, 1);
    if (ShapedType::isDynamic(width) || ShapedType::isDynamic(columns))
      return fail("has widths that are not known");
    if (getSize(chain.down.base, 1) != width)
      return fail("has " + Twine(getSize(chain.down.base, 1)) +
                  " outputs for " + Twine(width) + " inputs");
    if (failed(checkLora(chain.gate, "the gate", chain.isPacked ? 2 : 1,
                         columns)) ||
        failed(checkLora(chain.up, "up", chain.isPacked ? 2 : 1, columns)) ||
        failed(checkLora(chain.down, "down", 1, width)))
      return failure();
    Block *block = chain.getResult().getDefiningOp()->getBlock();
    for (Operation *op : chain.ops)
      if (op->getBlock() != block)
        return fail("is in another block than its matmuls");
    return success();
  }

  /// Nothing else needs what the op does not compute.
  LogicalResult checkUses() {
    Operation *last = chain.getResult().getDefiningOp();
    for (Operation *op : chain.ops) {
      if (op == last)
        continue;
      for (Operation *user : op->getUsers())
        if (!chain.ops.contains(user) && !isa<tensor::DimOp>(user) &&
            !isCopyInChain(user))
          return fail("has a gate, an up or an activation that is used "
                      "elsewhere too");
    }
    return success();
  }

  /// A copy that a matmul of the chain reads through.
  bool isCopyInChain(Operation *op) {
    return isa<linalg::LinalgOp>(op) && op->getNumResults() == 1 &&
           llvm::all_of(op->getUsers(), [&](Operation *user) {
             return chain.ops.contains(user);
           });
  }

  DenseChain chain;
  Type elementType;
  std::string &reason;
};

} // namespace

FailureOr<DenseChain> frit::matchDenseChain(GeluAndMulSparseOp activation,
                                            std::string &reason) {
  return ChainMatcher(activation, reason).match();
}

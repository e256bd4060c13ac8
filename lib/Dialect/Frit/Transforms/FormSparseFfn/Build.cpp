//===- Build.cpp ----------------------------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Builds frit.sparse_ffn from a dense chain, and copies of the chain.
//
//===----------------------------------------------------------------------===//

#include "Build.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace mlir::frit;

/// The slice [offset, offset + size) of a dimension of a tensor; without that
/// dimension where it is `dropped`.
static Value slice(OpBuilder &b, Location loc, Value tensor, int64_t dim,
                   int64_t offset, int64_t size, bool dropped = false) {
  auto type = cast<RankedTensorType>(tensor.getType());
  SmallVector<OpFoldResult> sizes = tensor::getMixedSizes(b, loc, tensor);
  SmallVector<OpFoldResult> offsets(sizes.size(), b.getIndexAttr(0));
  SmallVector<OpFoldResult> strides(sizes.size(), b.getIndexAttr(1));
  offsets[dim] = b.getIndexAttr(offset);
  sizes[dim] = b.getIndexAttr(size);
  SmallVector<int64_t> shape(type.getShape());
  shape[dim] = size;
  if (dropped)
    shape.erase(shape.begin() + dim);
  return tensor::ExtractSliceOp::create(
      b, loc, RankedTensorType::get(shape, type.getElementType()), tensor,
      offsets, sizes, strides);
}

namespace {
/// The LoRAs of the three projections, as sparse_ffn has them.
class Loras {
public:
  Loras(const DenseChain &chain, OpBuilder &b, Location loc)
      : b(b), loc(loc), ops{chain.gate.lora, chain.up.lora, chain.down.lora},
        slices{0, chain.isPacked ? 1U : 0U, 0} {}

  LoraMatmulOp getAny() {
    for (LoraMatmulOp op : ops)
      if (op)
        return op;
    return {};
  }
  SmallVector<Value> getWeights(unsigned projection) {
    LoraMatmulOp op = ops[projection];
    if (!op)
      return {};
    return {op.getA(slices[projection]), op.getB(slices[projection])};
  }
  APFloat getScale(unsigned projection) {
    LoraMatmulOp op = ops[projection];
    return op ? op.getScale() : APFloat(1.0f);
  }
  Value getScales() {
    return combine([](LoraMatmulOp op, unsigned) { return op.getScales(); },
                   [&]() -> Value {
                     return arith::ConstantOp::create(b, loc,
                                                      b.getF32FloatAttr(1));
                   });
  }
  Value getRanks() {
    LoraMatmulOp any = getAny();
    if (!any)
      return {};
    return combine(
        [&](LoraMatmulOp op, unsigned slice) -> Value {
          Value ranks = op.getRanks();
          if (!ranks || cast<RankedTensorType>(ranks.getType()).getRank() == 1)
            return ranks;
          return getRow(ranks, slice);
        },
        [&]() -> Value {
          OpFoldResult most = tensor::getMixedSize(b, loc, any.getA(0), 1);
          if (auto known = dyn_cast<Attribute>(most))
            return arith::ConstantOp::create(
                b, loc,
                b.getI32IntegerAttr(
                    static_cast<int32_t>(cast<IntegerAttr>(known).getInt())));
          return arith::IndexCastOp::create(b, loc, b.getI32Type(),
                                            cast<Value>(most));
        });
  }

private:
  Value getRow(Value ranks, unsigned index) {
    return slice(b, loc, ranks, /*dim=*/0, index, 1, /*dropped=*/true);
  }

  /// `[L]` where all LoRAs have the same entries, `[3, L]` where they differ or
  /// some have none, for which `neutral` stands; null where none has any.
  Value combine(function_ref<Value(LoraMatmulOp, unsigned)> get,
                function_ref<Value()> getNeutral) {
    SmallVector<Value, 3> parts;
    Value any;
    bool isSame = true;
    for (auto [op, slice] : llvm::zip(ops, slices)) {
      Value part = op ? get(op, slice) : Value();
      parts.push_back(part);
      if (op && any)
        isSame &= part && isSameVector(part, any);
      any = any ? any : part;
    }
    if (!any)
      return {};
    for (auto [op, part] : llvm::zip(ops, parts))
      isSame &= !op || part;
    if (isSame)
      return any;
    auto type = cast<RankedTensorType>(any.getType());
    SmallVector<OpFoldResult> sizes{b.getIndexAttr(3),
                                    tensor::getMixedSize(b, loc, any, 0)};
    Value all = tensor::EmptyOp::create(b, loc, sizes, type.getElementType());
    all = linalg::FillOp::create(b, loc, getNeutral(), all).getResult(0);
    for (auto [index, part] : llvm::enumerate(parts)) {
      if (!part)
        continue;
      SmallVector<OpFoldResult> offsets{
          b.getIndexAttr(static_cast<int64_t>(index)), b.getIndexAttr(0)};
      SmallVector<OpFoldResult> partSizes{b.getIndexAttr(1), sizes[1]};
      SmallVector<OpFoldResult> strides(2, b.getIndexAttr(1));
      all = tensor::InsertSliceOp::create(b, loc, part, all, offsets, partSizes,
                                          strides);
    }
    return all;
  }

  OpBuilder &b;
  Location loc;
  std::array<LoraMatmulOp, 3> ops;
  std::array<unsigned, 3> slices;
};
} // namespace

/// What the op adds to: the residual, as a matrix.
static Value buildDestination(const Residual &residual, OpBuilder &b,
                              Location loc) {
  Value matrix = residual.value;
  for (tensor::ExpandShapeOp reshape : llvm::reverse(residual.reshapes))
    matrix =
        tensor::CollapseShapeOp::create(b, loc, reshape.getSrcType(), matrix,
                                        reshape.getReassociationIndices());
  return matrix;
}

SparseFfnOp frit::buildSparseFfn(const DenseChain &chain,
                                 RewriterBase &rewriter) {
  GeluAndMulSparseOp act = chain.activation;
  Location loc = act.getLoc();
  Value gate = chain.gate.weights, up = chain.up.weights;
  if (chain.isPacked) {
    int64_t columns =
        cast<RankedTensorType>(chain.down.x.getType()).getDimSize(1);
    up = slice(rewriter, loc, gate, /*dim=*/0, columns, columns);
    gate = slice(rewriter, loc, gate, /*dim=*/0, 0, columns);
  }
  Value destination = chain.down.destination;
  if (chain.residual.value)
    destination = buildDestination(chain.residual, rewriter, loc);
  Loras loras(chain, rewriter, loc);
  LoraMatmulOp any = loras.getAny();
  return SparseFfnOp::create(
      rewriter, loc, chain.down.base.getType(), chain.gate.x,
      any ? any.getIds() : Value(), gate, up, chain.down.weights,
      loras.getWeights(SparseFfnOp::Gate), loras.getWeights(SparseFfnOp::Up),
      loras.getWeights(SparseFfnOp::Down), loras.getScales(), loras.getRanks(),
      destination, act.getStdMultiplier(),
      chain.down.isByOutput ? DownLayout::Hd : DownLayout::Dh,
      act.getApproximate(), act.getRounding(), act.getCorrection(),
      loras.getScale(SparseFfnOp::Gate), loras.getScale(SparseFfnOp::Up),
      loras.getScale(SparseFfnOp::Down),
      any ? any.getIntermediate() : Intermediate::F32,
      any ? any.getRounding() : LoraRounding::Final,
      /*accumulate=*/bool(chain.residual.value));
}

Value frit::buildResult(const DenseChain &chain, SparseFfnOp op,
                        RewriterBase &rewriter) {
  Value result = op.getResults().front();
  for (tensor::ExpandShapeOp reshape : chain.residual.reshapes)
    result = tensor::ExpandShapeOp::create(
        rewriter, reshape.getLoc(), reshape.getResultType(), result,
        reshape.getReassociationIndices(), reshape.getMixedOutputShape());
  return result;
}

/// The chain's ops and what prepares their operands in the same block, down to
/// what sparse_ffn reads itself; in the order of the block.
static SmallVector<Operation *> getAllOps(const DenseChain &chain) {
  SetVector<Operation *> all(chain.ops.begin(), chain.ops.end());
  SmallPtrSet<Value, 16> operands{chain.gate.x,           chain.gate.weights,
                                  chain.up.weights,       chain.down.weights,
                                  chain.down.destination, chain.residual.value};
  for (LoraMatmulOp lora : {chain.gate.lora, chain.up.lora, chain.down.lora})
    if (lora)
      for (Value operand : lora->getOperands())
        if (operand != lora.getX() && operand != lora.getOut())
          operands.insert(operand);
  Block *block = chain.getResult().getDefiningOp()->getBlock();
  for (size_t i = 0; i < all.size(); ++i)
    for (Value operand : all[i]->getOperands()) {
      Operation *producer = operand.getDefiningOp();
      if (producer && producer->getBlock() == block &&
          !operands.contains(operand) && isMemoryEffectFree(producer) &&
          isa<linalg::LinalgOp, tensor::EmptyOp, tensor::DimOp>(producer))
        all.insert(producer);
    }
  SmallVector<Operation *> ordered = all.takeVector();
  llvm::sort(ordered, [](Operation *lhs, Operation *rhs) {
    return lhs->isBeforeInBlock(rhs);
  });
  return ordered;
}

Value frit::cloneChain(const DenseChain &chain, RewriterBase &rewriter) {
  IRMapping mapping;
  for (Operation *op : getAllOps(chain))
    rewriter.clone(*op, mapping);
  return mapping.lookup(chain.getResult());
}

/// Lets those that ask for sizes of what the chain computes ask what it is
/// written to, so that they do not keep it alive.
static void redirectSizes(const DenseChain &chain, RewriterBase &rewriter) {
  for (Operation *op : chain.ops)
    for (Operation *user : llvm::make_early_inc_range(op->getUsers())) {
      auto dim = dyn_cast<tensor::DimOp>(user);
      if (!dim)
        continue;
      std::optional<int64_t> index = dim.getConstantIndex();
      if (auto expand = dyn_cast<tensor::ExpandShapeOp>(op); expand && index) {
        rewriter.setInsertionPoint(dim);
        rewriter.replaceOp(
            dim,
            getValueOrCreateConstantIndexOp(
                rewriter, dim.getLoc(),
                expand.getMixedOutputShape()[static_cast<size_t>(*index)]));
        continue;
      }
      Value source = dim.getSource();
      while (auto writer = source.getDefiningOp<DestinationStyleOpInterface>())
        source = writer.getTiedOpOperand(cast<OpResult>(source))->get();
      rewriter.modifyOpInPlace(dim,
                               [&] { dim.getSourceMutable().assign(source); });
    }
}

void frit::eraseDead(const DenseChain &chain, RewriterBase &rewriter) {
  redirectSizes(chain, rewriter);
  SmallVector<Operation *> ops = getAllOps(chain);
  for (Operation *op : llvm::reverse(ops))
    if (isOpTriviallyDead(op))
      rewriter.eraseOp(op);
}

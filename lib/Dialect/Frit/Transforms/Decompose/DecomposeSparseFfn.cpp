//===- DecomposeSparseFfn.cpp ---------------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The native form of the sparse feed-forward network: the dense chain. Products
// with a zero activation are formed in it only where a selection drops them
// again, so that what is not finite in the weights makes nothing of a zero.
//
//===----------------------------------------------------------------------===//

#include "ShapedBuilder.h"
#include "SumBuilder.h"

#include "frit/Dialect/Frit/Transforms/Decompose.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace mlir::frit;

namespace {

/// Emits the chain, one matrix of all tokens after the other.
class DenseChain {
public:
  DenseChain(SparseFfnOp op, OpBuilder &builder,
             const DecomposeOptions &options)
      : op(op), builder(builder), numerics(builder, op),
        shaped(builder, numerics.getStrictLoc()),
        sums(numerics, options.accumulateInF64), zero(builder.getIndexAttr(0)),
        one(builder.getIndexAttr(1)), tokens(shaped.dim(op.getX(), 0)),
        width(shaped.dim(op.getX(), 1)), columns(shaped.dim(op.getGate(), 0)),
        elementType(op.getElementType()) {}

  SmallVector<Value> build() {
    Value gate = buildProjection(SparseFfnOp::Gate, op.getGate());
    Value up = buildProjection(SparseFfnOp::Up, op.getUp());
    Value activation = buildActivation(gate, up);
    Value result = buildDown(activation);
    for (Value temporary : temporaries)
      shaped.release(temporary);
    return op.hasTensorSemantics() ? SmallVector<Value>{result}
                                   : SmallVector<Value>{};
  }

private:
  Value create(ArrayRef<OpFoldResult> sizes, Type type) {
    Value temporary = shaped.create(op.getOut().getType(), sizes, type);
    temporaries.push_back(temporary);
    return temporary;
  }
  Part row(OpFoldResult token, OpFoldResult size) {
    return Part().at(token, builder).range(zero, size);
  }
  /// What an op on tensors or on memrefs changes `dest` to.
  SmallVector<Type> getResultTypes(Value dest) {
    return op.hasTensorSemantics() ? SmallVector<Type>{dest.getType()}
                                   : SmallVector<Type>{};
  }
  Value getChanged(Operation *changing, Value dest) {
    if (auto kernelOp = dyn_cast<KernelOpInterface>(changing))
      if (KernelAttr kernel = op.getKernel())
        kernelOp.setKernel(kernel);
    return op.hasTensorSemantics() ? changing->getResult(0) : dest;
  }
  Value isNotZero(Value value) {
    return arith::CmpFOp::create(builder, numerics.getStrictLoc(),
                                 arith::CmpFPredicate::UNE, value,
                                 numerics.constant(0, value.getType()));
  }

  /// Each row of `dest` changed by `fn`.
  Value forEachRow(Value dest, OpFoldResult size,
                   function_ref<Value(Value token, Value row)> fn) {
    return shaped.forEach(
        tokens, dest,
        [&](ArrayRef<OpFoldResult> ivs) { return row(ivs.front(), size); },
        [&](ArrayRef<OpFoldResult> ivs, Value part) {
          return fn(shaped.index(ivs.front()), part);
        });
  }

  /// sum_k weight(k) * input[token, k], without the terms of zero inputs where
  /// asked.
  Value buildSum(Value input, Value token, OpFoldResult depth, bool skipZeros,
                 function_ref<Value(Value k)> weightAt) {
    return sums.build(shaped.index(depth), [&](Value k, Value sum) {
      Value element = shaped.load(input, {token, k});
      Value changed = numerics.multiplyAdd(sums.widen(weightAt(k)),
                                           sums.widen(element), sum);
      if (!skipZeros)
        return changed;
      return arith::SelectOp::create(builder, numerics.getFmaLoc(),
                                     isNotZero(numerics.extend(element)),
                                     changed, sum)
          .getResult();
    });
  }

  /// r(x * W^T) with its LoRA, for gate and up.
  Value buildProjection(unsigned projection, Value weights) {
    Value dest = create({tokens, columns}, elementType);
    dest = forEachRow(dest, columns, [&](Value token, Value part) {
      return shaped.mapIndexed(part, [&](Value n, Value) {
        Value sum =
            buildSum(op.getX(), token, width, /*skipZeros=*/false,
                     [&](Value k) { return shaped.load(weights, {n, k}); });
        return numerics.truncate(sum, elementType);
      });
    });
    if (!op.hasLora(projection))
      return dest;
    auto lora = LoraMatmulOp::create(
        builder, op.getLoc(), getResultTypes(dest), op.getX(), op.getIds(),
        op.getLora(projection), getPerAdapter(op.getScales(), projection),
        getPerAdapter(op.getRanks(), projection), Value(), Value(), Value(),
        dest, op.getLoraScale(projection), /*offset=*/0, op.getIntermediate(),
        op.getLoraRounding(), /*accumulate=*/true);
    return getChanged(lora, dest);
  }

  /// The entries of a projection in `scales` or `ranks`, which may be null.
  Value getPerAdapter(Value perAdapter, unsigned projection) {
    if (!perAdapter || cast<ShapedType>(perAdapter.getType()).getRank() == 1)
      return perAdapter;
    return shaped.slice(perAdapter, row(builder.getIndexAttr(projection),
                                        shaped.dim(perAdapter, 1)));
  }

  /// y: the activated gate is the sparse activation with an up of 1, which
  /// changes no bit of it.
  Value buildActivation(Value gate, Value up) {
    bool isFinal = op.getRounding() == Rounding::Final;
    Type activatedType = isFinal ? FloatType(builder.getF32Type())
                                 : cast<FloatType>(elementType);
    if (isFinal && !elementType.isF32()) {
      Value wide = create({tokens, columns}, activatedType);
      gate = forEachRow(wide, columns, [&](Value token, Value part) {
        Value in = shaped.slice(gate, row(token, columns));
        return shaped.map(in, part, [&](ValueRange args) {
          return numerics.extend(args[0]);
        });
      });
    }
    Value oneValue =
        arith::ConstantOp::create(builder, numerics.getStrictLoc(),
                                  builder.getFloatAttr(activatedType, 1.0));
    Value ones =
        shaped.fill(create({tokens, columns}, activatedType), oneValue);
    Value activated = create({tokens, columns}, activatedType);
    auto sparse = GeluAndMulSparseOp::create(
        builder, op.getLoc(), getResultTypes(activated), gate, ones, activated,
        op.getStdMultiplier(), op.getApproximate(), op.getRounding(),
        op.getCorrection(), /*assume_finite_up=*/false);
    activated = getChanged(sparse, activated);

    Value dest = create({tokens, columns}, elementType);
    return forEachRow(dest, columns, [&](Value token, Value part) {
      Value a = shaped.slice(activated, row(token, columns));
      Value u = shaped.slice(up, row(token, columns));
      return shaped.map({a, u}, part, [&](ValueRange args) {
        Value wide = numerics.extend(args[0]);
        Value product =
            numerics.gatedProduct(wide, numerics.extend(args[1]), elementType);
        Value nothing = numerics.truncate(numerics.constant(0, wide.getType()),
                                          elementType);
        return arith::SelectOp::create(builder, numerics.getStrictLoc(),
                                       isNotZero(wide), product, nothing)
            .getResult();
      });
    });
  }

  /// f with its LoRA, and the residual.
  Value buildDown(Value activation) {
    bool isResidual = op.getAccumulate();
    Value dest =
        isResidual ? create({tokens, width}, elementType) : op.getOut();
    dest = forEachRow(dest, width, [&](Value token, Value part) {
      return shaped.mapIndexed(part, [&](Value n, Value) {
        Value sum = buildSum(
            activation, token, columns, /*skipZeros=*/true, [&](Value k) {
              bool isDh = op.getDownLayout() == DownLayout::Dh;
              return shaped.load(op.getDown(),
                                 isDh ? ValueRange{k, n} : ValueRange{n, k});
            });
        return numerics.truncate(sum, elementType);
      });
    });
    if (op.hasLora(SparseFfnOp::Down))
      dest = buildDownLora(activation, dest);
    if (!isResidual)
      return dest;
    return forEachRow(op.getOut(), width, [&](Value token, Value part) {
      Value f = shaped.slice(dest, row(token, width));
      return shaped.map(f, part, [&](ValueRange args) {
        Value sum = arith::AddFOp::create(builder, numerics.getStrictLoc(),
                                          numerics.extend(args[1]),
                                          numerics.extend(args[0]));
        return numerics.truncate(sum, elementType);
      });
    });
  }

  /// The LoRA of down. Its first half is written here, for what it leaves out.
  Value buildDownLora(Value activation, Value dest) {
    Value a = op.getDownLora()[0], b = op.getDownLora()[1];
    OpFoldResult largestRank = shaped.dim(a, 1);
    bool isStepwise = op.getLoraRounding() == LoraRounding::Stepwise;
    Value scales = getPerAdapter(op.getScales(), SparseFfnOp::Down);
    Value ranks = getPerAdapter(op.getRanks(), SparseFfnOp::Down);
    auto buildHidden = [&](Value token, Value adapter, Value part) {
      Value c;
      if (!isStepwise)
        c = numerics.loraCoefficient(op.getDownScale().convertToFloat(),
                                     scales ? shaped.load(scales, adapter)
                                            : Value(),
                                     builder.getF32Type());
      OpFoldResult rank =
          ranks ? OpFoldResult(shaped.loadWithin(ranks, adapter, largestRank))
                : largestRank;
      Part known = Part().range(zero, rank);
      Value dest = shaped.slice(part, known);
      Value changed = shaped.mapIndexed(dest, [&](Value r, Value) {
        Value sum =
            buildSum(activation, token, columns, /*skipZeros=*/true,
                     [&](Value k) { return shaped.load(a, {adapter, r, k}); });
        return numerics.loraHidden(
            sum, c, op.getLoraRounding(), op.getIntermediate(),
            cast<ShapedType>(a.getType()).getElementType());
      });
      return shaped.insert(changed, part, known);
    };

    Value hidden = create({one, tokens, largestRank}, builder.getF32Type());
    hidden = shaped.forEach(
        tokens, hidden,
        [&](ArrayRef<OpFoldResult> ivs) {
          return Part()
              .at(zero, builder)
              .at(ivs.front(), builder)
              .range(zero, largestRank);
        },
        [&](ArrayRef<OpFoldResult> ivs, Value part) {
          Value token = shaped.index(ivs.front());
          Value id = arith::IndexCastOp::create(
              builder, numerics.getStrictLoc(), builder.getIndexType(),
              shaped.load(op.getIds(), token));
          // A negative id is a huge unsigned one.
          Value hasAdapter = arith::CmpIOp::create(
              builder, numerics.getStrictLoc(), arith::CmpIPredicate::ult, id,
              shaped.index(shaped.dim(a, 0)));
          return shaped.ifThen(hasAdapter, part, [&](Value part) {
            return buildHidden(token, id, part);
          });
        });
    auto expand = LoraExpandOp::create(
        builder, op.getLoc(), getResultTypes(dest), hidden, op.getIds(), b,
        isStepwise ? scales : Value(), ranks, Value(), Value(), Value(), dest,
        isStepwise ? op.getDownScale() : APFloat(1.0f), /*offset=*/0,
        op.getLoraRounding(), /*accumulate=*/true);
    return getChanged(expand, dest);
  }

  SparseFfnOp op;
  OpBuilder &builder;
  NumericsBuilder numerics;
  ShapedBuilder shaped;
  SumBuilder sums;
  OpFoldResult zero, one, tokens, width, columns;
  Type elementType;
  SmallVector<Value> temporaries;
};

} // namespace

SmallVector<Value> frit::decompose(SparseFfnOp op, OpBuilder &builder,
                                   const DecomposeOptions &options) {
  return DenseChain(op, builder, options).build();
}

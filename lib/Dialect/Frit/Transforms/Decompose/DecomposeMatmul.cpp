//===- DecomposeMatmul.cpp ------------------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The native form of a matmul: a contraction into f32 and, unless that is the
// result already, an elementwise op that adds what is to be added and rounds.
//
//===----------------------------------------------------------------------===//

#include "ShapedBuilder.h"

#include "frit/Dialect/Frit/Transforms/Decompose.h"
#include "frit/Dialect/Frit/Transforms/NumericsBuilder.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"

using namespace mlir;
using namespace mlir::frit;

using utils::IteratorType;

namespace {

class MatmulDecomposer {
public:
  MatmulDecomposer(MatmulOp op, OpBuilder &builder,
                   const DecomposeOptions &options)
      : op(op), builder(builder), numerics(builder, op),
        shaped(builder, numerics.getStrictLoc()),
        sumType(options.accumulateInF64 ? FloatType(builder.getF64Type())
                                        : FloatType(builder.getF32Type())) {}

  SmallVector<Value> run() {
    // The sum is the result where nothing is added to it or rounded.
    bool isResult = op.getOutType().getElementType() == sumType &&
                    !op.getAccumulate() && !op.getBias();
    Value sum = isResult ? op.getOut()
                         : shaped.create(op.getOut().getType(),
                                         shaped.dims(op.getOut()), sumType);
    Value zero = arith::ConstantOp::create(builder, numerics.getFmaLoc(),
                                           builder.getFloatAttr(sumType, 0));
    Value result = contract(shaped.fill(sum, zero));
    if (!isResult) {
      Value rounded = finish(result);
      shaped.release(sum);
      result = rounded;
    }
    return op.hasTensorSemantics() ? SmallVector<Value>{result}
                                   : SmallVector<Value>{};
  }

private:
  /// The map of an operand over the dimensions that `dims` names, one letter
  /// each: those of the result are b, m, n and those of the sum k.
  AffineMap getMap(StringRef letters) {
    SmallVector<AffineExpr> exprs;
    for (char letter : letters) {
      unsigned position = StringRef("mnkb").find(letter);
      if (op.isBatched())
        position = letter == 'b' ? 0 : position + 1;
      exprs.push_back(builder.getAffineDimExpr(position));
    }
    return AffineMap::get(op.isBatched() ? 4 : 3, 0, exprs,
                          builder.getContext());
  }

  std::string getLetters(Value operand, StringRef matrix) {
    bool isStack = cast<ShapedType>(operand.getType()).getRank() == 3;
    return (isStack ? "b" : "") + matrix.str();
  }

  /// A linalg.generic on tensors, with a result, or on memrefs. `fn` emits at
  /// the insertion point of `builder`.
  Value createGeneric(ValueRange inputs, Value out, ArrayRef<AffineMap> maps,
                      ArrayRef<IteratorType> iterators,
                      function_ref<Value(ValueRange)> fn) {
    SmallVector<Type> types;
    if (op.hasTensorSemantics())
      types.push_back(out.getType());
    auto generic = linalg::GenericOp::create(
        builder, numerics.getStrictLoc(), types, inputs, out, maps, iterators,
        [&](OpBuilder &, Location loc, ValueRange args) {
          linalg::YieldOp::create(builder, loc, fn(args));
        });
    return types.empty() ? out : generic.getResult(0);
  }

  Value contract(Value init) {
    SmallVector<IteratorType> iterators(op.isBatched() ? 3 : 2,
                                        IteratorType::parallel);
    iterators.push_back(IteratorType::reduction);
    SmallVector<AffineMap> maps{
        getMap(getLetters(op.getA(), op.getTransposeA() ? "km" : "mk")),
        getMap(getLetters(op.getB(), op.getTransposeB() ? "nk" : "kn")),
        getMap(getLetters(op.getOut(), "mn"))};
    Location loc = numerics.getFmaLoc();
    return createGeneric(
        {op.getA(), op.getB()}, init, maps, iterators,
        [&](ValueRange args) -> Value {
          auto widen = [&](Value value) -> Value {
            if (value.getType() == sumType)
              return value;
            return arith::ExtFOp::create(builder, loc, sumType, value);
          };
          Value product = arith::MulFOp::create(builder, loc, widen(args[0]),
                                                widen(args[1]));
          return arith::AddFOp::create(builder, loc, args[2], product);
        });
  }

  Value finish(Value sum) {
    int64_t rank = op.getOutType().getRank();
    AffineMap identity = builder.getMultiDimIdentityMap(rank);
    SmallVector<Value> inputs{sum};
    SmallVector<AffineMap> maps{identity};
    if (op.getBias()) {
      inputs.push_back(op.getBias());
      maps.push_back(
          AffineMap::get(rank, 0, builder.getAffineDimExpr(rank - 1)));
    }
    maps.push_back(identity);
    SmallVector<IteratorType> iterators(rank, IteratorType::parallel);
    return createGeneric(
        inputs, op.getOut(), maps, iterators, [&](ValueRange args) -> Value {
          Location loc = numerics.getFmaLoc();
          Value total = args.front();
          if (!total.getType().isF32())
            total = arith::TruncFOp::create(builder, loc, builder.getF32Type(),
                                            total);
          if (op.getAccumulate())
            total = numerics.addTerm(numerics.extend(args.back()), total);
          if (op.getBias())
            total = numerics.addTerm(numerics.extend(args[1]), total);
          return numerics.truncate(total, op.getOutType().getElementType());
        });
  }

  MatmulOp op;
  OpBuilder &builder;
  NumericsBuilder numerics;
  ShapedBuilder shaped;
  FloatType sumType;
};

} // namespace

SmallVector<Value> frit::decompose(MatmulOp op, OpBuilder &builder,
                                   const DecomposeOptions &options) {
  return MatmulDecomposer(op, builder, options).run();
}

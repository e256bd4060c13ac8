//===- SparseFfn.cpp ------------------------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Lowers sparse_ffn: the gate in tiles, the active columns of all tokens, their
// rows of up in tiles, and the sums of down. The weights of the gate are
// streamed once, those of up and down as far as they are needed. LoRAs of the
// gate and the expanding halves are ops of their own, which are lowered on the
// way.
//
//===----------------------------------------------------------------------===//

#include "../Utils/LoraCode.h"
#include "Lowerings.h"
#include "SparseFfnCode.h"

#include "frit/Dialect/Frit/Transforms/Origin.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace mlir::frit;

namespace {

class SparseFfnLowering {
public:
  SparseFfnLowering(const SparseFfnEmitter &f, const VectorTarget &target,
                    RewriterBase &rewriter)
      : f(f), op(f.op), e(f.e), numerics(f.numerics), b(e.getBuilder()),
        target(target), rewriter(rewriter), elementType(f.getElementType()),
        x(withUnitInnerStride(b, op.getX())), numTokens(e.dim(x, 0)),
        width(e.dim(x, 1)), columns(e.dim(op.getGate(), 0)) {}

  LogicalResult lower() {
    Value gate = allocate({op.getX(), 0}, {op.getGate(), 0}, elementType);
    emitGate(gate);
    if (op.hasLora(SparseFfnOp::Gate) && failed(lowerGateLora(gate)))
      return failure();

    Value activation =
        allocate({op.getX(), 0}, {op.getGate(), 0}, b.getF32Type());
    emitActivatedGate(f, gate, activation);
    ActiveColumns active = allocateActiveColumns({});
    ActiveColumns ofTokens = allocateActiveColumns(
        memref::getMixedSize(b, b.getLoc(), op.getX(), 0));
    e.parallel(numTokens, [&](Value token) {
      emitActiveColumns(f, activation, token, e.add(token, 1),
                        ofTokens.ofToken(e, token));
    });
    emitActiveColumns(f, activation, e.index(0), numTokens, active);
    if (op.hasLora(SparseFfnOp::Up) && failed(lowerUpShrink()))
      return failure();
    emitUp(activation, active);

    Value out = withUnitInnerStride(b, op.getOut());
    Value result = op.getAccumulate()
                       ? allocate({op.getX(), 0}, {op.getX(), 1}, elementType)
                       : out;
    emitDown(f, activation, ofTokens, result);
    if (op.hasLora(SparseFfnOp::Down) &&
        failed(lowerDownLora(activation, result)))
      return failure();
    if (op.getAccumulate())
      emitResidual(result, out);
    for (Value buffer : buffers)
      memref::DeallocOp::create(b, buffer);
    return success();
  }

private:
  struct Place {
    Value value;
    int64_t dim;
  };

  Value allocate(ArrayRef<OpFoldResult> sizes, Type type) {
    buffers.push_back(memref::AllocOp::create(b, sizes, type));
    return buffers.back();
  }
  Value allocate(Place rows, Place columns, Type type) {
    auto size = [&](Place place) {
      return memref::getMixedSize(b, b.getLoc(), place.value, place.dim);
    };
    return allocate({size(rows), size(columns)}, type);
  }
  /// One list, or one for each of `rows`.
  ActiveColumns allocateActiveColumns(std::optional<OpFoldResult> rows) {
    SmallVector<OpFoldResult> sizes, numStarts;
    if (rows) {
      sizes.push_back(*rows);
      numStarts.push_back(*rows);
    }
    sizes.push_back(memref::getMixedSize(b, b.getLoc(), op.getGate(), 0));
    numStarts.push_back(
        getAsOpFoldResult(e.add(e.ceilDiv(columns, ActiveColumns::kRange), 1)));
    return {allocate(sizes, b.getI32Type()),
            allocate(numStarts, b.getI32Type())};
  }

  //===--------------------------------------------------------------------===//
  // Gate and up
  //===--------------------------------------------------------------------===//

  using StoreTile =
      function_ref<void(ArrayRef<Value>, ArrayRef<Value>, ArrayRef<Value>)>;

  /// The products of all tokens' x with `numRows` rows.
  void emitProducts(Value numRows, function_ref<VectorRow(Value)> getRow,
                    StoreTile store) {
    Value tokenTasks = e.ceilDiv(numTokens, kDotTaskLhsRows);
    Value rowTasks = e.ceilDiv(numRows, kDotTaskRhsRows);
    Value divisor = e.max(tokenTasks, e.index(1));
    e.parallel(e.mul(tokenTasks, rowTasks), [&](Value task) {
      Value begin = e.mul(e.div(task, divisor), kDotTaskRhsRows);
      Value end = e.min(e.add(begin, kDotTaskRhsRows), numRows);
      Value tokenBegin = e.mul(e.rem(task, divisor), kDotTaskLhsRows);
      Value tokenEnd = e.min(e.add(tokenBegin, kDotTaskLhsRows), numTokens);
      b.setLoc(numerics.getFmaLoc());
      emitDotTiles(
          e, {tokenBegin, tokenEnd}, {begin, end}, width,
          [&](Value token) { return VectorRow{x, {token, e.index(0)}, 1}; },
          getRow,
          [&](ArrayRef<Value> tokens, ArrayRef<Value> rows,
              ArrayRef<Value> sums) {
            b.setLoc(numerics.getStrictLoc());
            store(tokens, rows, sums);
            b.setLoc(numerics.getFmaLoc());
          });
      b.setLoc(numerics.getStrictLoc());
    });
  }

  void emitGate(Value gate) {
    Value weights = withUnitInnerStride(b, op.getGate());
    emitProducts(
        columns,
        [&](Value row) { return VectorRow{weights, {row, e.index(0)}, 1}; },
        [&](ArrayRef<Value> tokens, ArrayRef<Value> rows,
            ArrayRef<Value> sums) {
          for (auto [i, sum] : llvm::enumerate(sums))
            memref::StoreOp::create(
                b, numerics.truncate(sum, elementType), gate,
                ValueRange{tokens[i / rows.size()], rows[i % rows.size()]});
        });
  }

  /// Turns the activated gate of active columns into y.
  void emitUp(Value activation, const ActiveColumns &active) {
    Value weights = withUnitInnerStride(b, op.getUp());
    auto getColumn = [&](Value position) {
      return e.loadIndex(active.list, position);
    };
    emitProducts(
        active.getCount(e),
        [&](Value position) {
          return VectorRow{weights, {getColumn(position), e.index(0)}, 1};
        },
        [&](ArrayRef<Value> tokens, ArrayRef<Value> positions,
            ArrayRef<Value> sums) {
          SmallVector<Value> results;
          SmallVector<SmallVector<Value>> places;
          for (auto [i, sum] : llvm::enumerate(sums)) {
            Value token = tokens[i / positions.size()];
            places.push_back(
                {token, getColumn(positions[i % positions.size()])});
            results.push_back(emitProduct(sum, activation, places.back()));
          }
          for (auto [result, place] : llvm::zip(results, places))
            memref::StoreOp::create(b, result, activation, place);
        });
  }

  /// y of a token and a column from the sum of up.
  Value emitProduct(Value sum, Value activation, ArrayRef<Value> place) {
    Value a = memref::LoadOp::create(b, activation, place);
    Value up = numerics.truncate(sum, elementType);
    if (op.hasLora(SparseFfnOp::Up))
      up = emitUpLora(up, place[0], place[1]);
    Value y = numerics.extend(
        numerics.gatedProduct(a, numerics.extend(up), elementType));
    Value zero = numerics.constant(0, a.getType());
    Value isActive =
        arith::CmpFOp::create(b, arith::CmpFPredicate::UNE, a, zero);
    return arith::SelectOp::create(b, isActive, y, zero);
  }

  //===--------------------------------------------------------------------===//
  // LoRA
  //===--------------------------------------------------------------------===//

  bool isStepwise() { return op.getLoraRounding() == LoraRounding::Stepwise; }
  Type getWeightType(unsigned projection) {
    return cast<MemRefType>(op.getLora(projection)[0].getType())
        .getElementType();
  }

  /// The entries of a projection in `scales` or `ranks`, which may be null.
  Value getPerAdapter(Value perAdapter, unsigned projection) {
    auto type =
        perAdapter ? cast<MemRefType>(perAdapter.getType()) : MemRefType();
    if (!type || type.getRank() == 1)
      return perAdapter;
    SmallVector<OpFoldResult> offsets{b.getIndexAttr(projection),
                                      b.getIndexAttr(0)};
    SmallVector<OpFoldResult> sizes{
        b.getIndexAttr(1), memref::getMixedSize(b, b.getLoc(), perAdapter, 1)};
    SmallVector<OpFoldResult> strides(2, b.getIndexAttr(1));
    MemRefType row = memref::SubViewOp::inferRankReducedResultType(
        {type.getDimSize(1)}, type, offsets, sizes, strides);
    return memref::SubViewOp::create(b, row, perAdapter, offsets, sizes,
                                     strides);
  }
  Value getScales(unsigned projection) {
    return getPerAdapter(op.getScales(), projection);
  }
  LoraAdapters getAdapters(unsigned projection) {
    return {getPerAdapter(op.getRanks(), projection), getScales(projection),
            op.getLoraScale(projection).convertToFloat()};
  }
  /// c of an adapter; null where it is 1.
  Value getCoefficient(unsigned projection, Value adapter) {
    return getAdapters(projection).getCoefficient(e, numerics, adapter);
  }

  /// The builder for ops that are lowered by themselves: their code has an
  /// origin of its own.
  OpBuilder &getOpBuilder() { return b; }

  /// Lowers an op that was created at the builder's place.
  template <typename LoraOp> LogicalResult lowerNow(LoraOp lora) {
    OpBuilder::InsertionGuard guard(rewriter);
    rewriter.setInsertionPoint(lora);
    return lowerToVector(lora, target, rewriter);
  }

  LogicalResult lowerGateLora(Value gate) {
    return lowerNow(LoraMatmulOp::create(
        getOpBuilder(), op.getLoc(), TypeRange(), op.getX(), op.getIds(),
        op.getGateLora(), getScales(SparseFfnOp::Gate),
        getPerAdapter(op.getRanks(), SparseFfnOp::Gate), Value(), Value(),
        Value(), gate, op.getGateScale(), /*offset=*/0, op.getIntermediate(),
        op.getLoraRounding(), /*accumulate=*/true));
  }

  Value allocateHidden(unsigned projection, Type type) {
    Value a = op.getLora(projection)[0];
    return allocate({b.getIndexAttr(1),
                     memref::getMixedSize(b, b.getLoc(), op.getX(), 0),
                     memref::getMixedSize(b, b.getLoc(), a, 1)},
                    type);
  }

  /// The rank vectors of up's LoRA.
  LogicalResult lowerUpShrink() {
    bool rounds = isStepwise() || op.getIntermediate() == Intermediate::Element;
    upHidden =
        allocateHidden(SparseFfnOp::Up, rounds ? getWeightType(SparseFfnOp::Up)
                                               : Type(b.getF32Type()));
    return lowerNow(LoraShrinkOp::create(
        getOpBuilder(), op.getLoc(), TypeRange(), op.getX(), op.getIds(),
        op.getUpLora()[0], isStepwise() ? Value() : getScales(SparseFfnOp::Up),
        getPerAdapter(op.getRanks(), SparseFfnOp::Up), Value(), Value(),
        Value(), upHidden, isStepwise() ? APFloat(1.0f) : op.getUpScale()));
  }

  /// Runs `body` for the adapter of a token that has one. It gives what takes
  /// the place of `otherwise`.
  Value forAdapter(Value ids, Value numAdapters, Value token, Value otherwise,
                   function_ref<Value(Value adapter)> body) {
    Value id = e.loadIndex(ids, token);
    auto branch = scf::IfOp::create(
        b, otherwise ? TypeRange(otherwise.getType()) : TypeRange(),
        e.less(id, numAdapters), /*withElseRegion=*/bool(otherwise));
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(branch.thenBlock());
    Value result = body(id);
    if (!otherwise)
      return {};
    scf::YieldOp::create(b, result);
    b.setInsertionPointToStart(branch.elseBlock());
    scf::YieldOp::create(b, otherwise);
    return branch.getResult(0);
  }

  /// u of a token and a column with its LoRA.
  Value emitUpLora(Value up, Value token, Value column) {
    Value weights = op.getUpLora()[1];
    return forAdapter(
        op.getIds(), e.dim(weights, 0), token, up, [&](Value adapter) {
          Value rank = getAdapters(SparseFfnOp::Up)
                           .getRank(e, e.index(0), adapter, e.dim(weights, 2));
          Value zero = e.index(0);
          b.setLoc(numerics.getFmaLoc());
          Value sum =
              emitDotProducts(e, VectorRow{upHidden, {zero, token, zero}, 2},
                              VectorRow{withUnitInnerStride(b, weights),
                                        {adapter, column, zero},
                                        2},
                              rank)
                  .front();
          b.setLoc(numerics.getStrictLoc());
          Value c =
              isStepwise() ? getCoefficient(SparseFfnOp::Up, adapter) : Value();
          return numerics.loraResult(sum, c, up, op.getLoraRounding(),
                                     getWeightType(SparseFfnOp::Up),
                                     elementType);
        });
  }

  /// Adds down's LoRA to what down gave. Its first half leaves out zeros too.
  LogicalResult lowerDownLora(Value activation, Value result) {
    constexpr int64_t kRanksTogether = 4;
    Value a = op.getDownLora()[0];
    Value weights = withUnitInnerStride(b, a);
    Value hidden = allocateHidden(SparseFfnOp::Down, b.getF32Type());
    e.parallel(numTokens, [&](Value token) {
      forAdapter(op.getIds(), e.dim(a, 0), token, Value(), [&](Value adapter) {
        Value zero = e.index(0);
        Value rank = getAdapters(SparseFfnOp::Down)
                         .getRank(e, zero, adapter, e.dim(a, 1));
        Value c =
            isStepwise() ? Value() : getCoefficient(SparseFfnOp::Down, adapter);
        Value last = e.sub(rank, e.index(1));
        e.loop(zero, rank, kRanksTogether, [&](Value first) {
          SmallVector<Value> ranks;
          SmallVector<VectorRow> rows;
          for (int64_t i = 0; i < kRanksTogether; ++i) {
            ranks.push_back(e.min(e.add(first, i), last));
            rows.push_back({weights, {adapter, ranks.back(), zero}, 2});
          }
          SmallVector<Value> sums =
              emitActiveDots(f, {activation, {token, zero}, 1}, rows, columns);
          for (auto [place, sum] : llvm::zip(ranks, sums))
            memref::StoreOp::create(
                b,
                numerics.loraHidden(sum, c, op.getLoraRounding(),
                                    op.getIntermediate(),
                                    getWeightType(SparseFfnOp::Down)),
                hidden, ValueRange{zero, token, place});
        });
        return Value();
      });
    });
    return lowerNow(LoraExpandOp::create(
        getOpBuilder(), op.getLoc(), TypeRange(), hidden, op.getIds(),
        op.getDownLora()[1],
        isStepwise() ? getScales(SparseFfnOp::Down) : Value(),
        getPerAdapter(op.getRanks(), SparseFfnOp::Down), Value(), Value(),
        Value(), result, isStepwise() ? op.getDownScale() : APFloat(1.0f),
        /*offset=*/0, op.getLoraRounding(), /*accumulate=*/true));
  }

  /// out = r(out + f).
  void emitResidual(Value result, Value out) {
    int64_t lanes = e.getLanes();
    e.parallel(numTokens, [&](Value token) {
      auto add = [&](Value column, Value count) {
        Value sum =
            arith::AddFOp::create(b, e.load(out, {token, column}, count),
                                  e.load(result, {token, column}, count));
        e.store(numerics.truncate(sum, elementType), out, {token, column},
                count);
      };
      Value fullEnd = e.roundDown(width, lanes);
      e.loop(e.index(0), fullEnd, lanes,
             [&](Value column) { add(column, Value()); });
      e.ifThen(e.less(fullEnd, width),
               [&] { add(fullEnd, e.sub(width, fullEnd)); });
    });
  }

  const SparseFfnEmitter &f;
  SparseFfnOp op;
  VectorEmitter &e;
  NumericsBuilder &numerics;
  ImplicitLocOpBuilder &b;
  const VectorTarget &target;
  RewriterBase &rewriter;
  Type elementType;
  Value x, numTokens, width, columns;
  Value upHidden;
  SmallVector<Value> buffers;
};

} // namespace

LogicalResult frit::lowerToVector(SparseFfnOp op, const VectorTarget &target,
                                  RewriterBase &rewriter) {
  ImplicitLocOpBuilder b(getOriginLoc(op, FpMode::Strict), rewriter);
  NumericsBuilder numerics(b, op, /*useFma=*/true);
  VectorEmitter e(b, target.getNumLanes());
  if (failed(SparseFfnLowering({op, e, numerics}, target, rewriter).lower()))
    return failure();
  rewriter.eraseOp(op);
  return success();
}

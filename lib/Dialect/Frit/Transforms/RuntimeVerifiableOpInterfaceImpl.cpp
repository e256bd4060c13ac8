//===- RuntimeVerifiableOpInterfaceImpl.cpp -------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Checks at run time of what verifiers cannot know: sizes that are dynamic,
// adapters and ranks that are out of range, and a grouping that disagrees with
// the ids. Sizes that are known are not checked again. The order of the checks
// makes later ones safe: nothing is read outside of a shape.
//
//===----------------------------------------------------------------------===//

#include "ExternalModelsImpl.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/RuntimeVerifiableOpInterface.h"

#include <limits>

using namespace mlir;
using namespace mlir::frit;

using MessageFn = function_ref<std::string(Operation *, StringRef)>;

namespace {

/// A dimension with the words that messages name it by.
struct NamedDim {
  std::string name;
  Value value;
  int64_t dim;

  bool isDynamic() const {
    return cast<ShapedType>(value.getType()).isDynamicDim(dim);
  }
  std::string str() const {
    return "dimension " + std::to_string(dim) + " of '" + name + "'";
  }
};

/// Builds checks in front of an op.
class CheckBuilder {
public:
  CheckBuilder(OpBuilder &builder, Location loc, Operation *op,
               MessageFn getMessage)
      : b(builder), loc(loc), op(op), getMessage(getMessage) {}

  Value constant(int64_t value) {
    return arith::ConstantIndexOp::create(b, loc, value);
  }
  Value sizeOf(Value value, int64_t dim) {
    return linalg::createOrFoldDimOp(b, loc, value, dim);
  }
  Value sizeOf(const NamedDim &dim) { return sizeOf(dim.value, dim.dim); }

  /// Reads an i32 element as an index, sign-extended.
  Value readIndex(Value shaped, ValueRange indices) {
    Value element =
        isa<TensorType>(shaped.getType())
            ? tensor::ExtractOp::create(b, loc, shaped, indices).getResult()
            : memref::LoadOp::create(b, loc, shaped, indices).getResult();
    return arith::IndexCastOp::create(b, loc, b.getIndexType(), element);
  }

  Value compare(arith::CmpIPredicate predicate, Value lhs, Value rhs) {
    return arith::CmpIOp::create(b, loc, predicate, lhs, rhs);
  }
  Value isEqual(Value lhs, Value rhs) {
    return compare(arith::CmpIPredicate::eq, lhs, rhs);
  }
  Value isAtMost(Value lhs, Value rhs) {
    return compare(arith::CmpIPredicate::sle, lhs, rhs);
  }
  /// 0 <= value < end, for an end that is not negative.
  Value isBelow(Value value, Value end) {
    return compare(arith::CmpIPredicate::ult, value, end);
  }
  Value isNot(Value condition) {
    Value yes = arith::ConstantIntOp::create(b, loc, 1, 1);
    return arith::XOrIOp::create(b, loc, condition, yes);
  }

  void check(Value condition, const Twine &message) {
    cf::AssertOp::create(b, loc, condition, getMessage(op, message.str()));
  }
  void checkSame(const NamedDim &lhs, const NamedDim &rhs) {
    if (lhs.isDynamic() || rhs.isDynamic())
      check(isEqual(sizeOf(lhs), sizeOf(rhs)),
            lhs.str() + " and " + rhs.str() + " differ");
  }
  void checkSize(const NamedDim &dim, int64_t size, StringRef what) {
    if (dim.isDynamic())
      check(isEqual(sizeOf(dim), constant(size)),
            dim.str() + " is not " + what);
  }

  void forEach(Value begin, Value end, function_ref<void(Value)> body) {
    auto loop = scf::ForOp::create(b, loc, begin, end, constant(1));
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(loop.getBody());
    body(loop.getInductionVar());
  }

  OpBuilder &b;
  Location loc;

private:
  Operation *op;
  MessageFn getMessage;
};

} // namespace

//===----------------------------------------------------------------------===//
// Gated ops
//===----------------------------------------------------------------------===//

template <typename GatedOp>
static void generateChecks(GatedOp op, CheckBuilder &checks) {
  int64_t last = cast<ShapedType>(op.getOut().getType()).getRank() - 1;
  SmallVector<std::pair<StringRef, Value>, 2> inputs;
  inputs.emplace_back(op.isPacked() ? "x" : "gate", op.getX());
  if (!op.isPacked())
    inputs.emplace_back("up", op.getUp());
  for (auto [name, value] : inputs)
    for (int64_t dim = 0; dim < last + (op.isPacked() ? 0 : 1); ++dim)
      checks.checkSame({name.str(), value, dim}, {"out", op.getOut(), dim});
  NamedDim packed{"x", op.getX(), last}, out{"out", op.getOut(), last};
  if (!op.isPacked() || (!packed.isDynamic() && !out.isDynamic()))
    return;
  Value columns = checks.sizeOf(out);
  Value twice = arith::AddIOp::create(checks.b, checks.loc, columns, columns);
  checks.check(checks.isEqual(checks.sizeOf(packed), twice),
               packed.str() + " is not twice " + out.str());
}

//===----------------------------------------------------------------------===//
// LoRA ops
//===----------------------------------------------------------------------===//

/// The sizes that all LoRA ops share: tokens, adapters, scales and ranks.
template <typename LoraOp>
static void checkCommonSizes(LoraOp op, CheckBuilder &checks,
                             const NamedDim &tokens, const NamedDim &outTokens,
                             ArrayRef<std::string> weightNames) {
  NamedDim ids{"ids", op.getIds(), 0};
  checks.checkSame(ids, tokens);
  checks.checkSame(ids, outTokens);
  NamedDim adapters{weightNames.front(), op.getWeights().front(), 0};
  for (auto [name, weight] :
       llvm::drop_begin(llvm::zip(weightNames, op.getWeights())))
    checks.checkSame({name, weight, 0}, adapters);
  if (Value scales = op.getScales())
    checks.checkSame({"scales", scales, 0}, adapters);
  if (Value ranks = op.getRanks()) {
    int64_t rank = cast<ShapedType>(ranks.getType()).getRank();
    checks.checkSame({"ranks", ranks, rank - 1}, adapters);
    if (rank == 2)
      checks.checkSize({"ranks", ranks, 0}, op.getNumSlices(),
                       "the number of slices");
  }
}

template <typename ExpandingOp>
static void checkSlicesFit(ExpandingOp op, CheckBuilder &checks) {
  NamedDim width{"out", op.getOut(), 1};
  bool isDynamic = width.isDynamic();
  Value end = checks.constant(op.getOffset());
  for (unsigned slice = 0; slice < op.getNumSlices(); ++slice) {
    isDynamic |= NamedDim{"", op.getB(slice), 1}.isDynamic();
    end = arith::AddIOp::create(checks.b, checks.loc, end,
                                checks.sizeOf(op.getB(slice), 1));
  }
  if (isDynamic)
    checks.check(checks.isAtMost(end, checks.sizeOf(width)),
                 "'offset' plus the widths of the slices exceeds " +
                     width.str());
}

/// Every true rank is in [0, R].
template <typename LoraOp>
static void checkRanks(LoraOp op, CheckBuilder &checks,
                       const NamedDim &maxRank) {
  Value ranks = op.getRanks();
  if (!ranks)
    return;
  Value limit = checks.sizeOf(maxRank);
  auto checkRank = [&](ValueRange indices) {
    Value rank = checks.readIndex(ranks, indices);
    Value isValid = arith::AndIOp::create(
        checks.b, checks.loc, checks.isAtMost(checks.constant(0), rank),
        checks.isAtMost(rank, limit));
    checks.check(isValid, "an element of 'ranks' is negative or exceeds " +
                              maxRank.str());
  };
  Value zero = checks.constant(0);
  checks.forEach(zero, checks.sizeOf(ranks, 0), [&](Value i) {
    if (cast<ShapedType>(ranks.getType()).getRank() == 1)
      return checkRank(i);
    checks.forEach(zero, checks.sizeOf(ranks, 1),
                   [&](Value j) { checkRank({i, j}); });
  });
}

/// `order` is a permutation of the tokens, `starts` cuts it into groups, and
/// each token of a group has the group's adapter.
template <typename LoraOp>
static void checkGrouping(LoraOp op, CheckBuilder &checks,
                          const NamedDim &adapters) {
  NamedDim ids{"ids", op.getIds(), 0}, order{"order", op.getOrder(), 0},
      starts{"starts", op.getStarts(), 0};
  checks.checkSame(order, ids);
  NamedDim groups = adapters;
  if (op.getActive())
    groups = {"active", op.getActive(), 0};
  Value zero = checks.constant(0), one = checks.constant(1);
  Value numGroups = checks.sizeOf(groups);
  if (groups.isDynamic() || starts.isDynamic())
    checks.check(checks.isEqual(checks.sizeOf(starts),
                                arith::AddIOp::create(checks.b, checks.loc,
                                                      numGroups, one)),
                 starts.str() + " is not " + groups.str() + " plus 1");

  OpBuilder &b = checks.b;
  Location loc = checks.loc;
  Value numTokens = checks.sizeOf(ids), numAdapters = checks.sizeOf(adapters);
  auto seen = memref::AllocOp::create(
      b, loc, MemRefType::get(ShapedType::kDynamic, b.getI1Type()), numTokens);
  Value no = arith::ConstantIntOp::create(b, loc, 0, 1);
  Value yes = arith::ConstantIntOp::create(b, loc, 1, 1);
  checks.forEach(zero, numTokens, [&](Value token) {
    memref::StoreOp::create(b, loc, no, seen, token);
  });
  checks.forEach(zero, numTokens, [&](Value position) {
    Value token = checks.readIndex(op.getOrder(), position);
    checks.check(checks.isBelow(token, numTokens),
                 "an element of 'order' is no token");
    Value isKnown = memref::LoadOp::create(b, loc, seen, token);
    checks.check(checks.isNot(isKnown), "a token occurs twice in 'order'");
    memref::StoreOp::create(b, loc, yes, seen, token);
  });
  memref::DeallocOp::create(b, loc, seen);

  auto readId = [&](Value position) {
    return checks.readIndex(op.getIds(),
                            checks.readIndex(op.getOrder(), position));
  };
  StringRef disagrees = "'order' and 'starts' disagree with 'ids'";
  checks.check(checks.isEqual(checks.readIndex(op.getStarts(), zero), zero),
               "'starts' does not begin with 0");
  checks.forEach(zero, numGroups, [&](Value group) {
    Value begin = checks.readIndex(op.getStarts(), group);
    Value next = arith::AddIOp::create(b, loc, group, one);
    Value end = checks.readIndex(op.getStarts(), next);
    Value isRange = arith::AndIOp::create(b, loc, checks.isAtMost(begin, end),
                                          checks.isAtMost(end, numTokens));
    checks.check(isRange, "'starts' decreases or exceeds the number of tokens");
    Value adapter =
        op.getActive() ? checks.readIndex(op.getActive(), group) : group;
    // A group without adapter holds tokens without one.
    Value isAdapter = checks.isBelow(adapter, numAdapters);
    if (op.getActive())
      checks.check(
          arith::OrIOp::create(b, loc, isAdapter,
                               checks.isEqual(adapter, checks.constant(-1))),
          "an element of 'active' is neither an adapter nor -1");
    checks.forEach(begin, end, [&](Value position) {
      Value id = readId(position);
      Value agrees = arith::SelectOp::create(
          b, loc, isAdapter, checks.isEqual(id, adapter),
          checks.isNot(checks.isBelow(id, numAdapters)));
      checks.check(agrees, disagrees);
    });
  });
  Value rest = checks.readIndex(op.getStarts(), numGroups);
  checks.forEach(rest, numTokens, [&](Value position) {
    checks.check(checks.isNot(checks.isBelow(readId(position), numAdapters)),
                 disagrees);
  });
}

/// What depends on the data: adapters, ranks and the grouping.
template <typename LoraOp>
static void checkData(LoraOp op, CheckBuilder &checks, const NamedDim &adapters,
                      const NamedDim &maxRank) {
  Value numAdapters = checks.sizeOf(adapters);
  checks.forEach(
      checks.constant(0), checks.sizeOf(op.getIds(), 0), [&](Value token) {
        Value id = checks.readIndex(op.getIds(), token);
        checks.check(checks.compare(arith::CmpIPredicate::slt, id, numAdapters),
                     "an element of 'ids' is not below " + adapters.str());
      });
  checkRanks(op, checks, maxRank);
  if (op.isGrouped())
    checkGrouping(op, checks, adapters);
}

static void generateChecks(LoraMatmulOp op, CheckBuilder &checks) {
  SmallVector<std::string> names;
  for (unsigned slice = 0; slice < op.getNumSlices(); ++slice) {
    names.push_back("A" + std::to_string(slice));
    names.push_back("B" + std::to_string(slice));
  }
  checkCommonSizes(op, checks, {"x", op.getX(), 0}, {"out", op.getOut(), 0},
                   names);
  NamedDim maxRank{"A0", op.getA(0), 1}, depth{"x", op.getX(), 1};
  for (unsigned slice = 0; slice < op.getNumSlices(); ++slice) {
    checks.checkSame({names[2 * slice], op.getA(slice), 2}, depth);
    if (slice != 0)
      checks.checkSame({names[2 * slice], op.getA(slice), 1}, maxRank);
    checks.checkSame({names[2 * slice + 1], op.getB(slice), 2}, maxRank);
  }
  checkSlicesFit(op, checks);
  checkData(op, checks, {"A0", op.getA(0), 0}, maxRank);
}

static void generateChecks(LoraShrinkOp op, CheckBuilder &checks) {
  SmallVector<std::string> names;
  for (unsigned slice = 0; slice < op.getNumSlices(); ++slice)
    names.push_back("A" + std::to_string(slice));
  checkCommonSizes(op, checks, {"x", op.getX(), 0}, {"out", op.getOut(), 1},
                   names);
  NamedDim maxRank{"A0", op.getA(0), 1}, depth{"x", op.getX(), 1};
  for (unsigned slice = 0; slice < op.getNumSlices(); ++slice) {
    checks.checkSame({names[slice], op.getA(slice), 2}, depth);
    if (slice != 0)
      checks.checkSame({names[slice], op.getA(slice), 1}, maxRank);
  }
  checks.checkSize({"out", op.getOut(), 0}, op.getNumSlices(),
                   "the number of slices");
  checks.checkSame({"out", op.getOut(), 2}, maxRank);
  checkData(op, checks, {"A0", op.getA(0), 0}, maxRank);
}

static void generateChecks(LoraExpandOp op, CheckBuilder &checks) {
  SmallVector<std::string> names;
  for (unsigned slice = 0; slice < op.getNumSlices(); ++slice)
    names.push_back("B" + std::to_string(slice));
  checkCommonSizes(op, checks, {"h", op.getH(), 1}, {"out", op.getOut(), 0},
                   names);
  NamedDim maxRank{"B0", op.getB(0), 2};
  for (unsigned slice = 1; slice < op.getNumSlices(); ++slice)
    checks.checkSame({names[slice], op.getB(slice), 2}, maxRank);
  checks.checkSize({"h", op.getH(), 0}, op.getNumSlices(),
                   "the number of slices");
  checks.checkSame({"h", op.getH(), 2}, maxRank);
  checkSlicesFit(op, checks);
  checkData(op, checks, {"B0", op.getB(0), 0}, maxRank);
}

static void generateChecks(LoraGroupOp op, CheckBuilder &checks) {
  NamedDim ids{"ids", op.getIds(), 0}, starts{"starts", op.getStarts(), 0};
  checks.checkSame(ids, {"order", op.getOrder(), 0});
  if (starts.isDynamic())
    checks.check(checks.isAtMost(checks.constant(1), checks.sizeOf(starts)),
                 starts.str() + " is 0");
  if (ids.isDynamic())
    checks.check(
        checks.isAtMost(checks.sizeOf(ids),
                        checks.constant(std::numeric_limits<int32_t>::max())),
        ids.str() + " exceeds the range of i32");
}

//===----------------------------------------------------------------------===//
// The model
//===----------------------------------------------------------------------===//

namespace {
template <typename OpTy>
struct FritRuntimeVerification
    : RuntimeVerifiableOpInterface::ExternalModel<FritRuntimeVerification<OpTy>,
                                                  OpTy> {
  void generateRuntimeVerification(Operation *op, OpBuilder &builder,
                                   Location loc, MessageFn getMessage) const {
    CheckBuilder checks(builder, loc, op, getMessage);
    generateChecks(cast<OpTy>(op), checks);
  }
};
} // namespace

void frit::registerRuntimeVerifiableOpInterfaceModels(
    DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, FritDialect *) {
    attachToAllOps<FritRuntimeVerification>(context);
    context->loadDialect<arith::ArithDialect, cf::ControlFlowDialect,
                         memref::MemRefDialect, scf::SCFDialect,
                         tensor::TensorDialect>();
  });
}

//===- RaisePropertyTest.cpp ----------------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Exported graphs, rewritten at random: what is raised is what is raised of the
// graph as it was exported, and nearly all are. FRIT_PROPERTY_PRINT shows those
// that are not.
//
//===----------------------------------------------------------------------===//

#include "GraphRewrites.h"
#include "RealGraphs.h"

#include "frit/Dialect/Frit/IR/Frit.h"
#include "frit/Dialect/Frit/Transforms/Raise.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Verifier.h"

#include "gtest/gtest.h"

#include <cstdlib>
#include <set>

using namespace mlir;
using namespace mlir::frit;
using namespace mlir::frit::test;

namespace {

/// Of the random rewrites of a graph, how many have to be raised.
constexpr double kLeastShare = 0.95;
/// The cases of one run of this test, of all that the environment asks for.
constexpr double kShareOfCases = 0.25;

std::string print(ModuleOp module) {
  std::string text;
  llvm::raw_string_ostream(text) << module;
  return text;
}

/// What raising made of a module.
struct Raised {
  unsigned count = 0;
  /// The ops with their attributes, and where the operands of gated ones come
  /// from, each once. Those of LoRA may be extended before and the result
  /// truncated after, and ops with one slice stand for one with all.
  std::string ops;
  /// What almost fitted.
  std::string missed;
  std::string text;
};

/// The operand that an op has its elements from, as they are; null if it
/// computes them.
Value getMoved(Operation *op) {
  if (isa<tensor::CastOp, tensor::CollapseShapeOp, tensor::ExpandShapeOp,
          tensor::ExtractSliceOp>(op))
    return op->getOperand(0);
  auto generic = dyn_cast<linalg::GenericOp>(op);
  auto yielded = generic
                     ? dyn_cast<BlockArgument>(
                           generic.getBody()->getTerminator()->getOperand(0))
                     : BlockArgument();
  return yielded && yielded.getOwner() == generic.getBody()
             ? op->getOperand(yielded.getArgNumber())
             : Value();
}

/// Prints where the last axis of a tensor begins in an argument of the
/// function, whatever copies, reshapes and slices are between.
void describeSource(Value tensor, int64_t offset, raw_ostream &stream) {
  while (Operation *op = tensor.getDefiningOp()) {
    Value moved = getMoved(op);
    if (!moved)
      break;
    if (auto slice = dyn_cast<tensor::ExtractSliceOp>(op))
      offset += slice.getStaticOffsets().back();
    tensor = moved;
  }
  if (auto argument = dyn_cast<BlockArgument>(tensor))
    stream << " argument " << argument.getArgNumber() << " from " << offset;
  else
    stream << " computed " << getElementTypeOrSelf(tensor.getType());
}

/// Prints where the gate and up of an op come from.
void describeGated(Operation *op, raw_ostream &stream) {
  Value x = op->getOperand(0);
  bool isPacked = op->getNumOperands() == 2;
  int64_t width =
      cast<ShapedType>(op->getOperands().back().getType()).getShape().back();
  describeSource(x, 0, stream);
  describeSource(isPacked ? x : op->getOperand(1), isPacked ? width : 0,
                 stream);
}

Raised raise(ModuleOp module) {
  OwningOpRef<ModuleOp> copy = module.clone();
  Raised raised;
  raiseToFrit(*copy, Fidelity::Framework, [&](const RaiseEvent &event) {
    raised.count += event.kind == RaiseEvent::Kind::Raised ? 1 : 0;
    if (event.kind == RaiseEvent::Kind::Missed)
      raised.missed += "; " + event.text;
  });
  EXPECT_TRUE(succeeded(verify(*copy)));
  EXPECT_TRUE(succeeded(runPipeline(*copy, "canonicalize,cse,canonicalize")));
  raised.text = print(*copy);
  std::set<std::string> ops;
  copy->walk([&](Operation *op) {
    if (!isa_and_nonnull<FritDialect>(op->getDialect()))
      return;
    NamedAttrList attributes(op->getAttrDictionary());
    attributes.erase("operandSegmentSizes");
    attributes.erase("offset");
    std::string text;
    llvm::raw_string_ostream stream(text);
    stream << op->getName() << " "
           << attributes.getDictionary(op->getContext());
    if (isa<GeluAndMulSparseOp, ActAndMulOp>(op))
      describeGated(op, stream);
    ops.insert(text);
  });
  for (const std::string &op : ops)
    raised.ops += op + "\n";
  return raised;
}

/// An exported graph and what it may be raised to.
struct Graph {
  std::string name;
  OwningOpRef<ModuleOp> module;
  Raised exported;
  /// Constant folding rounds the multiplier of a narrow type for good.
  Raised folded;

  bool expects(const Raised &raised) const {
    return raised.ops == exported.ops || raised.ops == folded.ops;
  }
};

class RaiseProperty : public ::testing::Test {
protected:
  RaiseProperty() { prepareContext(context); }

  void loadGraphs() {
    for (RealGraph &real : readRealGraphs(context)) {
      Graph graph;
      graph.name = real.name;
      graph.module = std::move(real.module);
      graph.exported = raise(*graph.module);
      OwningOpRef<ModuleOp> canonical = graph.module->clone();
      ASSERT_TRUE(succeeded(runPipeline(*canonical, "canonicalize")));
      graph.folded = raise(*canonical);
      if (graph.exported.count != 0)
        graphs.push_back(std::move(graph));
    }
    ASSERT_FALSE(graphs.empty());
  }

  MLIRContext context;
  std::vector<Graph> graphs;
};

TEST_F(RaiseProperty, RewrittenGraphsAreRaisedToTheSame) {
  loadGraphs();
  if (HasFatalFailure())
    return;
  const PropertyOptions &options = PropertyOptions::get();
  auto cases =
      static_cast<int64_t>(static_cast<double>(options.cases) * kShareOfCases);
  int64_t raisedCases = 0;
  for (int64_t i = 0; i < cases; ++i) {
    Random random(options.seed, /*test=*/40, i);
    Graph &graph =
        graphs[random.integer(0, static_cast<int64_t>(graphs.size()) - 1)];
    OwningOpRef<ModuleOp> module = graph.module->clone();
    std::string rewrites =
        rewriteRandomly(*module, random, random.integer(1, 16));
    SCOPED_TRACE("seed " + std::to_string(options.seed) + ", case " +
                 std::to_string(i) + ", " + graph.name + ": " + rewrites);
    ASSERT_TRUE(succeeded(verify(*module)));
    Raised raised = raise(*module);
    if (raised.count != graph.exported.count) {
      llvm::outs() << "not raised: case " << i << ", " << graph.name << ": "
                   << rewrites << raised.missed << "\n";
      if (std::getenv("FRIT_PROPERTY_PRINT"))
        llvm::outs() << print(*module);
      continue;
    }
    ++raisedCases;
    ASSERT_TRUE(graph.expects(raised)) << print(*module) << "\nis raised to\n"
                                       << raised.text << "\nexpected\n"
                                       << graph.exported.text;
  }
  llvm::outs() << raisedCases << " of " << cases
               << " rewritten graphs raised\n";
  RecordProperty("raised", std::to_string(raisedCases));
  EXPECT_GE(static_cast<double>(raisedCases),
            kLeastShare * static_cast<double>(cases));
}

} // namespace

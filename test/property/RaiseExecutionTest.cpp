//===- RaiseExecutionTest.cpp ---------------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Exported graphs, rewritten and changed at random, computed as they are and
// raised. At `exact` that is the same: bit for bit where only LoRA is raised,
// and up to the error of an activation elsewhere. At `framework` the data are
// such that what an idiom of an exporter loses stays within a bound.
//
// So that the order of sums does not matter, a row of a weight has one element
// that is not 0. Elements can be of any magnitude then.
//
//===----------------------------------------------------------------------===//

#include "GraphMutations.h"
#include "GraphRewrites.h"
#include "Program.h"
#include "RealGraphs.h"

#include "frit/Dialect/Frit/IR/Frit.h"
#include "frit/Dialect/Frit/Transforms/Raise.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Verifier.h"

#include "gtest/gtest.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

using namespace mlir;
using namespace mlir::frit;
using namespace mlir::frit::test;

namespace {

/// The compiled pairs of one run, of all cases that the environment asks for.
constexpr double kShareOfCases = 0.02;
/// Of a changed graph often nothing is raised: graphs for each pair.
constexpr int64_t kAttempts = 12;
/// Calls of each pair.
constexpr int64_t kCalls = 4;
/// Rewrites of a graph, at most.
constexpr int64_t kMostRewrites = 16;

/// The function of an exported graph, under the name that Program calls.
func::FuncOp getFunction(ModuleOp module) {
  return *module.getOps<func::FuncOp>().begin();
}

std::string getText(ModuleOp module) {
  OwningOpRef<ModuleOp> copy = module.clone();
  getFunction(*copy).setName("f");
  std::string text;
  llvm::raw_string_ostream(text) << *copy;
  return text;
}

/// Whether the graph has gate and up for its arguments.
bool isActivation(StringRef name) { return name.contains("_act_"); }

/// What raising made of a graph.
struct Raised {
  OwningOpRef<ModuleOp> module;
  unsigned count = 0;
  bool isOnlyLora = true;
  std::set<std::string> repairs;

  Raised(ModuleOp source, Fidelity fidelity) : module(source.clone()) {
    raiseToFrit(*module, fidelity, [&](const RaiseEvent &event) {
      if (event.kind == RaiseEvent::Kind::Repaired)
        repairs.insert(event.name.str());
      if (event.kind != RaiseEvent::Kind::Raised)
        return;
      ++count;
      isOnlyLora &= event.name == LoraMatmulOp::getOperationName();
    });
  }

  /// The difference that is allowed, relative to the largest of a row; 0 where
  /// there is none.
  double getTolerance(Type type) const {
    if (isOnlyLora && repairs.empty())
      return 0;
    if (type.isF32())
      return repairs.count("gelu-constant") ? 0x1p-10 : 0x1p-17;
    return type.isF16() ? 0x1p-7 : 0x1p-4;
  }
};

//===----------------------------------------------------------------------===//
// Data
//===----------------------------------------------------------------------===//

ElementType getElement(Type type) {
  if (type.isF32())
    return ElementType::F32;
  if (type.isF16())
    return ElementType::F16;
  return type.isBF16() ? ElementType::BF16 : ElementType::I64;
}

/// A tensor of an argument or a result, where all dynamic axes are `tokens`.
Buffer createBuffer(Type type, int64_t tokens) {
  auto tensor = cast<RankedTensorType>(type);
  SmallVector<int64_t> shape;
  for (int64_t size : tensor.getShape())
    shape.push_back(ShapedType::isDynamic(size) ? tokens : size);
  return {getElement(tensor.getElementType()), shape};
}

int64_t getRowSize(const Buffer &buffer) {
  return buffer.getShape().empty() ? 1 : buffer.getShape().back();
}

/// An exponent of two that the data of a buffer are scaled by: mostly 0.
int getExponent(const Buffer &buffer, Random &random, bool isExact,
                int64_t most = 80) {
  if (!isExact || random.chance(0.4))
    return 0;
  if (buffer.getType() == ElementType::F16)
    most = 12;
  return static_cast<int>(random.integer(-most, most));
}

double getSpecial(Random &random) {
  double infinity = std::numeric_limits<double>::infinity();
  return random.pick(
      {infinity, -infinity, std::numeric_limits<double>::quiet_NaN()});
}

/// x: dense, and at `exact` with rows of any magnitude.
void fillInput(Buffer &x, Random &random, bool isExact) {
  int64_t width = getRowSize(x);
  for (int64_t i = 0; i < x.size(); i += width) {
    int exponent = getExponent(x, random, isExact);
    for (int64_t k = 0; k < width; ++k)
      x.set(i + k, std::ldexp(random.normal(), exponent));
    if (isExact && random.chance(0.05))
      x.set(i + random.integer(0, width - 1), getSpecial(random));
  }
}

/// A weight with one element in each row, or a bias.
void fillWeight(Buffer &weight, Random &random, bool isExact) {
  int64_t width = getRowSize(weight);
  bool isBias = weight.getShape().size() == 1;
  int exponent = getExponent(weight, random, isExact);
  for (int64_t i = 0; i < weight.size(); i += width)
    for (int64_t k = 0; k < width; ++k)
      weight.set(i + k, 0);
  for (int64_t i = 0; i < weight.size(); i += isBias ? 1 : width) {
    int64_t k = isBias ? 0 : random.integer(0, width - 1);
    weight.set(i + k, std::ldexp(random.normal(), exponent));
  }
}

/// Rows of a gate whose mean is 0 and whose deviation is half a power of two,
/// in any type and order: an eighth of the elements is that power, an eighth
/// its negative, and the rest 0. Sums of squares stay in the range of f32.
void fillGate(Buffer &gate, int64_t start, int64_t width, Random &random,
              bool isExact) {
  double power = std::ldexp(1, static_cast<int>(random.integer(-3, 3)) +
                                   getExponent(gate, random, isExact, 50));
  SmallVector<double> row(width, 0);
  std::fill_n(row.begin(), width / 8, power);
  std::fill_n(row.begin() + width / 8, width / 8, -power);
  for (int64_t k = width; k > 1; --k)
    std::swap(row[k - 1], row[random.integer(0, k - 1)]);
  if (random.chance(0.1))
    row[random.integer(0, width - 1)] = getSpecial(random);
  for (int64_t k = 0; k < width; ++k)
    gate.set(start + k, row[k]);
}

/// The arguments of a call: inputs, and results to write to.
struct Arguments {
  std::vector<Buffer> inputs;
  std::vector<Buffer> results;

  Arguments(func::FuncOp function, StringRef name, Random &random,
            bool isExact) {
    int64_t tokens = random.integer(1, 5);
    for (Type type : function.getArgumentTypes())
      inputs.push_back(createBuffer(type, tokens));
    for (Type type : function.getResultTypes())
      results.push_back(createBuffer(type, tokens));
    if (isActivation(name))
      fillActivation(random, isExact);
    else
      fillLayer(random, isExact);
  }

  std::vector<Buffer> call(Program &program) {
    std::vector<Buffer> outputs = results;
    SmallVector<Buffer *> pointers;
    for (Buffer &input : inputs)
      pointers.push_back(&input);
    for (Buffer &output : outputs)
      pointers.push_back(&output);
    EXPECT_EQ(program.call(pointers), "");
    return outputs;
  }

private:
  void fillActivation(Random &random, bool isExact) {
    Buffer &gate = inputs.front();
    bool isPacked = inputs.size() == 1;
    int64_t width = getRowSize(gate);
    int64_t columns = isPacked ? width / 2 : width;
    for (Buffer &input : inputs)
      for (int64_t i = 0; i < input.size(); ++i)
        input.set(i, random.normal());
    for (int64_t i = 0; i < gate.size(); i += width)
      fillGate(gate, i, columns, random, isExact);
  }

  void fillLayer(Random &random, bool isExact) {
    fillInput(inputs.front(), random, isExact);
    for (Buffer &input : llvm::drop_begin(inputs)) {
      if (input.getType() != ElementType::I64) {
        fillWeight(input, random, isExact);
        continue;
      }
      // Ids of three adapters, and of none.
      for (int64_t i = 0; i < input.size(); ++i)
        input.set(i, static_cast<double>(random.integer(-1, 2)));
    }
  }
};

/// The largest magnitude in the row of an element.
double getRowScale(const Buffer &buffer, int64_t index) {
  int64_t width = getRowSize(buffer);
  double largest = 0;
  for (int64_t k = index - index % width, end = k + width; k < end; ++k)
    if (std::isfinite(buffer.get(k)))
      largest = std::max(largest, std::fabs(buffer.get(k)));
  return largest;
}

::testing::AssertionResult areAlike(const Buffer &expected,
                                    const Buffer &actual, double tolerance,
                                    bool comparesZeros) {
  for (int64_t i = 0; i < expected.size(); ++i) {
    double want = expected.get(i), got = actual.get(i);
    if (want == got || (std::isnan(want) && std::isnan(got)))
      continue;
    // What a gate cuts off is cut off on both sides.
    bool isCutOff = comparesZeros && (want == 0) != (got == 0);
    if (tolerance != 0 && !isCutOff &&
        std::fabs(want - got) <= tolerance * getRowScale(expected, i))
      continue;
    return ::testing::AssertionFailure()
           << "element " << i << " is " << got << " raised, " << want
           << " as the graph computes it";
  }
  return ::testing::AssertionSuccess();
}

//===----------------------------------------------------------------------===//
// The test
//===----------------------------------------------------------------------===//

class RaiseExecution : public ::testing::Test {
protected:
  RaiseExecution() {
    prepareContext(context);
    graphs = readRealGraphs(context);
  }

  /// Makes, raises and compiles the graph of a case. Returns whether anything
  /// was raised.
  bool run(Random &random) {
    RealGraph &graph =
        graphs[random.integer(0, static_cast<int64_t>(graphs.size()) - 1)];
    OwningOpRef<ModuleOp> module = graph.module->clone();
    bool isExact = random.chance(0.75);
    std::string edits =
        rewriteRandomly(*module, random, random.integer(0, kMostRewrites));
    int64_t count = edits.empty() ? 0 : llvm::count(edits, ',') + 1;
    if (isExact)
      edits += "; " + mutateRandomly(*module, random, random.integer(1, 3));
    SCOPED_TRACE(graph.name + (isExact ? ", exact: " : ", framework: ") +
                 edits);
    EXPECT_TRUE(succeeded(verify(*module)));
    // Gates inside of a layer are not those of `fillGate`.
    if (!isExact && StringRef(graph.name).contains("g3n_mlp"))
      return false;
    Raised raised(*module, isExact ? Fidelity::Exact : Fidelity::Framework);
    if (raised.count == 0)
      return false;
    EXPECT_TRUE(succeeded(verify(*raised.module)));
    compare(*module, raised, graph.name, random, isExact);
    numRewrites += count;
    return true;
  }

  void compare(ModuleOp module, const Raised &raised, StringRef name,
               Random &random, bool isExact) {
    Route route{random.chance(0.5) ? Route::Kind::Vector : Route::Kind::Linalg};
    llvm::Expected<std::unique_ptr<Program>> plain =
        Program::compile(getText(module), Route{Route::Kind::Linalg});
    llvm::Expected<std::unique_ptr<Program>> other =
        Program::compile(getText(*raised.module), route);
    for (auto *program : {&plain, &other})
      if (!*program)
        ADD_FAILURE() << llvm::toString(program->takeError()) << "\n"
                      << getText(program == &plain ? module : *raised.module);
    if (HasFailure())
      return;
    func::FuncOp function = getFunction(module);
    double tolerance = raised.getTolerance(
        getElementTypeOrSelf(function.getResultTypes().front()));
    for (int64_t i = 0; i < kCalls && !HasFailure(); ++i) {
      Arguments arguments(function, name, random, isExact);
      std::vector<Buffer> expected = arguments.call(**plain);
      std::vector<Buffer> actual = arguments.call(**other);
      for (auto [want, got] : llvm::zip_equal(expected, actual))
        EXPECT_TRUE(areAlike(want, got, tolerance, isActivation(name)))
            << getText(module) << "\nis raised to\n"
            << getText(*raised.module);
    }
  }

  MLIRContext context;
  std::vector<RealGraph> graphs;
  /// Of the graphs that were compared.
  int64_t numRewrites = 0;
};

TEST_F(RaiseExecution, RaisedGraphsComputeTheSame) {
  const PropertyOptions &options = PropertyOptions::get();
  auto wanted =
      static_cast<int64_t>(static_cast<double>(options.cases) * kShareOfCases);
  int64_t compared = 0;
  for (int64_t i = 0; compared < wanted && i < wanted * kAttempts; ++i) {
    SCOPED_TRACE("seed " + std::to_string(options.seed) + ", case " +
                 std::to_string(i));
    Random random(options.seed, /*test=*/42, i);
    compared += run(random) ? 1 : 0;
    if (HasFailure())
      return;
  }
  llvm::outs() << compared << " raised graphs with " << numRewrites
               << " rewrites compared\n";
  EXPECT_EQ(compared, wanted);
}

} // namespace

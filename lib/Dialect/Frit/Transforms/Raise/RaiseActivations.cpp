//===- RaiseActivations.cpp -----------------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Finds gated activations: a product of an activation and of `up`. Where the
// activation takes a relu, what is meant is the statistical gate, and nothing
// less is raised.
//
//===----------------------------------------------------------------------===//

#include "GatedProduct.h"
#include "SparseGate.h"

using namespace mlir;
using namespace mlir::frit;

namespace {

class RaiseGatedActivation : public RaisePattern {
public:
  bool raise(OpResult root, ElementWalker &elements,
             Raiser &raiser) const override {
    std::optional<GatedProduct> product = matchGatedProduct(root, elements);
    if (!product)
      return false;
    bool isGelu = product->form.activation != Activation::Silu;
    std::optional<ReluForm> relu;
    if (isGelu)
      relu = matchRelu(elements, product->form.input);
    if (relu)
      return raiseSparse(*product, *relu, elements, raiser);
    return raisePlain(*product, elements, raiser);
  }

private:
  static bool raiseSparse(GatedProduct &product, const ReluForm &relu,
                          ElementWalker &elements, Raiser &raiser) {
    StringRef name = GeluAndMulSparseOp::getOperationName();
    OpResult root = product.root;
    SparseGate gate =
        matchSparseGate(product, relu, elements, raiser.getFidelity());
    FailureOr<GatedOperands> operands = failure();
    if (gate.mismatch.empty())
      operands = getGatedOperands(product, gate.gate, elements, gate.mismatch);
    if (failed(operands)) {
      raiser.miss(root, name, gate.mismatch);
      return false;
    }
    if (!raiser.accept(root, name, gate.terms))
      return false;
    IRRewriter &rewriter = raiser.getRewriter();
    MLIRContext *context = root.getContext();
    operands->materialize(elements, raiser);
    Value out = raiser.createDestination(root);
    Approximate approximate = product.form.activation == Activation::GeluTanh
                                  ? Approximate::Tanh
                                  : Approximate::Erf;
    auto op = GeluAndMulSparseOp::create(
        rewriter, root.getLoc(), TypeRange{out.getType()}, operands->x.tensor,
        operands->up.tensor, out,
        rewriter.getF32FloatAttr(static_cast<float>(gate.stdMultiplier)),
        ApproximateAttr::get(context, approximate),
        RoundingAttr::get(context, gate.rounding),
        rewriter.getI64IntegerAttr(gate.correction), UnitAttr());
    raiser.replace(root, op.getResults().front());
    return true;
  }

  static bool raisePlain(GatedProduct &product, ElementWalker &elements,
                         Raiser &raiser) {
    StringRef name = ActAndMulOp::getOperationName();
    OpResult root = product.root;
    RaiseTerms terms = product.form.terms;
    std::string mismatch = product.form.mismatch;
    ElementWalker::Expr gate =
        stripExtensions(elements, product.form.input, product.elementType);
    Type rounded = getStep(elements, product.activation).rounded;
    if (mismatch.empty() && rounded != product.elementType)
      mismatch = "the activation is not rounded to the element type";
    FailureOr<GatedOperands> operands = failure();
    if (mismatch.empty())
      operands = getGatedOperands(product, gate, elements, mismatch);
    if (failed(operands)) {
      raiser.miss(root, name, mismatch);
      return false;
    }
    if (!raiser.accept(root, name, terms))
      return false;
    IRRewriter &rewriter = raiser.getRewriter();
    operands->materialize(elements, raiser);
    Value out = raiser.createDestination(root);
    auto op = ActAndMulOp::create(
        rewriter, root.getLoc(), TypeRange{out.getType()}, operands->x.tensor,
        operands->up.tensor, out,
        ActivationAttr::get(root.getContext(), product.form.activation));
    raiser.replace(root, op.getResults().front());
    return true;
  }
};

} // namespace

void frit::populateRaiseActivationPatterns(RaisePatternList &patterns) {
  patterns.push_back(std::make_unique<RaiseGatedActivation>());
}

//===- Raise.cpp ----------------------------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The options --raise, and --explain as far as it is about raising.
//
//===----------------------------------------------------------------------===//

#include "Raise.h"

#include "frit/Dialect/Frit/IR/Frit.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;
using namespace mlir::frit;

/// `model.mlir:3:8`, or nothing where the location is no place in a file.
static std::string getPlace(Operation *op) {
  auto place = op->getLoc()->findInstanceOf<FileLineColLoc>();
  if (!place)
    return {};
  return (place.getFilename().getValue() + ":" + Twine(place.getLine()) + ":" +
          Twine(place.getColumn()) + ": ")
      .str();
}

static void print(const RaiseEvent &event, raw_ostream &stream) {
  stream << getPlace(event.op);
  switch (event.kind) {
  case RaiseEvent::Kind::Raised:
    stream << "'" << event.name << "' " << event.text << "\n";
    return;
  case RaiseEvent::Kind::Repaired:
    stream << "repaired " << event.name << ": " << event.text << "\n";
    return;
  case RaiseEvent::Kind::Missed:
    stream << "'" << event.name << "' not raised: " << event.text << "\n";
    return;
  }
}

/// Prints where a module that is run as it is differs from PyTorch.
static void printIdioms(ModuleOp module, raw_ostream &stream) {
  OwningOpRef<ModuleOp> copy = module.clone();
  raiseToFrit(*copy, Fidelity::Framework, [&](const RaiseEvent &event) {
    if (event.kind == RaiseEvent::Kind::Repaired)
      stream << getPlace(event.op) << "unlike PyTorch, " << event.text << " ("
             << event.name << "; --raise=framework repairs it)\n";
  });
}

LogicalResult mlir::frit::raiseModule(ModuleOp module,
                                      const RunnerOptions &options,
                                      raw_ostream &stream) {
  module.getContext()
      ->loadDialect<FritDialect, arith::ArithDialect, linalg::LinalgDialect,
                    tensor::TensorDialect>();
  if (!options.fidelity) {
    if (options.explain)
      printIdioms(module, stream);
    return success();
  }
  raiseToFrit(module, *options.fidelity, [&](const RaiseEvent &event) {
    if (options.explain)
      print(event, stream);
  });
  // What raised ops no longer need goes.
  PassManager pm(module.getContext());
  pm.addPass(createCanonicalizerPass());
  pm.addPass(createCSEPass());
  return pm.run(module);
}

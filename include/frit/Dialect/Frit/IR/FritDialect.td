//===- FritDialect.td --------------------------------------*- tablegen -*-===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The frit dialect itself.
//
//===----------------------------------------------------------------------===//

#ifndef FRIT_DIALECT_TD
#define FRIT_DIALECT_TD

include "mlir/IR/OpBase.td"

def Frit_Dialect : Dialect {
  let name = "frit";
  let cppNamespace = "::mlir::frit";
  let summary = "Operations that LLM servers fuse by hand, kept as IR";
  let description = [{
    The ops of this dialect are destination-passing and work on tensors and, after
    bufferization, on memrefs whose inner stride is 1. For each op a pass picks
    a hand-written kernel or the native decomposition and writes the choice as
    the discardable attribute `frit.kernel`; lowering obeys it.

    Discardable attributes of this dialect:

    * `frit.kernel` on an op: the kernel that executes it, a `#frit.kernel`.
    * `frit.grain` on an `scf.parallel`: the number of iterations, over all its
      dimensions, below which another thread costs more than it saves, a
      positive `i64`.
    * `frit.launch` on a `gpu.launch_func`: what is known of the kernel, a
      `#frit.launch`.
    * `frit.host` on a function: it computes with memory of the host although
      the rest of the module uses a device's, a unit attribute.
    * `frit.signature` on a function: what it was before it was lowered, for its
      callers, a dictionary that `frit-record-signatures` writes.
    * `frit.processor_features` on a module: the features of a processor, of
      those that Frit knows, that its code needs, an array of strings; the code
      asks for them when it is first called.
    * `frit.tensor` on a function argument: the name of the tensor in a weight
      file that is bound to the argument, a string.
    * `frit.transposed` on a function argument: it holds a matrix with its axes
      exchanged, which whoever binds the argument has to do; a unit attribute
      that `frit-transpose-weights` writes.
    * `frit.dims` on a function argument: names of its dimensions, an array of
      strings, one for each dimension (an empty string names nothing).
    * `frit.weights` on a module: the constants that
      `frit-externalize-constants` took out of its code, an array of dictionaries
      of a `name` and a `value`.

    Ops tile over tokens: over each leading dimension of a gated op, and over
    the tokens of a LoRA op, whose tiles have no grouping. Rows are never split,
    and there is no partial reduction: splitting a row or K would move roundings.

    Bytecode carries a version of the dialect, which is 1. A reader accepts files
    up to its own version and refuses newer ones; the history is in
    `frit/Dialect/Frit/IR/Bytecode.h`.
  }];
  let extraClassDeclaration = [{
    /// Name of the attribute that states the grain of a parallel loop.
    static ::llvm::StringRef getGrainAttrName() { return "frit.grain"; }
    /// Name of the attribute of functions on memory of the host.
    static ::llvm::StringRef getHostAttrName() { return "frit.host"; }
  }];
  let useDefaultAttributePrinterParser = 1;
  let hasOperationAttrVerify = 1;
  let hasRegionArgAttrVerify = 1;
  let hasRegionResultAttrVerify = 1;
  let dependentDialects = [
    "arith::ArithDialect", "tensor::TensorDialect"
  ];
}

#endif // FRIT_DIALECT_TD

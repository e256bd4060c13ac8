//===- Passes.td -------------------------------------------*- tablegen -*-===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Passes that turn Frit ops on memrefs, and the code that came from them, into
// upstream dialects and calls of Frit's runtime.
//
//===----------------------------------------------------------------------===//

#ifndef FRIT_CONVERSION_PASSES_TD
#define FRIT_CONVERSION_PASSES_TD

include "mlir/Pass/PassBase.td"

def ConvertFritToVectorPass : Pass<"convert-frit-to-vector"> {
  let summary = "Converts Frit ops on memrefs to loops of vector code";
  let description = [{
    Converts the Frit ops whose `frit.kernel` is `native.vector` to an
    `scf.parallel` over blocks of rows and, inside, `vector` and `arith` code of
    the given width. Ops must be on memrefs; any size, row stride and offset is
    taken, and nothing is allocated on the heap. An op that was selected and
    cannot be converted is an error that says why; ops with another kernel are
    left alone.
  }];
  let options = [
    Option<"vectorWidth", "vector-width", "unsigned", /*default=*/"256",
           "Bits of a vector register: a power of two from 128 to 2048">,
    Option<"convertUnselected", "convert-unselected", "bool",
           /*default=*/"false",
           "Also convert the ops that have no `frit.kernel`">,
  ];
  let statistics = [
    Statistic<"numConverted", "num-converted", "Number of converted ops">,
  ];
  let dependentDialects = [
    "affine::AffineDialect", "arith::ArithDialect", "math::MathDialect",
    "memref::MemRefDialect", "scf::SCFDialect", "vector::VectorDialect",
  ];
}

def FritExpandMathPass : Pass<"frit-expand-math"> {
  let summary = "Expands tanh, erf, exp and bf16 conversions to plain arithmetic";
  let description = [{
    `math.tanh`, `math.erf` and `math.exp` of f32, scalar or vector, whose
    location has a `#frit.origin` of mode `fma` become polynomial code with
    `math.fma`: vector code that needs no library. Functions without an origin
    are left alone. The largest errors over all floats are 1.4 ulp for tanh, 1.3
    for erf and 1.1 for exp; NaN stays NaN, and no finite argument gives NaN.

    `arith.truncf` from f32 to bf16 and `arith.extf` from bf16 to f32, scalar or
    vector and of any origin, become integer code: round to nearest even, NaN
    becomes a quiet NaN, subnormals are kept. Hardware conversions would flush
    subnormals to zero.
  }];
  let dependentDialects = ["arith::ArithDialect", "math::MathDialect"];
}

def FritBF16MemoryAsIntegerPass : Pass<"frit-bf16-memory-as-integer"> {
  let summary = "Loads and stores bf16 as the integers it is computed with";
  let description = [{
    Runs on the LLVM dialect. Where `frit-expand-math` has turned bf16
    conversions to integer code, an `llvm.store` of a bitcast stores the integer
    itself, and an `llvm.load` that is only bitcast loads it. Else LLVM merges
    such values of two branches as bf16, a type that its X86 backend takes apart
    to scalars and converts through calls.
  }];
  let dependentDialects = ["LLVM::LLVMDialect"];
}

#endif // FRIT_CONVERSION_PASSES_TD

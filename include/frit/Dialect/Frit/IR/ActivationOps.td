//===- ActivationOps.td ------------------------------------*- tablegen -*-===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Gated activations: gelu_and_mul_sparse and the plain gated family.
//
//===----------------------------------------------------------------------===//

#ifndef FRIT_ACTIVATION_OPS_TD
#define FRIT_ACTIVATION_OPS_TD

include "frit/Dialect/Frit/IR/FritOpBase.td"

class Frit_GatedOp<string mnemonic, list<Trait> traits = []>
    : Frit_DestinationOp<mnemonic, traits # [
        DeclareOpInterfaceMethods<Frit_TokenOpInterface>]> {
  code gatedDeclaration = [{
    /// The destination is written whole.
    bool readsDestination() { return false; }
    /// True where gate and up are the halves of one operand.
    bool isPacked() { return !getUp(); }
    /// The operand that holds the gate: `x`, packed or not.
    ::mlir::Value getGate() { return getX(); }
    ::mlir::MutableOperandRange getDpsInitsMutable() { return getOutMutable(); }
    bool hasTensorSemantics() { return ::llvm::isa<::mlir::TensorType>(getOut().getType()); }
    ::mlir::Type getKernelElementType() { return getElementType(); }
    ::mlir::frit::KernelShape getKernelShape();
    ::mlir::Type getElementType() {
      return ::llvm::cast<::mlir::ShapedType>(getOut().getType()).getElementType();
    }
  }];
}

def Frit_GeluAndMulSparseOp : Frit_GatedOp<"gelu_and_mul_sparse"> {
  let summary = "statistical top-k gated GELU of Gemma3n";
  let description = [{
    For each row of gate g and up u, of d elements:

    ```
    m = mean(g)          s = sqrt(sum((g - m)^2) / (d - correction))
    c = m + s * std_multiplier
    y = gelu(relu(g - c)) * u
    ```

    The sums are f32. With `rounding = stepwise` each of m, s, the product, c,
    g - c, gelu and y is rounded to the element type (the variance is taken
    about the unrounded mean), which is what PyTorch eager computes; with
    `final` only y is. A product and a sum are never contracted outside the sums
    and gelu. NaN in a gate makes the row NaN; `up` is always read, so
    0 * inf is NaN, unless `assume_finite_up` allows to skip it.

    Attributes:

    | attribute | if absent | what it says |
    |---|---|---|
    | `std_multiplier` | required | standard deviations from the mean to the cutoff |
    | `approximate` | `tanh` | form of gelu as in `frit.act_and_mul`; the other is `erf` |
    | `rounding` | `stepwise` | where results round, see above; the other is `final` |
    | `correction` | 0 | the variance is divided by d - correction: 0 or 1 |
    | `assume_finite_up` | off | no element of u is an infinity or NaN |

    Constraints:

    * `x` is `[..., 2d]` (packed: gate is the first half) or, with `up`,
      both are `[..., d]`; `out` is `[..., d]`. Leading dimensions are the same.
    * All have one element type: f32, f16 or bf16.
    * All are tensors, or all are memrefs with inner stride 1.
    * `correction` is 0 or 1; `std_multiplier` is finite (zero and
      negative values are valid).

    Example:

    ```mlir
    %r = frit.gelu_and_mul_sparse ins(%x : tensor<?x16384xbf16>)
           outs(%y : tensor<?x8192xbf16>) std_multiplier = 1.64485359
           -> tensor<?x8192xbf16>
    %s = frit.gelu_and_mul_sparse ins(%gate, %up : tensor<4x96xf32>, tensor<4x96xf32>)
           outs(%z : tensor<4x96xf32>) std_multiplier = 1.0 approximate = erf
           rounding = final correction = 1 -> tensor<4x96xf32>
    ```
  }];
  let arguments = (ins
    Arg<Frit_FloatShaped, "gate and up packed, or gate alone">:$x,
    Optional<Frit_FloatShaped>:$up,
    Arg<Frit_FloatShaped, "destination">:$out,
    F32Attr:$std_multiplier,
    DefaultValuedAttr<Frit_ApproximateAttr, "Approximate::Tanh">:$approximate,
    DefaultValuedAttr<Frit_RoundingAttr, "Rounding::Stepwise">:$rounding,
    DefaultValuedAttr<I64Attr, "0">:$correction,
    UnitAttr:$assume_finite_up
  );
  let results = (outs Variadic<AnyRankedTensor>:$results);
  let assemblyFormat = [{
    `ins` `(` $x (`,` $up^)? `:` type($x) (`,` type($up)^)? `)`
    `outs` `(` $out `:` type($out) `)`
    `std_multiplier` `=` $std_multiplier
    (`approximate` `=` `` $approximate^)?
    (`rounding` `=` `` $rounding^)?
    (`correction` `=` $correction^)?
    (`assume_finite_up` $assume_finite_up^)?
    attr-dict (`->` type($results)^)?
  }];
  let extraClassDeclaration = gatedDeclaration;
}

def Frit_ActAndMulOp : Frit_GatedOp<"act_and_mul"> {
  let summary = "gated activation: act(gate) * up";
  let description = [{
    y = act(g) * u for each element. act is computed in f32, rounded to the
    element type, and the product is rounded again, as PyTorch eager does.

    | activation | act(g) |
    |---|---|
    | `silu` | g / (1 + exp(-g)) |
    | `gelu_tanh` | 0.5 g (1 + tanh(0.7978845608028654 (g + 0.044715 g^3))) |
    | `gelu_erf` | 0.5 g (1 + erf(g / sqrt 2)) |

    Attributes:

    | attribute | if absent | what it says |
    |---|---|---|
    | `activation` | required | one of the three |

    Constraints: those of `frit.gelu_and_mul_sparse` on shapes and types.

    Example:

    ```mlir
    %r = frit.act_and_mul silu ins(%x : tensor<?x512xf16>)
           outs(%y : tensor<?x256xf16>) -> tensor<?x256xf16>
    ```
  }];
  let arguments = (ins
    Arg<Frit_FloatShaped, "gate and up packed, or gate alone">:$x,
    Optional<Frit_FloatShaped>:$up,
    Arg<Frit_FloatShaped, "destination">:$out,
    Frit_ActivationAttr:$activation
  );
  let results = (outs Variadic<AnyRankedTensor>:$results);
  let assemblyFormat = [{
    `` $activation `ins` `(` $x (`,` $up^)? `:` type($x) (`,` type($up)^)? `)`
    `outs` `(` $out `:` type($out) `)`
    attr-dict (`->` type($results)^)?
  }];
  let extraClassDeclaration = gatedDeclaration;
}

#endif // FRIT_ACTIVATION_OPS_TD

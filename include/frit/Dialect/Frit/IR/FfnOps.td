//===- FfnOps.td -------------------------------------------*- tablegen -*-===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The feed-forward network whose activation is mostly zero, as one op.
//
//===----------------------------------------------------------------------===//

#ifndef FRIT_FFN_OPS_TD
#define FRIT_FFN_OPS_TD

include "frit/Dialect/Frit/IR/FritOpBase.td"

def Frit_SparseFfnOp : Frit_DestinationOp<"sparse_ffn", [
    AttrSizedOperandSegments,
    DeclareOpInterfaceMethods<Frit_TokenOpInterface>]> {
  let summary = "Gemma3n's sparse feed-forward network, without its zeros";
  let description = [{
    For each token t, with x = x[t] and E the element type:

    ```
    g[j] = r(sum_k gate[j, k] * x[k])                 (+ LoRA of the gate)
    u[j] = r(sum_k up[j, k] * x[k])                   (+ LoRA of up)
    a    = gelu(relu(g - c))                          c as in frit.gelu_and_mul_sparse
    y[j] = a[j] == 0 ? 0 : r(a[j] * u[j])
    f[n] = r(sum over j with y[j] != 0 of down[j, n] * y[j])   (+ LoRA of down)
    out[t] = f, or r(out[t] + f) with `accumulate`
    ```

    r rounds to E, sums are f32. `std_multiplier`, `approximate`, `rounding` and
    `correction` are those of `frit.gelu_and_mul_sparse`; each LoRA is a
    `frit.lora_matmul` of one slice on x or, for down, on y.

    This is what a chain of matmuls, `frit.lora_matmul` and
    `frit.gelu_and_mul_sparse` computes, but for one thing: **products with a
    zero activation are not formed**, neither a * u, nor those of y with down
    and with the A of down's LoRA. Where the chain has 0 * inf or 0 * NaN, which
    is NaN, the op has 0. With finite weights, LoRA's included, and finite u the
    two are the same: what is left out adds zero. NaN in a gate makes a whole
    row NaN, and nothing of it is left out.

    That is also what makes the op cheap: of the rows of `up` and `down` only
    those of active columns need be read, 5 % of them for one token with
    Gemma3n's multiplier. Several tokens need the union of their columns. A
    token's result depends on its own row and adapter alone.

    Operands:

    * `x` `[T, H]`, `out` `[T, H]`, `gate` and `up` `[d, H]`.
    * `down` `[d, H]` with `down_layout = dh`, `[H, d]` with `hd`. In `dh` what
      one column needs is contiguous; in `hd` all of the matrix has to be read.
    * `gate_lora`, `up_lora`, `down_lora`: each absent, or a pair
      `A [L, R, K]`, `B [L, N, R]`. K, N are H, d for gate and up, d, H for
      down. `ids` `[T]` i32 says which adapter a token has, for all three; one
      outside [0, L) is none.
    * `scales` `[L]` or `[3, L]` f32: each adapter's own factor, for all three or
      for gate, up and down. It multiplies `gate_scale`, `up_scale` and
      `down_scale`; 1 for all if absent.
    * `ranks` `[L]` or `[3, L]` i32: true ranks; weights beyond are not read.
      R for all if absent.

    Attributes:

    | attribute | if absent | what it says |
    |---|---|---|
    | `std_multiplier` | required | standard deviations from the mean to the cutoff |
    | `down_layout` | required | `dh` or `hd`, see `down` |
    | `approximate` | `tanh` | form of gelu; the other is `erf` |
    | `rounding` | `stepwise` | where the activation rounds; the other is `final` |
    | `correction` | 0 | the variance is divided by d - correction: 0 or 1 |
    | `gate_scale` | 1.0 | factor of all adapters of the gate |
    | `up_scale` | 1.0 | factor of all adapters of up |
    | `down_scale` | 1.0 | factor of all adapters of down |
    | `intermediate` | `f32` | type between A and B of each LoRA; `element` is that of A and B |
    | `lora_rounding` | `final` | the `rounding` of each LoRA; the others are `sum` and `stepwise` |
    | `accumulate` | false | true: f is added to out, which is not read otherwise |

    Constraints:

    * All are tensors, or all are memrefs with inner stride 1.
    * x, out, gate, up and down have one element type: f32, f16 or bf16. Every A
      and B has that type, or all have f32.
    * T, H, d, L and R agree wherever they occur; any may be 0.
    * `correction` is 0 or 1; `std_multiplier` is finite.
      `intermediate = element` excludes `lora_rounding = stepwise`.
    * `ids` is there where one of the three LoRAs is, and only there; `scales`
      and `ranks` only beside `ids`.
    * An id is below L, and a true rank in [0, R]: run-time verification reports
      what is not. An id of L or more is never followed.

    Example:

    ```mlir
    %r = frit.sparse_ffn ins(%x : tensor<?x64xbf16>)
           weights(%gate, %up, %down : tensor<96x64xbf16>, tensor<96x64xbf16>, tensor<96x64xbf16>)
           outs(%y : tensor<?x64xbf16>) std_multiplier = 1.64485359
           down_layout = dh -> tensor<?x64xbf16>
    %s = frit.sparse_ffn ins(%x, %ids : tensor<?x64xbf16>, tensor<?xi32>)
           weights(%gate, %up, %down_t : tensor<96x64xbf16>, tensor<96x64xbf16>, tensor<64x96xbf16>)
           down_lora(%a, %b : tensor<4x8x96xbf16>, tensor<4x64x8xbf16>)
           scales(%c : tensor<4xf32>) outs(%residual : tensor<?x64xbf16>)
           std_multiplier = 1.64485359 down_layout = hd down_scale = 2.0
           accumulate = true -> tensor<?x64xbf16>
    ```
  }];
  let arguments = (ins
    Arg<Frit_FloatShaped, "activations">:$x,
    Optional<Frit_I32Shaped>:$ids,
    Arg<Frit_FloatShaped, "weights of the gate">:$gate,
    Arg<Frit_FloatShaped, "weights of up">:$up,
    Arg<Frit_FloatShaped, "weights of down">:$down,
    Variadic<Frit_FloatShaped>:$gate_lora,
    Variadic<Frit_FloatShaped>:$up_lora,
    Variadic<Frit_FloatShaped>:$down_lora,
    Optional<Frit_F32Shaped>:$scales,
    Optional<Frit_I32Shaped>:$ranks,
    Arg<Frit_FloatShaped, "destination">:$out,
    F32Attr:$std_multiplier,
    Frit_DownLayoutAttr:$down_layout,
    DefaultValuedAttr<Frit_ApproximateAttr, "Approximate::Tanh">:$approximate,
    DefaultValuedAttr<Frit_RoundingAttr, "Rounding::Stepwise">:$rounding,
    DefaultValuedAttr<I64Attr, "0">:$correction,
    DefaultValuedAttr<F32Attr, "1.0f">:$gate_scale,
    DefaultValuedAttr<F32Attr, "1.0f">:$up_scale,
    DefaultValuedAttr<F32Attr, "1.0f">:$down_scale,
    DefaultValuedAttr<Frit_IntermediateAttr, "Intermediate::F32">:$intermediate,
    DefaultValuedAttr<Frit_LoraRoundingAttr, "LoraRounding::Final">:$lora_rounding,
    DefaultValuedAttr<BoolAttr, "false">:$accumulate
  );
  let results = (outs Variadic<AnyRankedTensor>:$results);
  let assemblyFormat = [{
    `ins` `(` $x (`,` $ids^)? `:` type($x) (`,` type($ids)^)? `)`
    `weights` `(` $gate `,` $up `,` $down `:` type($gate) `,` type($up) `,` type($down) `)`
    (`gate_lora` `(` $gate_lora^ `:` type($gate_lora) `)`)?
    (`up_lora` `(` $up_lora^ `:` type($up_lora) `)`)?
    (`down_lora` `(` $down_lora^ `:` type($down_lora) `)`)?
    (`scales` `(` $scales^ `:` type($scales) `)`)?
    (`ranks` `(` $ranks^ `:` type($ranks) `)`)?
    `outs` `(` $out `:` type($out) `)`
    `std_multiplier` `=` $std_multiplier
    `down_layout` `=` `` $down_layout
    (`approximate` `=` `` $approximate^)?
    (`rounding` `=` `` $rounding^)?
    (`correction` `=` $correction^)?
    (`gate_scale` `=` $gate_scale^)?
    (`up_scale` `=` $up_scale^)?
    (`down_scale` `=` $down_scale^)?
    (`intermediate` `=` `` $intermediate^)?
    (`lora_rounding` `=` `` $lora_rounding^)?
    (`accumulate` `=` $accumulate^)?
    attr-dict (`->` type($results)^)?
  }];
  let extraClassDeclaration = [{
    /// The three matmuls, as they are numbered in what follows and in the first
    /// dimension of `scales` and `ranks`.
    enum Projection : unsigned { Gate, Up, Down };
    static constexpr unsigned kNumProjections = 3;

    bool readsDestination() { return getAccumulate(); }
    ::mlir::MutableOperandRange getDpsInitsMutable() { return getOutMutable(); }
    bool hasTensorSemantics() { return ::llvm::isa<::mlir::TensorType>(getOut().getType()); }
    ::mlir::frit::KernelShape getKernelShape();
    ::mlir::Type getKernelElementType() { return getElementType(); }
    ::mlir::Type getElementType() {
      return ::llvm::cast<::mlir::ShapedType>(getX().getType()).getElementType();
    }
    /// The dimension of `down` that runs over columns of the activation.
    int64_t getDownColumnDim() { return getDownLayout() == DownLayout::Dh ? 0 : 1; }

    /// A and B of a projection; none where it has no LoRA.
    ::mlir::OperandRange getLora(unsigned projection) {
      return projection == Gate ? getGateLora() : projection == Up ? getUpLora() : getDownLora();
    }
    bool hasLora(unsigned projection) { return !getLora(projection).empty(); }
    ::llvm::APFloat getLoraScale(unsigned projection) {
      return projection == Gate ? getGateScale() : projection == Up ? getUpScale() : getDownScale();
    }
    /// Some A; null where no projection has a LoRA.
    ::mlir::Value getAnyA();
  }];
}

#endif // FRIT_FFN_OPS_TD

//===- LoraOps.td ------------------------------------------*- tablegen -*-===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Multi-adapter LoRA matmuls and the grouping of tokens by adapter.
//
//===----------------------------------------------------------------------===//

#ifndef FRIT_LORA_OPS_TD
#define FRIT_LORA_OPS_TD

include "frit/Dialect/Frit/IR/FritOpBase.td"

// What the three LoRA ops have in common: weights of several slices, the
// adapter of each token, and the optional per-adapter operands and grouping.
class Frit_LoraOp<string mnemonic>
    : Frit_DestinationOp<mnemonic, [
        AttrSizedOperandSegments,
        DeclareOpInterfaceMethods<Frit_TokenOpInterface,
                                  ["isGroupingOperand", "dropGrouping"]>]> {
  dag perAdapterOperands = (ins
    Optional<Frit_F32Shaped>:$scales,
    Optional<Frit_I32Shaped>:$ranks,
    Optional<Frit_I32Shaped>:$order,
    Optional<Frit_I32Shaped>:$starts,
    Optional<Frit_I32Shaped>:$active
  );
  code loraDeclaration = [{
    /// Rows without an adapter and other columns stay as they were.
    bool readsDestination() { return true; }
    /// The type of the activations and the destination of the whole matmul.
    ::mlir::Type getKernelElementType();
    ::mlir::frit::KernelShape getKernelShape();
    /// True where operands say which tokens belong to which adapter.
    bool isGrouped() { return static_cast<bool>(getOrder()); }
    ::mlir::MutableOperandRange getDpsInitsMutable() { return getOutMutable(); }
    bool hasTensorSemantics() { return ::llvm::isa<::mlir::TensorType>(getOut().getType()); }
    ::mlir::ShapedType getOutType() {
      return ::llvm::cast<::mlir::ShapedType>(getOut().getType());
    }
    /// The largest rank R, possibly dynamic.
    int64_t getMaxRank();
    /// The type of A and B.
    ::mlir::Type getWeightType() {
      return ::llvm::cast<::mlir::ShapedType>(getWeights().front().getType()).getElementType();
    }
  }];
  string loraFormat = [{
    (`scales` `(` $scales^ `:` type($scales) `)`)?
    (`ranks` `(` $ranks^ `:` type($ranks) `)`)?
    (`grouping` `(` $order^ `,` $starts (`,` $active^)? `:` type($order) `,` type($starts) (`,` type($active)^)? `)`)?
    `outs` `(` $out `:` type($out) `)`
  }];
}

def Frit_LoraMatmulOp : Frit_LoraOp<"lora_matmul"> {
  let summary = "adds each token's own low-rank product to a matmul's result";
  let description = [{
    For each slice s, and each token t whose adapter l = ids[t] is in [0, L):

    ```
    c = scale * scales[l]
    h[r] = c * sum_k A_s[l, r, k] * x[t, k]
    y[t, off_s + n] += sum_r B_s[l, n, r] * h[r]
    ```

    off_s is `offset` plus the widths of the slices before s. A row whose id is
    outside [0, L), and a column outside the slices, stay exactly as they were.
    Sums are f32. `rounding` says where results round:

    | `rounding` | arithmetic |
    |---|---|
    | `final` | `y = r(y_old + sum_r B h')` |
    | `sum` | `y = r(y_old + r(sum_r B h'))` |
    | `stepwise` | `h = rB(sum A x)`, `e = rB(sum B h)`, `f = rB(c e)`, `y = r(y_old + f)` |

    r rounds to the type of y, rB to the type of A and B. h' is h, or rB(h) with
    `intermediate = element` (not with `stepwise`). With
    `accumulate = false` y_old is not read.

    Operands:

    * `x` `[T, K]`, `ids` `[T]` i32, `out` `[T, M]` with
      M >= offset + sum of N_s.
    * `weights`: `A_s [L, R, K]`, `B_s [L, N_s, R]`, a pair for each slice.
    * `scales` `[L]` f32: each adapter's own factor; 1 for all if absent.
    * `ranks` `[L]` or `[S, L]` i32: true ranks; weights beyond are not read.
      R for all if absent.
    * `grouping`: `order [T]`, `starts [G + 1]` and, from an engine,
      `active [G]` with the adapter of each group (-1 for none). Without
      `active` G = L and group g is adapter g. It only says where to find
      what `ids` means; disagreement is undefined. If absent, `ids` alone is
      read.

    Attributes:

    | attribute | if absent | what it says |
    |---|---|---|
    | `scale` | 1.0 | factor of all adapters |
    | `offset` | 0 | first column of y that slice 0 is added to |
    | `intermediate` | `f32` | type of h between the products; `element` is that of A and B |
    | `rounding` | `final` | where results round, see above; the others are `sum` and `stepwise` |
    | `accumulate` | true | the products are added to y; with false they replace what y has there |

    Constraints:

    * All are tensors, or all are memrefs with inner stride 1.
    * x and y have one element type: f32, f16 or bf16. A and B have that type, or
      all are f32.
    * T, K, R, L and each N_s agree wherever they occur; any may be 0.
    * `offset` is not negative. `intermediate = element` excludes
      `rounding = stepwise`.
    * An id is below L, and a true rank in [0, R]: run-time verification reports
      what is not. An id of L or more is never followed.

    Example:

    ```mlir
    %r = frit.lora_matmul ins(%x, %ids : tensor<?x64xbf16>, tensor<?xi32>)
           weights(%a0, %b0, %a1, %b1 : tensor<4x8x64xbf16>, tensor<4x32x8xbf16>,
                   tensor<4x8x64xbf16>, tensor<4x16x8xbf16>)
           scales(%s : tensor<4xf32>) outs(%y : tensor<?x48xbf16>) scale = 5.000000e-01
           -> tensor<?x48xbf16>
    ```
  }];
  let arguments = !con((ins
    Arg<Frit_FloatShaped, "activations">:$x,
    Arg<Frit_I32Shaped, "adapter of each token">:$ids,
    Variadic<Frit_FloatShaped>:$weights), perAdapterOperands, (ins
    Arg<Frit_FloatShaped, "destination">:$out,
    DefaultValuedAttr<F32Attr, "1.0f">:$scale,
    DefaultValuedAttr<I64Attr, "0">:$offset,
    DefaultValuedAttr<Frit_IntermediateAttr, "Intermediate::F32">:$intermediate,
    DefaultValuedAttr<Frit_LoraRoundingAttr, "LoraRounding::Final">:$rounding,
    DefaultValuedAttr<BoolAttr, "true">:$accumulate));
  let results = (outs Variadic<AnyRankedTensor>:$results);
  let assemblyFormat = [{
    `ins` `(` $x `,` $ids `:` type($x) `,` type($ids) `)`
    `weights` `(` $weights `:` type($weights) `)`
  }] # loraFormat # [{
    (`scale` `=` $scale^)?
    (`offset` `=` $offset^)?
    (`intermediate` `=` `` $intermediate^)?
    (`rounding` `=` `` $rounding^)?
    (`accumulate` `=` $accumulate^)?
    attr-dict (`->` type($results)^)?
  }];
  let extraClassDeclaration = loraDeclaration # [{
    unsigned getNumSlices() { return getWeights().size() / 2; }
    ::mlir::Value getA(unsigned slice) { return getWeights()[2 * slice]; }
    ::mlir::Value getB(unsigned slice) { return getWeights()[2 * slice + 1]; }
  }];
}

def Frit_LoraShrinkOp : Frit_LoraOp<"lora_shrink"> {
  let summary = "projects each token to its adapter's rank vector";
  let description = [{
    The first half of `frit.lora_matmul`: for each slice s and each token t
    whose adapter l = ids[t] is in [0, L), and r below the true rank,

    ```
    h[s, t, r] = c * sum_k A_s[l, r, k] * x[t, k],  c = scale * scales[l]
    ```

    The sum is f32, the result is rounded to the type of h. Rows without an
    adapter and columns beyond the true rank are not written.

    Attributes:

    | attribute | if absent | what it says |
    |---|---|---|
    | `scale` | 1.0 | factor of all adapters |

    Constraints:

    * `x` `[T, K]`, `ids` `[T]`, `weights` `A_s [L, R, K]` one for each slice,
      `out` `[S, T, R]`; the others as in `frit.lora_matmul`.
    * A has the element type of x, or f32; h has f32, or the type of A.

    Example:

    ```mlir
    %h = frit.lora_shrink ins(%x, %ids : tensor<?x64xbf16>, tensor<?xi32>)
           weights(%a : tensor<4x8x64xbf16>) outs(%h0 : tensor<1x?x8xf32>)
           -> tensor<1x?x8xf32>
    ```
  }];
  let arguments = !con((ins
    Arg<Frit_FloatShaped, "activations">:$x,
    Arg<Frit_I32Shaped, "adapter of each token">:$ids,
    Variadic<Frit_FloatShaped>:$weights), perAdapterOperands, (ins
    Arg<Frit_FloatShaped, "destination">:$out,
    DefaultValuedAttr<F32Attr, "1.0f">:$scale));
  let results = (outs Variadic<AnyRankedTensor>:$results);
  let assemblyFormat = [{
    `ins` `(` $x `,` $ids `:` type($x) `,` type($ids) `)`
    `weights` `(` $weights `:` type($weights) `)`
  }] # loraFormat # [{
    (`scale` `=` $scale^)?
    attr-dict (`->` type($results)^)?
  }];
  let extraClassDeclaration = loraDeclaration # [{
    unsigned getNumSlices() { return getWeights().size(); }
    ::mlir::Value getA(unsigned slice) { return getWeights()[slice]; }
  }];
}

def Frit_LoraExpandOp : Frit_LoraOp<"lora_expand"> {
  let summary = "expands each token's rank vector into the destination";
  let description = [{
    The second half of `frit.lora_matmul`: for each slice s and each token t
    whose adapter l = ids[t] is in [0, L),

    ```
    y[t, off_s + n] += sum_r B_s[l, n, r] * h[s, t, r]
    ```

    over r below the true rank, rounded as `rounding` says (see
    `frit.lora_matmul`). c = scale * scales[l] multiplies e with `stepwise`,
    and the f32 sum otherwise. Columns of h beyond the true rank and rows
    without an adapter are not read.

    Attributes:

    | attribute | if absent | what it says |
    |---|---|---|
    | `scale` | 1.0 | factor of all adapters |
    | `offset` | 0 | first column of y that slice 0 is added to |
    | `rounding` | `final` | where results round; the others are `sum` and `stepwise` |
    | `accumulate` | true | the products are added to y; with false they replace what y has there |

    Constraints:

    * `h` `[S, T, R]`, `ids` `[T]`, `weights` `B_s [L, N_s, R]` one for each
      slice, `out` `[T, M]` with M >= offset + sum of N_s; the others as in
      `frit.lora_matmul`.
    * B has the element type of y, or f32; h has f32, or the type of B.

    Example:

    ```mlir
    %r = frit.lora_expand ins(%h, %ids : tensor<1x?x8xf32>, tensor<?xi32>)
           weights(%b : tensor<4x32x8xbf16>) outs(%y : tensor<?x32xbf16>)
           -> tensor<?x32xbf16>
    ```
  }];
  let arguments = !con((ins
    Arg<Frit_FloatShaped, "rank vectors">:$h,
    Arg<Frit_I32Shaped, "adapter of each token">:$ids,
    Variadic<Frit_FloatShaped>:$weights), perAdapterOperands, (ins
    Arg<Frit_FloatShaped, "destination">:$out,
    DefaultValuedAttr<F32Attr, "1.0f">:$scale,
    DefaultValuedAttr<I64Attr, "0">:$offset,
    DefaultValuedAttr<Frit_LoraRoundingAttr, "LoraRounding::Final">:$rounding,
    DefaultValuedAttr<BoolAttr, "true">:$accumulate));
  let results = (outs Variadic<AnyRankedTensor>:$results);
  let assemblyFormat = [{
    `ins` `(` $h `,` $ids `:` type($h) `,` type($ids) `)`
    `weights` `(` $weights `:` type($weights) `)`
  }] # loraFormat # [{
    (`scale` `=` $scale^)?
    (`offset` `=` $offset^)?
    (`rounding` `=` `` $rounding^)?
    (`accumulate` `=` $accumulate^)?
    attr-dict (`->` type($results)^)?
  }];
  let extraClassDeclaration = loraDeclaration # [{
    unsigned getNumSlices() { return getWeights().size(); }
    ::mlir::Value getB(unsigned slice) { return getWeights()[slice]; }
  }];
}

def Frit_LoraGroupOp : Frit_DestinationOp<"lora_group"> {
  let summary = "groups tokens by adapter, stably";
  let description = [{
    `order[starts[g] .. starts[g + 1])` holds the tokens of adapter g, in
    ascending order; `order[starts[G] .. T)` those whose id is outside
    [0, G), likewise. Pure on tensors, so that one grouping serves every layer.

    Constraints:

    * `ids` `[T]`, `order` `[T]`, `starts` `[G + 1]`, all i32; G may be 0.
    * T fits into an i32.

    Example:

    ```mlir
    %order, %starts = frit.lora_group ins(%ids : tensor<?xi32>)
        outs(%o, %s : tensor<?xi32>, tensor<5xi32>) -> tensor<?xi32>, tensor<5xi32>
    ```
  }];
  let hasCanonicalizer = 0;
  let arguments = (ins
    Arg<Frit_I32Shaped, "adapter of each token">:$ids,
    Arg<Frit_I32Shaped, "destination: tokens by adapter">:$order,
    Arg<Frit_I32Shaped, "destination: where each adapter's tokens start">:$starts);
  let results = (outs Variadic<AnyRankedTensor>:$results);
  let assemblyFormat = [{
    `ins` `(` $ids `:` type($ids) `)`
    `outs` `(` $order `,` $starts `:` type($order) `,` type($starts) `)`
    attr-dict (`->` type($results)^)?
  }];
  let extraClassDeclaration = [{
    /// Both destinations are written whole.
    bool readsDestination() { return false; }
    ::mlir::frit::KernelShape getKernelShape();
    ::mlir::Type getKernelElementType() {
      return ::llvm::cast<::mlir::ShapedType>(getIds().getType()).getElementType();
    }
    ::mlir::MutableOperandRange getDpsInitsMutable() {
      return ::mlir::MutableOperandRange(getOperation(), 1, 2);
    }
    bool hasTensorSemantics() { return ::llvm::isa<::mlir::TensorType>(getIds().getType()); }
  }];
}

#endif // FRIT_LORA_OPS_TD

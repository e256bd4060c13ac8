//===- LoraActivationOp.td ---------------------------------*- tablegen -*-===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The second half of a LoRA of gate and up together with the activation.
//
//===----------------------------------------------------------------------===//

#ifndef FRIT_LORA_ACTIVATION_OP_TD
#define FRIT_LORA_ACTIVATION_OP_TD

include "frit/Dialect/Frit/IR/FritOpBase.td"

def Frit_LoraGeluAndMulSparseOp : Frit_DestinationOp<"lora_gelu_and_mul_sparse", [
    AttrSizedOperandSegments,
    DeclareOpInterfaceMethods<Frit_TokenOpInterface,
                              ["isGroupingOperand", "dropGrouping"]>]> {
  let summary = "expands the LoRAs of gate and up, and activates, in one op";
  let description = [{
    What `frit.lora_expand` of two slices into a copy of `y`, with `rounding =
    final`, and `frit.gelu_and_mul_sparse` of that copy compute. For each token
    t, with l = ids[t]:

    ```
    g[j] = y[t, j],      with r(g[j] + sum_r B_0[l, j, r] * h[0, t, r])  where l is in [0, L)
    u[j] = y[t, d + j],  with r(u[j] + sum_r B_1[l, j, r] * h[1, t, r])  where l is in [0, L)
    out[t] = gelu(relu(g - c)) * u               c as in frit.gelu_and_mul_sparse
    ```

    r rounds to the element type of y; sums are f32, over r below the true rank.
    `h` has the adapters' scales already, as `frit.lora_shrink` leaves it.
    y is not changed: gate and up need not go through memory again. A kernel may
    take each of h as the sum of two values of B's type.

    Operands:

    * `y` `[T, 2d]`: gate and up, packed. `h` `[2, T, R]` f32: the rank vectors
      of gate and of up. `ids` `[T]` i32. `out` `[T, d]`.
    * `weights`: `B_0 [L, d, R]` of the gate and `B_1 [L, d, R]` of up.
    * `ranks` and `grouping`: as in `frit.lora_matmul`.

    Attributes: those of `frit.gelu_and_mul_sparse`.

    | attribute | if absent | what it says |
    |---|---|---|
    | `std_multiplier` | required | standard deviations from the mean to the cutoff |
    | `approximate` | `tanh` | form of gelu; the other is `erf` |
    | `rounding` | `stepwise` | where the activation rounds; the other is `final` |
    | `correction` | 0 | the variance is divided by d - correction: 0 or 1 |

    Constraints:

    * All are tensors, or all are memrefs with inner stride 1.
    * y and out have one element type: f32, f16 or bf16. Both B have that type,
      or f32.
    * T, d, R and L agree wherever they occur; any may be 0.
    * `correction` is 0 or 1; `std_multiplier` is finite.
    * An id is below L, and a true rank in [0, R]: run-time verification reports
      what is not. An id of L or more is never followed.

    Example:

    ```mlir
    %r = frit.lora_gelu_and_mul_sparse
           ins(%y, %h, %ids : tensor<?x128xbf16>, tensor<2x?x8xf32>, tensor<?xi32>)
           weights(%b0, %b1 : tensor<4x64x8xbf16>, tensor<4x64x8xbf16>)
           outs(%out : tensor<?x64xbf16>) std_multiplier = 1.64485359
           -> tensor<?x64xbf16>
    ```
  }];
  let arguments = (ins
    Arg<Frit_FloatShaped, "gate and up, packed">:$y,
    Arg<Frit_F32Shaped, "rank vectors">:$h,
    Arg<Frit_I32Shaped, "adapter of each token">:$ids,
    Variadic<Frit_FloatShaped>:$weights,
    Optional<Frit_I32Shaped>:$ranks,
    Optional<Frit_I32Shaped>:$order,
    Optional<Frit_I32Shaped>:$starts,
    Optional<Frit_I32Shaped>:$active,
    Arg<Frit_FloatShaped, "destination">:$out,
    F32Attr:$std_multiplier,
    DefaultValuedAttr<Frit_ApproximateAttr, "Approximate::Tanh">:$approximate,
    DefaultValuedAttr<Frit_RoundingAttr, "Rounding::Stepwise">:$rounding,
    DefaultValuedAttr<I64Attr, "0">:$correction
  );
  let results = (outs Variadic<AnyRankedTensor>:$results);
  let assemblyFormat = [{
    `ins` `(` $y `,` $h `,` $ids `:` type($y) `,` type($h) `,` type($ids) `)`
    `weights` `(` $weights `:` type($weights) `)`
    (`ranks` `(` $ranks^ `:` type($ranks) `)`)?
    (`grouping` `(` $order^ `,` $starts (`,` $active^)? `:` type($order) `,` type($starts) (`,` type($active)^)? `)`)?
    `outs` `(` $out `:` type($out) `)`
    `std_multiplier` `=` $std_multiplier
    (`approximate` `=` `` $approximate^)?
    (`rounding` `=` `` $rounding^)?
    (`correction` `=` $correction^)?
    attr-dict (`->` type($results)^)?
  }];
  let extraClassDeclaration = [{
    static constexpr unsigned kNumSlices = 2;

    bool readsDestination() { return false; }
    ::mlir::MutableOperandRange getDpsInitsMutable() { return getOutMutable(); }
    bool hasTensorSemantics() { return ::llvm::isa<::mlir::TensorType>(getOut().getType()); }
    ::mlir::frit::KernelShape getKernelShape();
    ::mlir::Type getKernelElementType() { return getElementType(); }
    ::mlir::Type getElementType() {
      return ::llvm::cast<::mlir::ShapedType>(getOut().getType()).getElementType();
    }

    // What the LoRA ops have, for code that serves them all.
    unsigned getNumSlices() { return kNumSlices; }
    ::mlir::Value getB(unsigned slice) { return getWeights()[slice]; }
    /// h has the scales.
    ::mlir::Value getScales() { return {}; }
    /// True where operands say which tokens belong to which adapter.
    bool isGrouped() { return static_cast<bool>(getOrder()); }
    /// The largest rank R, possibly dynamic.
    int64_t getMaxRank() {
      return ::llvm::cast<::mlir::ShapedType>(getH().getType()).getDimSize(2);
    }
    ::mlir::Type getWeightType() {
      return ::llvm::cast<::mlir::ShapedType>(getB(0).getType()).getElementType();
    }
  }];
}

#endif // FRIT_LORA_ACTIVATION_OP_TD

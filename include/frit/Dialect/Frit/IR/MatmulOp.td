//===- MatmulOp.td -----------------------------------------*- tablegen -*-===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A matmul that sums in f32 and rounds once, as libraries have it.
//
//===----------------------------------------------------------------------===//

#ifndef FRIT_MATMUL_OP_TD
#define FRIT_MATMUL_OP_TD

include "frit/Dialect/Frit/IR/FritOpBase.td"

def Frit_MatmulOp : Frit_DestinationOp<"matmul", [
    DeclareOpInterfaceMethods<Frit_TokenOpInterface>]> {
  let summary = "matmul summed in f32 and rounded once";
  let description = [{
    out[t, n] = r(sum over k of a[t, k] b[k, n] + out[t, n] + bias[n])

    for each matrix of a batch. The sum is f32, in any order; out's old value
    is part of it with `accumulate`, the bias where there is one. r rounds to
    the type of `out`, once: what linalg needs two ops for, a contraction into
    f32 and a truncation. `frit-form-matmuls` makes it of those.

    Without `bias` nothing is added but the sum and, with `accumulate`, out.

    Attributes:

    | attribute | if absent | what it says |
    |---|---|---|
    | `transpose_a` | off | `a` is stored as [k, t], not as [t, k] |
    | `transpose_b` | off | `b` is stored as [n, k], not as [k, n]: the weights of a linear layer |
    | `accumulate` | off | the old value of `out` is added; it is not read otherwise |

    Constraints:

    * `a`, `b` and `out` are matrices, or stacks of them: rank 3, the batch
      first. One of `a` and `b` may be a matrix that the whole batch shares.
    * `a` and `b` have one element type: f32, f16 or bf16; `out` has it, or f32.
      `bias` has the element type of `out`.
    * All are tensors, or all are memrefs with inner stride 1.

    Example:

    ```mlir
    %r = frit.matmul ins(%x, %w : tensor<?x2048xbf16>, tensor<16384x2048xbf16>)
           outs(%y : tensor<?x16384xbf16>) transpose_b -> tensor<?x16384xbf16>
    ```
  }];
  let arguments = (ins
    Arg<Frit_FloatShaped, "left factor, with the tokens">:$a,
    Arg<Frit_FloatShaped, "right factor">:$b,
    Optional<Frit_FloatShaped>:$bias,
    Arg<Frit_FloatShaped, "destination">:$out,
    UnitAttr:$transpose_a,
    UnitAttr:$transpose_b,
    UnitAttr:$accumulate
  );
  let results = (outs Variadic<AnyRankedTensor>:$results);
  let assemblyFormat = [{
    `ins` `(` $a `,` $b `:` type($a) `,` type($b) `)`
    (`bias` `(` $bias^ `:` type($bias) `)`)?
    `outs` `(` $out `:` type($out) `)`
    (`transpose_a` $transpose_a^)?
    (`transpose_b` $transpose_b^)?
    (`accumulate` $accumulate^)?
    attr-dict (`->` type($results)^)?
  }];
  let extraClassDeclaration = [{
    bool readsDestination() { return getAccumulate(); }
    ::mlir::MutableOperandRange getDpsInitsMutable() { return getOutMutable(); }
    bool hasTensorSemantics() { return ::llvm::isa<::mlir::TensorType>(getOut().getType()); }
    ::mlir::ShapedType getAType() { return ::llvm::cast<::mlir::ShapedType>(getA().getType()); }
    ::mlir::ShapedType getBType() { return ::llvm::cast<::mlir::ShapedType>(getB().getType()); }
    ::mlir::ShapedType getOutType() { return ::llvm::cast<::mlir::ShapedType>(getOut().getType()); }
    /// True where `out` is a stack of matrices.
    bool isBatched() { return getOutType().getRank() == 3; }

    /// A dimension of an operand.
    using Dim = std::pair<::mlir::OpOperand *, int64_t>;
    /// The dimensions of one size: tokens of `a` and `out`, sums of `a` and
    /// `b`, columns of `b` and `out`, matrices of `out`, `a` and `b` as far as
    /// they are stacks.
    ::llvm::SmallVector<Dim, 3> getTokens();
    ::llvm::SmallVector<Dim, 3> getTerms();
    ::llvm::SmallVector<Dim, 3> getColumns();
    ::llvm::SmallVector<Dim, 3> getMatrices();

    ::mlir::Type getKernelElementType() { return getAType().getElementType(); }
    ::mlir::frit::KernelShape getKernelShape();
  }];
}

#endif // FRIT_MATMUL_OP_TD

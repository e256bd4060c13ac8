//===- Passes.td -------------------------------------------*- tablegen -*-===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Passes on Frit ops as they stand in a graph, and checks of what they become.
//
//===----------------------------------------------------------------------===//

#ifndef FRIT_TRANSFORMS_PASSES_TD
#define FRIT_TRANSFORMS_PASSES_TD

include "mlir/Pass/PassBase.td"

def CheckSizesPass : Pass<"frit-check-sizes"> {
  let summary = "Checks at run time what could lead ops outside of memory";
  let description = [{
    Puts assertions in front of each op of Frit and of linalg, and of
    `tensor.concat`, `tensor.expand_shape` and `tensor.pad`, that its operands
    have sizes that fit together, and in front of `tensor.empty`, that no size is
    negative: a few comparisons of sizes that are dynamic. With
    `groupings`, the elements of a grouping that `frit.lora_group` did not compute
    are followed only where they are tokens: one comparison for each token.
    A function so fails with a message, and with the values of both sizes, where
    it would read or write beyond a tensor. A size is followed to the
    destination that it comes from, so that what holds by construction folds.

    Whether the data means what it should (adapters, true ranks, groupings that
    agree with the ids), and the sizes of other ops, is for `generate-runtime-verification` to check.

    Example:

    ```mlir
    %0 = tensor.dim %ids, %c0 : tensor<?xi32>
    %1 = tensor.dim %x, %c0 : tensor<?x16xf32>
    %2 = arith.cmpi eq, %0, %1 : index
    cf.assert %2, "'frit.lora_matmul' at model.mlir:3:8: dimension 0 of 'ids' and dimension 0 of 'x' differ"
    ```
  }];
  let options = [
    Option<"linalgOnHost", "linalg-on-host", "bool", /*default=*/"false",
           "Leave out ops of linalg and tensor that a device may run in a "
           "loop or a branch of its own: all that are in something else than "
           "scf.for">,
    Option<"groupings", "groupings", "bool", /*default=*/"true",
           "Check the elements of groupings, which code for a host can read">,
  ];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::cf::ControlFlowDialect",
    "::mlir::memref::MemRefDialect", "::mlir::tensor::TensorDialect",
  ];
}

def DecomposeLinalgPass : Pass<"frit-decompose-linalg"> {
  let summary = "Writes linalg's ops on whole tensors as structured ones";
  let description = [{
    `linalg.softmax` becomes the maximum, difference, exponential, sum and
    quotient that upstream's `decomposeOperation` makes of it, `linalg.pack` the
    pad, reshape and transposition that upstream lowers it to. What upstream
    cannot write so is left as it is.
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::linalg::LinalgDialect",
    "::mlir::math::MathDialect", "::mlir::tensor::TensorDialect",
  ];
}

def RaisePass : Pass<"frit-raise"> {
  let summary = "Finds Frit ops in linalg graphs";
  let description = [{
    Replaces what computes a Frit op, written in `linalg`, `arith`, `math` and
    `tensor` as exporters write it, by the op. Patterns look at what an element
    is computed from: the order of operands, how the steps are spread over
    linalg ops, casts and reshapes between them and other uses of intermediate
    tensors do not matter. Ops that other users still need stay.

    `fidelity` says how closely the op has to keep to the graph:

    * `exact`: the op computes what the graph computes, with the same roundings
      and constants; sums in f32 or f64 may be taken in any order.
    * `framework`: also where the op computes what PyTorch eager computes for
      the source of a known idiom of its exporters, which the graph does not: a
      sum in a narrow type, a rounded divisor or multiplier, a wrong constant,
      roundings inside of an activation.
    * `fast`: also where the op rounds less often than PyTorch eager.

    Remarks of category `frit-raise`: `Passed` with the op and the fidelity that
    it needed, `Analysis` for each idiom that was repaired, and `Missed` where a
    structure almost fits, with the step that does not.

    Example (`fidelity=exact`):

    ```mlir
    %0 = linalg.generic {...} ins(%gate : tensor<?x96xf32>) ... // 1 / (1 + exp(-g))
    %1 = linalg.generic {...} ins(%0, %gate : ...) ...          // product
    %2 = linalg.generic {...} ins(%1, %up : ...) ...            // product
    ```

    becomes

    ```mlir
    %2 = frit.act_and_mul silu ins(%gate, %up : tensor<?x96xf32>, tensor<?x96xf32>)
           outs(%empty : tensor<?x96xf32>) -> tensor<?x96xf32>
    ```
  }];
  let options = [
    Option<"fidelity", "fidelity", "::mlir::frit::Fidelity",
           /*default=*/"::mlir::frit::Fidelity::Framework",
           "How closely an op has to keep to the graph: `exact`, `framework` or "
           "`fast`",
           [{::llvm::cl::values(
             clEnumValN(::mlir::frit::Fidelity::Exact, "exact",
                        "what the graph computes"),
             clEnumValN(::mlir::frit::Fidelity::Framework, "framework",
                        "what PyTorch eager computes for its source"),
             clEnumValN(::mlir::frit::Fidelity::Fast, "fast",
                        "with fewer roundings than PyTorch eager"))}]>,
  ];
  let statistics = [
    Statistic<"numRaised", "num-raised", "Number of ops found">,
    Statistic<"numRepaired", "num-repaired", "Number of idioms repaired">,
    Statistic<"numMissed", "num-missed",
              "Number of structures that almost fit">,
  ];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::frit::FritDialect",
    "::mlir::linalg::LinalgDialect", "::mlir::tensor::TensorDialect",
  ];
}

def PackProjectionsPass : Pass<"frit-pack-projections"> {
  let summary = "Makes one matmul of all projections of one input";
  let description = [{
    Projections (matmuls of rows by the transpose of a weight, summed in f32) that
    read the same tensor become one matmul by their weights behind each other,
    and parts of its result. Weights have to be constants: they are packed once,
    when the module is compiled. What is done to all results alike, such as a
    truncation, is done to the packed result; LoRA ops that then add to its
    parts become one op with slices.

    To be run after `frit-raise`, which reads projections one by one.

    Remarks of category `frit-pack-projections` name the projections that were
    packed, and those that share an input and have a weight that is not constant.

    Example:

    ```mlir
    %q = linalg.matmul ins(%x, %wq : tensor<?x96xf32>, tensor<96x64xf32>) ...
    %k = linalg.matmul ins(%x, %wk : tensor<?x96xf32>, tensor<96x16xf32>) ...
    ```

    becomes

    ```mlir
    %qk = linalg.matmul ins(%x, %wqk : tensor<?x96xf32>, tensor<96x80xf32>) ...
    %q = tensor.extract_slice %qk[0, 0] [%t, 64] [1, 1]
    %k = tensor.extract_slice %qk[0, 64] [%t, 16] [1, 1]
    ```
  }];
  let statistics = [
    Statistic<"numPacked", "num-packed", "Number of projections packed">,
  ];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::frit::FritDialect",
    "::mlir::linalg::LinalgDialect", "::mlir::tensor::TensorDialect",
  ];
}

def GroupTokensPass : Pass<"frit-group-tokens"> {
  let summary = "Groups tokens by adapter once for all LoRA ops that share ids";
  let description = [{
    Makes one `frit.lora_group` for each tensor of ids and number of adapters,
    where both are known first, and gives it to every LoRA op on them that has no
    grouping: one group serves every layer, and it stands outside of the loops
    that do not change the ids. An op keeps a grouping that it has. Ops on
    memrefs are left alone.

    An op that has fewer tokens than `min-tokens`, whatever the sizes at run time
    are, gets none: a group of one row gains nothing. Dynamic sizes are asked of
    ValueBoundsOpInterface; where they are not bounded, the op gets a group.

    A remark of category `frit-group-tokens` says for every LoRA op on tensors
    what became of it.
  }];
  let options = [
    Option<"minTokens", "min-tokens", "int64_t", /*default=*/"2",
           "Number of tokens from which on a grouping is given">,
  ];
  let statistics = [
    Statistic<"numGroups", "num-groups", "Number of groupings made">,
    Statistic<"numGrouped", "num-grouped", "Number of ops given a grouping">,
    Statistic<"numSmall", "num-small",
              "Number of ops left alone for too few tokens">,
  ];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::frit::FritDialect",
    "::mlir::tensor::TensorDialect",
  ];
}

def FormMatmulsPass : Pass<"frit-form-matmuls"> {
  let summary = "Makes frit.matmul of contractions, for kernels to be selected";
  let description = [{
    A contraction of linalg on tensors that is a matmul, or a batch of them,
    summed in f32 becomes `frit.matmul`: named ops and generics, told by their
    maps and bodies. Copies of its factors into another order of dimensions
    become `transpose_a` and `transpose_b`, conversions of both to f32 fall away
    (their products are exact), a fill with zero becomes a destination that is
    overwritten, and another initial value one that is added to. Where
    nothing else uses the sum, a bias that is added to its rows or a tensor that is
    added to it, and the rounding to the type of the factors become part of the op; it rounds
    where the graph does. A bias in 16 bits becomes what the rows start from. The order of an f32 sum may change, nothing else.

    A remark of category `frit-form-matmuls` says for each sum of products
    what became of it. A sum in f16 or bf16 rounds at every term and stays
    as it is; `frit-raise` repairs those that exporters write. The pass does
    nothing for a target or a policy that admits no library.

    ```mlir
    %t = linalg.transpose ins(%w : tensor<128x64xbf16>) ... permutation = [1, 0]
    %f = linalg.fill ins(%zero : f32) outs(%e : tensor<?x128xf32>) -> tensor<?x128xf32>
    %s = linalg.matmul ins(%x, %t : tensor<?x64xbf16>, tensor<64x128xbf16>) outs(%f : tensor<?x128xf32>) ...
    %y = linalg.generic ... { %r = arith.truncf %in : f32 to bf16 ... }
    ```

    becomes

    ```mlir
    %y = frit.matmul ins(%x, %w : tensor<?x64xbf16>, tensor<128x64xbf16>)
           outs(%d : tensor<?x128xbf16>) transpose_b -> tensor<?x128xbf16>
    ```
  }];
  let options = [
    Option<"target", "target", "std::string", /*default=*/"\"cpu\"",
           "What the graph is compiled for: `cpu`, `cpu+onednn` or `cuda:sm_XX`">,
    Option<"policy", "policy", "std::string", /*default=*/"\"auto\"",
           "The policy of `frit-select-kernels`">,
  ];
  let statistics = [
    Statistic<"numFormed", "num-formed", "Number of matmuls">,
  ];
  let dependentDialects = ["::mlir::frit::FritDialect"];
}

def FormSparseFfnPass : Pass<"frit-form-sparse-ffn"> {
  let summary = "Makes frit.sparse_ffn of the matmuls around a sparse activation";
  let description = [{
    Finds the dense chain that `frit.sparse_ffn` stands for around each
    `frit.gelu_and_mul_sparse`: the matmuls of gate and up, apart or with packed
    weights, the one of down, and the `frit.lora_matmul`s that are added to them;
    matmuls of linalg as `frit-form-matmuls` knows them, through copies of weights
    into another order and reshapes of tokens, or `frit.matmul`. Weights of gate
    and up must be stored as [d, H]; of down in either layout, though only with
    [d, H] less of it need be read.

    The op leaves out products with a zero activation, so that 0 * inf is 0
    where the chain has NaN. It is formed only where the weights of up and down,
    and of their LoRAs, are constants that hold no infinity and no NaN, which is
    looked up once, or with `assume-finite-weights`. In f16, where finite weights
    can well give an infinite value of up, it always needs that option.

    Many tokens together need most columns, and then the op is slower. How many
    may be is what the estimate of the kernel says that selection would pick for
    the target and the policy. Where the number of tokens is known it decides;
    where it is not, the op goes into one branch of an `scf.if` on it and the
    chain into the other. Under the policy `batch-invariant`, which allows no
    choice by the number of tokens, the op is not formed.

    Values between the first matmul and the last may have no other users. Where
    nothing reads the result but the addition of a tensor like it, the op adds
    to that tensor: it rounds its result before, as the chain does, and the sum
    after. An addition that is rounded together with the matmul of down is part
    of the op in f32 only.

    LoRAs whose numbers of adapters or of ranks are dynamic may differ in them,
    which the operands of the op may not: it is formed under a guard that they
    are the same.

    A remark of category `frit-form-sparse-ffn` says for each activation what
    became of it.
  }];
  let options = [
    Option<"target", "target", "std::string", /*default=*/"\"cpu\"",
           "What the graph is compiled for: `cpu`, `cpu+onednn` or `cuda:sm_XX`">,
    Option<"policy", "policy", "std::string", /*default=*/"\"auto\"",
           "The policy of `frit-select-kernels`">,
    Option<"assumeFiniteWeights", "assume-finite-weights", "bool",
           /*default=*/"false",
           "No weight of a feed-forward network, and no value of up, is an "
           "infinity or NaN">,
  ];
  let statistics = [
    Statistic<"numFormed", "num-formed", "Number of networks">,
  ];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::frit::FritDialect",
    "::mlir::linalg::LinalgDialect", "::mlir::scf::SCFDialect",
    "::mlir::tensor::TensorDialect"
  ];
}

def FormLoraActivationsPass : Pass<"frit-form-lora-activations"> {
  let summary = "Expands the LoRAs of gate and up inside the activation";
  let description = [{
    Where a `frit.gelu_and_mul_sparse` is the only reader of a
    `frit.lora_matmul` whose two slices are its gate and its up, the second half
    of the LoRA and the activation become one `frit.lora_gelu_and_mul_sparse`
    behind a `frit.lora_shrink`. What the matmul wrote is then read once, and not
    read, written and read again.

    The op is formed only where the target has a kernel for it, and one that
    serves every number of tokens that there may be. Under the policy
    `batch-invariant`, which allows no choice by the number of tokens, it is not
    formed. The LoRA has to round once, with the matmul's result, and to sum 144
    products or more, since kernels keep the f32 rank vectors to two values of
    the weights' type.

    It runs behind `frit-group-tokens`, whose grouping both ops take over. A
    remark of category `frit-form-lora-activations` says for each activation
    what became of it.

    Example:

    ```mlir
    %z = frit.lora_matmul ins(%x, %ids : ...) weights(%a0, %b0, %a1, %b1 : ...) outs(%y : ...) ...
    %r = frit.gelu_and_mul_sparse ins(%z : ...) outs(%out : ...) std_multiplier = 1.6 ...
    ```

    becomes

    ```mlir
    %h = frit.lora_shrink ins(%x, %ids : ...) weights(%a0, %a1 : ...) outs(%e : tensor<2x?x16xf32>) ...
    %r = frit.lora_gelu_and_mul_sparse ins(%y, %h, %ids : ...) weights(%b0, %b1 : ...)
           outs(%out : ...) std_multiplier = 1.6 ...
    ```
  }];
  let options = [
    Option<"target", "target", "std::string", /*default=*/"\"cpu\"",
           "What the graph is compiled for: `cpu`, `cpu+onednn` or `cuda:sm_XX`">,
    Option<"policy", "policy", "std::string", /*default=*/"\"auto\"",
           "The policy of `frit-select-kernels`">,
  ];
  let statistics = [
    Statistic<"numFormed", "num-formed", "Number of activations">,
  ];
  let dependentDialects = [
    "::mlir::frit::FritDialect", "::mlir::tensor::TensorDialect"
  ];
}

def SinkGroupingsPass : Pass<"frit-sink-groupings"> {
  let summary = "Groups tokens only where a branch that runs uses the grouping";
  let description = [{
    Guards of kernels leave branches that use a grouping beside others whose
    kernels read the ids themselves. Where every use of a `frit.lora_group`
    stands in such a branch, the grouping moves under an `scf.if` that holds
    where one of them is taken; elsewhere its results are its destinations,
    which nobody reads. A batch of few tokens then costs no launch that groups
    them, though the same code serves large ones.

    Conditions that are not known before the grouping count as true.
  }];
  let statistics = [
    Statistic<"numSunk", "num-sunk", "Number of groupings under a condition">,
  ];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect",
  ];
}

def TransposeWeightsPass : Pass<"frit-transpose-weights", "::mlir::ModuleOp"> {
  let summary = "Stores weights of down by the columns of the activation";
  let description = [{
    `frit.sparse_ffn` skips weights of down where those of a column of the
    activation are contiguous: stored as [d, H]. Exporters write [H, d]. This pass
    exchanges the axes for good, so that no call does: of a constant at compile
    time, of an argument of a function in its type, with `arguments`. The argument
    then has the attribute `frit.transposed`, for what binds it to exchange the
    axes once, at load. There is one copy of the weights, which a dense chain for
    many tokens reads as well.

    It does so where `frit-form-sparse-ffn` with the same options will form an op
    that is estimated to be faster for it, and where all that reads the weights
    are matmuls, also through copies. A remark of category
    `frit-transpose-weights` says what is stored how, and what it takes, or why
    not.
  }];
  let options = [
    Option<"target", "target", "std::string", /*default=*/"\"cpu\"",
           "As in `frit-form-sparse-ffn`">,
    Option<"policy", "policy", "std::string", /*default=*/"\"auto\"",
           "As in `frit-form-sparse-ffn`">,
    Option<"assumeFiniteWeights", "assume-finite-weights", "bool",
           /*default=*/"false", "As in `frit-form-sparse-ffn`">,
    Option<"arguments", "arguments", "bool", /*default=*/"false",
           "Arguments of public functions too, whose types change">,
  ];
  let statistics = [
    Statistic<"numTransposed", "num-transposed", "Number of weights">,
  ];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::frit::FritDialect",
    "::mlir::linalg::LinalgDialect", "::mlir::tensor::TensorDialect"
  ];
}

def SelectKernelsPass : Pass<"frit-select-kernels"> {
  let summary = "Decides which kernel executes each Frit op";
  let description = [{
    Decides once for each op that takes part in kernel selection, and writes the
    choice as `frit.kernel`; lowering obeys it. The candidates are the entries
    that the kernel table of the context has for the op, in the order of their
    priority. The first that runs on the target, takes the element type and
    meets its conditions is picked.

    A condition on a size that is not static is first asked of
    ValueBoundsOpInterface. Where it cannot be decided, the op is emitted in two
    versions under an `scf.if` that tests it at run time; a further candidate
    with a guard of its own goes into the else branch, so that the code grows
    with the number of candidates only.

    For every candidate a remark of category `frit-select-kernels` says what
    became of it: `Passed` with the kernel's id, `Missed` with the sentence
    that failed.

    `policy` limits the choice:

    * `auto`: every entry may be picked.
    * `native`: only entries of provider `native`.
    * `require=<provider>`: only entries of that provider; an op without an
      admissible one is an error that lists every candidate and its reason.
    * `batch-invariant`: the choice does not depend on the number of tokens, so
      that a token's bits do not depend on the batch; what that costs is an
      `Analysis` remark.

    An op that names an admissible kernel already keeps it; a name that
    is unknown or not admissible is an error.
  }];
  let options = [
    Option<"target", "target", "std::string", /*default=*/"\"cpu\"",
           "What the graph is compiled for: `cpu`, `cpu+onednn` or `cuda:sm_XX`">,
    Option<"policy", "policy", "std::string", /*default=*/"\"auto\"",
           "Which entries may be picked: `auto`, `native`, "
           "`require=<provider>` or `batch-invariant`">,
    ListOption<"priorities", "priority", "std::string",
               "Priorities in place of the table's, as `<kernel id>:<number>`">,
    Option<"minGroupedTokens", "min-grouped-tokens", "int64_t", /*default=*/"0",
           "Under a guard of fewer tokens a kernel that can read the ids itself "
           "gets no grouping that the graph computes">,
  ];
  let statistics = [
    Statistic<"numSelected", "num-selected", "Number of ops decided here">,
    Statistic<"numKept", "num-kept", "Number of ops that named a kernel already">,
    Statistic<"numGuards", "num-guards", "Number of run-time guards">,
  ];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::frit::FritDialect",
    "::mlir::memref::MemRefDialect", "::mlir::scf::SCFDialect",
    "::mlir::tensor::TensorDialect",
  ];
}

def FritDecomposePass : Pass<"frit-decompose"> {
  let summary = "Rewrites Frit ops into scf, linalg, arith and math";
  let description = [{
    Replaces Frit ops by their native form: loops over rows (`scf.forall`),
    `linalg.generic` inside a row, and f32 `arith` and `math` ops with every
    rounding written out as `arith.truncf` and `arith.extf`. It is what
    `linalg::AggregatedOpInterface` gives for each op. Ops on tensors give ops on
    tensors, ops on memrefs give loads and stores.

    Row sums are blocked: plain sums of 8 terms, then a compensated (Kahan) sum
    of the blocks. The error is at most 9 * 2^-24 * sum |term| at any width.

    A whole `lora_matmul` becomes `lora_shrink` and `lora_expand`, which are
    decomposed in turn.
  }];
  let options = [
    Option<"onlyNativeLinalg", "only-native-linalg", "bool", /*default=*/"false",
           "Decompose only the ops whose `frit.kernel` is native.linalg">,
    Option<"accumulateInF64", "accumulate-in-f64", "bool", /*default=*/"false",
           "Accumulate sums in f64 and round the result to f32, as a reference">,
  ];
  let statistics = [
    Statistic<"numDecomposed", "num-decomposed", "Number of decomposed ops">,
  ];
  let dependentDialects = [
    "arith::ArithDialect", "linalg::LinalgDialect", "math::MathDialect",
    "memref::MemRefDialect", "scf::SCFDialect", "tensor::TensorDialect",
  ];
}

def FritVerifyNumericsPass : Pass<"frit-verify-numerics"> {
  let summary = "Rejects code that could lose a rounding of a Frit op";
  let description = [{
    Judges, at any stage from `arith` to LLVM, the ops whose location carries
    `#frit.origin`, and changes nothing. Other code is not judged. It is an
    error, which names the op, the rule and the Frit op it comes from, when
    such code

    * has a fastmath flag other than `nsz`: `contract`, `reassoc`, `afn` and
      `arcp` allow a rounding to go, `nnan` and `ninf` take special values away;
    * fuses a product and a sum (`math.fma`, `vector.fma`, `vector.contract`,
      `llvm.intr.fma`, `llvm.intr.fmuladd`, a call of `fmaf`) where the
      origin is `strict`;
    * computes in a type narrower than f32 (casts, loads, stores, selects and
      compares are fine);
    * approximates a division or square root where the origin is `strict`;
    * uses an instruction that flushes subnormals;
    * asks for another rounding mode than to nearest, ties to even;
    * is in a function whose attributes allow any of these.

    An `Analysis` remark of category `frit-verify-numerics` counts the float ops
    that have an origin, so that a test can see that no stage loses one.

    A pass cannot see a rounding that is already gone. Therefore each pipeline
    runs this pass between its stages, and nothing that could remove one
    is let in.
  }];
  let options = [
    Option<"requireOrigin", "require-origin", "bool", /*default=*/"false",
           "Also reject float arithmetic that has no origin: for graphs that "
           "hold only Frit ops, to see that no stage loses it">,
  ];
  let statistics = [
    Statistic<"numArithmetic", "num-arithmetic",
              "Number of float ops that have an origin">,
    Statistic<"numStrict", "num-strict",
              "Number of float ops whose origin is strict">,
  ];
}

#endif // FRIT_TRANSFORMS_PASSES_TD

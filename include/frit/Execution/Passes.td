//===- Passes.td -------------------------------------------*- tablegen -*-===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Passes that turn functions over tensors into functions that a program can
// call: destinations for the results, buffers, sizes of results, entry points.
//
//===----------------------------------------------------------------------===//

#ifndef FRIT_EXECUTION_PASSES_TD
#define FRIT_EXECUTION_PASSES_TD

include "mlir/Pass/PassBase.td"

def EmitResultShapesPass : Pass<"frit-emit-result-shapes", "::mlir::ModuleOp"> {
  let summary = "Emits functions that compute the sizes of results";
  let description = [{
    For each public function `@f` over tensors with a result of a dynamic size,
    emits `@f__shapes`, which takes the same arguments and returns a
    `tensor<Nxindex>`: the sizes of the first result, then of the second, and so
    on (static sizes included, scalars have none). A caller allocates the results
    with it before it calls `@f`. It runs on the host, which `frit.host` says.

    The body is a copy of `@f` in which the sizes are expressed through the
    arguments as far as the ops reify the shapes of their results, and nothing
    that the sizes do not need is left. Sizes that depend on data are computed.
    A call stays a call: inline first.

    Example:

    ```mlir
    func.func @f(%x: tensor<?x8xf32>) -> tensor<?x8xf32>
    // emits
    func.func @f__shapes(%x: tensor<?x8xf32>) -> tensor<2xindex>
        attributes {frit.host} {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c8 = arith.constant 8 : index
      %0 = tensor.dim %x, %c0 : tensor<?x8xf32>
      %1 = tensor.empty() : tensor<2xindex>
      %2 = tensor.insert %0 into %1[%c0] : tensor<2xindex>
      %3 = tensor.insert %c8 into %2[%c1] : tensor<2xindex>
      return %3 : tensor<2xindex>
    }
    ```
  }];
  let dependentDialects = ["arith::ArithDialect", "tensor::TensorDialect"];
  let statistics = [
    Statistic<"numEmitted", "num-emitted", "Number of emitted functions">,
  ];
}

def RecordSignaturesPass : Pass<"frit-record-signatures", "::mlir::ModuleOp"> {
  let summary = "Keeps what callers must know of functions";
  let description = [{
    Writes the signature of each public function with a body as its attribute
    `frit.signature`, which lowering leaves alone: the function's name, its type,
    and of each argument and result the names of the value (`frit.tensor`) and of
    its dimensions (`frit.dims`). Dimensions of one name have one size. Runs after
    `frit-emit-result-shapes`, from which it learns which sizes of results are
    those of arguments: they get the argument's name, `argN.D` where it has none.

    A function with a value that no descriptor can stand for (a tensor with an
    encoding, a memref in a memory space) gets no signature. Static sizes of
    dimensions of one name that differ are an error.

    ```mlir
    func.func @f(%x: tensor<?x8xf32> {frit.dims = ["tokens", ""]}) -> tensor<?x8xf32>
    // gets
    frit.signature = {dims = [["tokens", ""], ["tokens", ""]], name = "f",
                      type = (tensor<?x8xf32>) -> tensor<?x8xf32>, values = ["", ""]}
    ```
  }];
  let statistics = [
    Statistic<"numRecorded", "num-recorded", "Number of recorded signatures">,
  ];
}

def CheckSupportedPass : Pass<"frit-check-supported", "::mlir::ModuleOp"> {
  let summary = "Refuses what no pipeline can compile, by name";
  let description = [{
    Each error is at the op and names what is in the way:

    * another rounding mode than to nearest, ties to even: code for processors
      and devices has no other, and would ignore it;
    * an op on tensors that has no form on buffers, and `tensor.reshape` and those
      ops of linalg that have none as loops;
    * blocks of a function that form a loop: whose buffers end when, deallocation
      knows of structured loops only.

    Later passes find most of this too, without saying which op of the graph it
    was.
  }];
}

def AddOutParamsPass : Pass<"frit-add-out-params", "::mlir::ModuleOp"> {
  let summary = "Gives functions over tensors a destination for each result";
  let description = [{
    Every function with a body loses its results and gets one trailing argument
    for each: a memref with inner stride 1 and any other strides, that the result
    is written to (of rank 0 for a scalar). Bufferization then computes results
    in place where it can, so there is no copy and no allocation for them.
    Arguments that do not say otherwise (`bufferization.writable`) become
    read-only: calling a function over tensors does not change what it was given.

    Results and arguments must be ranked tensors or scalars (integers, floats,
    index); arguments may be memrefs too. A call that is left after inlining (of
    a recursive function, or of one without a body) is an error.
  }];
  let dependentDialects = [
    "bufferization::BufferizationDialect", "memref::MemRefDialect",
  ];
}

def PlaceResultsPass : Pass<"frit-place-results"> {
  let summary = "Lets branches compute a result in its destination";
  let description = [{
    A result that `scf.if` chooses is computed in a `tensor.empty` in each
    branch, where a kernel has a run-time guard. Upstream's
    `eliminate-empty-tensors` puts the destination in place of one of them; here
    all branches get it, also of nested `scf.if`. Without this the other branches
    would compute into a buffer of their own that is copied.

    ```mlir
    %e = tensor.empty(%t) : tensor<?x8xf32>
    %r = scf.if %c -> tensor<?x8xf32> {
      %0 = linalg.exp ins(%x : tensor<?x8xf32>) outs(%e : tensor<?x8xf32>) -> tensor<?x8xf32>
      scf.yield %0 : tensor<?x8xf32>
    } else {
      %1 = linalg.abs ins(%x : tensor<?x8xf32>) outs(%e : tensor<?x8xf32>) -> tensor<?x8xf32>
      scf.yield %1 : tensor<?x8xf32>
    }
    bufferization.materialize_in_destination %r in restrict writable %arg1
    // both become
    outs(%d : tensor<?x8xf32>)
    // of
    %d = bufferization.to_tensor %arg1 restrict writable
    ```

    An argument that ops update to a result, in branches or not, is copied to the
    result's destination before the first of them, and updated there: one copy in
    place of two.
  }];
  let dependentDialects = ["bufferization::BufferizationDialect"];
  let statistics = [
    Statistic<"numPlaced", "num-placed", "Number of results">,
  ];
}

def ExpandSwitchesPass : Pass<"frit-expand-switches"> {
  let summary = "Writes scf.index_switch on tensors as scf.if";
  let description = [{
    Upstream's bufferization does not see that a result of `scf.index_switch`
    may be what one of its cases yields, and so lets ops write over a tensor that
    is needed later, or that belongs to the caller. Of `scf.if` it knows: one for
    each case takes the place of a switch with tensors among its results.

    ```mlir
    %r = scf.index_switch %i -> tensor<4xf32>
    case 2 {
      scf.yield %a : tensor<4xf32>
    }
    default {
      scf.yield %b : tensor<4xf32>
    }
    ```

    becomes

    ```mlir
    %is2 = arith.cmpi eq, %i, %c2 : index
    %r = scf.if %is2 -> (tensor<4xf32>) {
      scf.yield %a : tensor<4xf32>
    } else {
      scf.yield %b : tensor<4xf32>
    }
    ```
  }];
  let dependentDialects = ["arith::ArithDialect", "scf::SCFDialect"];
  let statistics = [
    Statistic<"numExpanded", "num-expanded", "Number of switches written as branches">,
  ];
}

def SeparateLoopValuesPass : Pass<"frit-separate-loop-values"> {
  let summary = "Gives each tensor that a loop carries a buffer of its own";
  let description = [{
    Upstream's bufferization takes the results of a loop for tensors that share
    no buffer. A loop that yields one tensor twice, or parts of one, breaks that:
    an update of one result would change the other. Of two tensors that an
    `scf.for` or `scf.while` passes on and that may share a buffer, the second
    becomes a copy.

    ```mlir
    scf.yield %a, %a : tensor<4xf32>, tensor<4xf32>
    ```

    becomes

    ```mlir
    %copy = bufferization.alloc_tensor() copy(%a) : tensor<4xf32>
    scf.yield %a, %copy : tensor<4xf32>, tensor<4xf32>
    ```
  }];
  let dependentDialects = ["bufferization::BufferizationDialect"];
  let statistics = [
    Statistic<"numSeparated", "num-separated", "Number of tensors copied">,
  ];
}

def SplitEmptyTensorsPass : Pass<"frit-split-empty-tensors"> {
  let summary = "Gives each use of a tensor.empty its own";
  let description = [{
    Of a `tensor.empty` with several uses, `eliminate-empty-tensors`
    puts a single one in place of its destination, and which one depends on
    addresses: the same module becomes another one in the next run. With a
    `tensor.empty` for each use it is always the same one. Uses of which only
    one is ever reached, in the branches of an `scf.if`, keep theirs in common,
    and so one buffer.
  }];
  let dependentDialects = ["tensor::TensorDialect"];
  let statistics = [
    Statistic<"numSplit", "num-split", "Number of shared tensors that were split">,
  ];
}

def SplitUpdatesPass : Pass<"frit-split-updates"> {
  let summary = "Lets long chains of updates bufferize in linear time";
  let description = [{
    One-shot analysis compares every write of a buffer with every read of it: of
    ops each of which updates the result of the one before, as the layers of a
    model update the residual, its time is cubic in their number. Here each result
    of such a chain is written to the buffer in which it comes to lie anyway, and
    is a new tensor of that buffer for the next one, so that each is analyzed by
    itself. An `scf.if` whose branches all update one tensor is an update too.

    ```mlir
    %0 = bufferization.to_tensor %arg1 restrict writable : memref<8xf32> to tensor<8xf32>
    %1 = linalg.exp ins(%x : tensor<8xf32>) outs(%0 : tensor<8xf32>) -> tensor<8xf32>
    // new
    bufferization.materialize_in_destination %1 in writable %arg1
    %2 = bufferization.to_tensor %arg1 restrict writable : memref<8xf32> to tensor<8xf32>
    // as before, but for %2 in place of %1
    %3 = linalg.add ins(%y, %y : tensor<8xf32>, tensor<8xf32>) outs(%2 : tensor<8xf32>) -> tensor<8xf32>
    ```

    Each of very many reads of one value, whose time is quadratic, becomes a tensor
    of its own in the same way. It cannot be written to.

    The buffer is that of the `bufferization.to_tensor`, or a new one where a
    chain starts with a `tensor.empty` or an argument that is not to be written
    to. A chain ends at a value that may be used after its next update. What is
    written to its own place is no copy after canonicalization. Ops over tensors
    must not move between this pass and bufferization: two tensors of one buffer
    are not known to be the same.
  }];
  let options = [
    Option<"minUpdates", "min-updates", "int64_t", /*default=*/"4",
           "The number of updates from which on a chain is split">,
    Option<"minReads", "min-reads", "int64_t", /*default=*/"64",
           "The number of reads from which on each has a tensor of its own">,
  ];
  let dependentDialects = [
    "bufferization::BufferizationDialect", "memref::MemRefDialect",
    "tensor::TensorDialect",
  ];
  let statistics = [
    Statistic<"numSplit", "num-split", "Number of updates and reads that were split off">,
  ];
}

def EliminateEmptyTensorsPass
    : Pass<"frit-eliminate-empty-tensors", "::mlir::ModuleOp"> {
  let summary = "Computes tensors where they are written to in the end";
  let description = [{
    Upstream's `eliminate-empty-tensors`, but a `tensor.empty` stays where its
    buffer is needed after the write to a memref, or the insertion into a tensor of
    one, that it would be replaced by. Upstream's analysis does not see that the
    memref is written to:

    ```mlir
    %0 = linalg.exp ins(%x : tensor<8xf32>) outs(%empty : tensor<8xf32>) -> tensor<8xf32>
    %1 = linalg.add ins(%x, %x : tensor<8xf32>, tensor<8xf32>) outs(%0 : tensor<8xf32>) -> tensor<8xf32>
    bufferization.materialize_in_destination %1 in restrict writable %arg1
    // %0 must not lie in %arg1
    bufferization.materialize_in_destination %0 in restrict writable %arg2
    ```
  }];
  let dependentDialects = [
    "bufferization::BufferizationDialect", "memref::MemRefDialect",
    "tensor::TensorDialect"
  ];
  let statistics = [
    Statistic<"numKept", "num-kept", "Number of times that a tensor stayed">,
  ];
}

def BufferizePass : Pass<"frit-bufferize", "::mlir::ModuleOp"> {
  let summary = "One-shot bufferization with Frit's function-boundary types";
  let description = [{
    Upstream's one-shot module bufferization. A tensor argument becomes a memref
    with inner stride 1 and dynamic outer strides and offset, which is what Frit's
    ops take and what rows of a larger tensor have. Allocations are aligned to 64
    bytes.

    A constant of one value and of more than 64 MiB is filled in when it is used,
    since the program would hold every element of it.

    An allocation that the program frees itself gets upstream's attribute
    `bufferization.manual_deallocation`, so that the deallocation pipeline leaves
    it and its `memref.dealloc` as they are.
  }];
  let dependentDialects = [
    "bufferization::BufferizationDialect", "memref::MemRefDialect",
    "tensor::TensorDialect",
  ];
}

def ExpandDeallocationsPass : Pass<"frit-expand-deallocations"> {
  let summary = "Compares buffers that may be one another as values";
  let description = [{
    A `bufferization.dealloc` of two and more buffers becomes comparisons of their
    addresses, a branch around a `memref.dealloc` for each buffer, and the
    ownership of those that are kept. A buffer ends where its condition holds and
    it is none of the kept ones and none that is listed before. Upstream's
    lowering does the same by a function over lists in memory; in a pipeline for a
    GPU memory is the device's, and its answer would lie there.

    ```mlir
    bufferization.dealloc (%a, %b : memref<4xf32>, memref<4xf32>) if (%c, %d)
    ```

    becomes

    ```mlir
    %p = memref.extract_aligned_pointer_as_index %a : memref<4xf32> -> index
    %q = memref.extract_aligned_pointer_as_index %b : memref<4xf32> -> index
    %ne = arith.cmpi ne, %q, %p : index
    %e = arith.andi %d, %ne : i1
    scf.if %c {
      memref.dealloc %a : memref<4xf32>
    }
    scf.if %e {
      memref.dealloc %b : memref<4xf32>
    }
    ```
  }];
  let dependentDialects = ["arith::ArithDialect", "memref::MemRefDialect",
                           "scf::SCFDialect"];
  let statistics = [
    Statistic<"numExpanded", "num-expanded", "Number of deallocations expanded">,
  ];
}

def EmitEntryPointsPass : Pass<"frit-emit-entry-points", "::mlir::ModuleOp"> {
  let summary = "Emits entry points with one signature for all functions";
  let description = [{
    For each public function `@f` with a body that takes a context and returns
    a status (`frit-add-context` made it so), emits

    ```mlir
    func.func @_frit_f(%context: !llvm.ptr, %arguments: !llvm.ptr) -> i32
    ```

    `%arguments` points to an array with a pointer for each further argument of
    `@f`: to the scalar, or to a memref descriptor in MLIR's layout (allocated
    pointer, aligned pointer, offset, sizes, strides). `i1` is stored as a byte,
    `index` as 64 bits. A program can so call any function knowing
    only its types. The call is opened with `fritBeginCall` and closed with
    `fritEndCall`, which takes back the scratch memory that is still in use.

    `@f` itself becomes `@_frit_f.body`, of internal linkage: a user's name never
    meets one of the C library or of the program.
  }];
  let dependentDialects = [
    "arith::ArithDialect", "cf::ControlFlowDialect", "func::FuncDialect",
    "LLVM::LLVMDialect",
  ];
  let statistics = [
    Statistic<"numEmitted", "num-emitted", "Number of emitted entry points">,
  ];
}

def EmitEntryMetadataPass
    : Pass<"frit-emit-entry-metadata", "::mlir::ModuleOp"> {
  let summary = "Writes signatures as constant data that the runtime checks";
  let description = [{
    For each function of LLVM's dialect with a `frit.signature`, which is an entry
    point `@_frit_f`, emits the constant `@_frit_f.entry`: a `FritEntry` as
    `frit-c/Entry.h` declares it, with the addresses of the entry point and of
    the function that computes the sizes of its results. `fritEntryCall` checks
    descriptors of tensors against it and calls the entry point.

    The module's attribute `frit.processor_features`, if there is one, names the
    groups of instructions that the code on the host may use beyond those of the
    oldest processor. They become `FritEntry::processorFeatures`, which the
    runtime compares with the machine.

    A target of several GPU architectures, `cuda:sm_90a,sm_80`, is for a module in
    which each function was described for each, as `@_frit_f.entry.sm_90a`,
    `@_frit_f.entry.sm_80`: `@_frit_f.entry` lists these as its variants, of
    which the runtime picks one by the device.
  }];
  let dependentDialects = ["LLVM::LLVMDialect"];
  let options = [
    Option<"target", "target", "std::string", /*default=*/"\"cpu\"",
           "What the module was lowered for: cpu, or cuda:sm_XX[,sm_YY...], "
           "whose tensors are in memory of the device">,
  ];
  let statistics = [
    Statistic<"numEmitted", "num-emitted", "Number of described entry points">,
  ];
}

def ExternalizeConstantsPass
    : Pass<"frit-externalize-constants", "::mlir::ModuleOp"> {
  let summary = "Leaves large constants out of the code";
  let description = [{
    Weights that are constants would go through LLVM into the object, the linked
    image and the memory of each process. This pass, after
    `frit-emit-entry-metadata`, replaces each global of LLVM's dialect that is a
    constant of `least-bytes` or more by a variable for its address, which code
    loads; in the description of a constant of a device the address itself
    becomes variable. `@_frit.weights` is a `FritWeights` as `frit-c/Weights.h`
    declares it: names, types, sizes and a hash of the contents, with which the
    runtime gives the code what it lacks. Each `FritEntry` refers to it, so that
    a call without weights is an error.

    The constants themselves are then the module's attribute `frit.weights`, for
    the tool to write to a file. A constant that is a resource has the resource's
    name.

    ```mlir
    llvm.mlir.global private constant @w(dense_resource<up> : tensor<256x128xf32>)
    ...
      %0 = llvm.mlir.addressof @w : !llvm.ptr
    // becomes
    llvm.mlir.global internal @w.place() : !llvm.ptr
    ...
      %0 = llvm.mlir.addressof @w.place : !llvm.ptr
      %1 = llvm.load %0 invariant : !llvm.ptr -> !llvm.ptr
    ```
  }];
  let dependentDialects = ["LLVM::LLVMDialect"];
  let options = [
    Option<"leastBytes", "least-bytes", "uint64_t", /*default=*/"65536",
           "The size in bytes from which on constants leave the code">,
  ];
  let statistics = [
    Statistic<"numExternalized", "num-externalized",
              "Number of constants that left the code">,
  ];
}

def ExportEntriesPass : Pass<"frit-export-entries", "::mlir::ModuleOp"> {
  let summary = "Makes a module one for an object file, with functions for C";
  let description = [{
    For each entry point that `frit-emit-entry-metadata` described, emits

    ```c
    FritStatus PREFIX_f(FritContext *context, const FritTensor *x, ..., float s,
                        ..., const FritTensor *result0, ...)
    ```

    which calls `fritEntryCall`, and renames the `FritEntry` to `PREFIX_f_entry`.
    Characters that C's names cannot have become underscores. Scalars are passed
    as their C type, f16 and bf16 as their bits (`uint16_t`), i1 as `uint8_t`.
    Everything else that is defined becomes internal, so that modules with
    different prefixes can be linked into one program.

    Where the module's attribute `frit.processor_features` says that its code is
    for a newer processor, the functions themselves are still for the oldest one:
    they run before the processor was compared with what the code needs.
  }];
  let dependentDialects = ["LLVM::LLVMDialect"];
  let options = [
    Option<"prefix", "prefix", "std::string", /*default=*/"\"\"",
           "What the exported names begin with: a name of C">,
  ];
  let statistics = [
    Statistic<"numExported", "num-exported", "Number of exported functions">,
  ];
}

#endif // FRIT_EXECUTION_PASSES_TD

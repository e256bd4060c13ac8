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
    taken. Activations allocate nothing on the heap, a `frit.lora_matmul` one
    scratch for its rank vectors. An op that was selected and cannot be
    converted is an error that says why; ops with another kernel are left alone.

    A token's result in a LoRA op has bits that depend on its own row and adapter
    alone, not on the grouping, the other tokens, or the number of threads.
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

def ConvertFritToSimtPass : Pass<"convert-frit-to-simt"> {
  let summary = "Converts Frit ops on memrefs to GPU kernels";
  let description = [{
    Converts the Frit ops whose `frit.kernel` is `native.simt` to launches of
    kernels. Ops must be on memrefs, which the kernels read as device memory; any
    size, row stride, offset and number of leading dimensions is taken. The host
    chooses between two kernels by the addresses: one that moves 16 bytes at a
    time, and one that moves elements.

    In a kernel of an activation, a team of threads works on each row: a block,
    or a warp where rows are short. Rows whose length is known are read once
    where the registers of a team hold them. A `frit.lora_matmul` becomes a
    kernel for each half, with the rank vectors in a scratch between them. A
    block of these is given one to eight neighboring tokens, by what keeps a GPU
    busy, and computes those of one adapter together: a block of the first half
    some ranks, its threads sharing the sums over K, and a pair of lanes of the
    second half some columns.

    Sums are taken in an order that depends on their length and the element types
    alone: a row's result has the same bits whatever the number of rows, its
    place, the grouping and the alignment. An op that was selected and cannot be
    converted is an error that says why; ops with another kernel are left alone.
  }];
  let options = [
    Option<"convertUnselected", "convert-unselected", "bool",
           /*default=*/"false",
           "Also convert the ops that have no `frit.kernel`">,
  ];
  let statistics = [
    Statistic<"numConverted", "num-converted", "Number of converted ops">,
  ];
  let dependentDialects = [
    "affine::AffineDialect", "arith::ArithDialect", "gpu::GPUDialect",
    "math::MathDialect", "memref::MemRefDialect", "scf::SCFDialect",
    "vector::VectorDialect",
  ];
}

def ConvertContractionToVectorPass : Pass<"convert-contraction-to-vector"> {
  let summary = "Converts linalg contractions on memrefs to loops of vector code";
  let description = [{
    Converts linalg ops on memrefs that are contractions by their maps and
    bodies (`linalg.matmul`, its batched and transposed forms, generics), with
    one summed dimension and sums in f32 or f64; the inputs may be of narrower
    types that the body widens. Either both inputs must be contiguous along the
    summed dimension, or the output and one input along another one. The result
    is an `scf.parallel` over tasks and, inside, tiles of FMAs on vectors of the
    given width. Strides, sizes and further dimensions are free.

    An element's sum is taken in an order that depends on its length alone, not
    on the number of rows; it is not the order of the loops of the linalg op.
    Ops that sum in f16 or bf16, whose roundings depend on that order, are left
    alone, and so are all others.
  }];
  let options = [
    Option<"vectorWidth", "vector-width", "unsigned", /*default=*/"256",
           "Bits of a vector register: a power of two from 128 to 2048">,
  ];
  let statistics = [
    Statistic<"numConverted", "num-converted", "Number of converted ops">,
  ];
  let dependentDialects = [
    "arith::ArithDialect", "math::MathDialect", "memref::MemRefDialect",
    "scf::SCFDialect", "vector::VectorDialect",
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
    becomes a quiet NaN, subnormals are kept. Hardware conversions of x86 would
    flush subnormals to zero.

    In device code (inside of a `gpu.launch` or `gpu.module`) these conversions
    stay, as `cvt.rn.bf16.f32` is right for all values. There `math.tanh`,
    `math.exp` and, with the same origin, `arith.divf` use `ex2.approx` and
    `div.full`: tanh has an absolute error below 2^-21 then, exp a relative one
    below 2^-21 + |x| 2^-23, and a quotient is within 2 ulp.
  }];
  let dependentDialects = [
    "arith::ArithDialect", "LLVM::LLVMDialect", "math::MathDialect",
    "vector::VectorDialect",
  ];
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

def ConvertStridedCopyToLinalgPass : Pass<"convert-strided-copy-to-linalg"> {
  let summary = "Turns copies between strided buffers into linalg";
  let description = [{
    A `memref.copy` whose source or target is not contiguous by its type becomes
    a `linalg.generic`, and so a loop that can be parallel and vector code.
    Upstream's lowering calls `memrefCopy` of a C++ library, which moves one
    element at a time. Contiguous copies stay and become `memcpy`.
  }];
  let statistics = [
    Statistic<"numConverted", "num-converted", "Number of converted copies">,
  ];
  let dependentDialects = ["linalg::LinalgDialect"];
}

def FlattenAllocasPass
    : InterfacePass<"frit-flatten-allocas", "::mlir::FunctionOpInterface"> {
  let summary = "Takes stack memory once, at the entry of the function";
  let description = [{
    A `memref.alloca` of static size moves to the entry of its function: in a
    loop it would take more of the stack in each iteration. A
    `memref.alloca_scope`, which must keep one block and so stands in the way of
    lowering the loops in it, is replaced by its body; where
    memory of dynamic size is taken in it, the stack is cut back at its end.
    Runs before structured control flow becomes blocks.
  }];
  let statistics = [
    Statistic<"numHoisted", "num-hoisted", "Number of moved allocas">,
    Statistic<"numScopes", "num-scopes", "Number of scopes replaced">,
  ];
  let dependentDialects = ["LLVM::LLVMDialect"];
}

def InterchangeLoopsPass : Pass<"frit-interchange-loops"> {
  let summary = "Gives reductions an innermost loop that walks memory in order";
  let description = [{
    A linalg op whose innermost loop is a reduction that strides through an
    operand gets the parallel loop innermost that strides through fewest: a
    matmul of row-major operands becomes a row of sums that advance together.
    The terms of each sum keep their order, so no result changes. Runs on
    buffers, before the ops become loops.
  }];
  let statistics = [
    Statistic<"numInterchanged", "num-interchanged", "Number of reordered ops">,
  ];
  let dependentDialects = ["linalg::LinalgDialect"];
}

def AddContextPass : Pass<"frit-add-context", "::mlir::ModuleOp"> {
  let summary = "Gives functions a context argument and a status result";
  let description = [{
    Every `func.func` with a body gets a leading `!llvm.ptr` argument, the
    runtime's `FritContext *`, and returns an `i32` status, 0 for success, which
    the passes below use:

    ```mlir
    func.func @f(%x: memref<4xf32>)
    // becomes
    func.func @f(%context: !llvm.ptr, %x: memref<4xf32>) -> i32
    ```

    Functions must have no results left (they are out-parameters by then), and
    no function with a body may be called or have its address taken (callees are
    inlined before); both are errors. Declarations are left alone.
  }];
  let statistics = [
    Statistic<"numFunctions", "num-functions",
              "Number of functions that got a context">,
  ];
  let dependentDialects = ["arith::ArithDialect", "LLVM::LLVMDialect"];
}

def OutlineGuardsPass : Pass<"frit-outline-guards", "::mlir::ModuleOp"> {
  let summary = "Moves the guarded kernels of an op to a function";
  let description = [{
    An outermost `scf.if` without results that holds ops with `frit.kernel`, as
    `frit-select-kernels` makes where sizes are known at run time only, becomes
    the call of a private function, whose status the caller returns unless it is
    0. What the branches use are the function's arguments, but for constants,
    which are repeated. With `frit-merge-equal-functions` after it the guards of
    equal ops are lowered once. Functions with the attribute `frit.host` are left
    alone.

    ```mlir
    %status = func.call @main_gelu_and_mul_sparse(%context, %x, %y, %few)
        : (!llvm.ptr, memref<?x16384xbf16>, memref<?x8192xbf16>, i1) -> i32
    ```
  }];
  let statistics = [
    Statistic<"numFunctions", "num-functions", "Number of functions made">,
  ];
  let dependentDialects = [
    "arith::ArithDialect", "cf::ControlFlowDialect", "func::FuncDialect",
    "LLVM::LLVMDialect",
  ];
}

def ConvertParallelToFritRuntimePass
    : Pass<"convert-parallel-to-frit-runtime", "::mlir::ModuleOp"> {
  let summary = "Runs parallel loops on the threads of the runtime";
  let description = [{
    The body of each outermost `scf.parallel` becomes a function of its own,

    ```mlir
    func.func private @f_parallel(%context: !llvm.ptr, %closure: !llvm.ptr,
                                  %begin: i64, %end: i64) -> i32
    ```

    that runs a range of the iterations, and the loop a call of
    `fritParallelFor` with the number of iterations, the grain and a closure: a
    struct with the values that the body uses from outside (constants are
    repeated instead). The closures of a function take turns in one block of its
    stack, so that nothing is allocated. A failing status is passed on through a
    `cf.assert` that `convert-assert-to-frit-runtime` knows.

    A loop over several dimensions is cut anywhere in the row-major order of its
    iterations; inside a piece, the innermost dimension stays a loop of its own.
    Parallel loops inside of others become `scf.for`, and so do loops with
    reductions, which keep the order of the additions.

    The grain, the smallest number of iterations worth a thread, is the loop's
    `frit.grain` attribute; without one it comes from the size of the body.
  }];
  let statistics = [
    Statistic<"numOutlined", "num-outlined",
              "Number of loops that run on threads">,
    Statistic<"numSequential", "num-sequential",
              "Number of parallel loops that became sequential">,
  ];
  let dependentDialects = [
    "arith::ArithDialect", "cf::ControlFlowDialect", "func::FuncDialect",
    "LLVM::LLVMDialect", "scf::SCFDialect",
  ];
}

def MergeEqualFunctionsPass
    : Pass<"frit-merge-equal-functions", "::mlir::ModuleOp"> {
  let summary = "Keeps one of several equal private functions";
  let description = [{
    Private functions that are equal but for their names and locations, of
    ops with equal `#frit.origin`, become one, and so do the functions of each
    `gpu.module`. After `convert-parallel-to-frit-runtime` or the outlining of
    kernels the layers of a model share code so, and what follows is spent once.
  }];
  let statistics = [
    Statistic<"numMerged", "num-merged", "Number of functions removed">,
  ];
}

def PlanScratchPass
    : InterfacePass<"frit-plan-scratch", "::mlir::FunctionOpInterface"> {
  let summary = "Takes the temporary buffers of a function from one allocation";
  let description = [{
    Buffers that a function allocates and frees become views of one
    `memref.alloc`, and those that are not in use at the same time share memory:

    ```mlir
    %a = memref.alloc(%n) : memref<?x64xf32>
    %b = memref.alloc() : memref<16xf32>
    // becomes
    %size = ... // 256 + 256 * %n, in bytes
    %scratch = memref.alloc(%size) {alignment = 256 : i64} : memref<?xi8>
    %a = memref.view %scratch[%c256][%n] : memref<?xi8> to memref<?x64xf32>
    %b = memref.view %scratch[%c0][] : memref<?xi8> to memref<16xf32>
    ```

    A buffer is in use from the first to the last op that can reach it, through
    views or through its address. Buffers of static size are placed first-fit;
    those of dynamic size take turns in slots, each as large as the largest of
    its buffers, so that larger sizes never need less memory: what a call with
    the largest sizes took is enough for all others. That includes the branches
    of an `scf.if` that are not taken. Sizes are computed once, in front of the
    first buffer, without wraparound: what does not fit in 64 bits becomes a
    size that the runtime refuses.

    A buffer stays an allocation of its own, with a remark that says why, where
    its lifetime is not known (it is in a parallel loop, or not freed once in the
    block that allocates it), its size is not known in front of the first buffer,
    or, in a branch or a loop, is not a sum or product of dimensions, and so may
    have no meaning where that does not run. Runs when the code between launches or loops is still structured.
  }];
  let statistics = [
    Statistic<"numPlanned", "num-planned", "Number of buffers that share">,
    Statistic<"numSeparate", "num-separate",
              "Number of buffers with an allocation of their own">,
  ];
  let dependentDialects = ["arith::ArithDialect", "memref::MemRefDialect"];
}

def ConvertAllocToFritRuntimePass
    : Pass<"convert-alloc-to-frit-runtime", "::mlir::ModuleOp"> {
  let summary = "Takes heap memory from the scratch memory of the runtime";
  let description = [{
    `memref.alloc` becomes a call of `fritScratchAlloc` and `memref.dealloc` one
    of `fritScratchFree`. The runtime keeps the blocks for the next call, and
    takes back at the end of a call what an early return left in use. Sizes are
    computed with a check for overflow; an allocation that fails returns from
    the function with the status of the error. Only contiguous buffers in the
    default memory space are accepted. With `device` they are device memory, from
    `fritDeviceScratchAlloc` and `fritDeviceScratchFree`, but in functions with
    the attribute `frit.host`.
  }];
  let options = [
    Option<"device", "device", "bool", /*default=*/"false",
           "Take memory of the device">,
  ];
  let statistics = [
    Statistic<"numAllocations", "num-allocations",
              "Number of converted allocations">,
  ];
  let dependentDialects = [
    "arith::ArithDialect", "cf::ControlFlowDialect", "LLVM::LLVMDialect",
    "memref::MemRefDialect",
  ];
}

def ConvertAssertToFritRuntimePass
    : Pass<"convert-assert-to-frit-runtime", "::mlir::ModuleOp"> {
  let summary = "Turns assertions into an early return with a status";
  let description = [{
    A `cf.assert` that does not hold calls `fritReportError` with its message
    and returns the status `FRIT_STATUS_ASSERTION_FAILED` from the function;
    upstream's lowering would print and abort. Where the condition is an
    `arith.cmpi` of scalars, `fritReportMismatch` adds both values to the
    message. One of the other conversions to the runtime returns the status of
    the error that the runtime has recorded already. Runs after
    `convert-scf-to-cf`: assertions must be in the blocks of their function.
  }];
  let statistics = [
    Statistic<"numAssertions", "num-assertions",
              "Number of converted assertions">,
  ];
  let dependentDialects = [
    "arith::ArithDialect", "cf::ControlFlowDialect", "func::FuncDialect",
    "LLVM::LLVMDialect",
  ];
}

def ConvertFritToGpuPass : Pass<"convert-frit-to-gpu", "::mlir::ModuleOp"> {
  let summary = "Turns ops that fused kernels execute into kernel launches";
  let description = [{
    A Frit op on memrefs whose `frit.kernel` is an entry of provider `cuda`
    becomes a `gpu.launch_func`, with the grid, block, cluster and shared memory
    of the entry's launch plan and the arguments of its argument plan. The kernel
    is in a `gpu.binary` that names the image and the hash of its bytes.
    `frit.launch` states the kernel's id and what it does with each operand.

    ```mlir
    gpu.binary @frit_image_activation <#frit.image<"activation", "00c0ffee00c0ffee">> [...]
    gpu.launch_func @frit_image_activation::@frit_gelu_and_mul_sparse_row_bf16
        blocks in (%tokens, %c1, %c1) threads in (%c512, %c1, %c1) args(...)
        {frit.launch = #frit.launch<"cuda.row", [read, read, write, none]>}
    ```

    Leading dimensions are one dimension of tokens where they have one row
    stride; else the host loops over the outer ones, and where only run time can
    tell, both are emitted. Operands that a kernel takes without gaps only, such
    as the weights of LoRA ops, are copied to scratch memory where they have any.
    An op without elements launches no block. An entry may plan several launches,
    which follow each other and share one scratch buffer. Plans that depend on
    the number of multiprocessors ask the runtime for it, so `frit-add-context`
    runs before.

    With `overlap`, kernels that can begin with what the one ahead of them does
    not write: matmuls of few tokens with their weights, LoRA with all but `y`.
    The kernel's parameter `beside` says so. The kernel ahead must be a launch of
    this pass, whichever way branches went, and its result must share no memory with what is
    read early: another allocation, or another argument of a public function.
  }];
  let options = [
    Option<"overlap", "overlap", "bool", /*default=*/"true",
           "Let kernels begin beside the one ahead of them">,
  ];
  let statistics = [
    Statistic<"numLaunches", "num-launches", "Number of launches">,
  ];
  let dependentDialects = [
    "arith::ArithDialect", "affine::AffineDialect", "cf::ControlFlowDialect",
    "gpu::GPUDialect", "linalg::LinalgDialect", "LLVM::LLVMDialect",
    "memref::MemRefDialect", "NVVM::NVVMDialect", "scf::SCFDialect",
  ];
}

def ConvertLoopsToGpuPass : Pass<"convert-loops-to-gpu", "::mlir::ModuleOp"> {
  let summary = "Moves everything that accesses memory into kernel launches";
  let description = [{
    All buffers are in memory of the device, so that nothing on the host may
    read or write them. In each function:

    * An outermost `scf.parallel` becomes a `gpu.launch` with a thread for each
      iteration. If its body has parallel loops, an iteration is run by a block,
      whose threads share the inner loops; what is between those is computed by
      all threads, written by one.
    * Other ops that access memory, loops included, and what depends on values
      they load, are collected to launches of one thread. A loaded value that
      other launches use passes through scratch memory.
    * Sizes, control flow over them, allocations, copies and launches stay on the
      host. Where one of these depends on a value that only the device has, it is
      an error.

    All launches name one `gpu.module`. Functions with the attribute `frit.host`
    compute sizes on the host; that they read none of their arguments is checked.
  }];
  let statistics = [
    Statistic<"numLaunches", "num-launches", "Number of launches">,
  ];
  let dependentDialects = [
    "arith::ArithDialect", "gpu::GPUDialect", "memref::MemRefDialect",
    "scf::SCFDialect",
  ];
}

def ConvertGpuModuleToNVVMPass
    : Pass<"convert-gpu-module-to-nvvm", "::mlir::gpu::GPUModuleOp"> {
  let summary = "Lowers kernels to NVVM with all roundings intact";
  let description = [{
    Everything in a `gpu.module` becomes LLVM and NVVM. What PTX computes
    exactly (square root, fma, absolute value, rounding to an integer, ...)
    becomes an intrinsic of LLVM that its backend turns to that instruction:
    upstream's `convert-gpu-to-nvvm` makes libdevice calls of them, and an
    approximation of the square root. Other functions of the math dialect
    become calls of libdevice, so `frit-expand-math` runs before. Sizes and
    offsets have 64 bits.
  }];
  let dependentDialects = ["LLVM::LLVMDialect", "NVVM::NVVMDialect"];
}

def LaunchEarlyPass : Pass<"frit-launch-early", "::mlir::ModuleOp"> {
  let summary = "Lets generated kernels start before the one ahead has ended";
  let description = [{
    From sm_90 on every kernel of a `gpu.module` that is launched here waits, before
    anything else, for the earlier kernels of the stream and then lets the next
    one start, and its launches are marked `programmatic`: the start of a kernel
    hides behind the one ahead of it.

    ```mlir
    gpu.func @scale(%x: memref<?xf32>) kernel {
      nvvm.griddepcontrol wait
      nvvm.griddepcontrol launch_dependents
    ```
  }];
  let options = [
    Option<"chip", "chip", "std::string", /*default=*/"\"sm_90a\"",
           "The architecture: sm_80, sm_90a, ...">,
  ];
  let statistics = [
    Statistic<"numLaunches", "num-launches", "Number of launches marked">,
  ];
  let dependentDialects = ["FritDialect", "NVVM::NVVMDialect"];
}

def GpuModuleToBinaryPass
    : Pass<"frit-gpu-module-to-binary", "::mlir::ModuleOp"> {
  let summary = "Generates device code for kernels in the NVVM dialect";
  let description = [{
    Every `gpu.module` becomes a `gpu.binary` of the same name with one object,
    whose handler is a `#frit.image` with the hash of the code. LLVM's NVPTX
    backend makes PTX in this process; ptxas makes machine code of it. Without
    ptxas the object is PTX, which the driver compiles when it loads it (a remark
    says so). Functions that neither the module nor libdevice defines are an
    error.
  }];
  let options = [
    Option<"chip", "chip", "std::string", /*default=*/"\"sm_90a\"",
           "The architecture: sm_80, sm_90a, ...">,
    Option<"toolkit", "toolkit", "std::string", /*default=*/"\"\"",
           "Folder of the CUDA Toolkit. Empty: CUDA_HOME, CUDA_PATH, the one "
           "of ptxas in PATH, or /usr/local/cuda">,
    Option<"ptxOnly", "ptx-only", "bool", /*default=*/"false",
           "Leave PTX, also where there is ptxas">,
  ];
  let statistics = [
    Statistic<"numBinaries", "num-binaries", "Number of binaries">,
  ];
  let dependentDialects = ["FritDialect", "NVVM::NVVMDialect"];
}

def ConvertGpuToFritRuntimePass
    : Pass<"convert-gpu-to-frit-runtime", "::mlir::ModuleOp"> {
  let summary = "Turns kernel launches and device memory to calls of the runtime";
  let description = [{
    In functions without the attribute `frit.host`:

    * `gpu.launch_func` of a `gpu.binary` with a `#frit.image` becomes a call of
      `fritLaunchKernel`. The kernel's descriptor is constant data of the module;
      a buffer among the operands is passed as the fields of its descriptor, as
      the kernels of this compiler take it.
    * `frit.matmul` whose `frit.kernel` is an entry of provider `library` becomes
      a call of `fritLibraryMatmul`, with a descriptor that is constant data, too.
    * `memref.copy` of contiguous buffers becomes a call of `fritDeviceCopy`.
    * `memref.get_global` of a constant becomes a call of `fritDeviceConstant`.

    Statuses are checked; a failing one returns from the function. Launches
    with async tokens or streams are errors: the context's one stream keeps the
    order.
  }];
  let statistics = [
    Statistic<"numLaunches", "num-launches", "Number of converted launches">,
    Statistic<"numMatmuls", "num-matmuls", "Number of calls of a library">,
  ];
  let dependentDialects = [
    "arith::ArithDialect", "cf::ControlFlowDialect", "LLVM::LLVMDialect",
    "memref::MemRefDialect",
  ];
}

def ConvertMatmulToFritRuntimePass
    : Pass<"convert-matmul-to-frit-runtime", "::mlir::ModuleOp"> {
  let summary = "Turns matmuls of a library of the CPU to calls of the runtime";
  let description = [{
    `frit.matmul` on buffers in host memory, whose `frit.kernel` is an entry of
    provider `library` for the CPU, becomes a call of `fritHostMatmul` with a
    descriptor that is constant data of the module. A failing status returns
    from the function. Any other `frit.matmul` is an error.
  }];
  let statistics = [
    Statistic<"numMatmuls", "num-matmuls", "Number of calls of a library">,
  ];
  let dependentDialects = [
    "cf::ControlFlowDialect", "LLVM::LLVMDialect",
  ];
}

#endif // FRIT_CONVERSION_PASSES_TD

// RUN: %exit 1 frit-run 2>&1 | FileCheck %s --check-prefix=NONE
// NONE: error: expected one FILE (- for standard input), got 0 (see --help)

// RUN: %exit 1 frit-run %s --exact-zero-msk 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// UNKNOWN: error: unknown option '--exact-zero-msk'; did you mean '--exact-zero-mask'?

// RUN: %exit 1 frit-run %s --seed 2>&1 | FileCheck %s --check-prefix=VALUE
// VALUE: error: --seed: a value is missing

// RUN: %exit 1 frit-run %s --seed=-1 2>&1 | FileCheck %s --check-prefix=SEED
// RUN: %exit 1 frit-run %s --seed=nan 2>&1 | FileCheck %s --check-prefix=SEED
// SEED: error: --seed={{.*}}expected an integer in [0, 2^64)

// RUN: %exit 1 frit-run %s --entry=f --target=cuda:99 2>&1 | FileCheck %s --check-prefix=CUDA
// CUDA: error: --target=cuda:99: {{device unavailable: the CUDA driver cannot be opened|device 99 does not exist: there are}}

// RUN: %exit 1 frit-run %s --entry=f --target=cuda:sm_90a 2>&1 | FileCheck %s --check-prefix=ARCH
// ARCH: error: --target=cuda:sm_90a: code for the architecture sm_90a can only be written; to call it, name a device

// RUN: %exit 1 frit-run %s --entry=f --target=cuda:sm_50 --dump=ptx 2>&1 | FileCheck %s --check-prefix=SM
// SM: error: --target=cuda:sm_50: code can be made for 80, {{.*}}, 120, but not for 'sm_50'

// RUN: %exit 1 frit-run %s --target=cuda:x 2>&1 | FileCheck %s --check-prefix=DEVICE
// RUN: %exit 1 frit-run %s --target=cuda:-1 2>&1 | FileCheck %s --check-prefix=DEVICE
// RUN: %exit 1 frit-run %s --target=cuda: 2>&1 | FileCheck %s --check-prefix=DEVICE
// DEVICE: error: --target=cuda:{{.*}}: expected cpu, cpu:MARCH, cpu+onednn[:MARCH], cuda, cuda:N or cuda:sm_XX

// RUN: %exit 1 frit-run %s --entry=f --target=cpu --dump=ptx 2>&1 | FileCheck %s --check-prefix=PTX
// PTX: error: --dump=ptx: the target is cpu
// RUN: %exit 1 frit-run %s --entry=f --target=cpu --cuda-graph 2>&1 | FileCheck %s --check-prefix=GRAPH
// GRAPH: error: --cuda-graph: the target is cpu

// RUN: %exit 1 frit-run %s --target=tpu 2>&1 | FileCheck %s --check-prefix=TARGET
// TARGET: error: --target=tpu: expected cpu, cpu:MARCH, cpu+onednn[:MARCH], cuda, cuda:N or cuda:sm_XX

// RUN: %exit 1 frit-run %s --entry=f --target=cpu:z80 2>&1 | FileCheck %s --check-prefix=MARCH
// MARCH: error: --target=cpu:z80: LLVM knows no processor 'z80' of {{[^;]+}}; clang --print-supported-cpus lists them{{$}}

// RUN: %exit 1 frit-run %s --entry=f --policy=fast 2>&1 | FileCheck %s --check-prefix=POLICY
// POLICY: frit-run: error: --policy: unknown policy 'fast', expected 'auto'

// RUN: %exit 1 frit-run %s --entry=f --without=frit-group-tokens,frit-select-kernels 2>&1 | FileCheck %s --check-prefix=WITHOUT
// WITHOUT: error: --without=frit-group-tokens,frit-select-kernels: 'frit-select-kernels' is no pass that can be left out: those are frit-transpose-weights, frit-form-matmuls, frit-form-sparse-ffn, frit-group-tokens, frit-form-lora-activations, frit-sink-groupings, frit-plan-scratch, frit-launch-early{{$}}

// RUN: %exit 1 frit-run %s --entry=f --transpose-weights --without=frit-transpose-weights 2>&1 | FileCheck %s --check-prefix=TRANSPOSE
// TRANSPOSE: error: --transpose-weights cannot be given with --without=frit-transpose-weights
// RUN: %exit 1 frit-run %s --entry=f --transpose-weights --without=frit-form-sparse-ffn 2>&1 | FileCheck %s --check-prefix=TRANSPOSE-FOR
// TRANSPOSE-FOR: error: --transpose-weights cannot be given with --without=frit-form-sparse-ffn

// RUN: %exit 1 frit-run %s --rtol=-1 2>&1 | FileCheck %s --check-prefix=RTOL
// RTOL: error: --rtol=-1: expected a finite number of 0 or more

// RUN: %exit 1 frit-run %s --threads=2000 2>&1 | FileCheck %s --check-prefix=THREADS
// THREADS: error: --threads=2000: expected an integer from 0 to 1024

// RUN: %exit 1 frit-run %s --dump=asm 2>&1 | FileCheck %s --check-prefix=DUMP
// DUMP: error: --dump=asm: expected mlir, llvm, ptx or obj

// RUN: %exit 1 frit-run %s --dump=mlir --output=@%t.npy 2>&1 | FileCheck %s --check-prefix=DUMP-OUTPUT
// DUMP-OUTPUT: error: --output cannot be given with --dump, which compiles and calls nothing
// RUN: %exit 1 frit-run %s --dump=mlir --dim=tokens=16 2>&1 | FileCheck %s --check-prefix=DUMP-DIM
// DUMP-DIM: error: --dim cannot be given with --dump, which compiles and calls nothing
// RUN: %exit 1 frit-run %s --dump=mlir --benchmark 2>&1 | FileCheck %s --check-prefix=DUMP-BENCHMARK
// DUMP-BENCHMARK: error: --benchmark cannot be given with --dump

// RUN: %exit 1 frit-run %s --entry=f --dump-output=%t 2>&1 | FileCheck %s --check-prefix=DUMP-WITHOUT
// DUMP-WITHOUT: error: --dump-output means nothing without --dump
// RUN: %exit 1 frit-run %s --entry=f --rtol=1 2>&1 | FileCheck %s --check-prefix=RTOL-WITHOUT
// RTOL-WITHOUT: error: --rtol means nothing without --expect
// RUN: %exit 1 frit-run %s --entry=f --atol=1 2>&1 | FileCheck %s --check-prefix=ATOL-WITHOUT
// ATOL-WITHOUT: error: --atol means nothing without --expect
// RUN: %exit 1 frit-run %s --entry=f --exact-zero-mask 2>&1 | FileCheck %s --check-prefix=MASK-WITHOUT
// MASK-WITHOUT: error: --exact-zero-mask means nothing without --expect
// RUN: %exit 1 frit-run %s --entry=f --benchmark-repetitions=2 2>&1 | FileCheck %s --check-prefix=REPETITIONS-WITHOUT
// REPETITIONS-WITHOUT: error: --benchmark-repetitions means nothing without --benchmark
// RUN: %exit 1 frit-run %s --entry=f --target=cpu --toolkit=/nowhere 2>&1 | FileCheck %s --check-prefix=TOOLKIT
// TOOLKIT: error: --toolkit: the target is cpu
// RUN: %exit 1 frit-run %s --entry= 2>&1 | FileCheck %s --check-prefix=EMPTY
// EMPTY: error: --entry=: expected the name of a function

// RUN: %exit 1 frit-run %s --expect=ones 2>&1 | FileCheck %s --check-prefix=EXPECT
// EXPECT: error: --expect=ones: expected native, @FILE.npy

// RUN: %exit 1 frit-run %s --entry=g 2>&1 | FileCheck %s --check-prefix=ENTRY
// ENTRY: error: --entry=g: the module has no func.func '@g'; it has @f, @h

// RUN: %exit 1 frit-run %s 2>&1 | FileCheck %s --check-prefix=WHICH
// WHICH: error: pass --entry: the module has no @main and 2 public functions with a body; it has @f, @h

// RUN: %exit 1 frit-run %s --entry=f --output=@%t.npy --output=@%t.2.npy 2>&1 | FileCheck %s --check-prefix=OUTPUTS
// OUTPUTS: error: --output is given 2 times, but '@f' has 1 results

// RUN: %exit 1 frit-run %s --entry=f --output=y.npy 2>&1 | FileCheck %s --check-prefix=PLACE
// PLACE: error: --output=y.npy: 'y.npy': expected @FILE.npy or @FILE.safetensors#KEY

// RUN: %exit 1 frit-run %t.absent.mlir 2>&1 | FileCheck %s --check-prefix=ABSENT
// ABSENT: error: cannot read '{{.*}}absent.mlir': No such file or directory

// RUN: frit-run --help | FileCheck %s --check-prefix=HELP
// HELP: USAGE: frit-run FILE [options]
// HELP: --benchmark-output=FILE
// HELP: --weights=FILE|DIR
// RUN: frit-run --version | FileCheck %s --check-prefix=VERSION
// VERSION: frit-run {{[0-9.]+}}, LLVM 22
func.func @f() -> i32 {
  %c = arith.constant 1 : i32
  return %c : i32
}
func.func @h() {
  return
}

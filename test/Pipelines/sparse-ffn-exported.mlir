// A layer that was exported from PyTorch, at the sizes of Gemma3n, reaches the fused kernels for few tokens: its weights of down, an
// argument or a constant that is stored by outputs, are taken by columns. For many tokens the dense layer reads the same weights.
//
// REQUIRES: cuda-kernels
// UNSUPPORTED: plugin
// RUN: sed -e 's/<256x64x/<16384x2048x/g; s/<64x256x/<2048x16384x/g; s/<?x256x/<?x16384x/g; s/<?x64x/<?x2048x/g; s/2.560000e+02/1.638400e+04/' \
// RUN:   %frit_src/test/data/real/g3n_mlp_sparse_bf16_dynamic_args_aten.mlir > %t.mlir
// RUN: %frit_opt %t.mlir --pass-pipeline='builtin.module(frit-raise{fidelity=framework},canonicalize,cse,frit-transpose-weights{target=cuda:sm_90a assume-finite-weights arguments})' -o %t.prepared.mlir
// RUN: FileCheck %s --check-prefix=ARGUMENT < %t.prepared.mlir
// RUN: %frit_opt %t.prepared.mlir --pass-pipeline='builtin.module(frit-to-cuda{assume-finite-weights})' | FileCheck %s --check-prefixes=CUDA,MANY

// One token alone: nothing else is left.
// RUN: sed -e 's/?x/1x/g; s/tensor.empty(%dim)/tensor.empty()/' %t.mlir > %t.one.mlir
// RUN: %frit_opt %t.one.mlir --pass-pipeline='builtin.module(frit-raise{fidelity=framework},canonicalize,cse,frit-transpose-weights{target=cuda:sm_90a assume-finite-weights arguments},frit-to-cuda{assume-finite-weights})' | FileCheck %s --check-prefixes=CUDA,ONE

// ARGUMENT: func.func @main(%{{.*}}: tensor<?x2048xbf16>, %{{.*}}: tensor<16384x2048xbf16>, %{{.*}}: tensor<16384x2048xbf16>, %{{.*}}: tensor<16384x2048xbf16> {frit.transposed}) -> tensor<?x2048xbf16>

// ONE-NOT: fritLibraryMatmul
// ONE-NOT: frit_generated
// CUDA-DAG: frit_sparse_ffn_gate_bf16
// CUDA-DAG: frit_sparse_ffn_dealt_bf16
// CUDA-DAG: frit_sparse_ffn_sum_bf16
// MANY-DAG: llvm.call @fritLibraryMatmul

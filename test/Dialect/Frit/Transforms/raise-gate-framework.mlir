// RUN: %frit_opt %frit_src/test/data/real/vllm_native_act_tanh_bf16_dynamic_aten.mlir -o %t.mlir
// RUN: %frit_opt %t.mlir --pass-pipeline='builtin.module(frit-raise{fidelity=framework},canonicalize)' --remarks-filter=frit-raise -o %t.raised.mlir 2> %t.remarks
// RUN: FileCheck %s < %t.raised.mlir
// RUN: FileCheck %s --check-prefix=REMARK < %t.remarks
// RUN: %frit_opt %t.mlir --pass-pipeline='builtin.module(frit-raise{fidelity=exact})' --remarks-filter=frit-raise -o %t.exact.mlir 2> %t.exact
// RUN: FileCheck %s --check-prefix=EXACT < %t.exact
// RUN: diff %t.mlir %t.exact.mlir
// RUN: %frit_opt %frit_src/test/data/real/g3n_act_split_f32_static.mlir --pass-pipeline='builtin.module(frit-raise,canonicalize)' | FileCheck %s --check-prefix=SPLIT
// RUN: %frit_opt %frit_src/test/data/real/llama_mlp_bf16_dynamic_args.mlir --pass-pipeline='builtin.module(frit-raise{fidelity=exact})' | FileCheck %s --check-prefix=SILU

// Exported graphs: what is raised at which fidelity, and which repairs it takes.

// CHECK: func.func @main(%[[X:.*]]: tensor<?x192xbf16>)
// CHECK-NOT: linalg
// The multiplier is the one before the graph rounds it.
// CHECK: frit.gelu_and_mul_sparse ins(%[[X]] : tensor<?x192xbf16>) outs(%{{.*}} : tensor<?x96xbf16>) std_multiplier = 1.64485359 -> tensor<?x96xbf16>
// CHECK-NOT: linalg

// REMARK: [Analysis] gelu-roundings {{.*}}"repaired: GELU rounds after every operation, not once
// REMARK: [Analysis] narrow-sum {{.*}}"repaired: the mean is summed in the element type
// REMARK: [Analysis] rounded-multiplier {{.*}}"repaired: the multiplier 1.64485359 is rounded to 1.6484375
// REMARK: [Analysis] rounded-variance
// REMARK: [Passed] frit.gelu_and_mul_sparse {{.*}}"raised at fidelity=framework

// EXACT: [Missed] frit.gelu_and_mul_sparse {{.*}}"needs fidelity=framework: GELU rounds after every operation
// EXACT-NOT: Passed

// SPLIT: func.func @main(%[[G:.*]]: tensor<7x192xf32>, %[[U:.*]]: tensor<7x192xf32>)
// SPLIT-NOT: linalg
// SPLIT: frit.gelu_and_mul_sparse ins(%[[G]], %[[U]] : {{.*}}) std_multiplier = 1.64485359 ->

// Between matmuls, which stay.
// SILU: linalg.matmul
// SILU: linalg.matmul
// SILU: frit.act_and_mul silu ins({{.*}} : tensor<?x176xbf16>, tensor<?x176xbf16>)
// SILU: linalg.matmul

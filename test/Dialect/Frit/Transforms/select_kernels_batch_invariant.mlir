// RUN: %frit_opt %s --pass-pipeline='builtin.module(frit-group-tokens{min-tokens=33},frit-select-kernels{target=cpu policy=batch-invariant})' | FileCheck %s --check-prefixes=CHECK,CPU
// RUN: %frit_opt %s --pass-pipeline='builtin.module(frit-group-tokens{min-tokens=33},frit-select-kernels{target=cuda:sm_90a policy=batch-invariant min-grouped-tokens=33})' | FileCheck %s --check-prefixes=CHECK,CUDA
// REQUIRES: cuda-kernels

// One kernel whatever the number of tokens is, known or not, with a grouping or without.

// CHECK-LABEL: func @lora_one
// CHECK-NOT: scf.if
// CPU: frit.lora_matmul {{.*}} {frit.kernel = #frit.kernel<"native.vector">}
// CUDA: frit.lora_matmul {{.*}} {frit.kernel = #frit.kernel<"cuda.lora_tile16_cluster1", {{.*}}>}
func.func @lora_one(%x: tensor<1x256xbf16>, %ids: tensor<1xi32>, %a: tensor<4x16x256xbf16>, %b: tensor<4x256x16xbf16>, %y: tensor<1x256xbf16>) -> tensor<1x256xbf16> {
  %r = frit.lora_matmul ins(%x, %ids : tensor<1x256xbf16>, tensor<1xi32>) weights(%a, %b : tensor<4x16x256xbf16>, tensor<4x256x16xbf16>) outs(%y : tensor<1x256xbf16>) -> tensor<1x256xbf16>
  return %r : tensor<1x256xbf16>
}

// CHECK-LABEL: func @lora_many
// CHECK-NOT: scf.if
// CPU: frit.lora_matmul {{.*}} {frit.kernel = #frit.kernel<"native.vector">}
// CUDA: frit.lora_matmul {{.*}} {frit.kernel = #frit.kernel<"cuda.lora_tile16_cluster1", {{.*}}>}
func.func @lora_many(%x: tensor<8192x256xbf16>, %ids: tensor<8192xi32>, %a: tensor<4x16x256xbf16>, %b: tensor<4x256x16xbf16>, %y: tensor<8192x256xbf16>) -> tensor<8192x256xbf16> {
  %r = frit.lora_matmul ins(%x, %ids : tensor<8192x256xbf16>, tensor<8192xi32>) weights(%a, %b : tensor<4x16x256xbf16>, tensor<4x256x16xbf16>) outs(%y : tensor<8192x256xbf16>) -> tensor<8192x256xbf16>
  return %r : tensor<8192x256xbf16>
}

// CHECK-LABEL: func @lora_unknown
// CHECK-NOT: scf.if
// CPU: frit.lora_matmul {{.*}} {frit.kernel = #frit.kernel<"native.vector">}
// CUDA: frit.lora_matmul {{.*}} {frit.kernel = #frit.kernel<"cuda.lora_tile16_cluster1", {{.*}}>}
func.func @lora_unknown(%x: tensor<?x256xbf16>, %ids: tensor<?xi32>, %a: tensor<4x16x256xbf16>, %b: tensor<4x256x16xbf16>, %y: tensor<?x256xbf16>) -> tensor<?x256xbf16> {
  %r = frit.lora_matmul ins(%x, %ids : tensor<?x256xbf16>, tensor<?xi32>) weights(%a, %b : tensor<4x16x256xbf16>, tensor<4x256x16xbf16>) outs(%y : tensor<?x256xbf16>) -> tensor<?x256xbf16>
  return %r : tensor<?x256xbf16>
}

// The kernels for few tokens ask how many there are, also where that is known.

// CHECK-LABEL: func @sparse_one
// CHECK-NOT: scf.if
// CPU: frit.sparse_ffn {{.*}} {frit.kernel = #frit.kernel<"native.vector">}
// CUDA: frit.sparse_ffn {{.*}} {frit.kernel = #frit.kernel<"native.linalg">}
func.func @sparse_one(%x: tensor<1x256xbf16>, %w: tensor<1024x256xbf16>, %y: tensor<1x256xbf16>) -> tensor<1x256xbf16> {
  %r = frit.sparse_ffn ins(%x : tensor<1x256xbf16>) weights(%w, %w, %w : tensor<1024x256xbf16>, tensor<1024x256xbf16>, tensor<1024x256xbf16>) outs(%y : tensor<1x256xbf16>) std_multiplier = 1.5 down_layout = dh -> tensor<1x256xbf16>
  return %r : tensor<1x256xbf16>
}

// CHECK-LABEL: func @sparse_unknown
// CHECK-NOT: scf.if
// CPU: frit.sparse_ffn {{.*}} {frit.kernel = #frit.kernel<"native.vector">}
// CUDA: frit.sparse_ffn {{.*}} {frit.kernel = #frit.kernel<"native.linalg">}
func.func @sparse_unknown(%x: tensor<?x256xbf16>, %w: tensor<1024x256xbf16>, %y: tensor<?x256xbf16>) -> tensor<?x256xbf16> {
  %r = frit.sparse_ffn ins(%x : tensor<?x256xbf16>) weights(%w, %w, %w : tensor<1024x256xbf16>, tensor<1024x256xbf16>, tensor<1024x256xbf16>) outs(%y : tensor<?x256xbf16>) std_multiplier = 1.5 down_layout = dh -> tensor<?x256xbf16>
  return %r : tensor<?x256xbf16>
}

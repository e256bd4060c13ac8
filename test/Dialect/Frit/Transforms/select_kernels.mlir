// RUN: %frit_opt %s --pass-pipeline='builtin.module(frit-select-kernels)' | FileCheck %s
// RUN: %frit_opt %s --pass-pipeline='builtin.module(frit-select-kernels{policy=native},frit-select-kernels{policy=require=native})' | FileCheck %s
// RUN: %frit_opt %s --pass-pipeline='builtin.module(frit-select-kernels{target=cuda:sm_90})' | FileCheck %s --check-prefix=SIMT
// RUN: %frit_opt %s --pass-pipeline='builtin.module(frit-select-kernels{policy=batch-invariant priority=native.linalg:30,native.vector:-1})' | FileCheck %s --check-prefix=LINALG

// The table's entries for each op, and those of another target or priority.

// CHECK-LABEL: func @activations
// LINALG-LABEL: func @activations
// SIMT-LABEL: func @activations
func.func @activations(%x: tensor<?x64xbf16>, %y: tensor<?x32xbf16>) -> (tensor<?x32xbf16>, tensor<?x32xbf16>) {
  // CHECK: frit.gelu_and_mul_sparse {{.*}}{frit.kernel = #frit.kernel<"native.vector">}
  // LINALG: frit.gelu_and_mul_sparse {{.*}}{frit.kernel = #frit.kernel<"native.linalg">}
  // SIMT: frit.gelu_and_mul_sparse {{.*}}{frit.kernel = #frit.kernel<"native.simt">}
  %0 = frit.gelu_and_mul_sparse ins(%x : tensor<?x64xbf16>) outs(%y : tensor<?x32xbf16>) std_multiplier = 1.5 -> tensor<?x32xbf16>
  // CHECK: frit.act_and_mul {{.*}}{frit.kernel = #frit.kernel<"native.vector">}
  // LINALG: frit.act_and_mul {{.*}}{frit.kernel = #frit.kernel<"native.linalg">}
  // SIMT: frit.act_and_mul {{.*}}{frit.kernel = #frit.kernel<"native.simt">}
  %1 = frit.act_and_mul silu ins(%x : tensor<?x64xbf16>) outs(%y : tensor<?x32xbf16>) -> tensor<?x32xbf16>
  return %0, %1 : tensor<?x32xbf16>, tensor<?x32xbf16>
}

// CHECK-LABEL: func @lora
// LINALG-LABEL: func @lora
// SIMT-LABEL: func @lora
func.func @lora(%x: tensor<?x64xf32>, %ids: tensor<?xi32>, %a: tensor<4x8x64xf32>, %b: tensor<4x32x8xf32>,
                %h: tensor<1x?x8xf32>, %y: tensor<?x32xf32>, %o: tensor<?xi32>, %s: tensor<5xi32>)
    -> (tensor<?x32xf32>, tensor<?x32xf32>) {
  // CHECK: frit.lora_group {{.*}}{frit.kernel = #frit.kernel<"native.linalg">}
  // LINALG: frit.lora_group {{.*}}{frit.kernel = #frit.kernel<"native.linalg">}
  // SIMT: frit.lora_group {{.*}}{frit.kernel = #frit.kernel<"native.linalg">}
  %order, %starts = frit.lora_group ins(%ids : tensor<?xi32>) outs(%o, %s : tensor<?xi32>, tensor<5xi32>) -> tensor<?xi32>, tensor<5xi32>
  // CHECK: frit.lora_matmul {{.*}}{frit.kernel = #frit.kernel<"native.vector">}
  // LINALG: frit.lora_matmul {{.*}}{frit.kernel = #frit.kernel<"native.linalg">}
  // SIMT: frit.lora_matmul {{.*}}{frit.kernel = #frit.kernel<"native.simt">}
  %0 = frit.lora_matmul ins(%x, %ids : tensor<?x64xf32>, tensor<?xi32>) weights(%a, %b : tensor<4x8x64xf32>, tensor<4x32x8xf32>)
         grouping(%order, %starts : tensor<?xi32>, tensor<5xi32>) outs(%y : tensor<?x32xf32>) -> tensor<?x32xf32>
  // CHECK: frit.lora_shrink {{.*}}{frit.kernel = #frit.kernel<"native.vector">}
  // LINALG: frit.lora_shrink {{.*}}{frit.kernel = #frit.kernel<"native.linalg">}
  // SIMT: frit.lora_shrink {{.*}}{frit.kernel = #frit.kernel<"native.simt">}
  %1 = frit.lora_shrink ins(%x, %ids : tensor<?x64xf32>, tensor<?xi32>) weights(%a : tensor<4x8x64xf32>) outs(%h : tensor<1x?x8xf32>) -> tensor<1x?x8xf32>
  // CHECK: frit.lora_expand {{.*}}{frit.kernel = #frit.kernel<"native.vector">}
  // LINALG: frit.lora_expand {{.*}}{frit.kernel = #frit.kernel<"native.linalg">}
  // SIMT: frit.lora_expand {{.*}}{frit.kernel = #frit.kernel<"native.simt">}
  %2 = frit.lora_expand ins(%1, %ids : tensor<1x?x8xf32>, tensor<?xi32>) weights(%b : tensor<4x32x8xf32>) outs(%y : tensor<?x32xf32>) -> tensor<?x32xf32>
  return %0, %2 : tensor<?x32xf32>, tensor<?x32xf32>
}

// A choice that the op has already stays, with its parameters.

// CHECK-LABEL: func @kept
// LINALG-LABEL: func @kept
// SIMT-LABEL: func @kept
func.func @kept(%x: tensor<4x64xf16>, %y: tensor<4x32xf16>) -> tensor<4x32xf16> {
  // CHECK: {frit.kernel = #frit.kernel<"native.linalg", {tile = 4 : i64}>}
  // LINALG: {frit.kernel = #frit.kernel<"native.linalg", {tile = 4 : i64}>}
  // SIMT: {frit.kernel = #frit.kernel<"native.linalg", {tile = 4 : i64}>}
  %0 = frit.act_and_mul silu ins(%x : tensor<4x64xf16>) outs(%y : tensor<4x32xf16>)
         {frit.kernel = #frit.kernel<"native.linalg", {tile = 4 : i64}>} -> tensor<4x32xf16>
  return %0 : tensor<4x32xf16>
}

// Ops on buffers take part as well.

// CHECK-LABEL: func @buffers
// LINALG-LABEL: func @buffers
// SIMT-LABEL: func @buffers
func.func @buffers(%x: memref<?x64xf32, strided<[?, 1], offset: ?>>, %y: memref<?x32xf32>) {
  // CHECK: {frit.kernel = #frit.kernel<"native.vector">}
  // LINALG: {frit.kernel = #frit.kernel<"native.linalg">}
  // SIMT: {frit.kernel = #frit.kernel<"native.simt">}
  frit.act_and_mul silu ins(%x : memref<?x64xf32, strided<[?, 1], offset: ?>>) outs(%y : memref<?x32xf32>)
  return
}

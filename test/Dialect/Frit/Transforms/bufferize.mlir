// RUN: %frit_opt %s --pass-pipeline='builtin.module(one-shot-bufferize{bufferize-function-boundaries function-boundary-type-conversion=identity-layout-map},cse)' -split-input-file | FileCheck %s

// The destination is the result's buffer: nothing is copied.

// CHECK-LABEL: func @in_place
// CHECK-SAME: %[[X:.*]]: memref<?x16xbf16>, %[[Y:.*]]: memref<?x8xbf16>
// CHECK-NEXT: frit.gelu_and_mul_sparse ins(%[[X]] : memref<?x16xbf16>) outs(%[[Y]] : memref<?x8xbf16>)
// CHECK-SAME: {frit.kernel = #frit.kernel<"native.vector">}
// CHECK-NEXT: return %[[Y]]
func.func @in_place(%x: tensor<?x16xbf16>, %y: tensor<?x8xbf16>) -> tensor<?x8xbf16> {
  %0 = frit.gelu_and_mul_sparse ins(%x : tensor<?x16xbf16>) outs(%y : tensor<?x8xbf16>)
      std_multiplier = 1.5 {frit.kernel = #frit.kernel<"native.vector">} -> tensor<?x8xbf16>
  return %0 : tensor<?x8xbf16>
}

// -----

// A gated op does not read its destination, so a copy has nothing to copy.

// CHECK-LABEL: func @destination_used_later
// CHECK-SAME: %[[X:.*]]: memref<4x16xf32>, %[[Y:.*]]: memref<4x8xf32>
// CHECK-NEXT: %[[NEW:.*]] = memref.alloc() {{.*}} : memref<4x8xf32>
// CHECK-NOT: memref.copy
// CHECK-NEXT: frit.act_and_mul silu ins(%[[X]] : memref<4x16xf32>) outs(%[[NEW]] : memref<4x8xf32>)
// CHECK-NEXT: return %[[NEW]], %[[Y]]
func.func @destination_used_later(%x: tensor<4x16xf32>, %y: tensor<4x8xf32>)
    -> (tensor<4x8xf32>, tensor<4x8xf32>) {
  %0 = frit.act_and_mul silu ins(%x : tensor<4x16xf32>) outs(%y : tensor<4x8xf32>)
      -> tensor<4x8xf32>
  return %0, %y : tensor<4x8xf32>, tensor<4x8xf32>
}

// -----

// The destination of a LoRA op keeps the rows without an adapter: it is read.

// CHECK-LABEL: func @lora_copies
// CHECK-SAME: %[[X:[^:]*]]: memref<4x16xf32>, %[[IDS:[^:]*]]: memref<4xi32>, %[[A:[^:]*]]: memref<2x3x16xf32>, %[[B:[^:]*]]: memref<2x8x3xf32>, %[[Y:[^:]*]]: memref<4x8xf32>
// CHECK-NEXT: %[[NEW:.*]] = memref.alloc() {{.*}} : memref<4x8xf32>
// CHECK-NEXT: memref.copy %[[Y]], %[[NEW]]
// CHECK-NEXT: frit.lora_matmul ins(%[[X]], %[[IDS]] : memref<4x16xf32>, memref<4xi32>)
// CHECK-SAME: weights(%[[A]], %[[B]] : memref<2x3x16xf32>, memref<2x8x3xf32>)
// CHECK-SAME: outs(%[[NEW]] : memref<4x8xf32>) accumulate = false
// CHECK-NEXT: return %[[NEW]], %[[Y]]
func.func @lora_copies(%x: tensor<4x16xf32>, %ids: tensor<4xi32>, %a: tensor<2x3x16xf32>,
                       %b: tensor<2x8x3xf32>, %y: tensor<4x8xf32>)
    -> (tensor<4x8xf32>, tensor<4x8xf32>) {
  %0 = frit.lora_matmul ins(%x, %ids : tensor<4x16xf32>, tensor<4xi32>)
      weights(%a, %b : tensor<2x3x16xf32>, tensor<2x8x3xf32>)
      outs(%y : tensor<4x8xf32>) accumulate = false -> tensor<4x8xf32>
  return %0, %y : tensor<4x8xf32>, tensor<4x8xf32>
}

// -----

// An input that is the destination too would be overwritten while it is read.

// CHECK-LABEL: func @gate_is_destination
// CHECK-SAME: %[[GATE:.*]]: memref<4x8xf32>, %[[UP:.*]]: memref<4x8xf32>
// CHECK-NEXT: %[[NEW:.*]] = memref.alloc()
// CHECK-NEXT: frit.gelu_and_mul_sparse ins(%[[GATE]], %[[UP]] : memref<4x8xf32>, memref<4x8xf32>) outs(%[[NEW]] : memref<4x8xf32>)
func.func @gate_is_destination(%gate: tensor<4x8xf32>, %up: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %0 = frit.gelu_and_mul_sparse ins(%gate, %up : tensor<4x8xf32>, tensor<4x8xf32>)
      outs(%gate : tensor<4x8xf32>) std_multiplier = 1.0 -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// -----

// Columns of a wider tensor: a row stride, and no copy.

// CHECK-LABEL: func @row_stride
// CHECK-SAME: %[[X:.*]]: memref<?x64xf16>, %[[Y:.*]]: memref<?x8xf16>
// CHECK: %[[PART:.*]] = memref.subview %[[X]]
// CHECK-NEXT: frit.act_and_mul gelu_erf ins(%[[PART]] : memref<?x16xf16, strided<[64, 1], offset: 32>>) outs(%[[Y]] : memref<?x8xf16>)
func.func @row_stride(%x: tensor<?x64xf16>, %y: tensor<?x8xf16>, %n: index) -> tensor<?x8xf16> {
  %part = tensor.extract_slice %x[0, 32] [%n, 16] [1, 1] : tensor<?x64xf16> to tensor<?x16xf16>
  %0 = frit.act_and_mul gelu_erf ins(%part : tensor<?x16xf16>) outs(%y : tensor<?x8xf16>)
      -> tensor<?x8xf16>
  return %0 : tensor<?x8xf16>
}

// -----

// CHECK-LABEL: func @shrink_expand_group
// CHECK: frit.lora_group ins(%{{.*}} : memref<?xi32>) outs(%[[ORDER:.*]], %[[STARTS:.*]] : memref<?xi32>, memref<3xi32>)
// CHECK: %[[H:.*]] = memref.alloc(%{{.*}}) {{.*}} : memref<1x?x3xf32>
// CHECK-NOT: memref.copy
// CHECK: frit.lora_shrink {{.*}} grouping(%[[ORDER]], %[[STARTS]] : memref<?xi32>, memref<3xi32>) outs(%[[H]] : memref<1x?x3xf32>)
// CHECK-NEXT: frit.lora_expand ins(%[[H]], {{.*}} grouping(%[[ORDER]], %[[STARTS]] :
func.func @shrink_expand_group(%x: tensor<?x16xf32>, %ids: tensor<?xi32>, %a: tensor<2x3x16xf32>,
                               %b: tensor<2x8x3xf32>, %y: tensor<?x8xf32>) -> tensor<?x8xf32> {
  %c0 = arith.constant 0 : index
  %t = tensor.dim %ids, %c0 : tensor<?xi32>
  %o = tensor.empty(%t) : tensor<?xi32>
  %s = tensor.empty() : tensor<3xi32>
  %order, %starts = frit.lora_group ins(%ids : tensor<?xi32>)
      outs(%o, %s : tensor<?xi32>, tensor<3xi32>) -> tensor<?xi32>, tensor<3xi32>
  %h0 = tensor.empty(%t) : tensor<1x?x3xf32>
  %h = frit.lora_shrink ins(%x, %ids : tensor<?x16xf32>, tensor<?xi32>)
      weights(%a : tensor<2x3x16xf32>)
      grouping(%order, %starts : tensor<?xi32>, tensor<3xi32>)
      outs(%h0 : tensor<1x?x3xf32>) -> tensor<1x?x3xf32>
  %r = frit.lora_expand ins(%h, %ids : tensor<1x?x3xf32>, tensor<?xi32>)
      weights(%b : tensor<2x8x3xf32>)
      grouping(%order, %starts : tensor<?xi32>, tensor<3xi32>)
      outs(%y : tensor<?x8xf32>) -> tensor<?x8xf32>
  return %r : tensor<?x8xf32>
}

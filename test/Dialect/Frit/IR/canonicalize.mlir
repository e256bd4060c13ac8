// RUN: %frit_opt %s --pass-pipeline='builtin.module(canonicalize)' -split-input-file | FileCheck %s

// Without an element there is nothing to write.

// CHECK-LABEL: func @no_tokens
// CHECK-SAME: %[[X:.*]]: tensor<0x8xf32>, %[[Y:.*]]: tensor<0x4xf32>
// CHECK-NEXT: return %[[Y]]
func.func @no_tokens(%x: tensor<0x8xf32>, %y: tensor<0x4xf32>) -> tensor<0x4xf32> {
  %0 = frit.act_and_mul silu ins(%x : tensor<0x8xf32>) outs(%y : tensor<0x4xf32>) -> tensor<0x4xf32>
  %1 = frit.gelu_and_mul_sparse ins(%x : tensor<0x8xf32>) outs(%0 : tensor<0x4xf32>) std_multiplier = 1.0
      -> tensor<0x4xf32>
  return %1 : tensor<0x4xf32>
}

// -----

// CHECK-LABEL: func @no_tokens_on_memrefs
// CHECK-NEXT: return
func.func @no_tokens_on_memrefs(%x: memref<0x8xf32>, %y: memref<0x4xf32>) {
  frit.act_and_mul silu ins(%x : memref<0x8xf32>) outs(%y : memref<0x4xf32>)
  return
}

// -----

// lora_group still writes the starts.

// CHECK-LABEL: func @no_tokens_to_group
// CHECK: frit.lora_group
func.func @no_tokens_to_group(%ids: memref<0xi32>, %order: memref<0xi32>, %starts: memref<3xi32>) {
  frit.lora_group ins(%ids : memref<0xi32>) outs(%order, %starts : memref<0xi32>, memref<3xi32>)
  return
}

// -----

// Casts that lose static sizes fold into the op, and the result is cast back.

// CHECK-LABEL: func @tensor_casts
// CHECK-SAME: %[[X:.*]]: tensor<4x8xf32>, %[[Y:.*]]: tensor<4x4xf32>
// CHECK-NEXT: %[[R:.*]] = frit.act_and_mul silu ins(%[[X]] : tensor<4x8xf32>) outs(%[[Y]] : tensor<4x4xf32>) -> tensor<4x4xf32>
// CHECK-NEXT: %[[CAST:.*]] = tensor.cast %[[R]] : tensor<4x4xf32> to tensor<?x?xf32>
// CHECK-NEXT: return %[[CAST]]
func.func @tensor_casts(%x: tensor<4x8xf32>, %y: tensor<4x4xf32>) -> tensor<?x?xf32> {
  %0 = tensor.cast %x : tensor<4x8xf32> to tensor<?x?xf32>
  %1 = tensor.cast %y : tensor<4x4xf32> to tensor<?x?xf32>
  %2 = frit.act_and_mul silu ins(%0 : tensor<?x?xf32>) outs(%1 : tensor<?x?xf32>) -> tensor<?x?xf32>
  return %2 : tensor<?x?xf32>
}

// -----

// CHECK-LABEL: func @memref_casts
// CHECK-SAME: %[[X:.*]]: memref<4x8xf32>, %[[Y:.*]]: memref<4x4xf32, strided<[?, ?]>>, %[[IDS:[^:]*]]: memref<4xi32>
func.func @memref_casts(%x: memref<4x8xf32>, %y: memref<4x4xf32, strided<[?, ?]>>, %ids: memref<4xi32>,
                        %order: memref<4xi32>, %starts: memref<3xi32>) {
  %0 = memref.cast %x : memref<4x8xf32> to memref<?x?xf32, strided<[?, 1], offset: ?>>
  // A cast that adds the inner stride of 1 stays: the op needs it.
  // CHECK: %[[CAST:.*]] = memref.cast %[[Y]]
  %1 = memref.cast %y : memref<4x4xf32, strided<[?, ?]>> to memref<4x4xf32, strided<[?, 1]>>
  // CHECK: frit.act_and_mul silu ins(%[[X]] : memref<4x8xf32>) outs(%[[CAST]] : memref<4x4xf32, strided<[?, 1]>>)
  frit.act_and_mul silu ins(%0 : memref<?x?xf32, strided<[?, 1], offset: ?>>) outs(%1 : memref<4x4xf32, strided<[?, 1]>>)
  %2 = memref.cast %ids : memref<4xi32> to memref<?xi32>
  // CHECK: frit.lora_group ins(%[[IDS]] : memref<4xi32>)
  frit.lora_group ins(%2 : memref<?xi32>) outs(%order, %starts : memref<4xi32>, memref<3xi32>)
  return
}

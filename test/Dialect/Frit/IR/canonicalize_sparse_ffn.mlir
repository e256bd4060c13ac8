// RUN: %frit_opt %s --pass-pipeline='builtin.module(canonicalize)' | FileCheck %s

// CHECK-LABEL: func @no_tokens
// CHECK-SAME: %[[Y:[a-z0-9]+]]: tensor<0x64xf32>)
// CHECK-NEXT: return %[[Y]]
func.func @no_tokens(%x: tensor<0x64xf32>, %w: tensor<96x64xf32>, %y: tensor<0x64xf32>) -> tensor<0x64xf32> {
  %0 = frit.sparse_ffn ins(%x : tensor<0x64xf32>)
      weights(%w, %w, %w : tensor<96x64xf32>, tensor<96x64xf32>, tensor<96x64xf32>)
      outs(%y : tensor<0x64xf32>) std_multiplier = 1.5 down_layout = dh -> tensor<0x64xf32>
  return %0 : tensor<0x64xf32>
}

// CHECK-LABEL: func @casts
// CHECK: frit.sparse_ffn ins(%{{[a-z0-9]+}} : tensor<4x64xf32>) weights({{.*}} : tensor<96x64xf32>, tensor<96x64xf32>, tensor<96x64xf32>)
// CHECK-SAME: outs(%{{[a-z0-9]+}} : tensor<4x64xf32>)
func.func @casts(%x: tensor<4x64xf32>, %w: tensor<96x64xf32>, %y: tensor<4x64xf32>) -> tensor<?x?xf32> {
  %xc = tensor.cast %x : tensor<4x64xf32> to tensor<?x?xf32>
  %wc = tensor.cast %w : tensor<96x64xf32> to tensor<?x?xf32>
  %yc = tensor.cast %y : tensor<4x64xf32> to tensor<?x?xf32>
  %0 = frit.sparse_ffn ins(%xc : tensor<?x?xf32>) weights(%wc, %w, %wc : tensor<?x?xf32>, tensor<96x64xf32>, tensor<?x?xf32>)
      outs(%yc : tensor<?x?xf32>) std_multiplier = 1.5 down_layout = dh -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

// CHECK-LABEL: func @memref_casts
// CHECK-NEXT: frit.sparse_ffn ins(%{{[a-z0-9]+}} : memref<4x64xf32>)
func.func @memref_casts(%x: memref<4x64xf32>, %w: memref<96x64xf32>, %y: memref<4x64xf32>) {
  %xc = memref.cast %x : memref<4x64xf32> to memref<?x64xf32>
  frit.sparse_ffn ins(%xc : memref<?x64xf32>) weights(%w, %w, %w : memref<96x64xf32>, memref<96x64xf32>, memref<96x64xf32>)
      outs(%y : memref<4x64xf32>) std_multiplier = 1.5 down_layout = dh
  return
}

// A sum over nothing is still rounded and stored.
// CHECK-LABEL: func @no_columns
// CHECK: frit.sparse_ffn
func.func @no_columns(%x: tensor<4x64xf32>, %w: tensor<0x64xf32>, %y: tensor<4x64xf32>) -> tensor<4x64xf32> {
  %0 = frit.sparse_ffn ins(%x : tensor<4x64xf32>)
      weights(%w, %w, %w : tensor<0x64xf32>, tensor<0x64xf32>, tensor<0x64xf32>)
      outs(%y : tensor<4x64xf32>) std_multiplier = 1.5 down_layout = dh -> tensor<4x64xf32>
  return %0 : tensor<4x64xf32>
}

// CHECK-LABEL: func @no_adapters
// CHECK: frit.sparse_ffn ins(%{{[a-z0-9]+}} : tensor<4x64xf32>) weights
// CHECK-NOT: lora
// CHECK-NOT: scales
// CHECK: return
func.func @no_adapters(%x: tensor<4x64xf32>, %ids: tensor<4xi32>, %w: tensor<96x64xf32>, %a: tensor<0x8x64xf32>,
    %b: tensor<0x96x8xf32>, %s: tensor<0xf32>, %y: tensor<4x64xf32>) -> tensor<4x64xf32> {
  %0 = frit.sparse_ffn ins(%x, %ids : tensor<4x64xf32>, tensor<4xi32>)
      weights(%w, %w, %w : tensor<96x64xf32>, tensor<96x64xf32>, tensor<96x64xf32>)
      gate_lora(%a, %b : tensor<0x8x64xf32>, tensor<0x96x8xf32>) scales(%s : tensor<0xf32>)
      outs(%y : tensor<4x64xf32>) std_multiplier = 1.5 down_layout = dh -> tensor<4x64xf32>
  return %0 : tensor<4x64xf32>
}

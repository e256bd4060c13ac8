// RUN: %frit_opt %s | FileCheck %s

// CHECK-LABEL: func @plain
func.func @plain(%x: tensor<?x64xbf16>, %gate: tensor<96x64xbf16>, %up: tensor<96x64xbf16>,
    %down: tensor<96x64xbf16>, %y: tensor<?x64xbf16>) -> tensor<?x64xbf16> {
  // CHECK: frit.sparse_ffn ins(%{{[a-z0-9]+}} : tensor<?x64xbf16>)
  // CHECK-SAME: weights(%{{[a-z0-9]+}}, %{{[a-z0-9]+}}, %{{[a-z0-9]+}} : tensor<96x64xbf16>, tensor<96x64xbf16>, tensor<96x64xbf16>)
  // CHECK-SAME: outs(%{{[a-z0-9]+}} : tensor<?x64xbf16>) std_multiplier = 1.64485359 down_layout = dh -> tensor<?x64xbf16>
  %0 = frit.sparse_ffn ins(%x : tensor<?x64xbf16>)
      weights(%gate, %up, %down : tensor<96x64xbf16>, tensor<96x64xbf16>, tensor<96x64xbf16>)
      outs(%y : tensor<?x64xbf16>) std_multiplier = 1.64485359 down_layout = dh -> tensor<?x64xbf16>
  return %0 : tensor<?x64xbf16>
}

// CHECK-LABEL: func @everything
func.func @everything(%x: tensor<?x64xf16>, %ids: tensor<?xi32>, %gate: tensor<96x64xf16>, %up: tensor<96x64xf16>,
    %down: tensor<64x96xf16>, %ag: tensor<4x8x64xf32>, %bg: tensor<4x96x8xf32>, %au: tensor<4x8x64xf32>,
    %bu: tensor<4x96x8xf32>, %ad: tensor<4x8x96xf32>, %bd: tensor<4x64x8xf32>, %scales: tensor<3x4xf32>,
    %ranks: tensor<4xi32>, %y: tensor<?x64xf16>) -> tensor<?x64xf16> {
  // CHECK: frit.sparse_ffn ins(%{{[a-z0-9]+}}, %{{[a-z0-9]+}} : tensor<?x64xf16>, tensor<?xi32>)
  // CHECK-SAME: weights(%{{[a-z0-9]+}}, %{{[a-z0-9]+}}, %{{[a-z0-9]+}} : tensor<96x64xf16>, tensor<96x64xf16>, tensor<64x96xf16>)
  // CHECK-SAME: gate_lora(%{{[a-z0-9]+}}, %{{[a-z0-9]+}} : tensor<4x8x64xf32>, tensor<4x96x8xf32>)
  // CHECK-SAME: up_lora(%{{[a-z0-9]+}}, %{{[a-z0-9]+}} : tensor<4x8x64xf32>, tensor<4x96x8xf32>)
  // CHECK-SAME: down_lora(%{{[a-z0-9]+}}, %{{[a-z0-9]+}} : tensor<4x8x96xf32>, tensor<4x64x8xf32>)
  // CHECK-SAME: scales(%{{[a-z0-9]+}} : tensor<3x4xf32>) ranks(%{{[a-z0-9]+}} : tensor<4xi32>) outs(%{{[a-z0-9]+}} : tensor<?x64xf16>)
  // CHECK-SAME: std_multiplier = -5.000000e-01 down_layout = hd approximate = erf rounding = final correction = 1
  // CHECK-SAME: gate_scale = 5.000000e-01 up_scale = 2.000000e+00 down_scale = 3.000000e+00
  // CHECK-SAME: intermediate = element lora_rounding = sum accumulate = true -> tensor<?x64xf16>
  %0 = frit.sparse_ffn ins(%x, %ids : tensor<?x64xf16>, tensor<?xi32>)
      weights(%gate, %up, %down : tensor<96x64xf16>, tensor<96x64xf16>, tensor<64x96xf16>)
      gate_lora(%ag, %bg : tensor<4x8x64xf32>, tensor<4x96x8xf32>)
      up_lora(%au, %bu : tensor<4x8x64xf32>, tensor<4x96x8xf32>)
      down_lora(%ad, %bd : tensor<4x8x96xf32>, tensor<4x64x8xf32>)
      scales(%scales : tensor<3x4xf32>) ranks(%ranks : tensor<4xi32>)
      outs(%y : tensor<?x64xf16>) std_multiplier = -0.5 down_layout = hd approximate = erf rounding = final
      correction = 1 gate_scale = 0.5 up_scale = 2.0 down_scale = 3.0 intermediate = element lora_rounding = sum
      accumulate = true -> tensor<?x64xf16>
  return %0 : tensor<?x64xf16>
}

// Memrefs may have any row stride and sizes that are not known.
// CHECK-LABEL: func @memrefs
func.func @memrefs(%x: memref<?x?xf32, strided<[?, 1], offset: ?>>, %gate: memref<?x?xf32>, %up: memref<?x?xf32>,
    %down: memref<?x?xf32, strided<[70, 1]>>, %y: memref<?x?xf32>) {
  // CHECK: frit.sparse_ffn ins(%{{[a-z0-9]+}} : memref<?x?xf32, strided<[?, 1], offset: ?>>)
  frit.sparse_ffn ins(%x : memref<?x?xf32, strided<[?, 1], offset: ?>>)
      weights(%gate, %up, %down : memref<?x?xf32>, memref<?x?xf32>, memref<?x?xf32, strided<[70, 1]>>)
      outs(%y : memref<?x?xf32>) std_multiplier = 1.0 down_layout = dh
  return
}

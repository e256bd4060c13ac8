// RUN: %frit_opt %s | FileCheck %s

// CHECK-LABEL: func @packed
func.func @packed(%x: tensor<?x?x16xbf16>, %y: tensor<?x?x8xbf16>) -> tensor<?x?x8xbf16> {
  // CHECK: %[[R:.*]] = frit.gelu_and_mul_sparse ins(%{{.*}} : tensor<?x?x16xbf16>) outs(%{{.*}} : tensor<?x?x8xbf16>) std_multiplier = 1.64485359 -> tensor<?x?x8xbf16>
  %0 = frit.gelu_and_mul_sparse ins(%x : tensor<?x?x16xbf16>) outs(%y : tensor<?x?x8xbf16>)
      std_multiplier = 1.64485359 -> tensor<?x?x8xbf16>
  // CHECK: frit.act_and_mul silu ins(%{{.*}} : tensor<?x?x16xbf16>) outs(%[[R]] : tensor<?x?x8xbf16>) -> tensor<?x?x8xbf16>
  %1 = frit.act_and_mul silu ins(%x : tensor<?x?x16xbf16>) outs(%0 : tensor<?x?x8xbf16>)
      -> tensor<?x?x8xbf16>
  return %1 : tensor<?x?x8xbf16>
}

// CHECK-LABEL: func @separate
func.func @separate(%gate: tensor<4x96xf32>, %up: tensor<?x96xf32>, %y: tensor<4x?xf32>) -> tensor<4x?xf32> {
  // CHECK: frit.gelu_and_mul_sparse ins(%{{.*}}, %{{.*}} : tensor<4x96xf32>, tensor<?x96xf32>) outs(%{{.*}} : tensor<4x?xf32>)
  // CHECK-SAME: std_multiplier = -5.000000e-01 approximate = erf rounding = final correction = 1 assume_finite_up -> tensor<4x?xf32>
  %0 = frit.gelu_and_mul_sparse ins(%gate, %up : tensor<4x96xf32>, tensor<?x96xf32>)
      outs(%y : tensor<4x?xf32>) std_multiplier = -0.5 approximate = erf rounding = final
      correction = 1 assume_finite_up -> tensor<4x?xf32>
  // CHECK: frit.act_and_mul gelu_tanh ins(%{{.*}}, %{{.*}} : tensor<4x96xf32>, tensor<?x96xf32>)
  %1 = frit.act_and_mul gelu_tanh ins(%gate, %up : tensor<4x96xf32>, tensor<?x96xf32>)
      outs(%0 : tensor<4x?xf32>) -> tensor<4x?xf32>
  return %1 : tensor<4x?xf32>
}

// Defaults are not printed.

// CHECK-LABEL: func @defaults
func.func @defaults(%x: tensor<2xf16>, %y: tensor<1xf16>) -> tensor<1xf16> {
  // CHECK: outs(%{{.*}} : tensor<1xf16>) std_multiplier = 0.000000e+00 -> tensor<1xf16>
  %0 = frit.gelu_and_mul_sparse ins(%x : tensor<2xf16>) outs(%y : tensor<1xf16>)
      std_multiplier = 0.0 approximate = tanh rounding = stepwise correction = 0 -> tensor<1xf16>
  return %0 : tensor<1xf16>
}

// Memrefs: any row stride and offset, inner stride 1; an inner dimension of
// size 1 has no stride that matters.

// CHECK-LABEL: func @memrefs
func.func @memrefs(%x: memref<?x?xf16, strided<[?, 1], offset: ?>>, %y: memref<?x?xf16>,
                   %column: memref<?x1xf16, strided<[?, 7]>>, %space: memref<8x4xf16, 1>) {
  // CHECK: frit.gelu_and_mul_sparse ins(%{{.*}} : memref<?x?xf16, strided<[?, 1], offset: ?>>) outs(%{{.*}} : memref<?x?xf16>) std_multiplier = 1.000000e+00{{$}}
  frit.gelu_and_mul_sparse ins(%x : memref<?x?xf16, strided<[?, 1], offset: ?>>)
      outs(%y : memref<?x?xf16>) std_multiplier = 1.0
  // CHECK: frit.act_and_mul gelu_erf ins(%{{.*}}, %{{.*}} : memref<?x1xf16, strided<[?, 7]>>, memref<?x1xf16, strided<[?, 7]>>) outs(%{{.*}} : memref<?x?xf16>){{$}}
  frit.act_and_mul gelu_erf ins(%column, %column : memref<?x1xf16, strided<[?, 7]>>, memref<?x1xf16, strided<[?, 7]>>)
      outs(%y : memref<?x?xf16>)
  // CHECK: frit.act_and_mul silu ins(%{{.*}}, %{{.*}} : memref<8x4xf16, 1>, memref<8x4xf16, 1>) outs(%{{.*}} : memref<8x4xf16, 1>)
  frit.act_and_mul silu ins(%space, %space : memref<8x4xf16, 1>, memref<8x4xf16, 1>)
      outs(%space : memref<8x4xf16, 1>)
  return
}

// CHECK-LABEL: func @empty
func.func @empty(%x: tensor<0x0xf32>, %y: tensor<0x0xf32>) -> tensor<0x0xf32> {
  // CHECK: frit.act_and_mul silu ins(%{{.*}} : tensor<0x0xf32>)
  %0 = frit.act_and_mul silu ins(%x : tensor<0x0xf32>) outs(%y : tensor<0x0xf32>) -> tensor<0x0xf32>
  return %0 : tensor<0x0xf32>
}

// CHECK-LABEL: func @attributes
// CHECK-SAME: {frit.dims = ["tokens", ""], frit.tensor = "model.x"}
func.func @attributes(%x: tensor<?x8xf32> {frit.tensor = "model.x", frit.dims = ["tokens", ""]},
                      %y: tensor<?x4xf32>) -> tensor<?x4xf32> {
  // CHECK: outs(%{{.*}} : tensor<?x4xf32>) {frit.kernel = #frit.kernel<"native.vector", {tile = 4 : i64}>} -> tensor<?x4xf32>
  %0 = frit.act_and_mul silu ins(%x : tensor<?x8xf32>) outs(%y : tensor<?x4xf32>)
      {frit.kernel = #frit.kernel<"native.vector", {tile = 4 : i64}>} -> tensor<?x4xf32>
  return %0 : tensor<?x4xf32>
}

// A single row, and inputs, may have any row stride.
// CHECK-LABEL: func @stride_zero
// CHECK: frit.act_and_mul silu ins(%{{.*}} : memref<1x8xf32, strided<[0, 1]>>) outs(%{{.*}} : memref<1x4xf32, strided<[0, 1]>>)
// CHECK: frit.act_and_mul silu ins(%{{.*}} : memref<4x8xf32, strided<[0, 1]>>)
func.func @stride_zero(%x: memref<1x8xf32, strided<[0, 1]>>, %y: memref<1x4xf32, strided<[0, 1]>>,
                       %rows: memref<4x8xf32, strided<[0, 1]>>, %z: memref<4x4xf32>) {
  frit.act_and_mul silu ins(%x : memref<1x8xf32, strided<[0, 1]>>) outs(%y : memref<1x4xf32, strided<[0, 1]>>)
  frit.act_and_mul silu ins(%rows : memref<4x8xf32, strided<[0, 1]>>) outs(%z : memref<4x4xf32>)
  return
}

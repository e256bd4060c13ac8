// RUN: %frit_opt %s | FileCheck %s
// RUN: %frit_opt %s | %frit_opt | FileCheck %s

// CHECK-LABEL: func @tensors
func.func @tensors(%y: tensor<?x128xbf16>, %h: tensor<2x?x8xf32>, %ids: tensor<?xi32>, %b0: tensor<4x64x8xbf16>, %b1: tensor<4x64x8xbf16>,
                   %out: tensor<?x64xbf16>) -> tensor<?x64xbf16> {
  // CHECK: frit.lora_gelu_and_mul_sparse ins(%{{.*}}, %{{.*}}, %{{.*}} : tensor<?x128xbf16>, tensor<2x?x8xf32>, tensor<?xi32>)
  // CHECK-SAME: weights(%{{.*}}, %{{.*}} : tensor<4x64x8xbf16>, tensor<4x64x8xbf16>)
  // CHECK-SAME: outs(%{{.*}} : tensor<?x64xbf16>) std_multiplier = 1.500000e+00 -> tensor<?x64xbf16>
  %0 = frit.lora_gelu_and_mul_sparse ins(%y, %h, %ids : tensor<?x128xbf16>, tensor<2x?x8xf32>, tensor<?xi32>)
      weights(%b0, %b1 : tensor<4x64x8xbf16>, tensor<4x64x8xbf16>) outs(%out : tensor<?x64xbf16>)
      std_multiplier = 1.5 -> tensor<?x64xbf16>
  return %0 : tensor<?x64xbf16>
}

// CHECK-LABEL: func @all_options
func.func @all_options(%y: memref<?x128xf16>, %h: memref<2x?x8xf32>, %ids: memref<?xi32>, %b0: memref<4x64x8xf32>, %b1: memref<4x64x8xf32>,
                       %ranks: memref<2x4xi32>, %order: memref<?xi32>, %starts: memref<4xi32>, %active: memref<3xi32>,
                       %out: memref<?x64xf16>) {
  // CHECK: frit.lora_gelu_and_mul_sparse ins(
  // CHECK-SAME: ranks(%{{.*}} : memref<2x4xi32>)
  // CHECK-SAME: grouping(%{{.*}}, %{{.*}}, %{{.*}} : memref<?xi32>, memref<4xi32>, memref<3xi32>)
  // CHECK-SAME: outs(%{{.*}} : memref<?x64xf16>) std_multiplier = -1.000000e+00 approximate = erf rounding = final correction = 1
  frit.lora_gelu_and_mul_sparse ins(%y, %h, %ids : memref<?x128xf16>, memref<2x?x8xf32>, memref<?xi32>)
      weights(%b0, %b1 : memref<4x64x8xf32>, memref<4x64x8xf32>) ranks(%ranks : memref<2x4xi32>)
      grouping(%order, %starts, %active : memref<?xi32>, memref<4xi32>, memref<3xi32>) outs(%out : memref<?x64xf16>)
      std_multiplier = -1.0 approximate = erf rounding = final correction = 1
  return
}

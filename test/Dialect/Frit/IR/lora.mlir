// RUN: %frit_opt %s | FileCheck %s

// CHECK-LABEL: func @matmul
func.func @matmul(%x: tensor<?x64xbf16>, %ids: tensor<?xi32>, %a: tensor<4x8x64xbf16>, %b: tensor<4x32x8xbf16>,
                  %y: tensor<?x32xbf16>) -> tensor<?x32xbf16> {
  // CHECK: frit.lora_matmul ins(%{{.*}}, %{{.*}} : tensor<?x64xbf16>, tensor<?xi32>)
  // CHECK-SAME: weights(%{{.*}}, %{{.*}} : tensor<4x8x64xbf16>, tensor<4x32x8xbf16>)
  // CHECK-SAME: outs(%{{.*}} : tensor<?x32xbf16>) -> tensor<?x32xbf16>
  %0 = frit.lora_matmul ins(%x, %ids : tensor<?x64xbf16>, tensor<?xi32>)
      weights(%a, %b : tensor<4x8x64xbf16>, tensor<4x32x8xbf16>) outs(%y : tensor<?x32xbf16>) -> tensor<?x32xbf16>
  return %0 : tensor<?x32xbf16>
}

// Everything optional, two slices of different widths, f32 adapters.

// CHECK-LABEL: func @all_options
func.func @all_options(%x: tensor<?x64xbf16>, %ids: tensor<?xi32>, %a0: tensor<4x8x64xf32>, %b0: tensor<4x32x8xf32>,
                       %a1: tensor<4x8x64xf32>, %b1: tensor<4x16x8xf32>, %scales: tensor<4xf32>, %ranks: tensor<2x4xi32>,
                       %order: tensor<?xi32>, %starts: tensor<4xi32>, %active: tensor<3xi32>, %y: tensor<?x64xbf16>)
    -> tensor<?x64xbf16> {
  // CHECK: frit.lora_matmul ins(
  // CHECK-SAME: weights(%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}} : tensor<4x8x64xf32>, tensor<4x32x8xf32>, tensor<4x8x64xf32>, tensor<4x16x8xf32>)
  // CHECK-SAME: scales(%{{.*}} : tensor<4xf32>) ranks(%{{.*}} : tensor<2x4xi32>)
  // CHECK-SAME: grouping(%{{.*}}, %{{.*}}, %{{.*}} : tensor<?xi32>, tensor<4xi32>, tensor<3xi32>)
  // CHECK-SAME: outs(%{{.*}} : tensor<?x64xbf16>) scale = 5.000000e-01 offset = 16 intermediate = element rounding = sum accumulate = false -> tensor<?x64xbf16>
  %0 = frit.lora_matmul ins(%x, %ids : tensor<?x64xbf16>, tensor<?xi32>)
      weights(%a0, %b0, %a1, %b1 : tensor<4x8x64xf32>, tensor<4x32x8xf32>, tensor<4x8x64xf32>, tensor<4x16x8xf32>)
      scales(%scales : tensor<4xf32>) ranks(%ranks : tensor<2x4xi32>)
      grouping(%order, %starts, %active : tensor<?xi32>, tensor<4xi32>, tensor<3xi32>)
      outs(%y : tensor<?x64xbf16>) scale = 0.5 offset = 16 intermediate = element rounding = sum accumulate = false
      -> tensor<?x64xbf16>
  return %0 : tensor<?x64xbf16>
}

// Defaults are not printed, and scale 0 is kept.

// CHECK-LABEL: func @defaults
func.func @defaults(%x: tensor<1x1xf32>, %ids: tensor<1xi32>, %a: tensor<1x1x1xf32>, %b: tensor<1x1x1xf32>,
                    %y: tensor<1x1xf32>) -> tensor<1x1xf32> {
  // CHECK: outs(%{{.*}} : tensor<1x1xf32>) -> tensor<1x1xf32>
  %0 = frit.lora_matmul ins(%x, %ids : tensor<1x1xf32>, tensor<1xi32>) weights(%a, %b : tensor<1x1x1xf32>, tensor<1x1x1xf32>)
      outs(%y : tensor<1x1xf32>) scale = 1.0 offset = 0 intermediate = f32 rounding = final accumulate = true
      -> tensor<1x1xf32>
  // CHECK: outs(%{{.*}} : tensor<1x1xf32>) scale = 0.000000e+00 rounding = stepwise -> tensor<1x1xf32>
  %1 = frit.lora_matmul ins(%x, %ids : tensor<1x1xf32>, tensor<1xi32>) weights(%a, %b : tensor<1x1x1xf32>, tensor<1x1x1xf32>)
      outs(%0 : tensor<1x1xf32>) scale = 0.0 rounding = stepwise -> tensor<1x1xf32>
  return %1 : tensor<1x1xf32>
}

// CHECK-LABEL: func @shrink_expand
func.func @shrink_expand(%x: tensor<?x?xf16>, %ids: tensor<?xi32>, %a: tensor<?x?x?xf16>, %b: tensor<?x?x?xf16>,
                         %scales: tensor<?xf32>, %ranks: tensor<?xi32>, %h0: tensor<2x?x?xf16>, %y: tensor<?x?xf16>)
    -> tensor<?x?xf16> {
  // CHECK: %[[H:.*]] = frit.lora_shrink ins(%{{.*}}, %{{.*}} : tensor<?x?xf16>, tensor<?xi32>) weights(%{{.*}}, %{{.*}} : tensor<?x?x?xf16>, tensor<?x?x?xf16>)
  // CHECK-SAME: scales(%{{.*}} : tensor<?xf32>) ranks(%{{.*}} : tensor<?xi32>) outs(%{{.*}} : tensor<2x?x?xf16>) scale = 2.500000e-01 -> tensor<2x?x?xf16>
  %h = frit.lora_shrink ins(%x, %ids : tensor<?x?xf16>, tensor<?xi32>) weights(%a, %a : tensor<?x?x?xf16>, tensor<?x?x?xf16>)
      scales(%scales : tensor<?xf32>) ranks(%ranks : tensor<?xi32>) outs(%h0 : tensor<2x?x?xf16>) scale = 0.25
      -> tensor<2x?x?xf16>
  // CHECK: frit.lora_expand ins(%[[H]], %{{.*}} : tensor<2x?x?xf16>, tensor<?xi32>) weights(%{{.*}}, %{{.*}} : tensor<?x?x?xf16>, tensor<?x?x?xf16>)
  // CHECK-SAME: ranks(%{{.*}} : tensor<?xi32>) outs(%{{.*}} : tensor<?x?xf16>) scale = 5.000000e-01 offset = 3 rounding = stepwise accumulate = false -> tensor<?x?xf16>
  %0 = frit.lora_expand ins(%h, %ids : tensor<2x?x?xf16>, tensor<?xi32>) weights(%b, %b : tensor<?x?x?xf16>, tensor<?x?x?xf16>)
      ranks(%ranks : tensor<?xi32>) outs(%y : tensor<?x?xf16>) scale = 0.5 offset = 3 rounding = stepwise
      accumulate = false -> tensor<?x?xf16>
  return %0 : tensor<?x?xf16>
}

// CHECK-LABEL: func @memrefs
func.func @memrefs(%x: memref<?x64xf32, strided<[?, 1], offset: ?>>, %ids: memref<?xi32, strided<[1], offset: ?>>,
                   %a: memref<4x8x64xf32, strided<[?, ?, 1]>>, %b: memref<4x32x8xf32>, %scales: memref<4xf32>,
                   %h: memref<1x?x8xf32>, %order: memref<?xi32>, %starts: memref<5xi32>, %y: memref<?x32xf32, strided<[64, 1]>>) {
  // CHECK: frit.lora_group ins(%{{.*}} : memref<?xi32, strided<[1], offset: ?>>) outs(%{{.*}}, %{{.*}} : memref<?xi32>, memref<5xi32>){{$}}
  frit.lora_group ins(%ids : memref<?xi32, strided<[1], offset: ?>>) outs(%order, %starts : memref<?xi32>, memref<5xi32>)
  // CHECK: frit.lora_matmul ins(%{{.*}}, %{{.*}} : memref<?x64xf32, strided<[?, 1], offset: ?>>, memref<?xi32, strided<[1], offset: ?>>) {{.*}} grouping(%{{.*}}, %{{.*}} : memref<?xi32>, memref<5xi32>) outs(%{{.*}} : memref<?x32xf32, strided<[64, 1]>>){{$}}
  frit.lora_matmul ins(%x, %ids : memref<?x64xf32, strided<[?, 1], offset: ?>>, memref<?xi32, strided<[1], offset: ?>>)
      weights(%a, %b : memref<4x8x64xf32, strided<[?, ?, 1]>>, memref<4x32x8xf32>) scales(%scales : memref<4xf32>)
      grouping(%order, %starts : memref<?xi32>, memref<5xi32>) outs(%y : memref<?x32xf32, strided<[64, 1]>>)
  // CHECK: frit.lora_shrink {{.*}} outs(%{{.*}} : memref<1x?x8xf32>){{$}}
  frit.lora_shrink ins(%x, %ids : memref<?x64xf32, strided<[?, 1], offset: ?>>, memref<?xi32, strided<[1], offset: ?>>)
      weights(%a : memref<4x8x64xf32, strided<[?, ?, 1]>>) outs(%h : memref<1x?x8xf32>)
  // CHECK: frit.lora_expand {{.*}} outs(%{{.*}} : memref<?x32xf32, strided<[64, 1]>>){{$}}
  frit.lora_expand ins(%h, %ids : memref<1x?x8xf32>, memref<?xi32, strided<[1], offset: ?>>)
      weights(%b : memref<4x32x8xf32>) outs(%y : memref<?x32xf32, strided<[64, 1]>>)
  return
}

// No adapters, no tokens, no columns, no rank: sums over nothing.

// CHECK-LABEL: func @empty
func.func @empty(%x: tensor<0x0xf32>, %ids: tensor<0xi32>, %a: tensor<0x0x0xf32>, %b: tensor<0x0x0xf32>, %y: tensor<0x0xf32>)
    -> tensor<0x0xf32> {
  // CHECK: frit.lora_matmul
  %0 = frit.lora_matmul ins(%x, %ids : tensor<0x0xf32>, tensor<0xi32>) weights(%a, %b : tensor<0x0x0xf32>, tensor<0x0x0xf32>)
      outs(%y : tensor<0x0xf32>) -> tensor<0x0xf32>
  return %0 : tensor<0x0xf32>
}

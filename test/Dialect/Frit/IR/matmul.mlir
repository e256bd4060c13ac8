// RUN: %frit_opt %s | FileCheck %s
// RUN: %frit_opt %s --pass-pipeline='builtin.module(canonicalize)' | FileCheck %s --check-prefix=CANON

// CHECK-LABEL: func @linear
func.func @linear(%x: tensor<?x64xbf16>, %w: tensor<128x64xbf16>, %bias: tensor<128xbf16>, %y: tensor<?x128xbf16>) -> tensor<?x128xbf16> {
  // CHECK: %{{.*}} = frit.matmul ins(%{{.*}}, %{{.*}} : tensor<?x64xbf16>, tensor<128x64xbf16>) bias(%{{.*}} : tensor<128xbf16>) outs(%{{.*}} : tensor<?x128xbf16>) transpose_b -> tensor<?x128xbf16>
  %0 = frit.matmul ins(%x, %w : tensor<?x64xbf16>, tensor<128x64xbf16>) bias(%bias : tensor<128xbf16>)
         outs(%y : tensor<?x128xbf16>) transpose_b -> tensor<?x128xbf16>
  return %0 : tensor<?x128xbf16>
}

// A matrix for all of a batch, a sum in f32, on memrefs.
// CHECK-LABEL: func @batch
func.func @batch(%a: memref<4x?x8xf16, strided<[?, ?, 1], offset: ?>>, %b: memref<8x16xf16>, %y: memref<4x?x16xf32>) {
  // CHECK: frit.matmul ins(%{{.*}}, %{{.*}} : memref<4x?x8xf16, strided<[?, ?, 1], offset: ?>>, memref<8x16xf16>) outs(%{{.*}} : memref<4x?x16xf32>) accumulate{{$}}
  frit.matmul ins(%a, %b : memref<4x?x8xf16, strided<[?, ?, 1], offset: ?>>, memref<8x16xf16>) outs(%y : memref<4x?x16xf32>) accumulate
  return
}

// CHECK-LABEL: func @transposed
func.func @transposed(%a: tensor<3x2x4xf32>, %b: tensor<3x5x2xf32>, %y: tensor<3x4x5xf32>) -> tensor<3x4x5xf32> {
  // CHECK: transpose_a transpose_b accumulate ->
  %0 = frit.matmul ins(%a, %b : tensor<3x2x4xf32>, tensor<3x5x2xf32>) outs(%y : tensor<3x4x5xf32>)
         transpose_a transpose_b accumulate -> tensor<3x4x5xf32>
  return %0 : tensor<3x4x5xf32>
}

// CANON-LABEL: func @no_token(
// CANON-SAME:    %{{.*}}, %{{.*}}, %[[Y:.*]]: tensor<0x5xf32>)
// CANON-NEXT:    return %[[Y]]
func.func @no_token(%a: tensor<0x2xf32>, %b: tensor<2x5xf32>, %y: tensor<0x5xf32>) -> tensor<0x5xf32> {
  %0 = frit.matmul ins(%a, %b : tensor<0x2xf32>, tensor<2x5xf32>) outs(%y : tensor<0x5xf32>) -> tensor<0x5xf32>
  return %0 : tensor<0x5xf32>
}

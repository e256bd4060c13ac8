// RUN: %frit_opt %s --pass-pipeline='builtin.module(convert-frit-to-vector)' | FileCheck %s

// A thread gets as many tasks as are worth it: 2^17 products. A task of the first half has 16 tokens and all slices, one of
// the second 64 tokens and at most 256 columns of one slice.

// 2 x 16 x 8 x 64 and 64 x 32 x 8 products.
// CHECK-LABEL: func.func @small
// CHECK:       } {frit.grain = 8 : i64}
// CHECK:       } {frit.grain = 8 : i64}
func.func @small(%x: memref<?x64xbf16>, %ids: memref<?xi32>, %a0: memref<4x8x64xbf16>, %b0: memref<4x32x8xbf16>,
                 %a1: memref<4x8x64xbf16>, %b1: memref<4x16x8xbf16>, %y: memref<?x48xbf16>) {
  frit.lora_matmul ins(%x, %ids : memref<?x64xbf16>, memref<?xi32>)
      weights(%a0, %b0, %a1, %b1 : memref<4x8x64xbf16>, memref<4x32x8xbf16>, memref<4x8x64xbf16>, memref<4x16x8xbf16>)
      outs(%y : memref<?x48xbf16>) {frit.kernel = #frit.kernel<"native.vector">}
  return
}

// CHECK-LABEL: func.func @large
// CHECK:       } {frit.grain = 1 : i64}
// CHECK:       } {frit.grain = 1 : i64}
func.func @large(%x: memref<?x4096xf32>, %ids: memref<?xi32>, %a: memref<4x16x4096xf32>, %b: memref<4x4096x16xf32>,
                 %y: memref<?x4096xf32>) {
  frit.lora_matmul ins(%x, %ids : memref<?x4096xf32>, memref<?xi32>)
      weights(%a, %b : memref<4x16x4096xf32>, memref<4x4096x16xf32>)
      outs(%y : memref<?x4096xf32>) {frit.kernel = #frit.kernel<"native.vector">}
  return
}

// A rank that only run time knows: the code's own size counts.
// CHECK-LABEL: func.func @dynamic
// CHECK-NOT:   frit.grain
func.func @dynamic(%x: memref<?x64xf32>, %ids: memref<?xi32>, %a: memref<4x?x64xf32>, %b: memref<4x64x?xf32>, %y: memref<?x64xf32>) {
  frit.lora_matmul ins(%x, %ids : memref<?x64xf32>, memref<?xi32>) weights(%a, %b : memref<4x?x64xf32>, memref<4x64x?xf32>)
      outs(%y : memref<?x64xf32>) {frit.kernel = #frit.kernel<"native.vector">}
  return
}

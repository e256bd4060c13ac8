// RUN: %frit_opt %s --pass-pipeline='builtin.module(convert-frit-to-vector,canonicalize)' | FileCheck %s

// Leading dimensions that collapse to no single stride: a row's number is taken
// apart.

// CHECK-LABEL: func @rank3
// CHECK-SAME: %[[X:[a-z0-9]*]]: memref<2x3x128xf16, strided<[1000, 200, 1]>>
// CHECK: scf.for %[[ROW:.*]] =
// CHECK: %[[I:.*]]:2 = affine.delinearize_index %[[ROW]] into (2, 3)
// CHECK: memref.subview %[[X]][%[[I]]#0, %[[I]]#1, 0] [1, 1, 64] [1, 1, 1] : {{.*}} to memref<64xf16, strided<[1], offset: ?>>
// CHECK: memref.subview %[[X]][%[[I]]#0, %[[I]]#1, 64] [1, 1, 64] [1, 1, 1]
func.func @rank3(%x: memref<2x3x128xf16, strided<[1000, 200, 1]>>, %y: memref<2x3x64xf16>) {
  frit.act_and_mul silu ins(%x : memref<2x3x128xf16, strided<[1000, 200, 1]>>)
    outs(%y : memref<2x3x64xf16>) {frit.kernel = #frit.kernel<"native.vector">}
  return
}

// CHECK-LABEL: func @rank1
// CHECK-SAME: %[[X:[a-z0-9]*]]: memref<128xf32>
// CHECK: memref.subview %[[X]][64] [64] [1] : memref<128xf32> to memref<64xf32, strided<[1], offset: 64>>
func.func @rank1(%x: memref<128xf32>, %y: memref<64xf32>) {
  frit.act_and_mul silu ins(%x : memref<128xf32>) outs(%y : memref<64xf32>)
    {frit.kernel = #frit.kernel<"native.vector">}
  return
}

// Sixteen rows of 1024 columns are one block of work, more are several.

// CHECK-LABEL: func @blocks
// CHECK: scf.parallel (%[[B:.*]]) = (%c0) to (%c4) step (%c1)
// CHECK: %[[FIRST:.*]] = arith.muli %[[B]], %c16
// CHECK: {frit.grain = 1 : i64}
func.func @blocks(%x: memref<64x2048xf32>, %y: memref<64x1024xf32>) {
  frit.act_and_mul silu ins(%x : memref<64x2048xf32>) outs(%y : memref<64x1024xf32>)
    {frit.kernel = #frit.kernel<"native.vector">}
  return
}

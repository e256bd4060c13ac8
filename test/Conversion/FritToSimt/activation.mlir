// RUN: %frit_opt %s --pass-pipeline='builtin.module(convert-frit-to-simt,canonicalize,cse)' | FileCheck %s

// CHECK-LABEL: func @packed
// CHECK-NOT: workgroup
// CHECK: gpu.launch
// CHECK-SAME: %c128,
// CHECK: vector.load {{.*}} {alignment = 16 : i64} {{.*}} vector<4xf32>
// CHECK: math.exp {{.*}} : vector<4xf32>
// CHECK: vector.store {{.*}} {alignment = 16 : i64}
// CHECK-NOT: gpu.barrier
// CHECK: gpu.terminator
func.func @packed(%x: memref<?x2048xf32>, %y: memref<?x1024xf32>) {
  frit.act_and_mul silu ins(%x : memref<?x2048xf32>) outs(%y : memref<?x1024xf32>)
    {frit.kernel = #frit.kernel<"native.simt">}
  return
}

// Leading dimensions that collapse to no single stride: a row's number is taken
// apart.

// CHECK-LABEL: func @rank3
// CHECK-SAME: %[[X:[a-z0-9]*]]: memref<2x3x16384xf16, strided<[100000, 20000, 1]>>
// CHECK: gpu.launch blocks(%[[ROW:[a-z0-9]*]], {{.*}} = %c6,
// CHECK: %[[I:.*]]:2 = affine.delinearize_index %[[ROW]] into (2, 3)
// CHECK: memref.subview %[[X]][%[[I]]#0, %[[I]]#1, 0] [1, 1, 8192]
// CHECK: memref.subview %[[X]][%[[I]]#0, %[[I]]#1, 8192] [1, 1, 8192]
func.func @rank3(%x: memref<2x3x16384xf16, strided<[100000, 20000, 1]>>, %y: memref<2x3x8192xf16>) {
  frit.act_and_mul gelu_tanh ins(%x : memref<2x3x16384xf16, strided<[100000, 20000, 1]>>)
    outs(%y : memref<2x3x8192xf16>) {frit.kernel = #frit.kernel<"native.simt">}
  return
}

// CHECK-LABEL: func @rank1
// CHECK-SAME: %[[X:[a-z0-9]*]]: memref<128xf32>
// CHECK: memref.subview %[[X]][64] [64] [1] : memref<128xf32> to memref<64xf32, strided<[1], offset: 64>>
func.func @rank1(%x: memref<128xf32>, %y: memref<64xf32>) {
  frit.act_and_mul gelu_erf ins(%x : memref<128xf32>) outs(%y : memref<64xf32>)
    {frit.kernel = #frit.kernel<"native.simt">}
  return
}

// UNSUPPORTED: plugin
// RUN: frit-test-opt %s --pass-pipeline='builtin.module(convert-frit-to-gpu,canonicalize,cse)' | FileCheck %s

// Contiguous: 2 * 3 rows.
// CHECK-LABEL: func.func @contiguous(
func.func @contiguous(%x: memref<2x3x8xbf16>, %y: memref<2x3x4xbf16>) {
  // CHECK-NOT: scf
  // CHECK-DAG: %[[T:.*]] = arith.constant 6 : i64
  // CHECK-DAG: %[[D:.*]] = arith.constant 4 : i64
  // CHECK-DAG: %[[STRIDE:.*]] = arith.constant 8 : i64
  // CHECK: gpu.launch_func {{.*}} args({{.*}}, %[[T]] : i64, %[[D]] : i64, %[[STRIDE]] : i64, %[[STRIDE]] : i64, %[[D]] : i64
  // CHECK-NOT: gpu.launch_func
  frit.gelu_and_mul_sparse ins(%x : memref<2x3x8xbf16>) outs(%y : memref<2x3x4xbf16>) std_multiplier = 1.5
      {frit.kernel = #frit.kernel<"test.specific">}
  return
}

// A gap after each third row: a loop over the outer dimension.
// CHECK-LABEL: func.func @gap(
func.func @gap(%x: memref<2x3x8xbf16, strided<[32, 8, 1]>>, %y: memref<2x3x4xbf16>) {
  // CHECK: scf.for %[[I:.*]] = %c0 to %c2 step %c1 {
  // CHECK:   memref.subview %{{.*}}[%[[I]], 0, 0] [1, 3, 8] [1, 1, 1]
  // CHECK:   gpu.launch_func {{.*}} args({{.*}}, %c3_i64 : i64, %c4_i64 : i64, %c8_i64 : i64
  // CHECK: }
  // CHECK-NOT: gpu.launch_func
  frit.gelu_and_mul_sparse ins(%x : memref<2x3x8xbf16, strided<[32, 8, 1]>>) outs(%y : memref<2x3x4xbf16>)
      std_multiplier = 1.5 {frit.kernel = #frit.kernel<"test.specific">}
  return
}

// Known at run time only: both, of which one runs.
// CHECK-LABEL: func.func @dynamic(
func.func @dynamic(%x: memref<?x3x8xbf16, strided<[?, ?, 1]>>, %y: memref<?x3x4xbf16>) {
  // CHECK: %[[ROWS:.*]] = arith.muli %{{.*}}#1, %c3
  // CHECK: %[[IS:.*]] = arith.cmpi eq, %{{.*}}#0, %[[ROWS]]
  // CHECK: scf.if %{{.*}} {
  // CHECK:   gpu.launch_func
  // CHECK: } else {
  // CHECK:   scf.for
  // CHECK:     gpu.launch_func
  frit.gelu_and_mul_sparse ins(%x : memref<?x3x8xbf16, strided<[?, ?, 1]>>) outs(%y : memref<?x3x4xbf16>)
      std_multiplier = 1.5 {frit.kernel = #frit.kernel<"test.specific">}
  return
}

// One row without a dimension of tokens.
// CHECK-LABEL: func.func @row(
func.func @row(%x: memref<8xbf16>, %y: memref<4xbf16>) {
  // CHECK: gpu.launch_func {{.*}} args({{.*}}, %c1_i64 : i64, %c4_i64 : i64
  frit.gelu_and_mul_sparse ins(%x : memref<8xbf16>) outs(%y : memref<4xbf16>)
      std_multiplier = 1.5 {frit.kernel = #frit.kernel<"test.specific">}
  return
}

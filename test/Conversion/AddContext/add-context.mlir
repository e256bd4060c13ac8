// RUN: %frit_opt %s --pass-pipeline='builtin.module(frit-add-context)' | FileCheck %s

// CHECK-LABEL: func.func @two_returns(
// CHECK-SAME:    %{{.*}}: !llvm.ptr, %[[X:.*]]: memref<4xf32> {frit.tensor = "x"}, %[[C:.*]]: i1) -> i32
func.func @two_returns(%x: memref<4xf32> {frit.tensor = "x"}, %c: i1) {
  cf.cond_br %c, ^first, ^second
^first:
  // CHECK: %[[OK1:.*]] = arith.constant 0 : i32
  // CHECK: return %[[OK1]] : i32
  return
^second:
  // CHECK: %[[OK2:.*]] = arith.constant 0 : i32
  // CHECK: return %[[OK2]] : i32
  return
}

// A declaration keeps its type, and its calls stay.
// CHECK: func.func private @extern(memref<4xf32>) -> f32
func.func private @extern(memref<4xf32>) -> f32

// CHECK-LABEL: func.func @calls_out(
// CHECK:         call @extern(%{{.*}}) : (memref<4xf32>) -> f32
func.func @calls_out(%x: memref<4xf32>) {
  %0 = call @extern(%x) : (memref<4xf32>) -> f32
  return
}

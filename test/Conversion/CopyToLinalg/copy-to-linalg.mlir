// RUN: %frit_opt %s --pass-pipeline='builtin.module(func.func(convert-strided-copy-to-linalg))' | FileCheck %s

// CHECK-LABEL: func.func @strided(
// CHECK-SAME: %[[X:.*]]: memref<?x8xf32>, %[[Y:.*]]: memref<?x8xf32, strided<[?, 1], offset: ?>>)
// CHECK-NOT: memref.copy
// CHECK: linalg.generic {{.*}} ins(%[[X]] : {{.*}}) outs(%[[Y]] :
// CHECK: return
func.func @strided(%x: memref<?x8xf32>, %y: memref<?x8xf32, strided<[?, 1], offset: ?>>) {
  memref.copy %x, %y : memref<?x8xf32> to memref<?x8xf32, strided<[?, 1], offset: ?>>
  return
}

// CHECK-LABEL: func.func @contiguous(
// CHECK-NEXT: memref.copy
// CHECK-NEXT: return
func.func @contiguous(%x: memref<?x8xf32>, %y: memref<?x8xf32>) {
  memref.copy %x, %y : memref<?x8xf32> to memref<?x8xf32>
  return
}

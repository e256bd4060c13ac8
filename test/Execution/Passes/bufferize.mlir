// RUN: %frit_opt %s --pass-pipeline='builtin.module(frit-add-out-params,eliminate-empty-tensors,frit-bufferize,canonicalize)' | FileCheck %s

// Results are computed in their destinations: no allocation, no copy.

// CHECK-LABEL: func.func @in_place(
// CHECK-SAME: %[[X:.*]]: memref<?x8xf32, strided<[?, 1], offset: ?>>,
// CHECK-SAME: %[[S:.*]]: memref<f32, strided<[], offset: ?>>,
// CHECK-SAME: %[[Y:.*]]: memref<?x8xf32, strided<[?, 1], offset: ?>>) {
// CHECK-NOT: memref.alloc
// CHECK-NOT: memref.copy
// CHECK: linalg.add {{.*}} outs(%[[Y]]
// CHECK-NEXT: return
func.func @in_place(%x: tensor<?x8xf32>, %s: tensor<f32>) -> tensor<?x8xf32> {
  %c0 = arith.constant 0 : index
  %rows = tensor.dim %x, %c0 : tensor<?x8xf32>
  %e = tensor.empty(%rows) : tensor<?x8xf32>
  %y = linalg.add ins(%x, %x : tensor<?x8xf32>, tensor<?x8xf32>) outs(%e : tensor<?x8xf32>) -> tensor<?x8xf32>
  return %y : tensor<?x8xf32>
}

// An argument that is overwritten is copied first: the caller's bytes stay.

// CHECK-LABEL: func.func @overwritten(
// CHECK-SAME: %[[X:[^:]*]]: memref<4xf32, strided<[1], offset: ?>>,
// CHECK-SAME: %[[Y:[^:]*]]: memref<4xf32, strided<[1], offset: ?>>) {
// CHECK-NOT: outs(%[[X]]
// CHECK: return
func.func @overwritten(%x: tensor<4xf32>) -> tensor<4xf32> {
  %y = linalg.exp ins(%x : tensor<4xf32>) outs(%x : tensor<4xf32>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}

// CHECK-LABEL: func.func @argument(
// CHECK-SAME: %[[X:[^:]*]]: memref<4xf32, strided<[1], offset: ?>>,
// CHECK-SAME: %[[Y:[^:]*]]: memref<4xf32, strided<[1], offset: ?>>) {
// CHECK-NEXT: memref.copy %[[X]], %[[Y]]
func.func @argument(%x: tensor<4xf32>) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}

// A large constant of one value is filled in: the program would hold all of it.

// CHECK-LABEL: func.func @large_constant(
// CHECK: memref.alloc{{.*}} : memref<4000000000000xf32>
// CHECK: linalg.map outs(%{{.*}} : memref<4000000000000xf32>)
// CHECK-LABEL: func.func @small_constant(
// CHECK: memref.get_global
func.func @large_constant(%i: index) -> f32 {
  %c = arith.constant dense<2.0> : tensor<4000000000000xf32>
  %e = tensor.extract %c[%i] : tensor<4000000000000xf32>
  return %e : f32
}
func.func @small_constant(%i: index) -> f32 {
  %c = arith.constant dense<2.0> : tensor<1000xf32>
  %e = tensor.extract %c[%i] : tensor<1000xf32>
  return %e : f32
}

// What the program frees is left to it, also under another type.

// CHECK-LABEL: func.func @freed_by_hand(
// CHECK: memref.alloc() {bufferization.manual_deallocation} : memref<4xf32>
// CHECK: memref.dealloc %{{.*}} {bufferization.manual_deallocation}
// CHECK: memref.alloc() {alignment = 64 : i64} : memref<4xf32>
func.func @freed_by_hand(%x: memref<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
  %a = memref.alloc() : memref<4xf32>
  %v = memref.cast %a : memref<4xf32> to memref<?xf32>
  linalg.copy ins(%x : memref<4xf32>) outs(%v : memref<?xf32>)
  linalg.exp ins(%v : memref<?xf32>) outs(%x : memref<4xf32>)
  memref.dealloc %v : memref<?xf32>
  %e = tensor.empty() : tensor<4xf32>
  %0 = linalg.exp ins(%y : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %1 = linalg.add ins(%0, %y : tensor<4xf32>, tensor<4xf32>) outs(%y : tensor<4xf32>) -> tensor<4xf32>
  return %1 : tensor<4xf32>
}

// RUN: %frit_opt %s --pass-pipeline='builtin.module(frit-add-out-params)' | FileCheck %s

// Arguments become read-only unless they say otherwise; a destination has inner stride 1.

// CHECK-LABEL: func.func @results(
// CHECK-SAME: %[[X:.*]]: tensor<?x4x8xf32> {bufferization.writable = false},
// CHECK-SAME: %[[Y:.*]]: tensor<4xf16> {bufferization.writable = true},
// CHECK-SAME: %[[N:[^:]*]]: index,
// CHECK-SAME: %[[A:.*]]: memref<?x4x8xf32, strided<[?, ?, 1], offset: ?>>,
// CHECK-SAME: %[[B:.*]]: memref<index, strided<[], offset: ?>>,
// CHECK-SAME: %[[C:.*]]: memref<4xf16, strided<[1], offset: ?>>) {
// CHECK-NEXT: bufferization.materialize_in_destination %[[X]] in restrict writable %[[A]]
// CHECK-NEXT: memref.store %[[N]], %[[B]][]
// CHECK-NEXT: bufferization.materialize_in_destination %[[Y]] in restrict writable %[[C]]
// CHECK-NEXT: return
func.func @results(%x: tensor<?x4x8xf32>, %y: tensor<4xf16> {bufferization.writable = true}, %n: index)
    -> (tensor<?x4x8xf32>, index, tensor<4xf16>) {
  return %x, %n, %y : tensor<?x4x8xf32>, index, tensor<4xf16>
}

// Each return writes.

// CHECK-LABEL: func.func @branches(
// CHECK-COUNT-2: bufferization.materialize_in_destination
func.func @branches(%c: i1, %x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
  cf.cond_br %c, ^a, ^b
^a:
  return %x : tensor<4xf32>
^b:
  return %y : tensor<4xf32>
}

// CHECK-LABEL: func.func @nothing() {
func.func @nothing() {
  return
}

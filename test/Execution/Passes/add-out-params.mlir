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

// What a result is computed from is written before the result.

// CHECK-LABEL: func.func @order(
// CHECK-SAME:  %[[X:.*]]: tensor<4xf32> {bufferization.writable = false},
// CHECK-SAME:  %[[A:[^:]*]]: memref<4xf32, strided<[1], offset: ?>>, %[[B:[^:]*]]: memref<4xf32, strided<[1], offset: ?>>,
// CHECK-SAME:  %[[C:[^:]*]]: memref<4xf32, strided<[1], offset: ?>>)
// CHECK:       %[[FIRST:.*]] = linalg.exp
// CHECK:       %[[SECOND:.*]] = linalg.add
// CHECK-NEXT:  bufferization.materialize_in_destination %[[X]] in restrict writable %[[C]]
// CHECK-NEXT:  bufferization.materialize_in_destination %[[FIRST]] in restrict writable %[[B]]
// CHECK-NEXT:  bufferization.materialize_in_destination %[[SECOND]] in restrict writable %[[A]]
func.func @order(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
  %e = tensor.empty() : tensor<4xf32>
  %first = linalg.exp ins(%x : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %second = linalg.add ins(%x, %x : tensor<4xf32>, tensor<4xf32>) outs(%first : tensor<4xf32>) -> tensor<4xf32>
  return %second, %first, %x : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
}

// Each return writes, and so none is alone with the destination.

// CHECK-LABEL: func.func @branches(
// CHECK-COUNT-2: bufferization.materialize_in_destination %{{.*}} in writable
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

// RUN: %frit_opt %s --pass-pipeline='builtin.module(frit-eliminate-empty-tensors)' | FileCheck %s

// A result is computed in its destination.

// CHECK-LABEL: func.func @chain(
// CHECK-SAME:    %{{.*}}: tensor<4xf32>, %[[OUT:.*]]: memref<4xf32>)
// CHECK:       %[[D:.*]] = bufferization.to_tensor %[[OUT]] restrict writable
// CHECK:       linalg.exp {{.*}} outs(%[[D]] :
// CHECK:       bufferization.materialize_in_destination %{{.*}} in writable %[[OUT]]
func.func @chain(%x: tensor<4xf32>, %out: memref<4xf32>) {
  %e = tensor.empty() : tensor<4xf32>
  %b = linalg.exp ins(%x : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %r = linalg.add ins(%x, %x : tensor<4xf32>, tensor<4xf32>) outs(%b : tensor<4xf32>) -> tensor<4xf32>
  bufferization.materialize_in_destination %r in restrict writable %out : (tensor<4xf32>, memref<4xf32>) -> ()
  return
}

// What is written elsewhere afterwards stays apart, also behind a view.

// CHECK-LABEL: func.func @written_later(
// CHECK-NOT:   bufferization.to_tensor
// CHECK:       return
func.func @written_later(%x: tensor<4xf32>, %out: memref<4xf32>, %more: memref<2x2xf32>) {
  %e = tensor.empty() : tensor<4xf32>
  %b = linalg.exp ins(%x : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %v = tensor.expand_shape %b [[0, 1]] output_shape [2, 2] : tensor<4xf32> into tensor<2x2xf32>
  %r = linalg.add ins(%x, %x : tensor<4xf32>, tensor<4xf32>) outs(%b : tensor<4xf32>) -> tensor<4xf32>
  bufferization.materialize_in_destination %r in restrict writable %out : (tensor<4xf32>, memref<4xf32>) -> ()
  bufferization.materialize_in_destination %v in writable %more : (tensor<2x2xf32>, memref<2x2xf32>) -> ()
  return
}

// In front of the write it may be read.

// CHECK-LABEL: func.func @written_before(
// CHECK-SAME:    %{{.*}}: tensor<4xf32>, %[[OUT:[^:]*]]: memref<4xf32>,
// CHECK:       bufferization.to_tensor %[[OUT]] restrict writable
func.func @written_before(%x: tensor<4xf32>, %out: memref<4xf32>, %more: memref<4xf32>) {
  %e = tensor.empty() : tensor<4xf32>
  %b = linalg.exp ins(%x : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %r = linalg.add ins(%x, %x : tensor<4xf32>, tensor<4xf32>) outs(%b : tensor<4xf32>) -> tensor<4xf32>
  bufferization.materialize_in_destination %b in writable %more : (tensor<4xf32>, memref<4xf32>) -> ()
  bufferization.materialize_in_destination %r in restrict writable %out : (tensor<4xf32>, memref<4xf32>) -> ()
  return
}

// A loop comes back to the reader in front of the write.

// CHECK-LABEL: func.func @loop(
// CHECK-NOT:   bufferization.to_tensor
// CHECK:       return
func.func @loop(%x: tensor<4xf32>, %out: memref<4xf32>, %more: memref<4xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %e = tensor.empty() : tensor<4xf32>
  %b = linalg.exp ins(%x : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  scf.for %i = %c0 to %n step %c1 {
    bufferization.materialize_in_destination %b in writable %more : (tensor<4xf32>, memref<4xf32>) -> ()
    %r = linalg.add ins(%x, %x : tensor<4xf32>, tensor<4xf32>) outs(%b : tensor<4xf32>) -> tensor<4xf32>
    bufferization.materialize_in_destination %r in restrict writable %out : (tensor<4xf32>, memref<4xf32>) -> ()
  }
  return
}

// What is inserted into a tensor of a memref, and read later, may have been overwritten there.

// CHECK-LABEL: func.func @read_after_insertion(
// CHECK:       %[[T:.*]] = bufferization.to_tensor
// CHECK-NOT:   tensor.extract_slice
// CHECK:       %[[PART:.*]] = linalg.exp {{.*}} outs(%{{.*}} : tensor<2xf32>)
// CHECK-NEXT:  tensor.insert_slice %[[PART]] into %[[T]]
func.func @read_after_insertion(%x: tensor<2xf32>, %out: memref<4xf32>, %more: memref<2xf32>) {
  %t = bufferization.to_tensor %out restrict writable : memref<4xf32> to tensor<4xf32>
  %e = tensor.empty() : tensor<2xf32>
  %part = linalg.exp ins(%x : tensor<2xf32>) outs(%e : tensor<2xf32>) -> tensor<2xf32>
  %a = tensor.insert_slice %part into %t[0] [2] [1] : tensor<2xf32> into tensor<4xf32>
  bufferization.materialize_in_destination %a in writable %out : (tensor<4xf32>, memref<4xf32>) -> ()
  bufferization.materialize_in_destination %part in writable %more : (tensor<2xf32>, memref<2xf32>) -> ()
  return
}

// CHECK-LABEL: func.func @read_before_insertion(
// CHECK:       %[[T:.*]] = bufferization.to_tensor
// CHECK:       %[[PART:.*]] = tensor.extract_slice %[[T]]
// CHECK:       linalg.exp {{.*}} outs(%[[PART]] :
func.func @read_before_insertion(%x: tensor<2xf32>, %out: memref<4xf32>, %more: memref<2xf32>) {
  %t = bufferization.to_tensor %out restrict writable : memref<4xf32> to tensor<4xf32>
  %e = tensor.empty() : tensor<2xf32>
  %part = linalg.exp ins(%x : tensor<2xf32>) outs(%e : tensor<2xf32>) -> tensor<2xf32>
  bufferization.materialize_in_destination %part in writable %more : (tensor<2xf32>, memref<2xf32>) -> ()
  %a = tensor.insert_slice %part into %t[0] [2] [1] : tensor<2xf32> into tensor<4xf32>
  bufferization.materialize_in_destination %a in writable %out : (tensor<4xf32>, memref<4xf32>) -> ()
  return
}

// RUN: %frit_opt %s --pass-pipeline='builtin.module(frit-split-empty-tensors)' | FileCheck %s
// RUN: %frit_opt %s --pass-pipeline='builtin.module(frit-add-out-params,frit-split-empty-tensors,eliminate-empty-tensors,frit-bufferize)' | FileCheck %s --check-prefix=IN-PLACE

// Each branch has a destination of its own, and so both write to the result.

// CHECK-LABEL: func.func @branches
// CHECK-COUNT-2: tensor.empty
// CHECK-NOT: tensor.empty
// CHECK: scf.if
// CHECK: linalg.exp {{.*}} outs(%[[A:.*]] :
// CHECK-NOT: outs(%[[A]] :
// CHECK: linalg.abs
// IN-PLACE-LABEL: func.func @branches
// IN-PLACE-SAME: %[[Y:[^ ]*]]: memref<4xf32, strided<[1], offset: ?>>) {
// IN-PLACE-NOT: memref.alloc
// IN-PLACE: linalg.exp {{.*}} outs(%[[Y]] :
// IN-PLACE-NOT: memref.alloc
// IN-PLACE: linalg.abs {{.*}} outs(%[[Y]] :
func.func @branches(%x: tensor<4xf32>, %c: i1) -> tensor<4xf32> {
  %e = tensor.empty() : tensor<4xf32>
  %r = scf.if %c -> tensor<4xf32> {
    %0 = linalg.exp ins(%x : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
    scf.yield %0 : tensor<4xf32>
  } else {
    %1 = linalg.abs ins(%x : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
    scf.yield %1 : tensor<4xf32>
  }
  return %r : tensor<4xf32>
}

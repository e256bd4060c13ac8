// RUN: %frit_opt %s --pass-pipeline='builtin.module(frit-split-empty-tensors)' | FileCheck %s

// One of the branches runs: one destination.

// CHECK-LABEL: func.func @branches
// CHECK: %[[E:.*]] = tensor.empty
// CHECK-NOT: tensor.empty
// CHECK: scf.if
// CHECK: linalg.exp {{.*}} outs(%[[E]] :
// CHECK: linalg.abs {{.*}} outs(%[[E]] :
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

// Both run: each has its own.

// CHECK-LABEL: func.func @both
// CHECK: %[[A:.*]] = tensor.empty
// CHECK: %[[B:.*]] = tensor.empty
// CHECK-DAG: outs(%[[A]] :
// CHECK-DAG: outs(%[[B]] :
func.func @both(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %e = tensor.empty() : tensor<4xf32>
  %0 = linalg.exp ins(%x : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %1 = linalg.abs ins(%x : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  return %0, %1 : tensor<4xf32>, tensor<4xf32>
}

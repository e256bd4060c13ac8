// RUN: %frit_opt %s --pass-pipeline='builtin.module(frit-separate-loop-values)' | FileCheck %s

// One tensor twice.

// CHECK-LABEL: func.func @twice
// CHECK: %[[N:.*]] = linalg.negf
// CHECK: %[[COPY:.*]] = bufferization.alloc_tensor() copy(%[[N]]) : tensor<?xf32>
// CHECK: scf.yield %[[N]], %[[COPY]], %
func.func @twice(%x: tensor<?xf32>, %y: tensor<?xf32>, %n: index) -> (tensor<?xf32>, tensor<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r:3 = scf.for %i = %c0 to %n step %c1 iter_args(%p = %x, %q = %y, %k = %c0) -> (tensor<?xf32>, tensor<?xf32>, index) {
    %d = tensor.dim %p, %c0 : tensor<?xf32>
    %e = tensor.empty(%d) : tensor<?xf32>
    %m = linalg.negf ins(%p : tensor<?xf32>) outs(%e : tensor<?xf32>) -> tensor<?xf32>
    scf.yield %m, %m, %i : tensor<?xf32>, tensor<?xf32>, index
  }
  return %r#0, %r#1 : tensor<?xf32>, tensor<?xf32>
}

// A part of the other one, behind a branch.

// CHECK-LABEL: func.func @part
// CHECK: %[[IF:.*]] = scf.if
// CHECK: %[[COPY:.*]] = bufferization.alloc_tensor() copy(%[[IF]]) : tensor<2xf32>
// CHECK: scf.yield %{{.*}}, %[[COPY]] :
func.func @part(%x: tensor<4xf32>, %y: tensor<2xf32>, %n: index, %c: i1) -> (tensor<4xf32>, tensor<2xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%p = %x, %q = %y) -> (tensor<4xf32>, tensor<2xf32>) {
    %e = tensor.empty() : tensor<4xf32>
    %m = linalg.negf ins(%p : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
    %s = tensor.extract_slice %m[1] [2] [1] : tensor<4xf32> to tensor<2xf32>
    %b = scf.if %c -> (tensor<2xf32>) {
      scf.yield %q : tensor<2xf32>
    } else {
      scf.yield %s : tensor<2xf32>
    }
    scf.yield %m, %b : tensor<4xf32>, tensor<2xf32>
  }
  return %r#0, %r#1 : tensor<4xf32>, tensor<2xf32>
}

// What the condition of a while passes on, and what its body does.

// CHECK-LABEL: func.func @while
// CHECK: %[[COPY:.*]] = bufferization.alloc_tensor() copy(%[[A:.*]]) : tensor<4xf32>
// CHECK: scf.condition(%{{.*}}) %[[A]], %[[COPY]] :
// CHECK: %[[OTHER:.*]] = bufferization.alloc_tensor() copy(%[[M:.*]]) : tensor<4xf32>
// CHECK: scf.yield %[[M]], %[[OTHER]] :
func.func @while(%x: tensor<4xf32>, %y: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %r:2 = scf.while (%p = %x, %q = %y) : (tensor<4xf32>, tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
    %v = tensor.extract %q[%c0] : tensor<4xf32>
    %go = arith.cmpf ogt, %v, %zero : f32
    scf.condition(%go) %p, %p : tensor<4xf32>, tensor<4xf32>
  } do {
  ^bb0(%a: tensor<4xf32>, %b: tensor<4xf32>):
    %e = tensor.empty() : tensor<4xf32>
    %m = linalg.sub ins(%a, %b : tensor<4xf32>, tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
    scf.yield %m, %m : tensor<4xf32>, tensor<4xf32>
  }
  return %r#0, %r#1 : tensor<4xf32>, tensor<4xf32>
}

// Tensors of their own, exchanged, are left alone.

// CHECK-LABEL: func.func @separate
// CHECK-NOT: alloc_tensor
func.func @separate(%x: tensor<4xf32>, %y: tensor<4xf32>, %n: index) -> (tensor<4xf32>, tensor<4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%p = %x, %q = %y) -> (tensor<4xf32>, tensor<4xf32>) {
    %m = linalg.negf ins(%q : tensor<4xf32>) outs(%p : tensor<4xf32>) -> tensor<4xf32>
    scf.yield %q, %m : tensor<4xf32>, tensor<4xf32>
  }
  return %r#0, %r#1 : tensor<4xf32>, tensor<4xf32>
}

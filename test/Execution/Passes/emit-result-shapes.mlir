// RUN: %frit_opt %s --pass-pipeline='builtin.module(frit-emit-result-shapes)' | FileCheck %s

// Sizes follow from the arguments: no computation is left. A scalar has no size.

// CHECK-LABEL: func.func @sizes(
// CHECK-LABEL: func.func @sizes__shapes(
// CHECK-SAME: %[[X:.*]]: tensor<?x8xf32>, %[[N:.*]]: index) -> tensor<3xindex>
// CHECK-DAG: %[[C0:.*]] = arith.constant 0 : index
// CHECK-DAG: %[[C8:.*]] = arith.constant 8 : index
// CHECK: %[[ROWS:.*]] = tensor.dim %[[X]], %[[C0]]
// CHECK-NOT: linalg
// CHECK: %[[NONE:.*]] = tensor.empty() : tensor<3xindex>
// CHECK: %[[ONE:.*]] = tensor.insert %[[ROWS]] into %[[NONE]][%[[C0]]] : tensor<3xindex>
// CHECK: %[[TWO:.*]] = tensor.insert %[[C8]] into %[[ONE]][%{{.*}}] : tensor<3xindex>
// CHECK: %[[ALL:.*]] = tensor.insert %[[N]] into %[[TWO]][%{{.*}}] : tensor<3xindex>
// CHECK-NEXT: return %[[ALL]]
func.func @sizes(%x: tensor<?x8xf32>, %n: index) -> (tensor<?x8xf32>, f32, tensor<?xf32>) {
  %c0 = arith.constant 0 : index
  %one = arith.constant 1.0 : f32
  %rows = tensor.dim %x, %c0 : tensor<?x8xf32>
  %e = tensor.empty(%rows) : tensor<?x8xf32>
  %sum = linalg.add ins(%x, %x : tensor<?x8xf32>, tensor<?x8xf32>) outs(%e : tensor<?x8xf32>) -> tensor<?x8xf32>
  %f = tensor.empty(%n) : tensor<?xf32>
  %ones = linalg.fill ins(%one : f32) outs(%f : tensor<?xf32>) -> tensor<?xf32>
  return %sum, %one, %ones : tensor<?x8xf32>, f32, tensor<?xf32>
}

// Frit's ops reify the shapes of their results.

// CHECK-LABEL: func.func @frit__shapes(
// CHECK: tensor.dim %{{.*}}, %{{.*}} : tensor<?x64xf32>
// CHECK-NOT: frit.act_and_mul
// CHECK: return
func.func @frit(%x: tensor<?x64xf32>) -> tensor<?x32xf32> {
  %c0 = arith.constant 0 : index
  %rows = tensor.dim %x, %c0 : tensor<?x64xf32>
  %e = tensor.empty(%rows) : tensor<?x32xf32>
  %y = frit.act_and_mul silu ins(%x : tensor<?x64xf32>) outs(%e : tensor<?x32xf32>) -> tensor<?x32xf32>
  return %y : tensor<?x32xf32>
}

// A loop is not run for the size of a tensor that it updates.

// CHECK-LABEL: func.func @loop__shapes(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<?x4xf32>
// CHECK-NOT: scf.for
// CHECK: tensor.dim %[[X]]
// CHECK-NOT: scf.for
// CHECK: return
func.func @loop(%x: tensor<?x4xf32>, %n: index) -> tensor<?x4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x) -> (tensor<?x4xf32>) {
    %d = linalg.exp ins(%a : tensor<?x4xf32>) outs(%a : tensor<?x4xf32>) -> tensor<?x4xf32>
    scf.yield %d : tensor<?x4xf32>
  }
  return %r : tensor<?x4xf32>
}

// One that changes the size is.

// CHECK-LABEL: func.func @growing__shapes(
// CHECK: scf.for
// CHECK: tensor.dim
func.func @growing(%x: tensor<?xf32>, %n: index) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x) -> (tensor<?xf32>) {
    %size = tensor.dim %a, %c0 : tensor<?xf32>
    %more = arith.addi %size, %c1 : index
    %e = tensor.empty(%more) : tensor<?xf32>
    %d = linalg.fill ins(%zero : f32) outs(%e : tensor<?xf32>) -> tensor<?xf32>
    scf.yield %d : tensor<?xf32>
  }
  return %r : tensor<?xf32>
}

// A size that depends on data is computed.

// CHECK-LABEL: func.func @data__shapes(
// CHECK: tensor.extract
// CHECK: tensor.insert
func.func @data(%n: tensor<i64>) -> tensor<?xf32> {
  %zero = arith.constant 0.0 : f32
  %s = tensor.extract %n[] : tensor<i64>
  %size = arith.index_cast %s : i64 to index
  %e = tensor.empty(%size) : tensor<?xf32>
  %r = linalg.fill ins(%zero : f32) outs(%e : tensor<?xf32>) -> tensor<?xf32>
  return %r : tensor<?xf32>
}

// Nothing is emitted for static results, private functions and declarations.

// CHECK-NOT: @static__shapes
// CHECK-NOT: @private__shapes
// CHECK-NOT: @declared__shapes
func.func @static(%x: tensor<4xf32>) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}
func.func private @private(%x: tensor<?xf32>) -> tensor<?xf32> {
  return %x : tensor<?xf32>
}
func.func private @declared(%x: tensor<?xf32>) -> tensor<?xf32>

// RUN: %frit_opt %s --pass-pipeline='builtin.module(frit-emit-result-shapes,frit-record-signatures)' | FileCheck %s

// The result has the name of the argument's dimension.
// CHECK-LABEL: func.func @named(
// CHECK-SAME: attributes {frit.signature = {dims = {{\[}}["tokens", ""], [], ["tokens", ""]], name = "named",
// CHECK-SAME: type = (tensor<?x8xf32>, f32) -> tensor<?x8xf32>, values = ["x", "", ""]}}
func.func @named(%x: tensor<?x8xf32> {frit.dims = ["tokens", ""], frit.tensor = "x"}, %s: f32) -> tensor<?x8xf32> {
  return %x : tensor<?x8xf32>
}
// The function that computes sizes is not one to describe.
// CHECK: func.func @named__shapes(
// CHECK-NOT: frit.signature

// A dimension that a result needs gets a name.
// CHECK-LABEL: func.func @unnamed(
// CHECK-SAME: dims = {{\[}}["", "arg0.1"], ["arg0.1"]]
func.func @unnamed(%x: tensor<?x?xf32>) -> tensor<?xf32> {
  %c1 = arith.constant 1 : index
  %n = tensor.dim %x, %c1 : tensor<?x?xf32>
  %y = tensor.empty(%n) : tensor<?xf32>
  return %y : tensor<?xf32>
}

// Another size has none: the function for the sizes is asked.
// CHECK-LABEL: func.func @computed(
// CHECK-SAME: dims = {{\[}}["n"], [""]]
func.func @computed(%x: tensor<?xf32> {frit.dims = ["n"]}) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = tensor.dim %x, %c0 : tensor<?xf32>
  %m = arith.addi %n, %c1 : index
  %y = tensor.empty(%m) : tensor<?xf32>
  return %y : tensor<?xf32>
}

// CHECK-LABEL: func.func @memref(
// CHECK-SAME: type = (memref<4x?xf16, strided<[?, 1], offset: ?>>) -> ()
func.func @memref(%x: memref<4x?xf16, strided<[?, 1], offset: ?>>) {
  return
}

// Private functions, and values that no descriptor stands for.
// CHECK-NOT: frit.signature
func.func private @hidden(%x: tensor<4xf32>) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}
func.func @space(%x: memref<4xf32, 1>) {
  return
}
func.func @complex(%x: tensor<4xcomplex<f32>>) {
  return
}
func.func @width(%x: i24) {
  return
}

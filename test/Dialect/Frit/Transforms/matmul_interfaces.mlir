// A matmul tiled over its tokens, bufferized, and checked at run time.
// RUN: split-file %s %t
// RUN: %frit_opt %t/tile.mlir --pass-pipeline='builtin.module(transform-interpreter,canonicalize,cse)' | FileCheck %t/tile.mlir
// RUN: %frit_opt %t/bufferize.mlir --pass-pipeline='builtin.module(one-shot-bufferize{bufferize-function-boundaries function-boundary-type-conversion=identity-layout-map})' | FileCheck %t/bufferize.mlir
// RUN: %frit_opt %t/sizes.mlir --pass-pipeline='builtin.module(frit-check-sizes,canonicalize,cse)' | FileCheck %t/sizes.mlir

//--- tile.mlir
// Weights and bias stay whole; a transposed left factor is cut along its columns.
// CHECK-LABEL: func @linear
// CHECK-SAME:    %[[X:.*]]: tensor<64x?xbf16>, %[[W:.*]]: tensor<16x64xbf16>, %[[BIAS:.*]]: tensor<16xbf16>, %[[Y:.*]]: tensor<?x16xbf16>)
// CHECK:         scf.for %[[I:.*]] = {{.*}} iter_args(%[[Y0:.*]] = %[[Y]])
// CHECK:           %[[SIZE:.*]] = affine.min
// CHECK:           %[[TX:.*]] = tensor.extract_slice %[[X]][0, %[[I]]] [64, %[[SIZE]]] [1, 1]
// CHECK:           %[[TY:.*]] = tensor.extract_slice %[[Y0]][%[[I]], 0] [%[[SIZE]], 16] [1, 1]
// CHECK:           frit.matmul ins(%[[TX]], %[[W]] : {{.*}}) bias(%[[BIAS]] : tensor<16xbf16>) outs(%[[TY]] : tensor<?x16xbf16>) transpose_a transpose_b ->
func.func @linear(%x: tensor<64x?xbf16>, %w: tensor<16x64xbf16>, %bias: tensor<16xbf16>, %y: tensor<?x16xbf16>) -> tensor<?x16xbf16> {
  %0 = frit.matmul ins(%x, %w : tensor<64x?xbf16>, tensor<16x64xbf16>) bias(%bias : tensor<16xbf16>) outs(%y : tensor<?x16xbf16>) transpose_a transpose_b -> tensor<?x16xbf16>
  return %0 : tensor<?x16xbf16>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %op = transform.structured.match ops{["frit.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
    %tiled, %loop = transform.structured.tile_using_for %op tile_sizes [4] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}

//--- bufferize.mlir
// Only an accumulating matmul reads its destination: what is in another's is not copied.
// CHECK-LABEL: func @overwritten(
// CHECK-NOT:     memref.copy
// CHECK:         return
func.func @overwritten(%a: tensor<4x8xf32>, %b: tensor<8x16xf32>, %y: tensor<4x16xf32>) -> (tensor<4x16xf32>, tensor<4x16xf32>) {
  %0 = frit.matmul ins(%a, %b : tensor<4x8xf32>, tensor<8x16xf32>) outs(%y : tensor<4x16xf32>) -> tensor<4x16xf32>
  return %0, %y : tensor<4x16xf32>, tensor<4x16xf32>
}
// CHECK-LABEL: func @accumulated(
// CHECK:         memref.copy
func.func @accumulated(%a: tensor<4x8xf32>, %b: tensor<8x16xf32>, %y: tensor<4x16xf32>) -> (tensor<4x16xf32>, tensor<4x16xf32>) {
  %0 = frit.matmul ins(%a, %b : tensor<4x8xf32>, tensor<8x16xf32>) outs(%y : tensor<4x16xf32>) accumulate -> tensor<4x16xf32>
  return %0, %y : tensor<4x16xf32>, tensor<4x16xf32>
}

//--- sizes.mlir
// CHECK-LABEL: func @dynamic(
// CHECK-DAG:     cf.assert {{.*}} dimension 1 of 'a' and dimension 1 of 'out' differ
// CHECK-DAG:     cf.assert {{.*}} dimension 2 of 'a' and dimension 1 of 'b' differ
// CHECK-DAG:     cf.assert {{.*}} dimension 0 of 'b' and dimension 2 of 'out' differ
// CHECK-DAG:     cf.assert {{.*}} dimension 0 of 'out' and dimension 0 of 'a' differ
// CHECK-DAG:     cf.assert {{.*}} dimension 0 of 'bias' and dimension 2 of 'out' differ
func.func @dynamic(%a: tensor<?x?x?xf32>, %b: tensor<?x?xf32>, %bias: tensor<?xf32>, %y: tensor<?x?x?xf32>) -> tensor<?x?x?xf32> {
  %0 = frit.matmul ins(%a, %b : tensor<?x?x?xf32>, tensor<?x?xf32>) bias(%bias : tensor<?xf32>) outs(%y : tensor<?x?x?xf32>) transpose_b -> tensor<?x?x?xf32>
  return %0 : tensor<?x?x?xf32>
}

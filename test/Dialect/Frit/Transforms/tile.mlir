// RUN: %frit_opt %s --pass-pipeline='builtin.module(transform-interpreter,canonicalize,cse)' -split-input-file | FileCheck %s

// A gated op tiles over each leading dimension; rows stay whole.

// CHECK-LABEL: func @packed_two_leading_dims
// CHECK-SAME: %[[X:.*]]: tensor<?x4x64xbf16>, %[[Y:.*]]: tensor<?x4x32xbf16>
// CHECK: scf.for %[[I:.*]] = {{.*}} iter_args(%[[Y0:.*]] = %[[Y]])
// CHECK: scf.for %[[J:.*]] = {{.*}} iter_args(%[[Y1:.*]] = %[[Y0]])
// CHECK: %[[SIZE:.*]] = affine.min
// CHECK: %[[TX:.*]] = tensor.extract_slice %[[X]][%[[I]], %[[J]], 0] [%[[SIZE]], 2, 64] [1, 1, 1]
// CHECK: %[[TY:.*]] = tensor.extract_slice %[[Y1]][%[[I]], %[[J]], 0] [%[[SIZE]], 2, 32] [1, 1, 1]
// CHECK: %[[R:.*]] = frit.gelu_and_mul_sparse ins(%[[TX]] : tensor<?x2x64xbf16>) outs(%[[TY]] : tensor<?x2x32xbf16>)
// CHECK-SAME: std_multiplier = 1.500000e+00 approximate = erf
// CHECK-SAME: {frit.kernel = #frit.kernel<"native.vector">}
// CHECK: tensor.insert_slice %[[R]] into %[[Y1]][%[[I]], %[[J]], 0] [%[[SIZE]], 2, 32]
func.func @packed_two_leading_dims(%x: tensor<?x4x64xbf16>, %y: tensor<?x4x32xbf16>) -> tensor<?x4x32xbf16> {
  %0 = frit.gelu_and_mul_sparse ins(%x : tensor<?x4x64xbf16>) outs(%y : tensor<?x4x32xbf16>)
      std_multiplier = 1.5 approximate = erf {frit.kernel = #frit.kernel<"native.vector">}
      -> tensor<?x4x32xbf16>
  return %0 : tensor<?x4x32xbf16>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %op = transform.structured.match ops{["frit.gelu_and_mul_sparse"]} in %root : (!transform.any_op) -> !transform.any_op
    %tiled, %loops:2 = transform.structured.tile_using_for %op tile_sizes [8, 2]
        : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

// On memrefs a tile is a subview, whose inner stride stays 1.

// CHECK-LABEL: func @separate_memrefs
// CHECK-SAME: %[[GATE:.*]]: memref<16x32xf32>, %[[UP:.*]]: memref<16x32xf32, strided<[64, 1], offset: 32>>, %[[Y:.*]]: memref<16x32xf32>
// CHECK: scf.for %[[I:.*]] =
// CHECK: %[[TG:.*]] = memref.subview %[[GATE]][%[[I]], 0] [4, 32] [1, 1]
// CHECK: %[[TU:.*]] = memref.subview %[[UP]][%[[I]], 0] [4, 32] [1, 1]
// CHECK: %[[TY:.*]] = memref.subview %[[Y]][%[[I]], 0] [4, 32] [1, 1]
// CHECK: frit.act_and_mul silu ins(%[[TG]], %[[TU]] : memref<4x32xf32, strided<[32, 1], offset: ?>>, memref<4x32xf32, strided<[64, 1], offset: ?>>)
// CHECK-SAME: outs(%[[TY]] : memref<4x32xf32, strided<[32, 1], offset: ?>>)
func.func @separate_memrefs(%gate: memref<16x32xf32>, %up: memref<16x32xf32, strided<[64, 1], offset: 32>>,
                            %y: memref<16x32xf32>) {
  frit.act_and_mul silu ins(%gate, %up : memref<16x32xf32>, memref<16x32xf32, strided<[64, 1], offset: 32>>)
      outs(%y : memref<16x32xf32>)
  return
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %op = transform.structured.match ops{["frit.act_and_mul"]} in %root : (!transform.any_op) -> !transform.any_op
    %tiled, %loop = transform.structured.tile_using_for %op tile_sizes [4]
        : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

// A LoRA op tiles over tokens: weights are whole in each tile, and the grouping,
// which speaks of all tokens, is dropped.

// CHECK-LABEL: func @lora_matmul
// CHECK-SAME: %[[X:[^:]*]]: tensor<?x16xf32>, %[[IDS:[^:]*]]: tensor<?xi32>, %[[A:[^:]*]]: tensor<2x3x16xf32>, %[[B:[^:]*]]: tensor<2x8x3xf32>, %[[SCALES:[^:]*]]: tensor<2xf32>, %[[RANKS:[^:]*]]: tensor<2xi32>
// CHECK: scf.forall {{.*}} shared_outs(%[[Y:.*]] =
// CHECK: %[[I:.*]] = affine.apply
// CHECK-DAG: %[[TX:.*]] = tensor.extract_slice %[[X]][%[[I]], 0] [%[[SIZE:.*]], 16] [1, 1]
// CHECK-DAG: %[[TIDS:.*]] = tensor.extract_slice %[[IDS]][%[[I]]] [%[[SIZE]]] [1]
// CHECK-DAG: %[[TY:.*]] = tensor.extract_slice %[[Y]][%[[I]], 0] [%[[SIZE]], 20] [1, 1]
// CHECK: %[[R:.*]] = frit.lora_matmul ins(%[[TX]], %[[TIDS]] : tensor<?x16xf32>, tensor<?xi32>)
// CHECK-SAME: weights(%[[A]], %[[B]] :
// CHECK-SAME: scales(%[[SCALES]] : tensor<2xf32>) ranks(%[[RANKS]] : tensor<2xi32>) outs(%[[TY]] : tensor<?x20xf32>)
// CHECK-SAME: scale = 5.000000e-01 offset = 4 -> tensor<?x20xf32>
// CHECK: tensor.parallel_insert_slice %[[R]] into %[[Y]][%[[I]], 0] [%[[SIZE]], 20] [1, 1]
func.func @lora_matmul(%x: tensor<?x16xf32>, %ids: tensor<?xi32>, %a: tensor<2x3x16xf32>, %b: tensor<2x8x3xf32>,
                       %scales: tensor<2xf32>, %ranks: tensor<2xi32>, %order: tensor<?xi32>, %starts: tensor<3xi32>,
                       %y: tensor<?x20xf32>) -> tensor<?x20xf32> {
  %0 = frit.lora_matmul ins(%x, %ids : tensor<?x16xf32>, tensor<?xi32>)
      weights(%a, %b : tensor<2x3x16xf32>, tensor<2x8x3xf32>)
      scales(%scales : tensor<2xf32>) ranks(%ranks : tensor<2xi32>)
      grouping(%order, %starts : tensor<?xi32>, tensor<3xi32>)
      outs(%y : tensor<?x20xf32>) scale = 0.5 offset = 4 -> tensor<?x20xf32>
  return %0 : tensor<?x20xf32>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %op = transform.structured.match ops{["frit.lora_matmul"]} in %root : (!transform.any_op) -> !transform.any_op
    %tiled, %loop = transform.structured.tile_using_forall %op tile_sizes [8]
        : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

// lora_group needs all tokens: it does not tile.

func.func @lora_group(%ids: memref<8xi32>, %order: memref<8xi32>, %starts: memref<3xi32>) {
  // CHECK: frit.lora_group ins(%{{.*}} : memref<8xi32>)
  frit.lora_group ins(%ids : memref<8xi32>) outs(%order, %starts : memref<8xi32>, memref<3xi32>)
  return
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    // CHECK-NOT: scf.for
    %op = transform.structured.match interface{TilingInterface} in %root : (!transform.any_op) -> !transform.any_op
    transform.foreach %op : !transform.any_op {
    ^bb0(%it: !transform.any_op):
      %tiled, %loop = transform.structured.tile_using_for %it tile_sizes [4]
          : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    }
    transform.yield
  }
}

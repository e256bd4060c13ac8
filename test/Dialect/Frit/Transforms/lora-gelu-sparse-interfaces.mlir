// RUN: %frit_opt %s --pass-pipeline='builtin.module(transform-interpreter,canonicalize,cse)' | FileCheck %s

// Tokens can be computed apart: y, h, ids and the destination are cut, weights are not, and the grouping is dropped.

// CHECK-LABEL: func @tile
// CHECK-SAME: %[[Y:[a-z0-9]+]]: tensor<?x192xf32>, %[[H:.*]]: tensor<2x?x8xf32>, %[[IDS:.*]]: tensor<?xi32>, %[[B0:[a-z0-9]+]]: tensor<4x96x8xf32>
// CHECK: scf.for %[[I:.*]] = {{.*}} iter_args(%[[OUT:.*]] = %{{.*}})
// CHECK-DAG: %[[TY:.*]] = tensor.extract_slice %[[Y]][%[[I]], 0] [%[[SIZE:.*]], 192] [1, 1]
// CHECK-DAG: %[[TH:.*]] = tensor.extract_slice %[[H]][0, %[[I]], 0] [2, %[[SIZE]], 8] [1, 1, 1]
// CHECK-DAG: %[[TIDS:.*]] = tensor.extract_slice %[[IDS]][%[[I]]] [%[[SIZE]]] [1]
// CHECK-DAG: %[[TOUT:.*]] = tensor.extract_slice %[[OUT]][%[[I]], 0] [%[[SIZE]], 96] [1, 1]
// CHECK: frit.lora_gelu_and_mul_sparse ins(%[[TY]], %[[TH]], %[[TIDS]] : {{.*}}) weights(%[[B0]], %{{.*}} : tensor<4x96x8xf32>, tensor<4x96x8xf32>) outs(%[[TOUT]] : tensor<?x96xf32>)
func.func @tile(%y: tensor<?x192xf32>, %h: tensor<2x?x8xf32>, %ids: tensor<?xi32>, %b0: tensor<4x96x8xf32>, %b1: tensor<4x96x8xf32>, %order: tensor<?xi32>, %starts: tensor<5xi32>, %out: tensor<?x96xf32>) -> tensor<?x96xf32> {
  %0 = frit.lora_gelu_and_mul_sparse ins(%y, %h, %ids : tensor<?x192xf32>, tensor<2x?x8xf32>, tensor<?xi32>)
      weights(%b0, %b1 : tensor<4x96x8xf32>, tensor<4x96x8xf32>) grouping(%order, %starts : tensor<?xi32>, tensor<5xi32>)
      outs(%out : tensor<?x96xf32>) std_multiplier = 1.5 -> tensor<?x96xf32>
  return %0 : tensor<?x96xf32>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %op = transform.structured.match ops{["frit.lora_gelu_and_mul_sparse"]} in %root : (!transform.any_op) -> !transform.any_op
    %tiled, %loops = transform.structured.tile_using_for %op tile_sizes [8] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}

// RUN: %frit_opt %s --pass-pipeline='builtin.module(transform-interpreter,canonicalize,cse)' -split-input-file | FileCheck %s

// Decomposing gives the LoRAs of gate and down their own entries of what there is three of, and keeps the kernel.

// CHECK-LABEL: func @decompose
// CHECK-SAME: %[[X:.*]]: tensor<?x64xf32>, %[[IDS:.*]]: tensor<?xi32>, {{.*}}%[[AG:[a-z0-9]+]]: tensor<4x8x64xf32>, %[[BG:.*]]: tensor<4x96x8xf32>, %[[AD:.*]]: tensor<4x8x96xf32>, %[[BD:.*]]: tensor<4x64x8xf32>, %[[S:.*]]: tensor<3x4xf32>, %[[R:.*]]: tensor<4xi32>
// CHECK: %[[BASE:.*]] = scf.forall
// CHECK: %[[SG:.*]] = tensor.extract_slice %[[S]][0, 0] [1, 4] [1, 1] : tensor<3x4xf32> to tensor<4xf32>
// CHECK: %[[G:.*]] = frit.lora_matmul ins(%[[X]], %[[IDS]] : {{.*}}) weights(%[[AG]], %[[BG]] : {{.*}}) scales(%[[SG]] : {{.*}}) ranks(%[[R]] : {{.*}}) outs(%[[BASE]] : {{.*}}) scale = 5.000000e-01 rounding = stepwise {frit.kernel = #frit.kernel<"native.linalg">}
// CHECK: %[[A:.*]] = frit.gelu_and_mul_sparse ins(%[[G]], %{{.*}}) outs(%{{.*}}) std_multiplier = 1.500000e+00 approximate = erf correction = 1 {frit.kernel = #frit.kernel<"native.linalg">}
// CHECK: %[[ACT:.*]] = scf.forall
// CHECK: %[[F:.*]] = scf.forall
// CHECK: %[[SD:.*]] = tensor.extract_slice %[[S]][2, 0] [1, 4] [1, 1]
// CHECK: %[[H:.*]] = scf.forall (%[[T:.*]]) in (%{{.*}})
// CHECK: tensor.extract %[[IDS]][%[[T]]]
// CHECK: tensor.extract %[[R]]
// CHECK: tensor.extract %[[AD]]
// CHECK: frit.lora_expand ins(%[[H]], %[[IDS]] : {{.*}}) weights(%[[BD]] : {{.*}}) scales(%[[SD]] : {{.*}}) ranks(%[[R]] : {{.*}}) outs(%[[F]] : {{.*}}) scale = 3.000000e+00 rounding = stepwise {frit.kernel = #frit.kernel<"native.linalg">}
func.func @decompose(%x: tensor<?x64xf32>, %ids: tensor<?xi32>, %gate: tensor<96x64xf32>, %up: tensor<96x64xf32>, %down: tensor<96x64xf32>, %ag: tensor<4x8x64xf32>, %bg: tensor<4x96x8xf32>, %ad: tensor<4x8x96xf32>, %bd: tensor<4x64x8xf32>, %s: tensor<3x4xf32>, %r: tensor<4xi32>, %y: tensor<?x64xf32>) -> tensor<?x64xf32> {
  %0 = frit.sparse_ffn ins(%x, %ids : tensor<?x64xf32>, tensor<?xi32>)
      weights(%gate, %up, %down : tensor<96x64xf32>, tensor<96x64xf32>, tensor<96x64xf32>)
      gate_lora(%ag, %bg : tensor<4x8x64xf32>, tensor<4x96x8xf32>)
      down_lora(%ad, %bd : tensor<4x8x96xf32>, tensor<4x64x8xf32>)
      scales(%s : tensor<3x4xf32>) ranks(%r : tensor<4xi32>) outs(%y : tensor<?x64xf32>)
      std_multiplier = 1.5 down_layout = dh approximate = erf correction = 1 gate_scale = 0.5 down_scale = 3.0
      lora_rounding = stepwise {frit.kernel = #frit.kernel<"native.linalg">} -> tensor<?x64xf32>
  return %0 : tensor<?x64xf32>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %0 = transform.structured.match ops{["frit.sparse_ffn"]} in %root : (!transform.any_op) -> !transform.any_op
    %1 = transform.structured.decompose_interface %0 : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}

// -----

// Tokens can be computed apart: x, ids and the destination are cut, weights are not.

// CHECK-LABEL: func @tile
// CHECK-SAME: %[[X:.*]]: tensor<?x64xf32>, %[[IDS:.*]]: tensor<?xi32>, %[[GATE:[a-z0-9]+]]: tensor<96x64xf32>
// CHECK: scf.for %[[I:.*]] = {{.*}} iter_args(%[[OUT:.*]] = %{{.*}})
// CHECK-DAG: %[[TX:.*]] = tensor.extract_slice %[[X]][%[[I]], 0] [%[[SIZE:.*]], 64] [1, 1]
// CHECK-DAG: %[[TIDS:.*]] = tensor.extract_slice %[[IDS]][%[[I]]] [%[[SIZE]]] [1]
// CHECK-DAG: %[[TY:.*]] = tensor.extract_slice %[[OUT]][%[[I]], 0] [%[[SIZE]], 64] [1, 1]
// CHECK: frit.sparse_ffn ins(%[[TX]], %[[TIDS]] : {{.*}}) weights(%[[GATE]],{{.*}} outs(%[[TY]] : tensor<?x64xf32>)
func.func @tile(%x: tensor<?x64xf32>, %ids: tensor<?xi32>, %gate: tensor<96x64xf32>, %up: tensor<96x64xf32>, %down: tensor<96x64xf32>, %ag: tensor<4x8x64xf32>, %bg: tensor<4x96x8xf32>, %ad: tensor<4x8x96xf32>, %bd: tensor<4x64x8xf32>, %s: tensor<3x4xf32>, %r: tensor<4xi32>, %y: tensor<?x64xf32>) -> tensor<?x64xf32> {
  %0 = frit.sparse_ffn ins(%x, %ids : tensor<?x64xf32>, tensor<?xi32>)
      weights(%gate, %up, %down : tensor<96x64xf32>, tensor<96x64xf32>, tensor<96x64xf32>)
      gate_lora(%ag, %bg : tensor<4x8x64xf32>, tensor<4x96x8xf32>) outs(%y : tensor<?x64xf32>)
      std_multiplier = 1.5 down_layout = dh -> tensor<?x64xf32>
  return %0 : tensor<?x64xf32>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %op = transform.structured.match ops{["frit.sparse_ffn"]} in %root : (!transform.any_op) -> !transform.any_op
    %tiled, %loops = transform.structured.tile_using_for %op tile_sizes [8] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}

// RUN: %frit_opt %s --pass-pipeline='builtin.module(transform-interpreter,canonicalize,cse)' -split-input-file | FileCheck %s

// Producers are pulled into the loop of their consumer: shrink into expand, and
// the activation that makes x into both.

// CHECK-LABEL: func @producers
// CHECK: scf.for
// CHECK: %[[ACT:.*]] = frit.act_and_mul silu ins(%{{.*}} : tensor<4x32xf32>) outs(%{{.*}} : tensor<4x16xf32>)
// CHECK: %[[H:.*]] = frit.lora_shrink ins(%[[ACT]], %{{.*}} : tensor<4x16xf32>, tensor<4xi32>) {{.*}} outs(%{{.*}} : tensor<1x4x3xf32>)
// CHECK: frit.lora_expand ins(%[[H]], %{{.*}} : tensor<1x4x3xf32>, tensor<4xi32>) {{.*}} outs(%{{.*}} : tensor<4x8xf32>)
// CHECK: scf.yield
func.func @producers(%in: tensor<16x32xf32>, %ids: tensor<16xi32>, %a: tensor<2x3x16xf32>, %b: tensor<2x8x3xf32>,
                     %y: tensor<16x8xf32>) -> tensor<16x8xf32> {
  %x0 = tensor.empty() : tensor<16x16xf32>
  %x = frit.act_and_mul silu ins(%in : tensor<16x32xf32>) outs(%x0 : tensor<16x16xf32>) -> tensor<16x16xf32>
  %h0 = tensor.empty() : tensor<1x16x3xf32>
  %h = frit.lora_shrink ins(%x, %ids : tensor<16x16xf32>, tensor<16xi32>) weights(%a : tensor<2x3x16xf32>)
      outs(%h0 : tensor<1x16x3xf32>) -> tensor<1x16x3xf32>
  %r = frit.lora_expand ins(%h, %ids : tensor<1x16x3xf32>, tensor<16xi32>) weights(%b : tensor<2x8x3xf32>)
      outs(%y : tensor<16x8xf32>) -> tensor<16x8xf32>
  return %r : tensor<16x8xf32>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %op = transform.structured.match ops{["frit.lora_expand"]} in %root : (!transform.any_op) -> !transform.any_op
    %fused, %loop = transform.structured.fuse %op tile_sizes [4]
        : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

// A consumer whose tiles split rows leaves the op outside: each tile would
// compute the whole row again.

// CHECK-LABEL: func @split_rows
// CHECK: frit.gelu_and_mul_sparse {{.*}} -> tensor<16x16xf32>
// CHECK: scf.for
// CHECK: linalg.exp
func.func @split_rows(%x: tensor<16x32xf32>, %y: tensor<16x16xf32>) -> tensor<16x16xf32> {
  %r0 = tensor.empty() : tensor<16x16xf32>
  %r = frit.gelu_and_mul_sparse ins(%x : tensor<16x32xf32>) outs(%r0 : tensor<16x16xf32>) std_multiplier = 1.0
      -> tensor<16x16xf32>
  %e = linalg.exp ins(%r : tensor<16x16xf32>) outs(%y : tensor<16x16xf32>) -> tensor<16x16xf32>
  return %e : tensor<16x16xf32>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %op = transform.structured.match ops{["linalg.exp"]} in %root : (!transform.any_op) -> !transform.any_op
    %fused, %loops:2 = transform.structured.fuse %op tile_sizes [4, 8]
        : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
    transform.yield
  }
}

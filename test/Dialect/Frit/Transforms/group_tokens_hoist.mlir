// RUN: %frit_opt %s --pass-pipeline='builtin.module(func.func(cse,loop-invariant-code-motion))' | FileCheck %s

// A group that a graph has in its loop is pure: it leaves the loop, and two of
// them become one.

// CHECK-LABEL: func @hoisted
// CHECK-COUNT-1: frit.lora_group
// CHECK-NOT: frit.lora_group
// CHECK: scf.for
// CHECK-COUNT-2: frit.lora_shrink
// CHECK-NOT: frit.lora_group
func.func @hoisted(%ids: tensor<8xi32>, %x: tensor<8x64xf32>, %a: tensor<2x8x64xf32>, %h: tensor<1x8x8xf32>, %n: index) -> tensor<1x8x8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%z = %h) -> tensor<1x8x8xf32> {
    %o = tensor.empty() : tensor<8xi32>
    %s = tensor.empty() : tensor<3xi32>
    %g:2 = frit.lora_group ins(%ids : tensor<8xi32>) outs(%o, %s : tensor<8xi32>, tensor<3xi32>) -> tensor<8xi32>, tensor<3xi32>
    %0 = frit.lora_shrink ins(%x, %ids : tensor<8x64xf32>, tensor<8xi32>) weights(%a : tensor<2x8x64xf32>) grouping(%g#0, %g#1 : tensor<8xi32>, tensor<3xi32>) outs(%z : tensor<1x8x8xf32>) -> tensor<1x8x8xf32>
    %k:2 = frit.lora_group ins(%ids : tensor<8xi32>) outs(%o, %s : tensor<8xi32>, tensor<3xi32>) -> tensor<8xi32>, tensor<3xi32>
    %1 = frit.lora_shrink ins(%x, %ids : tensor<8x64xf32>, tensor<8xi32>) weights(%a : tensor<2x8x64xf32>) grouping(%k#0, %k#1 : tensor<8xi32>, tensor<3xi32>) outs(%0 : tensor<1x8x8xf32>) -> tensor<1x8x8xf32>
    scf.yield %1 : tensor<1x8x8xf32>
  }
  return %r : tensor<1x8x8xf32>
}

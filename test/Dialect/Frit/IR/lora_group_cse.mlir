// RUN: %frit_opt %s --pass-pipeline='builtin.module(cse,func.func(loop-invariant-code-motion))' | FileCheck %s

// One grouping serves every layer.

// CHECK-LABEL: func @two_layers
// CHECK: frit.lora_group
// CHECK-NOT: frit.lora_group
// CHECK: return
func.func @two_layers(%ids: tensor<?xi32>, %t: index)
    -> (tensor<?xi32>, tensor<3xi32>, tensor<?xi32>, tensor<3xi32>) {
  %o0 = tensor.empty(%t) : tensor<?xi32>
  %s0 = tensor.empty() : tensor<3xi32>
  %0:2 = frit.lora_group ins(%ids : tensor<?xi32>) outs(%o0, %s0 : tensor<?xi32>, tensor<3xi32>)
      -> tensor<?xi32>, tensor<3xi32>
  %o1 = tensor.empty(%t) : tensor<?xi32>
  %s1 = tensor.empty() : tensor<3xi32>
  %1:2 = frit.lora_group ins(%ids : tensor<?xi32>) outs(%o1, %s1 : tensor<?xi32>, tensor<3xi32>)
      -> tensor<?xi32>, tensor<3xi32>
  return %0#0, %0#1, %1#0, %1#1 : tensor<?xi32>, tensor<3xi32>, tensor<?xi32>, tensor<3xi32>
}

// CHECK-LABEL: func @loop_over_layers
// CHECK: frit.lora_group
// CHECK: scf.for
// CHECK-NOT: frit.lora_group
// CHECK: return
func.func @loop_over_layers(%ids: tensor<?xi32>, %t: index, %layers: index, %x: tensor<?x16xf32>, %a: tensor<2x3x16xf32>,
                            %b: tensor<2x8x3xf32>, %y: tensor<?x8xf32>) -> tensor<?x8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %layers step %c1 iter_args(%acc = %y) -> tensor<?x8xf32> {
    %o = tensor.empty(%t) : tensor<?xi32>
    %s = tensor.empty() : tensor<3xi32>
    %g:2 = frit.lora_group ins(%ids : tensor<?xi32>) outs(%o, %s : tensor<?xi32>, tensor<3xi32>)
        -> tensor<?xi32>, tensor<3xi32>
    %0 = frit.lora_matmul ins(%x, %ids : tensor<?x16xf32>, tensor<?xi32>) weights(%a, %b : tensor<2x3x16xf32>, tensor<2x8x3xf32>)
        grouping(%g#0, %g#1 : tensor<?xi32>, tensor<3xi32>) outs(%acc : tensor<?x8xf32>) -> tensor<?x8xf32>
    scf.yield %0 : tensor<?x8xf32>
  }
  return %r : tensor<?x8xf32>
}

// On memrefs it writes: nothing is merged, and unused ops stay.

// CHECK-LABEL: func @memrefs
// CHECK-COUNT-2: frit.lora_group
func.func @memrefs(%ids: memref<?xi32>, %o: memref<?xi32>, %s: memref<3xi32>) {
  frit.lora_group ins(%ids : memref<?xi32>) outs(%o, %s : memref<?xi32>, memref<3xi32>)
  frit.lora_group ins(%ids : memref<?xi32>) outs(%o, %s : memref<?xi32>, memref<3xi32>)
  return
}

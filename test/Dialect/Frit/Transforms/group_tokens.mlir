// RUN: %frit_opt %s --pass-pipeline='builtin.module(frit-group-tokens)' | FileCheck %s
// RUN: %frit_opt %s --pass-pipeline='builtin.module(frit-group-tokens,cse,frit-group-tokens)' | FileCheck %s
// RUN: %frit_opt %s --pass-pipeline='builtin.module(frit-group-tokens{min-tokens=9})' | FileCheck %s --check-prefix=MIN

// One group for all layers, outside of the loop that leaves the ids alone.

// CHECK-LABEL: func @layers
// CHECK-SAME: (%[[IDS:[a-z0-9]+]]: tensor<?xi32>
// CHECK: %[[T:.*]] = tensor.dim %[[IDS]]
// CHECK-DAG: %[[O:.*]] = tensor.empty(%[[T]]) : tensor<?xi32>
// CHECK-DAG: %[[S:.*]] = tensor.empty() : tensor<5xi32>
// CHECK: %[[G:.*]]:2 = frit.lora_group ins(%[[IDS]] : tensor<?xi32>) outs(%[[O]], %[[S]] : tensor<?xi32>, tensor<5xi32>)
// CHECK: scf.for
// CHECK-NOT: frit.lora_group
// CHECK: frit.lora_matmul {{.*}} grouping(%[[G]]#0, %[[G]]#1 : tensor<?xi32>, tensor<5xi32>)
// CHECK: frit.lora_shrink {{.*}} grouping(%[[G]]#0, %[[G]]#1 : tensor<?xi32>, tensor<5xi32>)
// CHECK: frit.lora_expand {{.*}} grouping(%[[G]]#0, %[[G]]#1 : tensor<?xi32>, tensor<5xi32>)
func.func @layers(%ids: tensor<?xi32>, %a: tensor<4x8x64xbf16>, %b: tensor<4x64x8xbf16>, %h: tensor<1x?x8xf32>,
                  %y: tensor<?x64xbf16>, %n: index) -> tensor<?x64xbf16> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%z = %y) -> tensor<?x64xbf16> {
    %0 = frit.lora_matmul ins(%z, %ids : tensor<?x64xbf16>, tensor<?xi32>) weights(%a, %b : tensor<4x8x64xbf16>, tensor<4x64x8xbf16>) outs(%y : tensor<?x64xbf16>) -> tensor<?x64xbf16>
    %1 = frit.lora_shrink ins(%0, %ids : tensor<?x64xbf16>, tensor<?xi32>) weights(%a : tensor<4x8x64xbf16>) outs(%h : tensor<1x?x8xf32>) -> tensor<1x?x8xf32>
    %2 = frit.lora_expand ins(%1, %ids : tensor<1x?x8xf32>, tensor<?xi32>) weights(%b : tensor<4x64x8xbf16>) outs(%0 : tensor<?x64xbf16>) -> tensor<?x64xbf16>
    scf.yield %2 : tensor<?x64xbf16>
  }
  return %r : tensor<?x64xbf16>
}

// Other ids and another number of adapters are other groups; a group that an op
// has stays.

// CHECK-LABEL: func @distinct
// CHECK-COUNT-3: frit.lora_group
// CHECK-NOT: frit.lora_group
// CHECK: frit.lora_matmul {{.*}} grouping(%arg2, %arg3 : tensor<16xi32>, tensor<3xi32>)
func.func @distinct(%ids: tensor<16xi32>, %other: tensor<16xi32>, %order: tensor<16xi32>, %starts: tensor<3xi32>,
                    %a2: tensor<2x8x64xf32>, %b2: tensor<2x64x8xf32>, %a3: tensor<3x8x64xf32>, %b3: tensor<3x64x8xf32>,
                    %x: tensor<16x64xf32>, %y: tensor<16x64xf32>) -> tensor<16x64xf32> {
  %0 = frit.lora_matmul ins(%x, %ids : tensor<16x64xf32>, tensor<16xi32>) weights(%a2, %b2 : tensor<2x8x64xf32>, tensor<2x64x8xf32>) grouping(%order, %starts : tensor<16xi32>, tensor<3xi32>) outs(%y : tensor<16x64xf32>) -> tensor<16x64xf32>
  %1 = frit.lora_matmul ins(%x, %ids : tensor<16x64xf32>, tensor<16xi32>) weights(%a2, %b2 : tensor<2x8x64xf32>, tensor<2x64x8xf32>) outs(%0 : tensor<16x64xf32>) -> tensor<16x64xf32>
  %2 = frit.lora_matmul ins(%x, %ids : tensor<16x64xf32>, tensor<16xi32>) weights(%a3, %b3 : tensor<3x8x64xf32>, tensor<3x64x8xf32>) outs(%1 : tensor<16x64xf32>) -> tensor<16x64xf32>
  %3 = frit.lora_matmul ins(%x, %other : tensor<16x64xf32>, tensor<16xi32>) weights(%a3, %b3 : tensor<3x8x64xf32>, tensor<3x64x8xf32>) outs(%2 : tensor<16x64xf32>) -> tensor<16x64xf32>
  return %3 : tensor<16x64xf32>
}

// A dynamic number of adapters: after the weight that has it, and both ids and
// weight dominate both branches.

// CHECK-LABEL: func @dynamic_adapters
// CHECK: %[[IDS:.*]] = tensor.extract_slice
// CHECK: tensor.extract_slice %arg1[0, 0, 0] [%[[L:.*]], 8, 64]
// CHECK: %[[G:.*]] = arith.addi %[[L]], %{{.*}} : index
// CHECK: %[[S:.*]] = tensor.empty(%[[G]]) : tensor<?xi32>
// CHECK: frit.lora_group ins(%[[IDS]] : tensor<?xi32>) outs(%{{.*}}, %[[S]] :
// CHECK: scf.if
// CHECK-NOT: frit.lora_group
func.func @dynamic_adapters(%all: tensor<?xi32>, %bank: tensor<?x8x64xf32>, %h: tensor<1x?x8xf32>, %x: tensor<?x64xf32>,
                            %t: index, %l: index, %which: i1) -> tensor<1x?x8xf32> {
  %ids = tensor.extract_slice %all[0] [%t] [1] : tensor<?xi32> to tensor<?xi32>
  %a = tensor.extract_slice %bank[0, 0, 0] [%l, 8, 64] [1, 1, 1] : tensor<?x8x64xf32> to tensor<?x8x64xf32>
  %r = scf.if %which -> tensor<1x?x8xf32> {
    %0 = frit.lora_shrink ins(%x, %ids : tensor<?x64xf32>, tensor<?xi32>) weights(%a : tensor<?x8x64xf32>) outs(%h : tensor<1x?x8xf32>) -> tensor<1x?x8xf32>
    scf.yield %0 : tensor<1x?x8xf32>
  } else {
    %0 = frit.lora_shrink ins(%x, %ids : tensor<?x64xf32>, tensor<?xi32>) weights(%a : tensor<?x8x64xf32>) outs(%h : tensor<1x?x8xf32>) scale = 0.5 -> tensor<1x?x8xf32>
    scf.yield %0 : tensor<1x?x8xf32>
  }
  return %r : tensor<1x?x8xf32>
}

// Few tokens: by type, by another operand's type, and by bounds.

// CHECK-LABEL: func @few
// CHECK-COUNT-1: frit.lora_group
// CHECK-NOT: frit.lora_group
// CHECK: return
// MIN-LABEL: func @few
// MIN-NOT: frit.lora_group
// MIN: return
func.func @few(%x: tensor<1x64xf32>, %one: tensor<1xi32>, %dynamic: tensor<?xi32>, %all: tensor<64xi32>, %t: index,
               %a: tensor<2x8x64xf32>, %h: tensor<1x1x8xf32>, %hd: tensor<1x?x8xf32>, %xd: tensor<?x64xf32>) -> tensor<1x?x8xf32> {
  %0 = frit.lora_shrink ins(%x, %one : tensor<1x64xf32>, tensor<1xi32>) weights(%a : tensor<2x8x64xf32>) outs(%h : tensor<1x1x8xf32>) -> tensor<1x1x8xf32>
  %1 = frit.lora_shrink ins(%x, %dynamic : tensor<1x64xf32>, tensor<?xi32>) weights(%a : tensor<2x8x64xf32>) outs(%0 : tensor<1x1x8xf32>) -> tensor<1x1x8xf32>
  %s = affine.min affine_map<(d0) -> (d0, 8)>(%t)
  %ids = tensor.extract_slice %all[0] [%s] [1] : tensor<64xi32> to tensor<?xi32>
  %2 = frit.lora_shrink ins(%xd, %ids : tensor<?x64xf32>, tensor<?xi32>) weights(%a : tensor<2x8x64xf32>) outs(%hd : tensor<1x?x8xf32>) -> tensor<1x?x8xf32>
  %use = tensor.insert_slice %1 into %2[0, 0, 0] [1, 1, 8] [1, 1, 1] : tensor<1x1x8xf32> into tensor<1x?x8xf32>
  return %use : tensor<1x?x8xf32>
}

// CHECK-LABEL: func @buffers
// CHECK-NOT: frit.lora_group
func.func @buffers(%x: memref<?x64xf32>, %ids: memref<?xi32>, %a: memref<2x8x64xf32>, %h: memref<1x?x8xf32>) {
  frit.lora_shrink ins(%x, %ids : memref<?x64xf32>, memref<?xi32>) weights(%a : memref<2x8x64xf32>) outs(%h : memref<1x?x8xf32>)
  return
}

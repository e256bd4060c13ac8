// RUN: %frit_opt %s --pass-pipeline='builtin.module(frit-decompose,cse)' -split-input-file | FileCheck %s

// Any leading dimensions: a parallel loop over each of them.

// CHECK-LABEL: func @rank_1
// CHECK-SAME: %[[X:.*]]: tensor<16xf32>, %[[Y:.*]]: tensor<8xf32>
// CHECK-NOT: scf.forall
// CHECK: %[[GATE:.*]] = tensor.extract_slice %[[X]][0] [8] [1]
// CHECK: %[[UP:.*]] = tensor.extract_slice %[[X]][8] [8] [1]
// CHECK: linalg.generic {{.*}} ins(%[[GATE]], %[[UP]] : tensor<8xf32>, tensor<8xf32>) outs(%[[Y]] : tensor<8xf32>)
func.func @rank_1(%x: tensor<16xf32>, %y: tensor<8xf32>) -> tensor<8xf32> {
  %0 = frit.act_and_mul silu ins(%x : tensor<16xf32>) outs(%y : tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

// CHECK-LABEL: func @rank_4
// CHECK-SAME: %[[X:.*]]: tensor<2x?x3x16xf32>, %[[Y:.*]]: tensor<2x?x3x8xf32>
// CHECK: %[[D1:.*]] = tensor.dim %[[Y]], %{{.*}}1 :
// CHECK: scf.forall (%[[I:.*]], %[[J:.*]], %[[K:.*]]) in (2, %[[D1]], 3)
// CHECK: tensor.extract_slice %[[X]][%[[I]], %[[J]], %[[K]], 8] [1, 1, 1, 8] [1, 1, 1, 1] : tensor<2x?x3x16xf32> to tensor<8xf32>
func.func @rank_4(%x: tensor<2x?x3x16xf32>, %y: tensor<2x?x3x8xf32>) -> tensor<2x?x3x8xf32> {
  %0 = frit.act_and_mul silu ins(%x : tensor<2x?x3x16xf32>) outs(%y : tensor<2x?x3x8xf32>)
      -> tensor<2x?x3x8xf32>
  return %0 : tensor<2x?x3x8xf32>
}

// -----

// Memrefs of any row stride: views, and nothing is allocated.

// CHECK-LABEL: func @memref
// CHECK-SAME: %[[X:.*]]: memref<4x16xf16, strided<[40, 1], offset: ?>>, %[[Y:.*]]: memref<4x8xf16>
// CHECK-NOT: memref.alloc
// CHECK: scf.forall (%[[I:.*]]) in (4)
// CHECK: %[[DEST:.*]] = memref.subview %[[Y]][%[[I]], 0] [1, 8] [1, 1]
// CHECK: %[[GATE:.*]] = memref.subview %[[X]][%[[I]], 0] [1, 8] [1, 1]
// CHECK: %[[UP:.*]] = memref.subview %[[X]][%[[I]], 8] [1, 8] [1, 1]
// CHECK: memref.load %[[GATE]]
// CHECK: linalg.generic {{.*}} ins(%[[GATE]], %[[UP]] : {{.*}}) outs(%[[DEST]] :
// CHECK-NOT: frit.
func.func @memref(%x: memref<4x16xf16, strided<[40, 1], offset: ?>>, %y: memref<4x8xf16>) {
  frit.gelu_and_mul_sparse ins(%x : memref<4x16xf16, strided<[40, 1], offset: ?>>)
      outs(%y : memref<4x8xf16>) std_multiplier = 1.5
  return
}

// -----

// The rank vectors of a lora_matmul are a buffer of their own, freed at the end.

// CHECK-LABEL: func @lora_memref
// CHECK: %[[H:.*]] = memref.alloc(%{{.*}}) : memref<1x?x8xbf16>
// CHECK: scf.forall
// CHECK: memref.subview %[[H]][0, %{{.*}}, 0] [1, 1, 8]
// CHECK: scf.forall
// CHECK: memref.load %[[H]]
// CHECK: memref.dealloc %[[H]]
func.func @lora_memref(%x: memref<?x64xbf16>, %ids: memref<?xi32>, %a: memref<4x8x64xbf16>,
                       %b: memref<4x32x8xbf16>, %y: memref<?x32xbf16>) {
  frit.lora_matmul ins(%x, %ids : memref<?x64xbf16>, memref<?xi32>)
      weights(%a, %b : memref<4x8x64xbf16>, memref<4x32x8xbf16>) outs(%y : memref<?x32xbf16>)
      intermediate = element
  return
}

// RUN: %frit_opt %s --pass-pipeline='builtin.module(frit-decompose,cse)' -split-input-file | FileCheck %s

// Nothing of a token without an adapter, or beyond the true rank, is touched.

// CHECK-LABEL: func @shrink
// CHECK-SAME: %[[X:.*]]: tensor<?x64xbf16>, %[[IDS:.*]]: tensor<?xi32>, %[[A0:.*]]: tensor<4x8x64xbf16>, %[[A1:.*]]: tensor<4x8x64xbf16>, %[[SCALES:.*]]: tensor<4xf32>, %[[RANKS:.*]]: tensor<2x4xi32>, %[[H:.*]]: tensor<2x?x8xbf16>
// CHECK: scf.forall (%[[T:.*]]) in (%{{.*}}) shared_outs(%[[OUT:.*]] = %[[H]])
// CHECK-NEXT: %[[TOKEN:.*]] = tensor.extract_slice %[[OUT]][0, %[[T]], 0] [2, 1, 8] [1, 1, 1] : tensor<2x?x8xbf16> to tensor<2x8xbf16>
// CHECK-NEXT: %[[ID:.*]] = tensor.extract %[[IDS]][%[[T]]]
// CHECK-NEXT: %[[L:.*]] = arith.index_cast %[[ID]] : i32 to index
// CHECK-NEXT: %[[IN:.*]] = arith.cmpi ult, %[[L]], %{{.*}}4 : index
// CHECK-NEXT: scf.if %[[IN]]
// CHECK-NEXT: %[[S:.*]] = tensor.extract %[[SCALES]][%[[L]]]
// CHECK-NEXT: %[[SCALE:.*]] = arith.constant 5.{{0*}}e-01 : f32
// CHECK-NEXT: %[[C:.*]] = arith.mulf %[[SCALE]], %[[S]]
// CHECK: %[[R0:.*]] = tensor.extract %[[RANKS]][%{{.*}}0, %[[L]]]
// CHECK-NEXT: %[[RI:.*]] = arith.index_cast %[[R0]]
// CHECK: %[[RMIN:.*]] = arith.minsi %[[RI]], %{{.*}}8
// CHECK: %[[RANK:.*]] = arith.maxsi %[[RMIN]], %{{.*}}0
// CHECK-NEXT: %[[DEST:.*]] = tensor.extract_slice %[[TOKEN]][0, 0] [1, %[[RANK]]] [1, 1]
// CHECK-NEXT: %[[NEW:.*]] = linalg.generic {{.*}} outs(%[[DEST]] :
// CHECK: %[[R:.*]] = linalg.index 0
// CHECK: %[[W:.*]] = tensor.extract %[[A0]][%[[L]], %[[R]], %[[K:.*]]]
// CHECK-NEXT: %[[V:.*]] = tensor.extract %[[X]][%[[T]], %[[K]]]
// CHECK-NEXT: %[[WF:.*]] = arith.extf %[[W]] : bf16 to f32
// CHECK-NEXT: %[[VF:.*]] = arith.extf %[[V]] : bf16 to f32
// CHECK-NEXT: %[[PRODUCT:.*]] = arith.mulf %[[WF]], %[[VF]]
// CHECK-NEXT: arith.addf %{{.*}}, %[[PRODUCT]]
// CHECK: %[[SUM:.*]] = arith.select
// CHECK-NEXT: %[[SCALED:.*]] = arith.mulf %[[C]], %[[SUM]]
// CHECK-NEXT: %[[ROUNDED:.*]] = arith.truncf %[[SCALED]] : f32 to bf16
// CHECK-NEXT: linalg.yield %[[ROUNDED]]
// CHECK: tensor.insert_slice %[[NEW]] into %[[TOKEN]][0, 0] [1, %[[RANK]]]
// CHECK: tensor.extract %[[RANKS]][%{{.*}}1, %[[L]]]
// CHECK: tensor.extract %[[A1]]
func.func @shrink(%x: tensor<?x64xbf16>, %ids: tensor<?xi32>, %a0: tensor<4x8x64xbf16>,
                  %a1: tensor<4x8x64xbf16>, %scales: tensor<4xf32>, %ranks: tensor<2x4xi32>,
                  %h: tensor<2x?x8xbf16>) -> tensor<2x?x8xbf16> {
  %0 = frit.lora_shrink ins(%x, %ids : tensor<?x64xbf16>, tensor<?xi32>)
      weights(%a0, %a1 : tensor<4x8x64xbf16>, tensor<4x8x64xbf16>) scales(%scales : tensor<4xf32>)
      ranks(%ranks : tensor<2x4xi32>) outs(%h : tensor<2x?x8xbf16>) scale = 0.5
      -> tensor<2x?x8xbf16>
  return %0 : tensor<2x?x8xbf16>
}

// -----

// f32 weights beside bf16; one rank for all slices; no scale, so no product.

// CHECK-LABEL: func @f32_weights
// CHECK-SAME: %[[RANKS:[a-z0-9]+]]: tensor<?xi32>
// CHECK: tensor.extract %[[RANKS]][%{{[a-z0-9_]+}}] : tensor<?xi32>
// CHECK: %[[W:.*]] = tensor.extract {{.*}} : tensor<?x8x?xf32>
// CHECK: %[[V:.*]] = tensor.extract {{.*}} : tensor<?x?xbf16>
// CHECK-NEXT: %[[VF:.*]] = arith.extf %[[V]]
// CHECK-NEXT: arith.mulf %[[W]], %[[VF]]
// CHECK: %[[SUM:.*]] = arith.select
// CHECK-NEXT: linalg.yield %[[SUM]]
func.func @f32_weights(%ranks: tensor<?xi32>, %x: tensor<?x?xbf16>, %ids: tensor<?xi32>, %a: tensor<?x8x?xf32>,
                       %h: tensor<1x?x8xf32>) -> tensor<1x?x8xf32> {
  %0 = frit.lora_shrink ins(%x, %ids : tensor<?x?xbf16>, tensor<?xi32>)
      weights(%a : tensor<?x8x?xf32>) ranks(%ranks : tensor<?xi32>)
      outs(%h : tensor<1x?x8xf32>) -> tensor<1x?x8xf32>
  return %0 : tensor<1x?x8xf32>
}

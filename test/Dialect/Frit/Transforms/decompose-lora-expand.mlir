// RUN: %frit_opt %s --pass-pipeline='builtin.module(frit-decompose,cse)' -split-input-file | FileCheck %s

// Where each mode rounds. The sum over ranks ends with the select.

// CHECK-LABEL: func @final
// CHECK: ^bb0(%[[OLD:.*]]: bf16):
// CHECK: %[[SUM:.*]] = arith.select
// CHECK-NEXT: %[[OLDF:.*]] = arith.extf %[[OLD]] : bf16 to f32
// CHECK-NEXT: %[[Y:.*]] = arith.addf %[[OLDF]], %[[SUM]]
// CHECK-NEXT: %[[Y16:.*]] = arith.truncf %[[Y]] : f32 to bf16
// CHECK-NEXT: linalg.yield %[[Y16]]
func.func @final(%h: tensor<1x?x8xf32>, %ids: tensor<?xi32>, %b: tensor<4x16x8xbf16>,
                 %y: tensor<?x16xbf16>) -> tensor<?x16xbf16> {
  %0 = frit.lora_expand ins(%h, %ids : tensor<1x?x8xf32>, tensor<?xi32>)
      weights(%b : tensor<4x16x8xbf16>) outs(%y : tensor<?x16xbf16>) -> tensor<?x16xbf16>
  return %0 : tensor<?x16xbf16>
}

// -----

// CHECK-LABEL: func @sum
// CHECK: %[[SCALE:.*]] = arith.constant 5.{{0*}}e-01 : f32
// CHECK: ^bb0(%[[OLD:.*]]: f16):
// CHECK: %[[SUM:.*]] = arith.select
// CHECK-NEXT: %[[SCALED:.*]] = arith.mulf %[[SCALE]], %[[SUM]]
// CHECK-NEXT: %[[S16:.*]] = arith.truncf %[[SCALED]] : f32 to f16
// CHECK-NEXT: %[[S:.*]] = arith.extf %[[S16]] : f16 to f32
// CHECK-NEXT: %[[OLDF:.*]] = arith.extf %[[OLD]] : f16 to f32
// CHECK-NEXT: %[[Y:.*]] = arith.addf %[[OLDF]], %[[S]]
// CHECK-NEXT: %[[Y16:.*]] = arith.truncf %[[Y]] : f32 to f16
// CHECK-NEXT: linalg.yield %[[Y16]]
func.func @sum(%h: tensor<1x?x8xf32>, %ids: tensor<?xi32>, %b: tensor<4x16x8xf32>,
               %y: tensor<?x16xf16>) -> tensor<?x16xf16> {
  %0 = frit.lora_expand ins(%h, %ids : tensor<1x?x8xf32>, tensor<?xi32>)
      weights(%b : tensor<4x16x8xf32>) outs(%y : tensor<?x16xf16>) scale = 0.5 rounding = sum
      -> tensor<?x16xf16>
  return %0 : tensor<?x16xf16>
}

// -----

// CHECK-LABEL: func @stepwise
// CHECK-SAME: %[[SCALES:.*]]: tensor<4xf32>
// CHECK: %[[C:.*]] = tensor.extract %[[SCALES]]
// CHECK: ^bb0(%[[OLD:.*]]: bf16):
// CHECK: %[[SUM:.*]] = arith.select
// CHECK-NEXT: %[[E16:.*]] = arith.truncf %[[SUM]] : f32 to bf16
// CHECK-NEXT: %[[E:.*]] = arith.extf %[[E16]] : bf16 to f32
// CHECK-NEXT: %[[SCALED:.*]] = arith.mulf %[[C]], %[[E]]
// CHECK-NEXT: %[[F16:.*]] = arith.truncf %[[SCALED]] : f32 to bf16
// CHECK-NEXT: %[[F:.*]] = arith.extf %[[F16]] : bf16 to f32
// CHECK-NEXT: %[[OLDF:.*]] = arith.extf %[[OLD]] : bf16 to f32
// CHECK-NEXT: %[[Y:.*]] = arith.addf %[[OLDF]], %[[F]]
// CHECK-NEXT: %[[Y16:.*]] = arith.truncf %[[Y]] : f32 to bf16
// CHECK-NEXT: linalg.yield %[[Y16]]
func.func @stepwise(%scales: tensor<4xf32>, %h: tensor<1x?x8xbf16>, %ids: tensor<?xi32>, %b: tensor<4x16x8xbf16>,
                    %y: tensor<?x16xbf16>) -> tensor<?x16xbf16> {
  %0 = frit.lora_expand ins(%h, %ids : tensor<1x?x8xbf16>, tensor<?xi32>)
      weights(%b : tensor<4x16x8xbf16>) scales(%scales : tensor<4xf32>) outs(%y : tensor<?x16xbf16>)
      rounding = stepwise -> tensor<?x16xbf16>
  return %0 : tensor<?x16xbf16>
}

// -----

// Without accumulation what was there is not read. A scale of 0 is not folded.

// CHECK-LABEL: func @overwrite
// CHECK: %[[SCALE:.*]] = arith.constant 0.{{0*}}e+00 : f32
// CHECK: ^bb0(%[[OLD:.*]]: bf16):
// CHECK-NOT: %[[OLD]]
// CHECK: %[[SUM:.*]] = arith.select
// CHECK-NEXT: %[[SCALED:.*]] = arith.mulf %[[SCALE]], %[[SUM]]
// CHECK-NEXT: %[[Y16:.*]] = arith.truncf %[[SCALED]] : f32 to bf16
// CHECK-NEXT: linalg.yield %[[Y16]]
func.func @overwrite(%h: tensor<1x?x8xf32>, %ids: tensor<?xi32>, %b: tensor<4x16x8xbf16>,
                     %y: tensor<?x16xbf16>) -> tensor<?x16xbf16> {
  %0 = frit.lora_expand ins(%h, %ids : tensor<1x?x8xf32>, tensor<?xi32>)
      weights(%b : tensor<4x16x8xbf16>) outs(%y : tensor<?x16xbf16>) scale = 0.0 rounding = sum
      accumulate = false -> tensor<?x16xbf16>
  return %0 : tensor<?x16xbf16>
}

// -----

// Slices lie one after the other, from the offset on; widths may be dynamic.

// CHECK-LABEL: func @slices
// CHECK-SAME: %[[B0:.*]]: tensor<4x?x8xf32>, %[[B1:.*]]: tensor<4x5x8xf32>
// CHECK: %[[N0:.*]] = tensor.dim %[[B0]], %{{.*}}1
// CHECK: %[[OFFSET1:.*]] = arith.addi %{{.*}}3, %[[N0]]
// CHECK: scf.if
// CHECK: tensor.extract_slice %{{.*}}[3] [%[[N0]]] [1]
// CHECK: tensor.extract {{.*}} : tensor<2x?x8xf32>
// CHECK: tensor.insert_slice %{{.*}} into %{{.*}}[3] [%[[N0]]] [1]
// CHECK: tensor.extract_slice %{{.*}}[%[[OFFSET1]]] [5] [1]
// CHECK: tensor.insert_slice %{{.*}} into %{{.*}}[%[[OFFSET1]]] [5] [1]
func.func @slices(%b0: tensor<4x?x8xf32>, %b1: tensor<4x5x8xf32>, %h: tensor<2x?x8xf32>, %ids: tensor<?xi32>,
                  %y: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = frit.lora_expand ins(%h, %ids : tensor<2x?x8xf32>, tensor<?xi32>)
      weights(%b0, %b1 : tensor<4x?x8xf32>, tensor<4x5x8xf32>) outs(%y : tensor<?x?xf32>) offset = 3
      -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

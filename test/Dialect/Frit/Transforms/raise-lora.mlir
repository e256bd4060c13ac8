// Linear layers with a low-rank branch, as exporters write them.
// RUN: %frit_opt %s --pass-pipeline='builtin.module(frit-raise{fidelity=exact})' | FileCheck %s
// RUN: %frit_opt %s --pass-pipeline='builtin.module(func.func(linalg-generalize-named-ops,linalg-fuse-elementwise-ops,canonicalize),frit-raise{fidelity=exact})' \
// RUN:   | FileCheck %s --check-prefix=FUSED

#id = affine_map<(d0, d1) -> (d0, d1)>

// f32: the factor stands behind the second matmul.
// CHECK-LABEL: func @f32(
// CHECK-SAME: %[[X:.*]]: tensor<?x96xf32>, %[[W:.*]]: tensor<160x96xf32>, %[[A:.*]]: tensor<8x96xf32>, %[[B:.*]]: tensor<160x8xf32>)
// CHECK: %[[BASE:.*]] = linalg.matmul ins(%[[X]],
// CHECK: %[[IDS:.*]] = linalg.fill ins(%{{.*}} : i32) outs(%{{.*}} : tensor<?xi32>)
// CHECK: %[[A3:.*]] = tensor.expand_shape %[[A]] {{\[\[}}0, 1], [2]] output_shape [1, 8, 96]
// CHECK: %[[B3:.*]] = tensor.expand_shape %[[B]] {{\[\[}}0, 1], [2]] output_shape [1, 160, 8]
// CHECK: %[[Y:.*]] = frit.lora_matmul ins(%[[X]], %[[IDS]] : tensor<?x96xf32>, tensor<?xi32>)
// CHECK-SAME: weights(%[[A3]], %[[B3]] : tensor<1x8x96xf32>, tensor<1x160x8xf32>)
// CHECK-SAME: outs(%[[BASE]] : tensor<?x160xf32>) scale = 3.000000e+00 rounding = stepwise
// CHECK-NOT: linalg
// CHECK: return %[[Y]]
// FUSED-LABEL: func @f32(
// FUSED: frit.lora_matmul
// FUSED-SAME: scale = 3.000000e+00 rounding = stepwise
func.func @f32(%x: tensor<?x96xf32>, %w: tensor<160x96xf32>, %a: tensor<8x96xf32>,
               %b: tensor<160x8xf32>) -> tensor<?x160xf32> {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %scale = arith.constant 3.0 : f32
  %t = tensor.dim %x, %c0 : tensor<?x96xf32>
  %wt0 = tensor.empty() : tensor<96x160xf32>
  %wt = linalg.transpose ins(%w : tensor<160x96xf32>) outs(%wt0 : tensor<96x160xf32>) permutation = [1, 0]
  %y0 = tensor.empty(%t) : tensor<?x160xf32>
  %y1 = linalg.fill ins(%zero : f32) outs(%y0 : tensor<?x160xf32>) -> tensor<?x160xf32>
  %base = linalg.matmul ins(%x, %wt : tensor<?x96xf32>, tensor<96x160xf32>) outs(%y1 : tensor<?x160xf32>) -> tensor<?x160xf32>
  %at0 = tensor.empty() : tensor<96x8xf32>
  %at = linalg.transpose ins(%a : tensor<8x96xf32>) outs(%at0 : tensor<96x8xf32>) permutation = [1, 0]
  %h0 = tensor.empty(%t) : tensor<?x8xf32>
  %h1 = linalg.fill ins(%zero : f32) outs(%h0 : tensor<?x8xf32>) -> tensor<?x8xf32>
  %h = linalg.matmul ins(%x, %at : tensor<?x96xf32>, tensor<96x8xf32>) outs(%h1 : tensor<?x8xf32>) -> tensor<?x8xf32>
  %bt0 = tensor.empty() : tensor<8x160xf32>
  %bt = linalg.transpose ins(%b : tensor<160x8xf32>) outs(%bt0 : tensor<8x160xf32>) permutation = [1, 0]
  %e = linalg.matmul ins(%h, %bt : tensor<?x8xf32>, tensor<8x160xf32>) outs(%y1 : tensor<?x160xf32>) -> tensor<?x160xf32>
  %f = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%e : tensor<?x160xf32>) outs(%y0 : tensor<?x160xf32>) {
  ^bb0(%in: f32, %out: f32):
    %1 = arith.mulf %in, %scale : f32
    linalg.yield %1 : f32
  } -> tensor<?x160xf32>
  %y = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%base, %f : tensor<?x160xf32>, tensor<?x160xf32>) outs(%y0 : tensor<?x160xf32>) {
  ^bb0(%in: f32, %in_0: f32, %out: f32):
    %1 = arith.addf %in, %in_0 : f32
    linalg.yield %1 : f32
  } -> tensor<?x160xf32>
  return %y : tensor<?x160xf32>
}

// Several adapters, and other users of what a branch computes.
// RUN: %frit_opt %s --pass-pipeline='builtin.module(frit-raise{fidelity=exact})' | FileCheck %s

#x = affine_map<(m, n, k) -> (m, k)>
#w = affine_map<(m, n, k) -> (n, k)>
#y = affine_map<(m, n, k) -> (m, n)>
#id = affine_map<(i, j) -> (i, j)>

// Other users of what the branch computes keep it.
// CHECK-LABEL: func @other_users(
// CHECK: %[[BASE:.*]] = linalg.matmul
// CHECK: %[[H:.*]] = linalg.matmul
// CHECK: %[[E:.*]] = linalg.matmul
// CHECK: %[[F:.*]] = linalg.generic
// CHECK: %[[Y:.*]] = frit.lora_matmul
// CHECK-SAME: outs(%[[BASE]] :
// CHECK: return %[[BASE]], %[[H]], %[[F]], %[[Y]]
func.func @other_users(%x: tensor<5x96xf32>, %w: tensor<160x96xf32>, %a: tensor<8x96xf32>, %b: tensor<160x8xf32>) -> (tensor<5x160xf32>, tensor<5x8xf32>, tensor<5x160xf32>, tensor<5x160xf32>) {
  %zero = arith.constant 0.0 : f32
  %c = arith.constant 3.0 : f32
  %y0 = tensor.empty() : tensor<5x160xf32>
  %y1 = linalg.fill ins(%zero : f32) outs(%y0 : tensor<5x160xf32>) -> tensor<5x160xf32>
  %h0 = tensor.empty() : tensor<5x8xf32>
  %h1 = linalg.fill ins(%zero : f32) outs(%h0 : tensor<5x8xf32>) -> tensor<5x8xf32>
  %base = linalg.matmul indexing_maps = [#x, #w, #y] ins(%x, %w : tensor<5x96xf32>, tensor<160x96xf32>)
      outs(%y1 : tensor<5x160xf32>) -> tensor<5x160xf32>
  %h = linalg.matmul indexing_maps = [#x, #w, #y] ins(%x, %a : tensor<5x96xf32>, tensor<8x96xf32>)
      outs(%h1 : tensor<5x8xf32>) -> tensor<5x8xf32>
  %e = linalg.matmul indexing_maps = [#x, #w, #y] ins(%h, %b : tensor<5x8xf32>, tensor<160x8xf32>)
      outs(%y1 : tensor<5x160xf32>) -> tensor<5x160xf32>
  %f = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%e : tensor<5x160xf32>) outs(%y0 : tensor<5x160xf32>) {
  ^bb0(%in_0: f32, %out: f32):
    %1 = arith.mulf %in_0, %c : f32
    linalg.yield %1 : f32
  } -> tensor<5x160xf32>
  %y = linalg.add ins(%base, %f : tensor<5x160xf32>, tensor<5x160xf32>) outs(%y0 : tensor<5x160xf32>) -> tensor<5x160xf32>
  return %base, %h, %f, %y : tensor<5x160xf32>, tensor<5x8xf32>, tensor<5x160xf32>, tensor<5x160xf32>
}

// A second adapter adds to what the first has added to.
// CHECK-LABEL: func @two_adapters(
// CHECK: %[[FIRST:.*]] = frit.lora_matmul
// CHECK-SAME: scale = 3.000000e+00 rounding = stepwise
// CHECK: frit.lora_matmul
// CHECK-SAME: tensor<1x4x96xf32>, tensor<1x160x4xf32>
// CHECK-SAME: outs(%[[FIRST]] :
func.func @two_adapters(%x: tensor<5x96xf32>, %w: tensor<160x96xf32>, %a: tensor<8x96xf32>, %b: tensor<160x8xf32>, %a2: tensor<4x96xf32>, %b2: tensor<160x4xf32>) -> tensor<5x160xf32> {
  %zero = arith.constant 0.0 : f32
  %c = arith.constant 3.0 : f32
  %y0 = tensor.empty() : tensor<5x160xf32>
  %y1 = linalg.fill ins(%zero : f32) outs(%y0 : tensor<5x160xf32>) -> tensor<5x160xf32>
  %h0 = tensor.empty() : tensor<5x8xf32>
  %h1 = linalg.fill ins(%zero : f32) outs(%h0 : tensor<5x8xf32>) -> tensor<5x8xf32>
  %g0 = tensor.empty() : tensor<5x4xf32>
  %g1 = linalg.fill ins(%zero : f32) outs(%g0 : tensor<5x4xf32>) -> tensor<5x4xf32>
  %base = linalg.matmul indexing_maps = [#x, #w, #y] ins(%x, %w : tensor<5x96xf32>, tensor<160x96xf32>)
      outs(%y1 : tensor<5x160xf32>) -> tensor<5x160xf32>
  %h = linalg.matmul indexing_maps = [#x, #w, #y] ins(%x, %a : tensor<5x96xf32>, tensor<8x96xf32>)
      outs(%h1 : tensor<5x8xf32>) -> tensor<5x8xf32>
  %e = linalg.matmul indexing_maps = [#x, #w, #y] ins(%h, %b : tensor<5x8xf32>, tensor<160x8xf32>)
      outs(%y1 : tensor<5x160xf32>) -> tensor<5x160xf32>
  %f = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%e : tensor<5x160xf32>) outs(%y0 : tensor<5x160xf32>) {
  ^bb0(%in_0: f32, %out: f32):
    %1 = arith.mulf %in_0, %c : f32
    linalg.yield %1 : f32
  } -> tensor<5x160xf32>
  %s = linalg.add ins(%base, %f : tensor<5x160xf32>, tensor<5x160xf32>) outs(%y0 : tensor<5x160xf32>) -> tensor<5x160xf32>
  %h2 = linalg.matmul indexing_maps = [#x, #w, #y] ins(%x, %a2 : tensor<5x96xf32>, tensor<4x96xf32>)
      outs(%g1 : tensor<5x4xf32>) -> tensor<5x4xf32>
  %e2 = linalg.matmul indexing_maps = [#x, #w, #y] ins(%h2, %b2 : tensor<5x4xf32>, tensor<160x4xf32>)
      outs(%y1 : tensor<5x160xf32>) -> tensor<5x160xf32>
  %y = linalg.add ins(%s, %e2 : tensor<5x160xf32>, tensor<5x160xf32>) outs(%y0 : tensor<5x160xf32>) -> tensor<5x160xf32>
  return %y : tensor<5x160xf32>
}

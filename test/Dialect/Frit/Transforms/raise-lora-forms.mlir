// Where the factor of a low-rank branch stands.
// RUN: %frit_opt %s --pass-pipeline='builtin.module(frit-raise{fidelity=exact})' | FileCheck %s

#x = affine_map<(m, n, k) -> (m, k)>
#w = affine_map<(m, n, k) -> (n, k)>
#y = affine_map<(m, n, k) -> (m, n)>
#id = affine_map<(i, j) -> (i, j)>
#none = affine_map<(i, j) -> ()>

// The factor 1 leaves no op; the operands of the sum are swapped.
// CHECK-LABEL: func @no_scale(
// CHECK: frit.lora_matmul
// CHECK-SAME: outs(%{{.*}} : tensor<5x160xf32>) rounding = stepwise ->
func.func @no_scale(%x: tensor<5x96xf32>, %w: tensor<160x96xf32>, %a: tensor<8x96xf32>, %b: tensor<160x8xf32>) -> tensor<5x160xf32> {
  %zero = arith.constant 0.0 : f32
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
  %y = linalg.add ins(%e, %base : tensor<5x160xf32>, tensor<5x160xf32>) outs(%y0 : tensor<5x160xf32>) -> tensor<5x160xf32>
  return %y : tensor<5x160xf32>
}

// The product with a power of two may overflow.
// CHECK-LABEL: func @scale_on_x(
// CHECK: %[[XS:.*]] = linalg.generic
// CHECK: frit.lora_matmul ins(%[[XS]],
// CHECK-NOT: scale =
// CHECK: return
func.func @scale_on_x(%x: tensor<5x96xf32>, %w: tensor<160x96xf32>, %a: tensor<8x96xf32>, %b: tensor<160x8xf32>) -> tensor<5x160xf32> {
  %zero = arith.constant 0.0 : f32
  %c = arith.constant 4.0 : f32
  %y0 = tensor.empty() : tensor<5x160xf32>
  %y1 = linalg.fill ins(%zero : f32) outs(%y0 : tensor<5x160xf32>) -> tensor<5x160xf32>
  %h0 = tensor.empty() : tensor<5x8xf32>
  %h1 = linalg.fill ins(%zero : f32) outs(%h0 : tensor<5x8xf32>) -> tensor<5x8xf32>
  %base = linalg.matmul indexing_maps = [#x, #w, #y] ins(%x, %w : tensor<5x96xf32>, tensor<160x96xf32>)
      outs(%y1 : tensor<5x160xf32>) -> tensor<5x160xf32>
  %xs0 = tensor.empty() : tensor<5x96xf32>
  %xs = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<5x96xf32>) outs(%xs0 : tensor<5x96xf32>) {
  ^bb0(%in_0: f32, %out: f32):
    %1 = arith.mulf %in_0, %c : f32
    linalg.yield %1 : f32
  } -> tensor<5x96xf32>
  %h = linalg.matmul indexing_maps = [#x, #w, #y] ins(%xs, %a : tensor<5x96xf32>, tensor<8x96xf32>)
      outs(%h1 : tensor<5x8xf32>) -> tensor<5x8xf32>
  %e = linalg.matmul indexing_maps = [#x, #w, #y] ins(%h, %b : tensor<5x8xf32>, tensor<160x8xf32>)
      outs(%y1 : tensor<5x160xf32>) -> tensor<5x160xf32>
  %y = linalg.add ins(%base, %e : tensor<5x160xf32>, tensor<5x160xf32>) outs(%y0 : tensor<5x160xf32>) -> tensor<5x160xf32>
  return %y : tensor<5x160xf32>
}

// What x was rounded to stays.
// CHECK-LABEL: func @other_scale_on_x(
// CHECK: %[[XS:.*]] = linalg.generic
// CHECK: frit.lora_matmul ins(%[[XS]],
// CHECK-NOT: scale =
// CHECK: return
func.func @other_scale_on_x(%x: tensor<5x96xf32>, %w: tensor<160x96xf32>, %a: tensor<8x96xf32>, %b: tensor<160x8xf32>) -> tensor<5x160xf32> {
  %zero = arith.constant 0.0 : f32
  %c = arith.constant 3.0 : f32
  %y0 = tensor.empty() : tensor<5x160xf32>
  %y1 = linalg.fill ins(%zero : f32) outs(%y0 : tensor<5x160xf32>) -> tensor<5x160xf32>
  %h0 = tensor.empty() : tensor<5x8xf32>
  %h1 = linalg.fill ins(%zero : f32) outs(%h0 : tensor<5x8xf32>) -> tensor<5x8xf32>
  %base = linalg.matmul indexing_maps = [#x, #w, #y] ins(%x, %w : tensor<5x96xf32>, tensor<160x96xf32>)
      outs(%y1 : tensor<5x160xf32>) -> tensor<5x160xf32>
  %xs0 = tensor.empty() : tensor<5x96xf32>
  %xs = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<5x96xf32>) outs(%xs0 : tensor<5x96xf32>) {
  ^bb0(%in_0: f32, %out: f32):
    %1 = arith.mulf %in_0, %c : f32
    linalg.yield %1 : f32
  } -> tensor<5x96xf32>
  %h = linalg.matmul indexing_maps = [#x, #w, #y] ins(%xs, %a : tensor<5x96xf32>, tensor<8x96xf32>)
      outs(%h1 : tensor<5x8xf32>) -> tensor<5x8xf32>
  %e = linalg.matmul indexing_maps = [#x, #w, #y] ins(%h, %b : tensor<5x8xf32>, tensor<160x8xf32>)
      outs(%y1 : tensor<5x160xf32>) -> tensor<5x160xf32>
  %y = linalg.add ins(%base, %e : tensor<5x160xf32>, tensor<5x160xf32>) outs(%y0 : tensor<5x160xf32>) -> tensor<5x160xf32>
  return %y : tensor<5x160xf32>
}

// The factor of `final` stands between the matmuls.
// CHECK-LABEL: func @scale_between(
// CHECK: frit.lora_matmul
// CHECK-SAME: outs(%{{.*}} : tensor<5x160xf32>) scale = 3.000000e+00 ->
func.func @scale_between(%x: tensor<5x96xf32>, %w: tensor<160x96xf32>, %a: tensor<8x96xf32>, %b: tensor<160x8xf32>) -> tensor<5x160xf32> {
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
  %hs = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%h : tensor<5x8xf32>) outs(%h0 : tensor<5x8xf32>) {
  ^bb0(%in_0: f32, %out: f32):
    %1 = arith.mulf %in_0, %c : f32
    linalg.yield %1 : f32
  } -> tensor<5x8xf32>
  %e = linalg.matmul indexing_maps = [#x, #w, #y] ins(%hs, %b : tensor<5x8xf32>, tensor<160x8xf32>)
      outs(%y1 : tensor<5x160xf32>) -> tensor<5x160xf32>
  %y = linalg.add ins(%base, %e : tensor<5x160xf32>, tensor<5x160xf32>) outs(%y0 : tensor<5x160xf32>) -> tensor<5x160xf32>
  return %y : tensor<5x160xf32>
}

// CHECK-LABEL: func @scale_at_run_time(
// CHECK: %[[S:.*]] = tensor.expand_shape %{{.*}} [] output_shape [1] : tensor<f32> into tensor<1xf32>
// CHECK: frit.lora_matmul
// CHECK-SAME: scales(%[[S]] : tensor<1xf32>)
// CHECK-SAME: rounding = stepwise
func.func @scale_at_run_time(%x: tensor<5x96xf32>, %w: tensor<160x96xf32>, %a: tensor<8x96xf32>, %b: tensor<160x8xf32>, %s: tensor<f32>) -> tensor<5x160xf32> {
  %zero = arith.constant 0.0 : f32
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
  %f = linalg.generic {indexing_maps = [#id, #none, #id], iterator_types = ["parallel", "parallel"]}
      ins(%e, %s : tensor<5x160xf32>, tensor<f32>) outs(%y0 : tensor<5x160xf32>) {
  ^bb0(%in_0: f32, %in_1: f32, %out: f32):
    %1 = arith.mulf %in_0, %in_1 : f32
    linalg.yield %1 : f32
  } -> tensor<5x160xf32>
  %y = linalg.add ins(%base, %f : tensor<5x160xf32>, tensor<5x160xf32>) outs(%y0 : tensor<5x160xf32>) -> tensor<5x160xf32>
  return %y : tensor<5x160xf32>
}

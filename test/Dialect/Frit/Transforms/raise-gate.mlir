// RUN: %frit_opt %s --split-input-file --pass-pipeline='builtin.module(frit-raise{fidelity=exact},canonicalize)' | FileCheck %s

// The statistical gate in forms that are exact: the op computes what the graph
// does, up to the order of sums.

// CHECK-LABEL: func @unbiased
// CHECK-SAME: %[[G:.*]]: tensor<?x8xf32>, %[[U:.*]]: tensor<?x8xf32>
// CHECK: frit.gelu_and_mul_sparse ins(%[[G]], %[[U]] : {{.*}}) outs(%{{.*}}) std_multiplier = 1.645
// CHECK-SAME: approximate = erf correction = 1
// CHECK-NOT: linalg

// Three generics, the variance with d - 1 as a product with the reciprocal, in
// f64, relu as clamp, the multiplier first.
#row = affine_map<(i, j) -> (i, j)>
#one = affine_map<(i, j) -> (i)>
func.func @unbiased(%g: tensor<?x8xf32>, %u: tensor<?x8xf32>) -> tensor<?x8xf32> {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %zerod = arith.constant 0.0 : f64
  %one = arith.constant 1.0 : f32
  %half = arith.constant 0.5 : f32
  %n = arith.constant 8.0 : f32
  %nd = arith.constant 8.0 : f64
  %nv = arith.constant 0.14285714285714285 : f64
  %k = arith.constant 1.645 : f32
  %two = arith.constant 2.0 : f32
  %t = tensor.dim %g, %c0 : tensor<?x8xf32>
  %e = tensor.empty(%t) : tensor<?xf32>
  %ed = tensor.empty(%t) : tensor<?xf64>
  %y = tensor.empty(%t) : tensor<?x8xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<?xf32>) -> tensor<?xf32>
  %fd = linalg.fill ins(%zerod : f64) outs(%ed : tensor<?xf64>) -> tensor<?xf64>
  %sum:2 = linalg.generic {indexing_maps = [#row, #one, #one], iterator_types = ["parallel", "reduction"]} ins(%g : tensor<?x8xf32>) outs(%f, %fd : tensor<?xf32>, tensor<?xf64>) {
  ^bb0(%a: f32, %o: f32, %p: f64):
    %0 = arith.addf %a, %o : f32
    %1 = arith.extf %a : f32 to f64
    %2 = arith.addf %p, %1 : f64
    linalg.yield %0, %2 : f32, f64
  } -> (tensor<?xf32>, tensor<?xf64>)
  %sq = linalg.generic {indexing_maps = [#row, #one, #one], iterator_types = ["parallel", "reduction"]} ins(%g, %sum#1 : tensor<?x8xf32>, tensor<?xf64>) outs(%fd : tensor<?xf64>) {
  ^bb0(%a: f32, %s: f64, %o: f64):
    %0 = arith.extf %a : f32 to f64
    %1 = arith.divf %s, %nd : f64
    %2 = arith.subf %1, %0 : f64
    %3 = arith.mulf %2, %2 : f64
    %4 = arith.addf %3, %o : f64
    linalg.yield %4 : f64
  } -> tensor<?xf64>
  %r = linalg.generic {indexing_maps = [#row, #row, #one, #one, #row], iterator_types = ["parallel", "parallel"]} ins(%g, %u, %sum#0, %sq : tensor<?x8xf32>, tensor<?x8xf32>, tensor<?xf32>, tensor<?xf64>) outs(%y : tensor<?x8xf32>) {
  ^bb0(%a: f32, %b: f32, %s: f32, %q: f64, %o: f32):
    %m = arith.divf %s, %n : f32
    %v = arith.mulf %nv, %q : f64
    %dd = math.sqrt %v : f64
    %d = arith.truncf %dd : f64 to f32
    %kd = arith.mulf %k, %d : f32
    %c = arith.addf %kd, %m : f32
    %z = arith.subf %a, %c : f32
    %lt = arith.cmpf olt, %z, %zero : f32
    %p = arith.select %lt, %zero, %z : f32
    %r2 = math.sqrt %two : f32
    %w = arith.divf %p, %r2 : f32
    %erf = math.erf %w : f32
    %w1 = arith.addf %one, %erf : f32
    %pw = arith.mulf %p, %w1 : f32
    %act = arith.mulf %half, %pw : f32
    %res = arith.mulf %b, %act : f32
    linalg.yield %res : f32
  } -> tensor<?x8xf32>
  return %r : tensor<?x8xf32>
}

// -----

// Everything in f32 and one rounding at the end; one pass over the gate in f64;
// mean - 0.5 deviations; relu by maximumf; the mean is still returned.

// CHECK-LABEL: func @final_one_pass
// CHECK-SAME: %[[X:.*]]: tensor<4x16xbf16>
// CHECK: %[[MEAN:.*]] = linalg.generic {{.*}} ["parallel"]
// CHECK: %[[R:.*]] = frit.gelu_and_mul_sparse ins(%[[X]] : tensor<4x16xbf16>) outs(%{{.*}}) std_multiplier = -5.000000e-01
// CHECK-SAME: rounding = final
// CHECK: return %[[R]], %[[MEAN]]
#row = affine_map<(i, j) -> (i, j)>
#one = affine_map<(i, j) -> (i)>
#vector = affine_map<(i) -> (i)>
func.func @final_one_pass(%x: tensor<4x16xbf16>) -> (tensor<4x8xbf16>, tensor<4xf32>) {
  %zero = arith.constant 0.0 : f32
  %zerod = arith.constant 0.0 : f64
  %one = arith.constant 1.0 : f32
  %half = arith.constant 0.5 : f32
  %nd = arith.constant 8.0 : f64
  %c = arith.constant 0.044715 : f32
  %h = arith.constant 0.797884583 : f32
  %g = tensor.extract_slice %x[0, 0] [4, 8] [1, 1] : tensor<4x16xbf16> to tensor<4x8xbf16>
  %u = tensor.extract_slice %x[0, 8] [4, 8] [1, 1] : tensor<4x16xbf16> to tensor<4x8xbf16>
  %ed = tensor.empty() : tensor<4xf64>
  %fd = linalg.fill ins(%zerod : f64) outs(%ed : tensor<4xf64>) -> tensor<4xf64>
  %sums:2 = linalg.generic {indexing_maps = [#row, #one, #one], iterator_types = ["parallel", "reduction"]} ins(%g : tensor<4x8xbf16>) outs(%fd, %fd : tensor<4xf64>, tensor<4xf64>) {
  ^bb0(%a: bf16, %o: f64, %p: f64):
    %0 = arith.extf %a : bf16 to f64
    %1 = arith.addf %o, %0 : f64
    %2 = arith.mulf %0, %0 : f64
    %3 = arith.addf %p, %2 : f64
    linalg.yield %1, %3 : f64, f64
  } -> (tensor<4xf64>, tensor<4xf64>)
  %e = tensor.empty() : tensor<4xf32>
  %mean = linalg.generic {indexing_maps = [#vector, #vector], iterator_types = ["parallel"]} ins(%sums#0 : tensor<4xf64>) outs(%e : tensor<4xf32>) {
  ^bb0(%s: f64, %o: f32):
    %0 = arith.divf %s, %nd : f64
    %1 = arith.truncf %0 : f64 to f32
    linalg.yield %1 : f32
  } -> tensor<4xf32>
  %y = tensor.empty() : tensor<4x8xbf16>
  %r = linalg.generic {indexing_maps = [#row, #row, #one, #one, #one, #row], iterator_types = ["parallel", "parallel"]} ins(%g, %u, %mean, %sums#0, %sums#1 : tensor<4x8xbf16>, tensor<4x8xbf16>, tensor<4xf32>, tensor<4xf64>, tensor<4xf64>) outs(%y : tensor<4x8xbf16>) {
  ^bb0(%ga: bf16, %ub: bf16, %m: f32, %s: f64, %q: f64, %o: bf16):
    %a = arith.extf %ga : bf16 to f32
    %b = arith.extf %ub : bf16 to f32
    %md = arith.divf %s, %nd : f64
    %m2 = arith.mulf %md, %md : f64
    %qd = arith.divf %q, %nd : f64
    %vd = arith.subf %qd, %m2 : f64
    %v = arith.truncf %vd : f64 to f32
    %d = math.sqrt %v : f32
    %kd = arith.mulf %d, %half : f32
    %cut = arith.subf %m, %kd : f32
    %z = arith.subf %a, %cut : f32
    %p = arith.maximumf %zero, %z : f32
    %p2 = arith.mulf %p, %p : f32
    %p3 = arith.mulf %p2, %p : f32
    %cp3 = arith.mulf %p3, %c : f32
    %sum = arith.addf %cp3, %p : f32
    %t = arith.mulf %h, %sum : f32
    %th = math.tanh %t : f32
    %ph = arith.mulf %p, %half : f32
    %w = arith.addf %th, %one : f32
    %act = arith.mulf %ph, %w : f32
    %res = arith.mulf %act, %b : f32
    %rounded = arith.truncf %res : f32 to bf16
    linalg.yield %rounded : bf16
  } -> tensor<4x8xbf16>
  return %r, %mean : tensor<4x8xbf16>, tensor<4xf32>
}

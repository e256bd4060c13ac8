// RUN: %frit_opt %s --split-input-file --pass-pipeline='builtin.module(frit-raise{fidelity=exact},canonicalize)' | FileCheck %s

// Operands that are computed from a part of a larger tensor. Indices from 0 on
// do not say where the part ends: it is cut to the size of the result.

// CHECK-LABEL: func @slices
// CHECK-SAME: %[[A:.*]]: tensor<5x192xf32>
// CHECK: %[[G:.*]] = tensor.extract_slice %[[A]][0, 0] [5, 96] [1, 1]
// CHECK: %[[S:.*]] = linalg.generic {{.*}} ins(%[[G]] : tensor<5x96xf32>)
// CHECK: arith.mulf
// CHECK: frit.act_and_mul silu ins(%[[S]], %{{.*}} : tensor<5x96xf32>, tensor<5x96xf32>)
#m = affine_map<(i, j) -> (i, j)>
func.func @slices(%a: tensor<5x192xf32>) -> tensor<5x96xf32> {
  %one = arith.constant 1.0 : f32
  %g = tensor.extract_slice %a[0, 0] [5, 96] [1, 1] : tensor<5x192xf32> to tensor<5x96xf32>
  %u = tensor.extract_slice %a[0, 96] [5, 96] [1, 1] : tensor<5x192xf32> to tensor<5x96xf32>
  %e = tensor.empty() : tensor<5x96xf32>
  %r = linalg.generic {indexing_maps = [#m, #m, #m], iterator_types = ["parallel", "parallel"]} ins(%g, %u : tensor<5x96xf32>, tensor<5x96xf32>) outs(%e : tensor<5x96xf32>) {
  ^bb0(%x: f32, %y: f32, %o: f32):
    %s = arith.mulf %x, %x : f32
    %n = arith.negf %s : f32
    %ex = math.exp %n : f32
    %d = arith.addf %ex, %one : f32
    %q = arith.divf %s, %d : f32
    %p = arith.mulf %q, %y : f32
    linalg.yield %p : f32
  } -> tensor<5x96xf32>
  return %r : tensor<5x96xf32>
}

// -----

// The rows that are read are fewer, and how many shows at run time. They are
// extended before they are cut.
// CHECK-LABEL: func @rows
// CHECK-SAME: %[[N:.*]]: index, %[[A:.*]]: tensor<?x96xbf16>, %[[U:.*]]: tensor<?x96xbf16>
// CHECK: %[[G:.*]] = tensor.extract_slice %[[A]][0, 0] [%[[N]], 96] [1, 1]
// CHECK: frit.act_and_mul silu ins(%[[G]], %[[U]] :
#m = affine_map<(i, j) -> (i, j)>
func.func @rows(%n: index, %a: tensor<?x96xbf16>, %u: tensor<?x96xbf16>) -> tensor<?x96xbf16> {
  %one = arith.constant 1.0 : f32
  %c0 = arith.constant 0 : index
  %rows = tensor.dim %a, %c0 : tensor<?x96xbf16>
  %w0 = tensor.empty(%rows) : tensor<?x96xf32>
  %w = linalg.generic {indexing_maps = [#m, #m], iterator_types = ["parallel", "parallel"]} ins(%a : tensor<?x96xbf16>) outs(%w0 : tensor<?x96xf32>) {
  ^bb0(%x: bf16, %o: f32):
    %s = arith.extf %x : bf16 to f32
    linalg.yield %s : f32
  } -> tensor<?x96xf32>
  %g = tensor.extract_slice %w[0, 0] [%n, 96] [1, 1] : tensor<?x96xf32> to tensor<?x96xf32>
  %e = tensor.empty(%n) : tensor<?x96xbf16>
  %r = linalg.generic {indexing_maps = [#m, #m, #m], iterator_types = ["parallel", "parallel"]} ins(%g, %u : tensor<?x96xf32>, tensor<?x96xbf16>) outs(%e : tensor<?x96xbf16>) {
  ^bb0(%x: f32, %y: bf16, %o: bf16):
    %nn = arith.negf %x : f32
    %ex = math.exp %nn : f32
    %d = arith.addf %ex, %one : f32
    %q = arith.divf %x, %d : f32
    %t = arith.truncf %q : f32 to bf16
    %p = arith.mulf %t, %y : bf16
    linalg.yield %p : bf16
  } -> tensor<?x96xbf16>
  return %r : tensor<?x96xbf16>
}

// -----

// An element that is extracted at the indices of the result.
// CHECK-LABEL: func @extracted
// CHECK-SAME: %[[N:.*]]: index, %[[A:.*]]: tensor<?x96xf32>, %[[U:.*]]: tensor<?x96xf32>
// CHECK: %[[G:.*]] = tensor.extract_slice %[[A]][0, 0] [%[[N]], 96] [1, 1]
// CHECK: frit.act_and_mul silu ins(%[[G]], %[[U]] :
#m = affine_map<(i, j) -> (i, j)>
func.func @extracted(%n: index, %a: tensor<?x96xf32>, %u: tensor<?x96xf32>) -> tensor<?x96xf32> {
  %one = arith.constant 1.0 : f32
  %e = tensor.empty(%n) : tensor<?x96xf32>
  %r = linalg.generic {indexing_maps = [#m, #m], iterator_types = ["parallel", "parallel"]} ins(%u : tensor<?x96xf32>) outs(%e : tensor<?x96xf32>) {
  ^bb0(%y: f32, %o: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %x = tensor.extract %a[%i, %j] : tensor<?x96xf32>
    %nn = arith.negf %x : f32
    %ex = math.exp %nn : f32
    %d = arith.addf %ex, %one : f32
    %q = arith.divf %x, %d : f32
    %p = arith.mulf %q, %y : f32
    linalg.yield %p : f32
  } -> tensor<?x96xf32>
  return %r : tensor<?x96xf32>
}

// -----

// The same, where a gate is computed from it.
// CHECK-LABEL: func @computed
// CHECK-SAME: %[[N:.*]]: index, %[[A:.*]]: tensor<?x96xf32>, %[[U:.*]]: tensor<?x96xf32>
// CHECK: %[[P:.*]] = tensor.extract_slice %[[A]][0, 0] [%[[N]], 96] [1, 1]
// CHECK: %[[G:.*]] = linalg.generic {{.*}} ins(%[[P]] : tensor<?x96xf32>)
// CHECK: frit.act_and_mul silu ins(%[[G]], %[[U]] :
#m = affine_map<(i, j) -> (i, j)>
func.func @computed(%n: index, %a: tensor<?x96xf32>, %u: tensor<?x96xf32>) -> tensor<?x96xf32> {
  %one = arith.constant 1.0 : f32
  %e = tensor.empty(%n) : tensor<?x96xf32>
  %r = linalg.generic {indexing_maps = [#m, #m], iterator_types = ["parallel", "parallel"]} ins(%u : tensor<?x96xf32>) outs(%e : tensor<?x96xf32>) {
  ^bb0(%y: f32, %o: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %x0 = tensor.extract %a[%i, %j] : tensor<?x96xf32>
    %x = arith.mulf %x0, %x0 : f32
    %nn = arith.negf %x : f32
    %ex = math.exp %nn : f32
    %d = arith.addf %ex, %one : f32
    %q = arith.divf %x, %d : f32
    %p = arith.mulf %q, %y : f32
    linalg.yield %p : f32
  } -> tensor<?x96xf32>
  return %r : tensor<?x96xf32>
}

// -----

// The layer's result is computed from the first columns of a matmul, by the op
// that adds the branch; what is done to the sum reads them too.
// CHECK-LABEL: func @lora
// CHECK: %[[P:.*]] = linalg.matmul {{.*}} -> tensor<7x80xf32>
// CHECK: %[[S:.*]] = tensor.extract_slice %[[P]][0, 0] [7, 40] [1, 1]
// CHECK: %[[BASE:.*]] = linalg.generic {{.*}} ins(%[[S]] : tensor<7x40xf32>)
// CHECK: %[[Y:.*]] = frit.lora_matmul {{.*}} outs(%[[BASE]] : tensor<7x40xf32>)
// CHECK: linalg.generic {{.*}} ins(%{{.*}}, %{{.*}} : tensor<7x40xf32>, tensor<7x40xf32>)
#m = affine_map<(i, j) -> (i, j)>
#x = affine_map<(m, n, k) -> (m, k)>
#w = affine_map<(m, n, k) -> (n, k)>
#y = affine_map<(m, n, k) -> (m, n)>
func.func @lora(%x: tensor<7x96xf32>, %w: tensor<80x96xf32>, %a: tensor<8x96xf32>, %b: tensor<40x8xf32>) -> tensor<7x40xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<7x40xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<7x40xf32>) -> tensor<7x40xf32>
  %eb = tensor.empty() : tensor<7x80xf32>
  %fb = linalg.fill ins(%z : f32) outs(%eb : tensor<7x80xf32>) -> tensor<7x80xf32>
  %eh = tensor.empty() : tensor<7x8xf32>
  %fh = linalg.fill ins(%z : f32) outs(%eh : tensor<7x8xf32>) -> tensor<7x8xf32>
  %wide = linalg.matmul indexing_maps = [#x, #w, #y] ins(%x, %w : tensor<7x96xf32>, tensor<80x96xf32>) outs(%fb : tensor<7x80xf32>) -> tensor<7x80xf32>
  %base = tensor.extract_slice %wide[0, 0] [7, 40] [1, 1] : tensor<7x80xf32> to tensor<7x40xf32>
  %h = linalg.matmul indexing_maps = [#x, #w, #y] ins(%x, %a : tensor<7x96xf32>, tensor<8x96xf32>) outs(%fh : tensor<7x8xf32>) -> tensor<7x8xf32>
  %d = linalg.matmul indexing_maps = [#x, #w, #y] ins(%h, %b : tensor<7x8xf32>, tensor<40x8xf32>) outs(%f : tensor<7x40xf32>) -> tensor<7x40xf32>
  %o = linalg.generic {indexing_maps = [#m, #m, #m], iterator_types = ["parallel", "parallel"]} ins(%base, %d : tensor<7x40xf32>, tensor<7x40xf32>) outs(%e : tensor<7x40xf32>) {
  ^bb0(%p: f32, %q: f32, %r: f32):
    %p2 = arith.mulf %p, %p : f32
    %p3 = arith.addf %p, %p2 : f32
    %t = arith.addf %p3, %q : f32
    %t2 = arith.mulf %t, %p : f32
    linalg.yield %t2 : f32
  } -> tensor<7x40xf32>
  return %o : tensor<7x40xf32>
}

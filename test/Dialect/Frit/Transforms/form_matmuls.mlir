// RUN: %frit_opt %s --split-input-file --pass-pipeline='builtin.module(frit-form-matmuls{target=cuda:sm_90a},canonicalize)' | FileCheck %s
// RUN: %frit_opt %s --split-input-file --pass-pipeline='builtin.module(frit-form-matmuls{target=cuda:sm_90a policy=require=library},canonicalize)' | FileCheck %s
// RUN: %frit_opt %s --split-input-file --pass-pipeline='builtin.module(frit-form-matmuls{target=cpu+onednn},canonicalize)' | FileCheck %s
// RUN: %frit_opt %s --split-input-file --pass-pipeline='builtin.module(frit-form-matmuls)' | FileCheck %s --check-prefix=NOT
// RUN: %frit_opt %s --split-input-file --pass-pipeline='builtin.module(frit-form-matmuls{target=cpu+onednn policy=native})' | FileCheck %s --check-prefix=NOT
// RUN: %frit_opt %s --split-input-file --pass-pipeline='builtin.module(frit-form-matmuls{target=cuda:sm_90a policy=native})' | FileCheck %s --check-prefix=NOT
// NOT-NOT: frit.matmul

// As an exporter writes a linear layer: a transposed weight, an f32 sum, a bias, a rounding. Every row starts from the bias, which is so
// added before the rounding.
// CHECK-LABEL: func @linear(
// CHECK-SAME:    %[[X:.*]]: tensor<?x64xbf16>, %[[W:.*]]: tensor<128x64xbf16>, %[[BIAS:.*]]: tensor<128xbf16>)
// CHECK-NOT:     linalg
// CHECK:         %[[Y:.*]] = tensor.empty
// CHECK:         %[[ROWS:.*]] = linalg.broadcast ins(%[[BIAS]] : tensor<128xbf16>) outs(%[[Y]] : tensor<?x128xbf16>) dimensions = [0]
// CHECK:         frit.matmul ins(%[[X]], %[[W]] : {{.*}}) outs(%[[ROWS]] : tensor<?x128xbf16>) transpose_b accumulate ->
// CHECK-NOT:     linalg
// CHECK:         return
func.func @linear(%x: tensor<?x64xbf16>, %w: tensor<128x64xbf16>, %bias: tensor<128xbf16>) -> tensor<?x128xbf16> {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %t = tensor.dim %x, %c0 : tensor<?x64xbf16>
  %we = tensor.empty() : tensor<64x128xbf16>
  %wt = linalg.transpose ins(%w : tensor<128x64xbf16>) outs(%we : tensor<64x128xbf16>) permutation = [1, 0]
  %e = tensor.empty(%t) : tensor<?x128xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<?x128xf32>) -> tensor<?x128xf32>
  %s = linalg.matmul ins(%x, %wt : tensor<?x64xbf16>, tensor<64x128xbf16>) outs(%f : tensor<?x128xf32>) -> tensor<?x128xf32>
  %d = tensor.empty(%t) : tensor<?x128xbf16>
  %y = linalg.generic {indexing_maps = [affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%bias, %s : tensor<128xbf16>, tensor<?x128xf32>) outs(%d : tensor<?x128xbf16>) {
  ^bb0(%b: bf16, %a: f32, %o: bf16):
    %b32 = arith.extf %b : bf16 to f32
    %u = arith.addf %b32, %a : f32
    %r = arith.truncf %u : f32 to bf16
    linalg.yield %r : bf16
  } -> tensor<?x128xbf16>
  return %y : tensor<?x128xbf16>
}

// -----

// Factors that were converted to f32, with a second user of the sum: it stays in f32.
// CHECK-LABEL: func @converted(
// CHECK-SAME:    %[[A:.*]]: tensor<4x8xf16>, %[[B:.*]]: tensor<8x16xf16>)
// CHECK:         %[[S:.*]] = frit.matmul ins(%[[A]], %[[B]] : tensor<4x8xf16>, tensor<8x16xf16>) outs(%{{.*}} : tensor<4x16xf32>) -> tensor<4x16xf32>
// CHECK:         linalg.generic {{.*}} ins(%[[S]]
func.func @converted(%a: tensor<4x8xf16>, %b: tensor<8x16xf16>) -> (tensor<4x16xf32>, tensor<4x16xf16>) {
  %zero = arith.constant dense<0.0> : tensor<4x16xf32>
  %ae = tensor.empty() : tensor<4x8xf32>
  %be = tensor.empty() : tensor<8x16xf32>
  %a32 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%a : tensor<4x8xf16>) outs(%ae : tensor<4x8xf32>) {
  ^bb0(%in: f16, %o: f32):
    %v = arith.extf %in : f16 to f32
    linalg.yield %v : f32
  } -> tensor<4x8xf32>
  %b32 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%b : tensor<8x16xf16>) outs(%be : tensor<8x16xf32>) {
  ^bb0(%in: f16, %o: f32):
    %v = arith.extf %in : f16 to f32
    linalg.yield %v : f32
  } -> tensor<8x16xf32>
  %s = linalg.matmul ins(%a32, %b32 : tensor<4x8xf32>, tensor<8x16xf32>) outs(%zero : tensor<4x16xf32>) -> tensor<4x16xf32>
  %d = tensor.empty() : tensor<4x16xf16>
  %y = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%s : tensor<4x16xf32>) outs(%d : tensor<4x16xf16>) {
  ^bb0(%in: f32, %o: f16):
    %v = arith.truncf %in : f32 to f16
    linalg.yield %v : f16
  } -> tensor<4x16xf16>
  return %s, %y : tensor<4x16xf32>, tensor<4x16xf16>
}

// -----

// peft's: x in bf16, the adapter in f32. The factors meet in f32.
// CHECK-LABEL: func @one_converted(
// CHECK:         %[[A:.*]] = linalg.generic
// CHECK:         frit.matmul ins(%[[A]], %{{.*}} : tensor<4x8xf32>, tensor<8x16xf32>)
func.func @one_converted(%a: tensor<4x8xbf16>, %b: tensor<8x16xf32>) -> tensor<4x16xf32> {
  %zero = arith.constant dense<0.0> : tensor<4x16xf32>
  %ae = tensor.empty() : tensor<4x8xf32>
  %a32 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%a : tensor<4x8xbf16>) outs(%ae : tensor<4x8xf32>) {
  ^bb0(%in: bf16, %o: f32):
    %v = arith.extf %in : bf16 to f32
    linalg.yield %v : f32
  } -> tensor<4x8xf32>
  %s = linalg.matmul ins(%a32, %b : tensor<4x8xf32>, tensor<8x16xf32>) outs(%zero : tensor<4x16xf32>) -> tensor<4x16xf32>
  return %s : tensor<4x16xf32>
}

// -----

// A bias in f32 is the op's.
// CHECK-LABEL: func @f32_bias(
// CHECK-SAME:    %[[A:.*]]: tensor<4x8xf16>, %[[B:.*]]: tensor<8x16xf16>, %[[C:.*]]: tensor<16xf32>)
// CHECK:         frit.matmul ins(%[[A]], %[[B]] : {{.*}}) bias(%[[C]] : tensor<16xf32>) outs(%{{.*}} : tensor<4x16xf32>) -> tensor<4x16xf32>
// CHECK-NOT:     linalg
func.func @f32_bias(%a: tensor<4x8xf16>, %b: tensor<8x16xf16>, %c: tensor<16xf32>) -> tensor<4x16xf32> {
  %zero = arith.constant dense<0.0> : tensor<4x16xf32>
  %s = linalg.matmul ins(%a, %b : tensor<4x8xf16>, tensor<8x16xf16>) outs(%zero : tensor<4x16xf32>) -> tensor<4x16xf32>
  %d = tensor.empty() : tensor<4x16xf32>
  %y = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%s, %c : tensor<4x16xf32>, tensor<16xf32>) outs(%d : tensor<4x16xf32>) {
  ^bb0(%in: f32, %bias: f32, %o: f32):
    %v = arith.addf %in, %bias : f32
    linalg.yield %v : f32
  } -> tensor<4x16xf32>
  return %y : tensor<4x16xf32>
}

// -----

// An initial value is added to; what follows in another type cannot be.
// CHECK-LABEL: func @initial(
// CHECK-SAME:    %[[A:.*]]: tensor<4x8xbf16>, %[[B:.*]]: tensor<16x8xbf16>, %[[Y:.*]]: tensor<4x16xf32>)
// CHECK:         %[[S:.*]] = frit.matmul ins(%[[A]], %[[B]] : {{.*}}) outs(%[[Y]] : tensor<4x16xf32>) transpose_b accumulate ->
// CHECK:         linalg.generic {{.*}} ins(%[[S]]
func.func @initial(%a: tensor<4x8xbf16>, %b: tensor<16x8xbf16>, %y: tensor<4x16xf32>) -> tensor<4x16xbf16> {
  %s = linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]
      ins(%a, %b : tensor<4x8xbf16>, tensor<16x8xbf16>) outs(%y : tensor<4x16xf32>) -> tensor<4x16xf32>
  %d = tensor.empty() : tensor<4x16xbf16>
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%s : tensor<4x16xf32>) outs(%d : tensor<4x16xbf16>) {
  ^bb0(%in: f32, %o: bf16):
    %v = arith.truncf %in : f32 to bf16
    linalg.yield %v : bf16
  } -> tensor<4x16xbf16>
  return %r : tensor<4x16xbf16>
}

// -----

// A residual: the sum is added to it in its own place, in f32, and rounded once.
// CHECK-LABEL: func @residual(
// CHECK-SAME:    %[[H:.*]]: tensor<?x8xbf16>, %[[W:.*]]: tensor<16x8xbf16>, %[[X:.*]]: tensor<?x16xbf16>
// CHECK-NOT:     linalg
// CHECK:         frit.matmul ins(%[[H]], %[[W]] : {{.*}}) outs(%[[X]] : tensor<?x16xbf16>) transpose_b accumulate ->
// CHECK-NOT:     linalg
// CHECK:         return
func.func @residual(%h: tensor<?x8xbf16>, %w: tensor<16x8xbf16>, %x: tensor<?x16xbf16>, %t: index) -> tensor<?x16xbf16> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty(%t) : tensor<?x16xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<?x16xf32>) -> tensor<?x16xf32>
  %s = linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]
      ins(%h, %w : tensor<?x8xbf16>, tensor<16x8xbf16>) outs(%f : tensor<?x16xf32>) -> tensor<?x16xf32>
  %d = tensor.empty(%t) : tensor<?x16xbf16>
  %y = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%s, %x : tensor<?x16xf32>, tensor<?x16xbf16>) outs(%d : tensor<?x16xbf16>) {
  ^bb0(%a: f32, %b: bf16, %o: bf16):
    %b32 = arith.extf %b : bf16 to f32
    %u = arith.addf %b32, %a : f32
    %r = arith.truncf %u : f32 to bf16
    linalg.yield %r : bf16
  } -> tensor<?x16xbf16>
  return %y : tensor<?x16xbf16>
}

// -----

// A generic that writes its result transposed: the factors change sides.
// CHECK-LABEL: func @swapped(
// CHECK-SAME:    %[[A:.*]]: tensor<8x4xf32>, %[[B:.*]]: tensor<16x8xf32>)
// CHECK:         frit.matmul ins(%[[B]], %[[A]] : tensor<16x8xf32>, tensor<8x4xf32>) outs(%{{.*}} : tensor<16x4xf32>) -> tensor<16x4xf32>
func.func @swapped(%a: tensor<8x4xf32>, %b: tensor<16x8xf32>) -> tensor<16x4xf32> {
  %zero = arith.constant dense<0.0> : tensor<16x4xf32>
  %s = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (k, m)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (n, m)>],
      iterator_types = ["parallel", "parallel", "reduction"]} ins(%a, %b : tensor<8x4xf32>, tensor<16x8xf32>) outs(%zero : tensor<16x4xf32>) {
  ^bb0(%x: f32, %y: f32, %o: f32):
    %p = arith.mulf %y, %x : f32
    %u = arith.addf %p, %o : f32
    linalg.yield %u : f32
  } -> tensor<16x4xf32>
  return %s : tensor<16x4xf32>
}

// -----

// A batch by one weight, which the exporter copies for each matrix.
// CHECK-LABEL: func @batch(
// CHECK-SAME:    %[[X:.*]]: tensor<2x?x8xf32>, %[[W:.*]]: tensor<16x8xf32>
// CHECK:         frit.matmul ins(%[[X]], %[[W]] : tensor<2x?x8xf32>, tensor<16x8xf32>) outs(%{{.*}} : tensor<2x?x16xf32>) transpose_b -> tensor<2x?x16xf32>
func.func @batch(%x: tensor<2x?x8xf32>, %w: tensor<16x8xf32>, %t: index) -> tensor<2x?x16xf32> {
  %zero = arith.constant 0.0 : f32
  %we = tensor.empty() : tensor<8x16xf32>
  %wt = linalg.transpose ins(%w : tensor<16x8xf32>) outs(%we : tensor<8x16xf32>) permutation = [1, 0]
  %be = tensor.empty() : tensor<2x8x16xf32>
  %wb = linalg.generic {indexing_maps = [affine_map<(b, i, j) -> (i, j)>, affine_map<(b, i, j) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%wt : tensor<8x16xf32>) outs(%be : tensor<2x8x16xf32>) {
  ^bb0(%in: f32, %o: f32):
    linalg.yield %in : f32
  } -> tensor<2x8x16xf32>
  %e = tensor.empty(%t) : tensor<2x?x16xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<2x?x16xf32>) -> tensor<2x?x16xf32>
  %s = linalg.batch_matmul ins(%x, %wb : tensor<2x?x8xf32>, tensor<2x8x16xf32>) outs(%f : tensor<2x?x16xf32>) -> tensor<2x?x16xf32>
  return %s : tensor<2x?x16xf32>
}

// -----

// What rounds otherwise than to the nearest even stays beside the sum.
// CHECK-LABEL: func @rounds_toward_zero(
// CHECK:         %[[S:.*]] = frit.matmul {{.*}} -> tensor<4x16xf32>
// CHECK:         linalg.generic {{.*}} ins(%[[S]] :
// CHECK:         arith.truncf %{{.*}} toward_zero : f32 to bf16
func.func @rounds_toward_zero(%a: tensor<4x8xbf16>, %b: tensor<8x16xbf16>) -> tensor<4x16xbf16> {
  %zero = arith.constant dense<0.0> : tensor<4x16xf32>
  %s = linalg.matmul ins(%a, %b : tensor<4x8xbf16>, tensor<8x16xbf16>) outs(%zero : tensor<4x16xf32>) -> tensor<4x16xf32>
  %e = tensor.empty() : tensor<4x16xbf16>
  %y = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%s : tensor<4x16xf32>) outs(%e : tensor<4x16xbf16>) {
  ^bb0(%p: f32, %o: bf16):
    %r = arith.truncf %p toward_zero : f32 to bf16
    linalg.yield %r : bf16
  } -> tensor<4x16xbf16>
  return %y : tensor<4x16xbf16>
}

// -----

// An addition in a loop does not pull the matmul into it.
// CHECK-LABEL: func @added_in_a_loop(
// CHECK:         frit.matmul
// CHECK:         scf.for
// CHECK-NOT:     frit.matmul
// CHECK:         linalg.add
func.func @added_in_a_loop(%a: tensor<4x8xf32>, %b: tensor<8x16xf32>, %x: tensor<4x16xf32>, %n: index) -> tensor<4x16xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant dense<0.0> : tensor<4x16xf32>
  %e = tensor.empty() : tensor<4x16xf32>
  %s = linalg.matmul ins(%a, %b : tensor<4x8xf32>, tensor<8x16xf32>) outs(%zero : tensor<4x16xf32>) -> tensor<4x16xf32>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %x) -> (tensor<4x16xf32>) {
    %u = linalg.add ins(%s, %acc : tensor<4x16xf32>, tensor<4x16xf32>) outs(%e : tensor<4x16xf32>) -> tensor<4x16xf32>
    scf.yield %u : tensor<4x16xf32>
  }
  return %r : tensor<4x16xf32>
}

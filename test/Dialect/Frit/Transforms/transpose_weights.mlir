// Weights of down become [d, H] for good: those of an argument in its type, those of a constant in its data.
//
// RUN: frit-test-opt %s --verify-diagnostics --remarks-filter='frit-transpose-weights' --pass-pipeline='builtin.module(frit-transpose-weights{assume-finite-weights arguments})' | FileCheck %s
// RUN: %frit_opt %s --pass-pipeline='builtin.module(frit-transpose-weights{assume-finite-weights arguments},frit-form-sparse-ffn{assume-finite-weights},canonicalize,cse)' | FileCheck %s --check-prefix=FORMED
// UNSUPPORTED: plugin

#id = affine_map<(i, j) -> (i, j)>
#rows = affine_map<(i, j, k) -> (i, k)>
#weight = affine_map<(i, j, k) -> (j, k)>
#out = affine_map<(i, j, k) -> (i, j)>

// CHECK-LABEL: func @argument
// CHECK-SAME:    %[[DOWN:[a-z0-9]+]]: tensor<96x64xbf16> {frit.dims = ["", "hidden"], frit.tensor = "down", frit.transposed}
// CHECK-NOT:     linalg.transpose
// CHECK:         frit.matmul ins(%{{.*}}, %[[DOWN]] : tensor<?x96xbf16>, tensor<96x64xbf16>) outs(%{{.*}}) -> tensor<?x64xbf16>

// Both ways read one copy.
// FORMED-LABEL: func @argument
// FORMED-SAME:    %[[DOWN:[a-z0-9]+]]: tensor<96x64xbf16> {frit.dims
// FORMED:         frit.sparse_ffn {{.*}} weights(%{{.*}}, %{{.*}}, %[[DOWN]] :
// FORMED-SAME:      down_layout = dh
// FORMED:         else
// FORMED-NOT:     linalg.transpose
// FORMED:         frit.matmul ins(%{{.*}}, %[[DOWN]] : tensor<?x96xbf16>, tensor<96x64xbf16>)
func.func @argument(%x: tensor<?x64xbf16>, %gate: tensor<96x64xbf16>, %up: tensor<96x64xbf16>, %down: tensor<64x96xbf16> {frit.tensor = "down", frit.dims = ["hidden", ""]}, %e: tensor<?x96xbf16>, %y: tensor<?x64xbf16>) -> tensor<?x64xbf16> {
  %g = frit.matmul ins(%x, %gate : tensor<?x64xbf16>, tensor<96x64xbf16>) outs(%e : tensor<?x96xbf16>) transpose_b -> tensor<?x96xbf16>
  %u = frit.matmul ins(%x, %up : tensor<?x64xbf16>, tensor<96x64xbf16>) outs(%e : tensor<?x96xbf16>) transpose_b -> tensor<?x96xbf16>
  // expected-remark @below {{[Passed] down-weights | Category:frit-transpose-weights | Function=argument | Remark="the weights of down are stored as [d, H] from load on: 12288 bytes in place of as many"}}
  %h = frit.gelu_and_mul_sparse ins(%g, %u : tensor<?x96xbf16>, tensor<?x96xbf16>) outs(%e : tensor<?x96xbf16>) std_multiplier = 1.5 -> tensor<?x96xbf16>
  %r = frit.matmul ins(%h, %down : tensor<?x96xbf16>, tensor<64x96xbf16>) outs(%y : tensor<?x64xbf16>) transpose_b -> tensor<?x64xbf16>
  return %r : tensor<?x64xbf16>
}

// What exporters write, and a matmul elsewhere that reads the same weights by a map.
// CHECK-LABEL: func @copied
// CHECK-SAME:    %[[DOWN:[a-z0-9]+]]: tensor<96x64xbf16> {frit.transposed}
// CHECK:         linalg.matmul ins(%{{.*}}, %[[DOWN]] : tensor<1x96xbf16>, tensor<96x64xbf16>)
// FORMED-LABEL: func @copied
// FORMED:         frit.sparse_ffn
// FORMED-SAME:      down_layout = dh
func.func @copied(%x: tensor<1x64xbf16>, %gate: tensor<96x64xbf16>, %up: tensor<96x64xbf16>, %down: tensor<64x96xbf16>, %e: tensor<1x96xbf16>, %y: tensor<1x64xbf16>, %other: tensor<1x96xbf16>) -> (tensor<1x64xbf16>, tensor<1x64xf32>) {
  %zero = arith.constant 0.0 : f32
  %g = frit.matmul ins(%x, %gate : tensor<1x64xbf16>, tensor<96x64xbf16>) outs(%e : tensor<1x96xbf16>) transpose_b -> tensor<1x96xbf16>
  %u = frit.matmul ins(%x, %up : tensor<1x64xbf16>, tensor<96x64xbf16>) outs(%e : tensor<1x96xbf16>) transpose_b -> tensor<1x96xbf16>
  // expected-remark @below {{the weights of down are stored as [d, H] from load on}}
  %h = frit.gelu_and_mul_sparse ins(%g, %u : tensor<1x96xbf16>, tensor<1x96xbf16>) outs(%e : tensor<1x96xbf16>) std_multiplier = 1.5 -> tensor<1x96xbf16>
  %te = tensor.empty() : tensor<96x64xbf16>
  %t = linalg.transpose ins(%down : tensor<64x96xbf16>) outs(%te : tensor<96x64xbf16>) permutation = [1, 0]
  %fe = tensor.empty() : tensor<1x64xf32>
  %f = linalg.fill ins(%zero : f32) outs(%fe : tensor<1x64xf32>) -> tensor<1x64xf32>
  %s = linalg.matmul ins(%h, %t : tensor<1x96xbf16>, tensor<96x64xbf16>) outs(%f : tensor<1x64xf32>) -> tensor<1x64xf32>
  %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%s : tensor<1x64xf32>) outs(%y : tensor<1x64xbf16>) {
  ^bb0(%in: f32, %old: bf16):
    %v = arith.truncf %in : f32 to bf16
    linalg.yield %v : bf16
  } -> tensor<1x64xbf16>
  %q = linalg.matmul indexing_maps = [#rows, #weight, #out] ins(%other, %down : tensor<1x96xbf16>, tensor<64x96xbf16>) outs(%f : tensor<1x64xf32>) -> tensor<1x64xf32>
  return %r, %q : tensor<1x64xbf16>, tensor<1x64xf32>
}

// The data are copied once.
// CHECK-LABEL: func @constant
// CHECK:         %[[DOWN:.*]] = arith.constant dense_resource<frit_transposed> : tensor<2x8xf32>
// CHECK:         frit.matmul ins(%{{.*}}, %[[DOWN]] : tensor<1x2xf32>, tensor<2x8xf32>) outs(%{{.*}}) -> tensor<1x8xf32>
func.func @constant(%x: tensor<1x8xf32>, %gate: tensor<2x8xf32>, %up: tensor<2x8xf32>, %e: tensor<1x2xf32>, %y: tensor<1x8xf32>) -> tensor<1x8xf32> {
  %down = arith.constant dense<[[1.0, 2.0], [3.0, 4.0], [5.0, 6.0], [7.0, 8.0], [9.0, 10.0], [11.0, 12.0], [13.0, 14.0], [15.0, 16.0]]> : tensor<8x2xf32>
  %g = frit.matmul ins(%x, %gate : tensor<1x8xf32>, tensor<2x8xf32>) outs(%e : tensor<1x2xf32>) transpose_b -> tensor<1x2xf32>
  %u = frit.matmul ins(%x, %up : tensor<1x8xf32>, tensor<2x8xf32>) outs(%e : tensor<1x2xf32>) transpose_b -> tensor<1x2xf32>
  // expected-remark @below {{64 bytes in place of as many}}
  %h = frit.gelu_and_mul_sparse ins(%g, %u : tensor<1x2xf32>, tensor<1x2xf32>) outs(%e : tensor<1x2xf32>) std_multiplier = 1.5 -> tensor<1x2xf32>
  %r = frit.matmul ins(%h, %down : tensor<1x2xf32>, tensor<8x2xf32>) outs(%y : tensor<1x8xf32>) transpose_b -> tensor<1x8xf32>
  return %r : tensor<1x8xf32>
}

// CHECK-LABEL: func @splat
// CHECK:         arith.constant dense<5.000000e-01> : tensor<2x8xf32>
func.func @splat(%x: tensor<1x8xf32>, %gate: tensor<2x8xf32>, %up: tensor<2x8xf32>, %e: tensor<1x2xf32>, %y: tensor<1x8xf32>) -> tensor<1x8xf32> {
  %down = arith.constant dense<0.5> : tensor<8x2xf32>
  %g = frit.matmul ins(%x, %gate : tensor<1x8xf32>, tensor<2x8xf32>) outs(%e : tensor<1x2xf32>) transpose_b -> tensor<1x2xf32>
  %u = frit.matmul ins(%x, %up : tensor<1x8xf32>, tensor<2x8xf32>) outs(%e : tensor<1x2xf32>) transpose_b -> tensor<1x2xf32>
  // expected-remark @below {{64 bytes in place of as many}}
  %h = frit.gelu_and_mul_sparse ins(%g, %u : tensor<1x2xf32>, tensor<1x2xf32>) outs(%e : tensor<1x2xf32>) std_multiplier = 1.5 -> tensor<1x2xf32>
  %r = frit.matmul ins(%h, %down : tensor<1x2xf32>, tensor<8x2xf32>) outs(%y : tensor<1x8xf32>) transpose_b -> tensor<1x8xf32>
  return %r : tensor<1x8xf32>
}

// CHECK: frit_transposed: "0x400000000000803F000040400000A0400000E0400000104100003041000050410000704100000040000080400000C0400000004100002041000040410000604100008041"

// RUN: %frit_opt %s --split-input-file --verify-diagnostics --remarks-filter=frit-pack-projections \
// RUN:   --pass-pipeline='builtin.module(frit-pack-projections)' | FileCheck %s
// RUN: %frit_opt %s --split-input-file --pass-pipeline='builtin.module(frit-pack-projections)' \
// RUN:   | FileCheck %s --check-prefix=DATA

#x = affine_map<(m, n, k) -> (m, k)>
#w = affine_map<(m, n, k) -> (n, k)>
#y = affine_map<(m, n, k) -> (m, n)>

// CHECK-LABEL: func @constants(
// CHECK-SAME: %[[X:.*]]: tensor<?x4xf32>
// CHECK: %[[W:.*]] = arith.constant dense_resource<[[NAME:.*]]> : tensor<5x4xf32>
// CHECK: %[[T:.*]] = linalg.transpose ins(%[[W]] : tensor<5x4xf32>)
// CHECK: %[[Y:.*]] = linalg.matmul ins(%[[X]], %[[T]] : tensor<?x4xf32>, tensor<4x5xf32>)
// CHECK-NOT: linalg.matmul
// CHECK-DAG: %[[Q:.*]] = tensor.extract_slice %[[Y]][0, 0] [%{{.*}}, 2] [1, 1]
// CHECK-DAG: %[[K:.*]] = tensor.extract_slice %[[Y]][0, 2] [%{{.*}}, 3] [1, 1]
// CHECK: return %[[Q]], %[[K]]
// The rows of both weights behind each other: seven ones and a 2, and 1 to 12.
// DATA: frit_packed_projections: "0x40000000
// DATA-SAME: 0000803F0000803F0000803F0000803F0000803F0000803F0000803F00000040
// DATA-SAME: 0000803F0000004000004040000080400000A0400000C0400000E0400000004100001041000020410000304100004041
func.func @constants(%x: tensor<?x4xf32>) -> (tensor<?x2xf32>, tensor<?x3xf32>) {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %wq = arith.constant dense<[[1.0, 1.0, 1.0, 1.0], [1.0, 1.0, 1.0, 2.0]]> : tensor<2x4xf32>
  %wk = arith.constant dense<[[1.0, 2.0, 3.0, 4.0], [5.0, 6.0, 7.0, 8.0], [9.0, 10.0, 11.0, 12.0]]> : tensor<3x4xf32>
  %t = tensor.dim %x, %c0 : tensor<?x4xf32>
  %q0 = tensor.empty(%t) : tensor<?x2xf32>
  %q1 = linalg.fill ins(%zero : f32) outs(%q0 : tensor<?x2xf32>) -> tensor<?x2xf32>
  // expected-remark @below {{2 projections of one input are one matmul}}
  %q = linalg.matmul indexing_maps = [#x, #w, #y] ins(%x, %wq : tensor<?x4xf32>, tensor<2x4xf32>)
      outs(%q1 : tensor<?x2xf32>) -> tensor<?x2xf32>
  %k0 = tensor.empty(%t) : tensor<?x3xf32>
  %k1 = linalg.fill ins(%zero : f32) outs(%k0 : tensor<?x3xf32>) -> tensor<?x3xf32>
  %wkt0 = tensor.empty() : tensor<4x3xf32>
  %wkt = linalg.transpose ins(%wk : tensor<3x4xf32>) outs(%wkt0 : tensor<4x3xf32>) permutation = [1, 0]
  %k = linalg.matmul ins(%x, %wkt : tensor<?x4xf32>, tensor<4x3xf32>) outs(%k1 : tensor<?x3xf32>) -> tensor<?x3xf32>
  return %q, %k : tensor<?x2xf32>, tensor<?x3xf32>
}

// -----

#x = affine_map<(m, n, k) -> (m, k)>
#w = affine_map<(m, n, k) -> (n, k)>
#y = affine_map<(m, n, k) -> (m, n)>
#id = affine_map<(i, j) -> (i, j)>

// What is done to both alike is done once, and LoRA ops become slices.
// CHECK-LABEL: func @bf16(
// CHECK: %[[Y:.*]] = linalg.matmul ins(%arg0, %{{.*}} : tensor<7x4xbf16>, tensor<4x8xbf16>)
// CHECK: %[[R:.*]] = linalg.generic {{.*}} ins(%[[Y]] : tensor<7x8xf32>) outs(%{{.*}} : tensor<7x8xbf16>)
// CHECK-NOT: linalg.generic
// CHECK: %[[L:.*]] = frit.lora_matmul
// CHECK-SAME: weights(%arg2, %arg3, %arg4, %arg5 :
// CHECK-SAME: outs(%[[R]] : tensor<7x8xbf16>)
// CHECK-DAG: %[[G:.*]] = tensor.extract_slice %[[L]][0, 0] [7, 5] [1, 1]
// CHECK-DAG: %[[U:.*]] = tensor.extract_slice %[[L]][0, 5] [7, 3] [1, 1]
// CHECK: return %[[G]], %[[U]]
func.func @bf16(%x: tensor<7x4xbf16>, %ids: tensor<7xi32>, %a: tensor<2x2x4xbf16>, %b: tensor<2x5x2xbf16>,
                %c: tensor<2x2x4xbf16>, %d: tensor<2x3x2xbf16>) -> (tensor<7x5xbf16>, tensor<7x3xbf16>) {
  %zero = arith.constant 0.0 : f32
  %wg = arith.constant dense<[[1.0, 2.0, 3.0, 4.0], [5.0, 6.0, 7.0, 8.0], [9.0, 10.0, 11.0, 12.0], [13.0, 14.0, 15.0, 16.0], [17.0, 18.0, 19.0, 20.0]]> : tensor<5x4xbf16>
  %wu = arith.constant dense<[[1.0, 2.0, 3.0, 4.0], [5.0, 6.0, 7.0, 8.0], [9.0, 10.0, 11.0, 12.0]]> : tensor<3x4xbf16>
  %g0 = tensor.empty() : tensor<7x5xf32>
  %g1 = linalg.fill ins(%zero : f32) outs(%g0 : tensor<7x5xf32>) -> tensor<7x5xf32>
  %u0 = tensor.empty() : tensor<7x3xf32>
  %u1 = linalg.fill ins(%zero : f32) outs(%u0 : tensor<7x3xf32>) -> tensor<7x3xf32>
  %gb = tensor.empty() : tensor<7x5xbf16>
  %ub = tensor.empty() : tensor<7x3xbf16>
  // expected-remark @below {{2 projections of one input are one matmul}}
  %g32 = linalg.matmul indexing_maps = [#x, #w, #y] ins(%x, %wg : tensor<7x4xbf16>, tensor<5x4xbf16>)
      outs(%g1 : tensor<7x5xf32>) -> tensor<7x5xf32>
  %g = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%g32 : tensor<7x5xf32>) outs(%gb : tensor<7x5xbf16>) {
  ^bb0(%in: f32, %out: bf16):
    %1 = arith.truncf %in : f32 to bf16
    linalg.yield %1 : bf16
  } -> tensor<7x5xbf16>
  %u32 = linalg.matmul indexing_maps = [#x, #w, #y] ins(%x, %wu : tensor<7x4xbf16>, tensor<3x4xbf16>)
      outs(%u1 : tensor<7x3xf32>) -> tensor<7x3xf32>
  %u = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%u32 : tensor<7x3xf32>) outs(%ub : tensor<7x3xbf16>) {
  ^bb0(%in: f32, %out: bf16):
    %1 = arith.truncf %in : f32 to bf16
    linalg.yield %1 : bf16
  } -> tensor<7x3xbf16>
  %gl = frit.lora_matmul ins(%x, %ids : tensor<7x4xbf16>, tensor<7xi32>)
      weights(%a, %b : tensor<2x2x4xbf16>, tensor<2x5x2xbf16>) outs(%g : tensor<7x5xbf16>) -> tensor<7x5xbf16>
  %ul = frit.lora_matmul ins(%x, %ids : tensor<7x4xbf16>, tensor<7xi32>)
      weights(%c, %d : tensor<2x2x4xbf16>, tensor<2x3x2xbf16>) outs(%u : tensor<7x3xbf16>) -> tensor<7x3xbf16>
  return %gl, %ul : tensor<7x5xbf16>, tensor<7x3xbf16>
}

// -----

#x = affine_map<(m, n, k) -> (m, k)>
#w = affine_map<(m, n, k) -> (n, k)>
#y = affine_map<(m, n, k) -> (m, n)>

// A weight that can be another one at every call is not packed.
// CHECK-LABEL: func @arguments(
// CHECK-COUNT-2: linalg.matmul
func.func @arguments(%x: tensor<7x4xf32>, %w: tensor<2x4xf32>) -> (tensor<7x2xf32>, tensor<7x2xf32>) {
  %zero = arith.constant 0.0 : f32
  %wk = arith.constant dense<[[1.0, 2.0, 3.0, 4.0], [5.0, 6.0, 7.0, 8.0]]> : tensor<2x4xf32>
  %q0 = tensor.empty() : tensor<7x2xf32>
  %q1 = linalg.fill ins(%zero : f32) outs(%q0 : tensor<7x2xf32>) -> tensor<7x2xf32>
  // expected-remark @below {{its weight is not constant}}
  %q = linalg.matmul indexing_maps = [#x, #w, #y] ins(%x, %w : tensor<7x4xf32>, tensor<2x4xf32>)
      outs(%q1 : tensor<7x2xf32>) -> tensor<7x2xf32>
  %k = linalg.matmul indexing_maps = [#x, #w, #y] ins(%x, %wk : tensor<7x4xf32>, tensor<2x4xf32>)
      outs(%q1 : tensor<7x2xf32>) -> tensor<7x2xf32>
  return %q, %k : tensor<7x2xf32>, tensor<7x2xf32>
}

// -----

#x = affine_map<(m, n, k) -> (m, k)>
#w = affine_map<(m, n, k) -> (n, k)>
#y = affine_map<(m, n, k) -> (m, n)>

// One matmul starts from a bias: it stays, and what it is added to.
// CHECK-LABEL: func @bias(
// CHECK-SAME: %{{.*}}: tensor<7x4xf32>, %[[BIAS:.*]]: tensor<7x2xf32>
// CHECK: linalg.matmul {{.*}} outs(%[[BIAS]] : tensor<7x2xf32>)
// CHECK: linalg.matmul
func.func @bias(%x: tensor<7x4xf32>, %bias: tensor<7x2xf32>) -> (tensor<7x2xf32>, tensor<7x2xf32>) {
  %zero = arith.constant 0.0 : f32
  %wq = arith.constant dense<[[1.0, 2.0, 3.0, 4.0], [5.0, 6.0, 7.0, 8.0]]> : tensor<2x4xf32>
  %wk = arith.constant dense<[[8.0, 7.0, 6.0, 5.0], [4.0, 3.0, 2.0, 1.0]]> : tensor<2x4xf32>
  %k0 = tensor.empty() : tensor<7x2xf32>
  %k1 = linalg.fill ins(%zero : f32) outs(%k0 : tensor<7x2xf32>) -> tensor<7x2xf32>
  %q = linalg.matmul indexing_maps = [#x, #w, #y] ins(%x, %wq : tensor<7x4xf32>, tensor<2x4xf32>)
      outs(%bias : tensor<7x2xf32>) -> tensor<7x2xf32>
  %k = linalg.matmul indexing_maps = [#x, #w, #y] ins(%x, %wk : tensor<7x4xf32>, tensor<2x4xf32>)
      outs(%k1 : tensor<7x2xf32>) -> tensor<7x2xf32>
  return %q, %k : tensor<7x2xf32>, tensor<7x2xf32>
}

// RUN: %frit_opt %s --pass-pipeline='builtin.module(frit-interchange-loops)' | FileCheck %s

// Row-major operands: the columns of the result become the innermost loop.
// CHECK-DAG: #[[$A:.+]] = affine_map<(d0, d1, d2) -> (d0, d1)>
// CHECK-DAG: #[[$B:.+]] = affine_map<(d0, d1, d2) -> (d1, d2)>
// CHECK-DAG: #[[$C:.+]] = affine_map<(d0, d1, d2) -> (d0, d2)>
// CHECK-LABEL: func @matmul
func.func @matmul(%a: memref<?x?xf32>, %b: memref<?x?xf32>, %c: memref<?x?xf32>) {
  // CHECK: linalg.generic {indexing_maps = [#[[$A]], #[[$B]], #[[$C]]], iterator_types = ["parallel", "reduction", "parallel"]}
  linalg.matmul ins(%a, %b : memref<?x?xf32>, memref<?x?xf32>) outs(%c : memref<?x?xf32>)
  return
}

// Both operands are contiguous along the sum: nothing is better.
#lhs = affine_map<(m, n, k) -> (m, k)>
#rhs = affine_map<(m, n, k) -> (n, k)>
#out = affine_map<(m, n, k) -> (m, n)>
// CHECK-LABEL: func @transposed
func.func @transposed(%a: memref<?x?xf32>, %b: memref<?x?xf32>, %c: memref<?x?xf32>) {
  // CHECK: linalg.generic {{.*}} iterator_types = ["parallel", "parallel", "reduction"]
  linalg.generic {indexing_maps = [#lhs, #rhs, #out], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : memref<?x?xf32>, memref<?x?xf32>) outs(%c : memref<?x?xf32>) {
  ^bb0(%x: f32, %y: f32, %sum: f32):
    %p = arith.mulf %x, %y : f32
    %s = arith.addf %sum, %p : f32
    linalg.yield %s : f32
  }
  return
}

// A sum over rows: the columns advance together.
#in = affine_map<(d0, d1) -> (d1, d0)>
#sum = affine_map<(d0, d1) -> (d0)>
// CHECK-LABEL: func @column_sums
func.func @column_sums(%a: memref<?x?xf32>, %c: memref<?xf32>) {
  // CHECK: linalg.generic {{.*}} iterator_types = ["reduction", "parallel"]
  linalg.generic {indexing_maps = [#in, #sum], iterator_types = ["parallel", "reduction"]}
      ins(%a : memref<?x?xf32>) outs(%c : memref<?xf32>) {
  ^bb0(%x: f32, %old: f32):
    %s = arith.addf %old, %x : f32
    linalg.yield %s : f32
  }
  return
}

// Elementwise ops stay as they are.
// CHECK-LABEL: func @elementwise
func.func @elementwise(%a: memref<?x?xf32>, %c: memref<?x?xf32>) {
  // CHECK: linalg.exp
  linalg.exp ins(%a : memref<?x?xf32>) outs(%c : memref<?x?xf32>)
  return
}

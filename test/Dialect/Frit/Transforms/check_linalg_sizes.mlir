// RUN: %frit_opt %s --pass-pipeline='builtin.module(frit-check-sizes,canonicalize,cse,canonicalize)' | FileCheck %s --check-prefixes=CHECK,ALL
// RUN: %frit_opt %s --pass-pipeline='builtin.module(frit-check-sizes{linalg-on-host},canonicalize,cse,canonicalize)' | FileCheck %s --check-prefixes=CHECK,HOST

// One comparison for each dimension that shares a loop with another.

// CHECK-LABEL: func @matmul
// CHECK-SAME: %[[X:[^:]*]]: tensor<?x?xf32>, %[[W:[^:]*]]: tensor<?x8xf32>
// CHECK-DAG: %[[K:.*]] = tensor.dim %[[X]], %c1
// CHECK-DAG: %[[WK:.*]] = tensor.dim %[[W]], %c0
// CHECK: %[[SAME:.*]] = arith.cmpi eq, %[[K]], %[[WK]]
// CHECK: cf.assert %[[SAME]], "'linalg.matmul' at check_linalg_sizes.mlir:{{[0-9]+}}:{{[0-9]+}}: dimension 1 of 'input 0' and dimension 0 of 'input 1' differ"
// CHECK: cf.assert %{{.*}}: dimension 0 of 'input 0' and dimension 0 of 'output 0' differ"
// CHECK: cf.assert %{{.*}}: dimension 1 of 'output 0' and dimension 1 of 'input 1' differ"
// CHECK-NOT: cf.assert
// CHECK: linalg.matmul
func.func @matmul(%x: tensor<?x?xf32>, %w: tensor<?x8xf32>, %y: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = linalg.matmul ins(%x, %w : tensor<?x?xf32>, tensor<?x8xf32>) outs(%y : tensor<?x?xf32>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

// A window reads up to (trips - 1) * stride + width - 1; of no trips it reads nothing.

// CHECK-LABEL: func @window
// CHECK-SAME: %[[X:[^:]*]]: memref<?xf32>, %[[Y:[^:]*]]: memref<?xf32>
// CHECK: %[[TRIPS:.*]] = memref.dim %[[Y]], %c0
// CHECK: %[[EMPTY:.*]] = arith.cmpi eq, %[[TRIPS]], %c0
// CHECK: %[[LAST:.*]] = arith.subi %[[TRIPS]], %c1
// CHECK: %[[TWICE:.*]] = arith.muli %[[LAST]], %c2
// CHECK: %[[REACH:.*]] = arith.addi %[[TWICE]], %c3
// CHECK: %[[NEEDED:.*]] = arith.select %[[EMPTY]], %c0, %[[REACH]]
// CHECK: %[[SIZE:.*]] = memref.dim %[[X]], %c0
// CHECK: %[[FITS:.*]] = arith.cmpi sle, %[[NEEDED]], %[[SIZE]]
// CHECK: cf.assert %[[FITS]], "'linalg.generic' at {{.*}}: the size that the loops need exceeds dimension 0 of 'input 0'"
// CHECK-NOT: cf.assert
func.func @window(%x: memref<?xf32>, %y: memref<?xf32>, %w: memref<3xf32>) {
  linalg.generic {
    indexing_maps = [affine_map<(o, k) -> (2 * o + k)>, affine_map<(o, k) -> (k)>, affine_map<(o, k) -> (o)>],
    iterator_types = ["parallel", "reduction"]
  } ins(%x, %w : memref<?xf32>, memref<3xf32>) outs(%y : memref<?xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %0 = arith.mulf %a, %b : f32
    %1 = arith.addf %0, %c : f32
    linalg.yield %1 : f32
  }
  return
}

// Sizes of the same origin, and static ones.

// CHECK-LABEL: func @folded
// CHECK-NOT: cf.assert
// CHECK: return
func.func @folded(%x: tensor<?x4xf32>, %s: f32) -> tensor<?x4xf32> {
  %c0 = arith.constant 0 : index
  %t = tensor.dim %x, %c0 : tensor<?x4xf32>
  %e = tensor.empty(%t) : tensor<?x4xf32>
  %f = linalg.fill ins(%s : f32) outs(%e : tensor<?x4xf32>) -> tensor<?x4xf32>
  %0 = linalg.add ins(%x, %f : tensor<?x4xf32>, tensor<?x4xf32>) outs(%e : tensor<?x4xf32>) -> tensor<?x4xf32>
  return %0 : tensor<?x4xf32>
}

// An index that falls as the loop goes on is least in the end.

// CHECK-LABEL: func @reversed
// CHECK: %[[TRIPS:.*]] = tensor.dim
// CHECK: %[[EMPTY:.*]] = arith.cmpi eq, %[[TRIPS]], %c0
// CHECK: %[[AT_LAST:.*]] = arith.subi %c9, %[[TRIPS]]
// CHECK: %[[LEAST:.*]] = arith.select %[[EMPTY]], %c0, %[[AT_LAST]]
// CHECK: %[[VALID:.*]] = arith.cmpi sge, %[[LEAST]], %c0
// CHECK: cf.assert %[[VALID]], "{{.*}}: the loops reach below dimension 0 of 'input 0'"
// CHECK: cf.assert %{{.*}}, "{{.*}}: the size that the loops need exceeds dimension 0 of 'input 0'"
func.func @reversed(%x: tensor<?xf32>, %y: tensor<?xf32>) -> tensor<?xf32> {
  %0 = linalg.generic {
    indexing_maps = [affine_map<(i) -> (8 - i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]
  } ins(%x : tensor<?xf32>) outs(%y : tensor<?xf32>) {
  ^bb0(%a: f32, %b: f32):
    linalg.yield %a : f32
  } -> tensor<?xf32>
  return %0 : tensor<?xf32>
}

// A division keeps the order of indices; where a remainder is greatest is
// searched for, over the loops that it takes.

// CHECK-LABEL: func @divided
// CHECK-NOT: scf.for
// CHECK: cf.assert %{{.*}}, "{{.*}}: the size that the loops need exceeds dimension 0 of 'input 0'"
// CHECK: scf.for
// CHECK-NOT: scf.for
// CHECK: cf.assert %{{.*}}, "{{.*}}: the loops reach below dimension 1 of 'input 0'"
// CHECK: cf.assert %{{.*}}, "{{.*}}: the size that the loops need exceeds dimension 1 of 'input 0'"
// CHECK-NOT: cf.assert
// CHECK: linalg.generic
func.func @divided(%x: tensor<?x?xf32>, %y: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = linalg.generic {
    indexing_maps = [affine_map<(i, j) -> (i floordiv 2, 3 * i + j mod 4)>, affine_map<(i, j) -> (i, j)>],
    iterator_types = ["parallel", "parallel"]
  } ins(%x : tensor<?x?xf32>) outs(%y : tensor<?x?xf32>) {
  ^bb0(%a: f32, %b: f32):
    linalg.yield %a : f32
  } -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

// What a cast says of a size is a claim.

// CHECK-LABEL: func @cast
// CHECK-SAME: %[[X:[^:]*]]: tensor<?xf32>
// CHECK: %[[D:.*]] = tensor.dim %[[X]], %c0
// CHECK: arith.cmpi eq, %[[D]], %c8
// CHECK: cf.assert %{{.*}}: dimension 0 of 'input 0' and dimension 0 of 'output 0' differ"
func.func @cast(%x: tensor<?xf32>, %y: tensor<8xf32>) -> tensor<8xf32> {
  %c = tensor.cast %x : tensor<?xf32> to tensor<8xf32>
  %0 = linalg.exp ins(%c : tensor<8xf32>) outs(%y : tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// What a device may run by itself has no checks there.

// CHECK-LABEL: func @nested
// CHECK: scf.for
// CHECK: cf.assert
// CHECK: linalg.exp
// CHECK: scf.parallel
// ALL: cf.assert
// HOST-NOT: cf.assert
// CHECK: linalg.exp
// CHECK: scf.if
// ALL: cf.assert
// HOST-NOT: cf.assert
// CHECK: linalg.exp
func.func @nested(%x: memref<?xf32>, %y: memref<?xf32>, %n: index, %c: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    linalg.exp ins(%x : memref<?xf32>) outs(%y : memref<?xf32>)
  }
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    linalg.exp ins(%x : memref<?xf32>) outs(%y : memref<?xf32>)
  }
  scf.if %c {
    linalg.exp ins(%x : memref<?xf32>) outs(%y : memref<?xf32>)
  }
  return
}

// RUN: %frit_opt %s --pass-pipeline='builtin.module(convert-contraction-to-vector{vector-width=256},canonicalize,cse)' | FileCheck %s --check-prefixes=CHECK,W256
// RUN: %frit_opt %s --pass-pipeline='builtin.module(convert-contraction-to-vector{vector-width=512},canonicalize,cse)' | FileCheck %s --check-prefixes=CHECK,W512

// One row: strips of the right-hand side, eight k at a time.
// CHECK-LABEL: func.func @one_row(
// CHECK-SAME:    %[[LHS:.*]]: memref<1x?xf32>, %[[RHS:.*]]: memref<?x?xf32>, %[[OUT:.*]]: memref<1x?xf32>)
// CHECK:         scf.parallel
// CHECK:           %[[PARTIAL:.*]] = memref.alloca() {{.*}} : memref<1x1024xf32>
// W256-COUNT-8:      vector.load %[[RHS]]{{.*}} vector<8xf32>
// W512-COUNT-8:      vector.load %[[RHS]]{{.*}} vector<16xf32>
// CHECK:             vector.maskedload %[[RHS]]
// CHECK:           arith.addf
// CHECK-NEXT:      vector.store %{{.*}}, %[[OUT]]
// CHECK-NOT:     scf.parallel
// CHECK:         return
func.func @one_row(%lhs: memref<1x?xf32>, %rhs: memref<?x?xf32>, %out: memref<1x?xf32>) {
  linalg.matmul ins(%lhs, %rhs : memref<1x?xf32>, memref<?x?xf32>) outs(%out : memref<1x?xf32>)
  return
}

// Many rows: a widened block of the right-hand side and tiles of six rows. The
// left-hand side is widened beforehand.
// CHECK-LABEL: func.func @many_rows(
// CHECK-SAME:    %[[LHS:.*]]: memref<512x64xbf16>, %[[RHS:.*]]: memref<64x256xbf16>, %[[OUT:.*]]: memref<512x256xf32>)
// CHECK:         %[[WIDE:.*]] = memref.alloc() : memref<512x64xf32>
// CHECK:         scf.parallel
// CHECK:           arith.extf
// CHECK:           vector.store %{{.*}}, %[[WIDE]]
// CHECK:         scf.parallel
// CHECK:           %[[PACKED:.*]] = memref.alloca() {{.*}} : memref<{{.*}}xf32>
// CHECK:           vector.load %[[RHS]]
// CHECK:           vector.store %{{.*}}, %[[PACKED]]
// W256:            %{{.*}}:12 = scf.for
// W512:            %{{.*}}:24 = scf.for
// CHECK:             vector.load %[[PACKED]]
// CHECK:             memref.load %[[WIDE]]
// CHECK:             vector.broadcast
// W256-COUNT-12:     math.fma
// W512-COUNT-24:     math.fma
// CHECK-NOT:         math.fma
// CHECK:           vector.store %{{.*}}, %[[OUT]]
// CHECK:         memref.dealloc %[[WIDE]]
func.func @many_rows(%lhs: memref<512x64xbf16>, %rhs: memref<64x256xbf16>, %out: memref<512x256xf32>) {
  linalg.matmul ins(%lhs, %rhs : memref<512x64xbf16>, memref<64x256xbf16>) outs(%out : memref<512x256xf32>)
  return
}

#a = affine_map<(b, m, n, k) -> (b, m, k)>
#b = affine_map<(b, m, n, k) -> (n, k)>
#c = affine_map<(b, m, n, k) -> (b, m, n)>

// Both sides contiguous along k: dot products, without a scratch.
// CHECK-LABEL: func.func @dot(
// CHECK-SAME:    %[[LHS:.*]]: memref<?x?x?xf16>, %[[RHS:.*]]: memref<?x?xf16>,
// CHECK-NOT:     memref.alloc
// CHECK:         scf.parallel
// CHECK:           scf.for {{.*}} iter_args
// W256:              vector.load %[[LHS]]{{.*}} vector<8xf16>
// W512:              vector.load %[[LHS]]{{.*}} vector<16xf16>
// CHECK:             math.fma
// CHECK:           vector.shuffle
// CHECK-NOT:     linalg.generic
// CHECK:         return
func.func @dot(%lhs: memref<?x?x?xf16>, %rhs: memref<?x?xf16>, %out: memref<?x?x?xf32>) {
  linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%lhs, %rhs : memref<?x?x?xf16>, memref<?x?xf16>) outs(%out : memref<?x?x?xf32>) {
  ^bb0(%l: f16, %r: f16, %o: f32):
    %lw = arith.extf %l : f16 to f32
    %rw = arith.extf %r : f16 to f32
    %p = arith.mulf %lw, %rw : f32
    %s = arith.addf %o, %p : f32
    linalg.yield %s : f32
  }
  return
}

// Of long rows many left-hand ones take a part at a time: the partial sums of a task's pairs are kept meanwhile.
// CHECK-LABEL: func.func @long_rows(
// W256:          memref.alloca() {{.*}} memref<64x32x8xf32>
// W512:          memref.alloca() {{.*}} memref<64x32x16xf32>
// CHECK-LABEL: func.func @short_rows(
// CHECK-NOT:     memref.alloca
// CHECK:         return
func.func @long_rows(%lhs: memref<?x8192xf32>, %rhs: memref<?x8192xf32>, %out: memref<?x?xf32>) {
  linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]
    ins(%lhs, %rhs : memref<?x8192xf32>, memref<?x8192xf32>) outs(%out : memref<?x?xf32>)
  return
}
func.func @short_rows(%lhs: memref<?x8191xf32>, %rhs: memref<?x8191xf32>, %out: memref<?x?xf32>) {
  linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]
    ins(%lhs, %rhs : memref<?x8191xf32>, memref<?x8191xf32>) outs(%out : memref<?x?xf32>)
  return
}

// f64 has half as many lanes.
// CHECK-LABEL: func.func @f64(
// CHECK:         scf.parallel
// W256:            vector<4xf64>
// W512:            vector<8xf64>
// CHECK-NOT:     linalg.batch_matmul
// CHECK:         return
func.func @f64(%lhs: memref<?x?x?xf64>, %rhs: memref<?x?x?xf64>, %out: memref<?x?x?xf64>) {
  linalg.batch_matmul ins(%lhs, %rhs : memref<?x?x?xf64>, memref<?x?x?xf64>) outs(%out : memref<?x?x?xf64>)
  return
}

// A vector times a matrix, either way round.
// CHECK-LABEL: func.func @vectors(
// CHECK-NOT:     linalg
// CHECK:         return
func.func @vectors(%v: memref<?xf32>, %m: memref<?x?xf32>, %out: memref<?xf32>) {
  linalg.matvec ins(%m, %v : memref<?x?xf32>, memref<?xf32>) outs(%out : memref<?xf32>)
  linalg.vecmat ins(%v, %m : memref<?xf32>, memref<?x?xf32>) outs(%out : memref<?xf32>)
  return
}

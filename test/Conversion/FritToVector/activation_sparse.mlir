// RUN: %frit_opt %s --pass-pipeline='builtin.module(convert-frit-to-vector{vector-width=256},canonicalize,cse)' | FileCheck %s --check-prefixes=CHECK,W256
// RUN: %frit_opt %s --pass-pipeline='builtin.module(convert-frit-to-vector{vector-width=512},canonicalize,cse)' | FileCheck %s --check-prefixes=CHECK,W512

#row = strided<[?, 1], offset: ?>

// CHECK-LABEL: func @stepwise_bf16
// CHECK: scf.parallel
// CHECK: %[[ACTIVE:.*]] = memref.alloca() : memref<256xindex>
// CHECK: %[[ZERO:.*]] = memref.alloca() : memref<256xindex>
// Two sums over the gate: of the elements, then of the squared differences to
// the unrounded mean.
// W256: %{{.*}}:4 = scf.for {{.*}} -> (vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>)
// W512: %{{.*}}:4 = scf.for {{.*}} -> (vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>)
// CHECK: %[[M:.*]] = arith.divf
// CHECK: %[[MV:.*]] = vector.broadcast %[[M]]
// CHECK: %[[DEV:.*]] = arith.subf %{{.*}}, %[[MV]]
// CHECK: math.fma %[[DEV]], %[[DEV]],
// CHECK: %[[S:.*]] = math.sqrt
// The cutoff, with a rounding after each step.
// CHECK: %[[ME:.*]] = arith.truncf %[[M]] : f32 to bf16
// CHECK: arith.truncf %[[S]] : f32 to bf16
// CHECK: arith.mulf
// CHECK: arith.truncf
// CHECK: arith.addf
// CHECK: arith.truncf
// CHECK: %[[C:.*]] = arith.extf
// Sorting into groups of eight columns: NaN counts as above the cutoff.
// CHECK: scf.for
// CHECK: arith.cmpf ugt
// CHECK: memref.store {{.*}}, %[[ACTIVE]]
// CHECK: memref.store {{.*}}, %[[ZERO]]
// W512: memref.store {{.*}}, %[[ACTIVE]]
// W512: memref.store {{.*}}, %[[ZERO]]
// Groups without a gate above it: up is read, and a zero or a quiet NaN is the
// upper half of its f32 value.
// CHECK: memref.load %[[ZERO]]
// CHECK: vector.load {{.*}} vector<8xbf16>
// CHECK: arith.mulf
// CHECK: arith.shrui
// CHECK: arith.trunci
// CHECK: vector.store {{.*}} vector<8xbf16>
// The others in full.
// CHECK: memref.load %[[ACTIVE]]
// W512: memref.load %[[ACTIVE]]
// CHECK: arith.subf
// W256: math.tanh {{.*}} : vector<8xf32>
// W512: math.tanh {{.*}} : vector<16xf32>
// CHECK: vector.store {{.*}} vector<8xbf16>
// And the columns that fill no vector.
// CHECK: scf.if
// CHECK: math.tanh {{.*}} : f32
// CHECK-NOT: memref.alloc(
// CHECK-NOT: frit.gelu_and_mul_sparse
func.func @stepwise_bf16(%x: memref<?x?xbf16, #row>, %y: memref<?x?xbf16, #row>) {
  frit.gelu_and_mul_sparse ins(%x : memref<?x?xbf16, #row>) outs(%y : memref<?x?xbf16, #row>)
    std_multiplier = 1.64485359 {frit.kernel = #frit.kernel<"native.vector">}
  return
}

// CHECK-LABEL: func @final_erf_correction
// CHECK: scf.parallel
// CHECK-NOT: arith.truncf
// CHECK: arith.subi %{{.*}}, %c1
// CHECK: math.sqrt
// CHECK-NOT: arith.truncf
// CHECK: arith.cmpf ugt
// CHECK: math.erf
// CHECK: arith.truncf
func.func @final_erf_correction(%g: memref<?x?xf16, #row>, %u: memref<?x?xf16, #row>, %y: memref<?x?xf16, #row>) {
  frit.gelu_and_mul_sparse ins(%g, %u : memref<?x?xf16, #row>, memref<?x?xf16, #row>)
    outs(%y : memref<?x?xf16, #row>) std_multiplier = 1.0 approximate = erf rounding = final correction = 1
    {frit.kernel = #frit.kernel<"native.vector">}
  return
}

// Only assume_finite_up lets the short form leave up alone.

// CHECK-LABEL: func @assume_finite_up
// CHECK: arith.cmpf ugt
// CHECK: scf.for
// CHECK-NEXT: memref.load
// CHECK-NEXT: vector.store %cst
// CHECK-NEXT: }
func.func @assume_finite_up(%x: memref<?x?xf32, #row>, %y: memref<?x?xf32, #row>) {
  frit.gelu_and_mul_sparse ins(%x : memref<?x?xf32, #row>) outs(%y : memref<?x?xf32, #row>)
    std_multiplier = 1.0 assume_finite_up {frit.kernel = #frit.kernel<"native.vector">}
  return
}

// RUN: %frit_opt %s --pass-pipeline='builtin.module(convert-frit-to-vector{vector-width=256},canonicalize,cse)' | FileCheck %s --check-prefixes=CHECK,W256
// RUN: %frit_opt %s --pass-pipeline='builtin.module(convert-frit-to-vector{vector-width=512},canonicalize,cse)' | FileCheck %s --check-prefixes=CHECK,W512

#row = strided<[?, 1], offset: ?>

// CHECK-LABEL: func @stepwise_bf16
// CHECK: scf.parallel
// CHECK: %[[ACTIVE:.*]] = memref.alloca() {alignment = 64 : i64} : memref<256xindex>
// W256: %[[RESULTS:.*]] = memref.alloca() {alignment = 64 : i64} : memref<2056xbf16>
// W512: %[[RESULTS:.*]] = memref.alloca() {alignment = 64 : i64} : memref<2064xbf16>
// Two sums over the gate: of the elements, then of the squared differences to
// the unrounded mean.
// Of two bf16 values in a word, one is shifted up and one masked.
// W256: %{{.*}}:4 = scf.for {{.*}} -> (vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>)
// W256: vector.load {{.*}} vector<16xbf16>
// W512: %{{.*}}:4 = scf.for {{.*}} -> (vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>)
// W512: vector.load {{.*}} vector<32xbf16>
// CHECK: vector.bitcast
// CHECK: arith.shli
// CHECK: arith.andi
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
// The search for groups of eight columns that have a gate above the cutoff, or
// NaN.
// CHECK: scf.for
// CHECK: arith.cmpf ugt
// CHECK: memref.prefetch
// CHECK: memref.store {{.*}}, %[[ACTIVE]]
// W512: memref.store {{.*}}, %[[ACTIVE]]
// Their results are set aside.
// CHECK: memref.load %[[ACTIVE]]
// W512: memref.load %[[ACTIVE]]
// CHECK: arith.subf
// W256: math.tanh {{.*}} : vector<8xf32>
// W512: math.tanh {{.*}} : vector<16xf32>
// CHECK: vector.store {{.*}}, %[[RESULTS]]
// All columns are 0 * up, which reads up: NaN where its exponent is full.
// W256: vector.load {{.*}} vector<8xbf16>
// W512: vector.load {{.*}} vector<16xbf16>
// CHECK: arith.andi
// CHECK: arith.cmpi eq
// CHECK: arith.select
// CHECK: vector.store
// The results follow.
// CHECK: memref.load %[[ACTIVE]]
// CHECK: vector.load %[[RESULTS]]{{.*}} vector<8xbf16>
// CHECK: vector.store {{.*}} vector<8xbf16>
// And the columns that fill no vector, in copies.
// CHECK: scf.if
// CHECK: memref.load
// W256: math.tanh {{.*}} : vector<8xf32>
// W512: math.tanh {{.*}} : vector<16xf32>
// CHECK: memref.store
// CHECK-NOT: math.tanh {{.*}} : f32
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
// CHECK: math.tanh
// CHECK: scf.for
// CHECK-NEXT: arith.muli
// CHECK-NEXT: arith.addi
// CHECK-NEXT: vector.store %cst
// CHECK-NEXT: }
func.func @assume_finite_up(%x: memref<?x?xf32, #row>, %y: memref<?x?xf32, #row>) {
  frit.gelu_and_mul_sparse ins(%x : memref<?x?xf32, #row>) outs(%y : memref<?x?xf32, #row>)
    std_multiplier = 1.0 assume_finite_up {frit.kernel = #frit.kernel<"native.vector">}
  return
}

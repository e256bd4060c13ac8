// RUN: %frit_opt %s --pass-pipeline='builtin.module(frit-decompose,cse)' -split-input-file | FileCheck %s

// Each step of the op, and each of its roundings, in order.

// CHECK-LABEL: func @stepwise
// CHECK-SAME: %[[X:.*]]: tensor<?x?xbf16>, %[[Y:.*]]: tensor<?x?xbf16>
func.func @stepwise(%x: tensor<?x?xbf16>, %y: tensor<?x?xbf16>) -> tensor<?x?xbf16> {
  // CHECK-DAG: %[[T:.*]] = tensor.dim %[[Y]], %{{.*}}0 :
  // CHECK-DAG: %[[D:.*]] = tensor.dim %[[Y]], %{{.*}}1 :
  // CHECK: scf.forall (%[[I:.*]]) in (%[[T]]) shared_outs(%[[OUT:.*]] = %[[Y]])
  // CHECK: %[[DEST:.*]] = tensor.extract_slice %[[OUT]][%[[I]], 0] [1, %[[D]]] [1, 1] : tensor<?x?xbf16> to tensor<?xbf16>
  // CHECK: %[[GATE:.*]] = tensor.extract_slice %[[X]][%[[I]], 0] [1, %[[D]]] [1, 1]
  // CHECK: %[[UP:.*]] = tensor.extract_slice %[[X]][%[[I]], %[[D]]] [1, %[[D]]] [1, 1]

  // The sum: blocks of 8 terms, then compensation.
  // CHECK: %[[ZERO:.*]] = arith.constant 0.0{{.*}} : f32
  // CHECK: %[[SUM:.*]]:3 = scf.for %[[B:.*]] = %{{.*}} to %[[D]] step %{{.*}}8 iter_args(%[[S:.*]] = %[[ZERO]], %[[E:.*]] = %[[ZERO]], %[[P:.*]] = %[[ZERO]])
  // CHECK: %[[BLOCK:.*]] = scf.for %[[K:.*]] = %[[B]] to %{{.*}} step %{{.*}} iter_args(%[[ACC:.*]] = %[[ZERO]])
  // CHECK-NEXT: %[[G:.*]] = tensor.extract %[[GATE]][%[[K]]]
  // CHECK-NEXT: %[[GF:.*]] = arith.extf %[[G]] : bf16 to f32
  // CHECK-NEXT: %[[A:.*]] = arith.addf %[[ACC]], %[[GF]] : f32
  // CHECK-NEXT: scf.yield %[[A]]
  // CHECK: %[[C0:.*]] = arith.subf %[[BLOCK]], %[[E]]
  // CHECK-NEXT: %[[S1:.*]] = arith.addf %[[S]], %[[C0]]
  // CHECK-NEXT: %[[ST:.*]] = arith.subf %[[S1]], %[[S]]
  // CHECK-NEXT: %[[E1:.*]] = arith.subf %[[ST]], %[[C0]]
  // CHECK-NEXT: %[[P1:.*]] = arith.addf %[[P]], %[[BLOCK]]
  // CHECK-NEXT: scf.yield %[[S1]], %[[E1]], %[[P1]]
  // CHECK: %[[NAN:.*]] = arith.cmpf uno, %[[SUM]]#0, %[[SUM]]#0
  // CHECK-NEXT: %[[TOTAL:.*]] = arith.select %[[NAN]], %[[SUM]]#2, %[[SUM]]#0
  // CHECK: %[[N:.*]] = arith.sitofp
  // CHECK-NEXT: %[[M:.*]] = arith.divf %[[TOTAL]], %[[N]]

  // Deviations from the mean as it is before its rounding.
  // CHECK: %[[SQUARES:.*]]:3 = scf.for
  // CHECK: arith.extf
  // CHECK-NEXT: %[[DEV:.*]] = arith.subf %{{.*}}, %[[M]]
  // CHECK-NEXT: %[[SQ:.*]] = arith.mulf %[[DEV]], %[[DEV]]
  // CHECK-NEXT: arith.addf %{{.*}}, %[[SQ]]
  // CHECK: %[[TOTAL2:.*]] = arith.select %{{.*}}, %[[SQUARES]]#2, %[[SQUARES]]#0
  // CHECK-NEXT: %[[V:.*]] = arith.divf %[[TOTAL2]], %[[N]]
  // CHECK-NEXT: %[[SD:.*]] = math.sqrt %[[V]]

  // Steps 1 to 4, each rounded.
  // CHECK-NEXT: %[[M16:.*]] = arith.truncf %[[M]] : f32 to bf16
  // CHECK-NEXT: %[[MR:.*]] = arith.extf %[[M16]] : bf16 to f32
  // CHECK-NEXT: %[[S16:.*]] = arith.truncf %[[SD]] : f32 to bf16
  // CHECK-NEXT: %[[SR:.*]] = arith.extf %[[S16]] : bf16 to f32
  // CHECK-NEXT: %[[MULT:.*]] = arith.constant 1.64485359 : f32
  // CHECK-NEXT: %[[PP:.*]] = arith.mulf %[[SR]], %[[MULT]]
  // CHECK-NEXT: %[[P16:.*]] = arith.truncf %[[PP]] : f32 to bf16
  // CHECK-NEXT: %[[PR:.*]] = arith.extf %[[P16]] : bf16 to f32
  // CHECK-NEXT: %[[C:.*]] = arith.addf %[[MR]], %[[PR]]
  // CHECK-NEXT: %[[C16:.*]] = arith.truncf %[[C]] : f32 to bf16
  // CHECK-NEXT: %[[CUTOFF:.*]] = arith.extf %[[C16]] : bf16 to f32

  // CHECK-NEXT: %[[ROW:.*]] = linalg.generic {{.*}} ins(%[[GATE]], %[[UP]] : {{.*}}) outs(%[[DEST]] :
  // CHECK-NEXT: ^bb0(%[[GI:.*]]: bf16, %[[UI:.*]]: bf16, %{{.*}}: bf16):
  // Step 5.
  // CHECK-NEXT: %[[GX:.*]] = arith.extf %[[GI]]
  // CHECK-NEXT: %[[Z:.*]] = arith.subf %[[GX]], %[[CUTOFF]]
  // CHECK-NEXT: %[[Z16:.*]] = arith.truncf %[[Z]] : f32 to bf16
  // CHECK-NEXT: %[[ZR:.*]] = arith.extf %[[Z16]] : bf16 to f32
  // Step 6: NaN is not less than zero, so it stays.
  // CHECK-NEXT: %[[NEG:.*]] = arith.cmpf olt, %[[ZR]], %[[ZERO]]
  // CHECK-NEXT: %[[R:.*]] = arith.select %[[NEG]], %[[ZERO]], %[[ZR]]
  // Step 7.
  // CHECK-DAG: %[[BETA:.*]] = arith.constant 0.797884583 : f32
  // CHECK-DAG: %[[KAPPA:.*]] = arith.constant 4.471500e-02 : f32
  // CHECK: %[[R2:.*]] = arith.mulf %[[R]], %[[R]]
  // CHECK-NEXT: %[[R3:.*]] = arith.mulf %[[R2]], %[[R]]
  // CHECK-NEXT: %[[KR3:.*]] = arith.mulf %[[KAPPA]], %[[R3]]
  // CHECK-NEXT: %[[INNER:.*]] = arith.addf %[[R]], %[[KR3]]
  // CHECK-NEXT: %[[ARG:.*]] = arith.mulf %[[BETA]], %[[INNER]]
  // CHECK-NEXT: %[[TANH:.*]] = math.tanh %[[ARG]]
  // CHECK-DAG: %[[HALF:.*]] = arith.constant 5.{{0*}}e-01 : f32
  // CHECK-DAG: %[[ONE:.*]] = arith.constant 1.{{0*}}e+00 : f32
  // CHECK: %[[HR:.*]] = arith.mulf %[[HALF]], %[[R]]
  // CHECK-NEXT: %[[OT:.*]] = arith.addf %[[ONE]], %[[TANH]]
  // CHECK-NEXT: %[[GELU:.*]] = arith.mulf %[[HR]], %[[OT]]
  // CHECK-NEXT: %[[A16:.*]] = arith.truncf %[[GELU]] : f32 to bf16
  // CHECK-NEXT: %[[AR:.*]] = arith.extf %[[A16]] : bf16 to f32
  // Step 8.
  // CHECK-NEXT: %[[UX:.*]] = arith.extf %[[UI]]
  // CHECK-NEXT: %[[YF:.*]] = arith.mulf %[[AR]], %[[UX]]
  // CHECK-NEXT: %[[Y16:.*]] = arith.truncf %[[YF]] : f32 to bf16
  // CHECK-NEXT: linalg.yield %[[Y16]]
  // CHECK: tensor.parallel_insert_slice %[[ROW]] into %[[OUT]][%[[I]], 0] [1, %[[D]]] [1, 1]
  %0 = frit.gelu_and_mul_sparse ins(%x : tensor<?x?xbf16>) outs(%y : tensor<?x?xbf16>)
      std_multiplier = 1.64485359 -> tensor<?x?xbf16>
  return %0 : tensor<?x?xbf16>
}

// -----

// `final` rounds only y; the erf form; separate operands; correction 1.

// CHECK-LABEL: func @final
// CHECK-SAME: %[[G:[a-z0-9]+]]: tensor<4x96xf16>, %[[U:[a-z0-9]+]]: tensor<4x96xf16>
// CHECK: %[[GATE:.*]] = tensor.extract_slice %[[G]][%{{.*}}, 0] [1, 96] [1, 1]
// CHECK: %[[UP:.*]] = tensor.extract_slice %[[U]][%{{.*}}, 0] [1, 96] [1, 1]
// CHECK: %[[M:.*]] = arith.divf
// CHECK: %[[D1:.*]] = arith.subi %{{.*}}96, %{{.*}}1 : index
// CHECK: %[[I1:.*]] = arith.index_cast %[[D1]]
// CHECK: %[[N1:.*]] = arith.sitofp %[[I1]]
// CHECK: %[[V:.*]] = arith.divf %{{.*}}, %[[N1]]
// CHECK-NEXT: %[[S:.*]] = math.sqrt %[[V]]
// CHECK-NEXT: %[[MULT:.*]] = arith.constant -5.{{0*}}e-01 : f32
// CHECK-NEXT: %[[P:.*]] = arith.mulf %[[S]], %[[MULT]]
// CHECK-NEXT: %[[C:.*]] = arith.addf %[[M]], %[[P]]
// CHECK-NEXT: linalg.generic
// CHECK-NEXT: ^bb0
// CHECK-NEXT: arith.extf
// CHECK-NEXT: %[[Z:.*]] = arith.subf %{{.*}}, %[[C]]
// CHECK-NEXT: %[[NEG:.*]] = arith.cmpf olt, %[[Z]]
// CHECK-NEXT: %[[R:.*]] = arith.select %[[NEG]], %{{.*}}, %[[Z]]
// CHECK: %[[RSQRT2:.*]] = arith.constant 0.707106769 : f32
// CHECK-NEXT: %[[ARG:.*]] = arith.mulf %[[R]], %[[RSQRT2]]
// CHECK-NEXT: %[[ERF:.*]] = math.erf %[[ARG]]
// CHECK: %[[HR:.*]] = arith.mulf %{{.*}}, %[[R]]
// CHECK-NEXT: %[[OE:.*]] = arith.addf %{{.*}}, %[[ERF]]
// CHECK-NEXT: %[[A:.*]] = arith.mulf %[[HR]], %[[OE]]
// CHECK-NEXT: %[[UX:.*]] = arith.extf
// CHECK-NEXT: %[[Y:.*]] = arith.mulf %[[A]], %[[UX]]
// CHECK-NEXT: arith.truncf %[[Y]] : f32 to f16
func.func @final(%g: tensor<4x96xf16>, %u: tensor<4x96xf16>, %y: tensor<4x96xf16>) -> tensor<4x96xf16> {
  %0 = frit.gelu_and_mul_sparse ins(%g, %u : tensor<4x96xf16>, tensor<4x96xf16>)
      outs(%y : tensor<4x96xf16>) std_multiplier = -0.5 approximate = erf rounding = final
      correction = 1 -> tensor<4x96xf16>
  return %0 : tensor<4x96xf16>
}

// -----

// f32 rounds after each op by itself. `up` is read also where it may be skipped.

// CHECK-LABEL: func @f32
// CHECK-NOT: arith.truncf
// CHECK-NOT: arith.extf
// CHECK: linalg.generic
// CHECK: ^bb0(%{{.*}}: f32, %[[U:.*]]: f32, %{{.*}}: f32):
// CHECK: arith.mulf %{{.*}}, %[[U]]
// CHECK-NOT: arith.truncf
func.func @f32(%x: tensor<3x8xf32>, %y: tensor<3x4xf32>) -> tensor<3x4xf32> {
  %0 = frit.gelu_and_mul_sparse ins(%x : tensor<3x8xf32>) outs(%y : tensor<3x4xf32>)
      std_multiplier = 0.0 assume_finite_up -> tensor<3x4xf32>
  return %0 : tensor<3x4xf32>
}

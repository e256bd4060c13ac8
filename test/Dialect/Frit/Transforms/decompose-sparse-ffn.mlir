// RUN: %frit_opt %s --pass-pipeline='builtin.module(frit-decompose{accumulate-in-f64},canonicalize,cse)' -split-input-file | FileCheck %s

// The dense chain. The activated gate is the sparse activation with an up of 1, and what it makes zero is neither
// multiplied by up nor added to the sum of down.

// CHECK-LABEL: func @stepwise
// CHECK-SAME: %[[X:.*]]: tensor<?x64xbf16>, %[[GATE:.*]]: tensor<96x64xbf16>, %[[UP:.*]]: tensor<96x64xbf16>, %[[DOWN:.*]]: tensor<96x64xbf16>, %[[Y:.*]]: tensor<?x64xbf16>
// CHECK: %[[G:.*]] = scf.forall
// CHECK: tensor.extract %[[X]]
// CHECK: tensor.extract %[[GATE]]
// CHECK: arith.truncf %{{.*}} : f32 to bf16
// CHECK: %[[U:.*]] = scf.forall
// CHECK: tensor.extract %[[UP]]
// CHECK: %[[ONES:.*]] = linalg.fill ins(%{{.*}} : bf16)
// CHECK: %[[A:.*]] = scf.forall
// CHECK: tensor.extract_slice %[[G]]
// CHECK: tensor.extract_slice %[[ONES]]
// CHECK: math.sqrt
// CHECK: %[[H:.*]] = scf.forall
// CHECK-DAG: %[[AROW:.*]] = tensor.extract_slice %[[A]]
// CHECK-DAG: %[[UROW:.*]] = tensor.extract_slice %[[U]]
// CHECK: ^bb0(%[[AE:.*]]: bf16, %[[UE:.*]]: bf16, %{{.*}}: bf16):
// CHECK: %[[AF:.*]] = arith.extf %[[AE]]
// CHECK: %[[UF:.*]] = arith.extf %[[UE]]
// CHECK: %[[P:.*]] = arith.mulf %[[AF]], %[[UF]] : f32
// CHECK: %[[R:.*]] = arith.truncf %[[P]] : f32 to bf16
// CHECK: %[[ISNOT:.*]] = arith.cmpf une, %[[AF]], %{{.*}} : f32
// CHECK: arith.select %[[ISNOT]], %[[R]], %{{.*}} : bf16
// CHECK: scf.forall {{.*}} shared_outs(%{{.*}} = %[[Y]])
// CHECK: scf.for
// CHECK-SAME: iter_args(%[[SUM:.*]] = %{{.*}}) -> (f64)
// CHECK: %[[HE:.*]] = tensor.extract %[[H]]
// CHECK: %[[W:.*]] = tensor.extract %[[DOWN]][%[[J:.*]], %[[N:.*]]] :
// CHECK: %[[HF:.*]] = arith.extf %[[HE]] : bf16 to f32
// CHECK: %[[NEXT:.*]] = arith.addf %[[SUM]], %{{.*}} : f64
// CHECK: %[[NOTZERO:.*]] = arith.cmpf une, %[[HF]]
// CHECK: arith.select %[[NOTZERO]], %[[NEXT]], %[[SUM]] : f64
func.func @stepwise(%x: tensor<?x64xbf16>, %gate: tensor<96x64xbf16>, %up: tensor<96x64xbf16>, %down: tensor<96x64xbf16>, %y: tensor<?x64xbf16>) -> tensor<?x64xbf16> {
  %0 = frit.sparse_ffn ins(%x : tensor<?x64xbf16>)
      weights(%gate, %up, %down : tensor<96x64xbf16>, tensor<96x64xbf16>, tensor<96x64xbf16>)
      outs(%y : tensor<?x64xbf16>) std_multiplier = 1.64485359 down_layout = dh -> tensor<?x64xbf16>
  return %0 : tensor<?x64xbf16>
}

// -----

// With rounding final the activated gate is f32; hd reads down by rows of the result; the residual is added to what has
// been rounded.

// CHECK-LABEL: func @final
// CHECK-SAME: %[[DOWN:[a-z0-9]+]]: tensor<64x96xf16>, %[[Y:.*]]: tensor<4x64xf16>
// CHECK: linalg.fill ins(%{{.*}} : f32) outs(%{{.*}} : tensor<4x96xf32>)
// CHECK: tensor.extract %[[DOWN]][%[[N:.*]], %[[J:.*]]] :
// CHECK: arith.truncf %{{.*}} : f32 to f16
// CHECK: scf.forall {{.*}} shared_outs(%{{.*}} = %[[Y]])
// CHECK: ^bb0(%[[F:.*]]: f16, %[[OLD:.*]]: f16):
// CHECK: %[[OLDF:.*]] = arith.extf %[[OLD]]
// CHECK: %[[FF:.*]] = arith.extf %[[F]]
// CHECK: %[[SUM:.*]] = arith.addf %[[OLDF]], %[[FF]] : f32
// CHECK: arith.truncf %[[SUM]] : f32 to f16
func.func @final(%x: tensor<4x64xf16>, %gate: tensor<96x64xf16>, %up: tensor<96x64xf16>, %down: tensor<64x96xf16>, %y: tensor<4x64xf16>) -> tensor<4x64xf16> {
  %0 = frit.sparse_ffn ins(%x : tensor<4x64xf16>)
      weights(%gate, %up, %down : tensor<96x64xf16>, tensor<96x64xf16>, tensor<64x96xf16>)
      outs(%y : tensor<4x64xf16>) std_multiplier = 1.0 down_layout = hd rounding = final accumulate = true
      -> tensor<4x64xf16>
  return %0 : tensor<4x64xf16>
}

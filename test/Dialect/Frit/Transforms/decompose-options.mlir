// RUN: %frit_opt %s --pass-pipeline='builtin.module(frit-decompose{only-native-linalg})' | FileCheck %s --check-prefix=ONLY
// RUN: %frit_opt %s --pass-pipeline='builtin.module(frit-decompose{accumulate-in-f64},cse)' | FileCheck %s --check-prefix=F64

// Only what was selected is decomposed; a lora_matmul all the way.

// ONLY-LABEL: func @selected
// ONLY: frit.gelu_and_mul_sparse {{.*}} {frit.kernel = #frit.kernel<"native.vector">}
// ONLY: linalg.generic
// ONLY: frit.act_and_mul gelu_erf
// ONLY-NOT: frit.lora
// ONLY: return
func.func @selected(%x: tensor<?x16xf32>, %y: tensor<?x8xf32>, %ids: tensor<?xi32>,
                    %a: tensor<2x4x8xf32>, %b: tensor<2x8x4xf32>) -> tensor<?x8xf32> {
  %0 = frit.gelu_and_mul_sparse ins(%x : tensor<?x16xf32>) outs(%y : tensor<?x8xf32>)
      std_multiplier = 1.5 {frit.kernel = #frit.kernel<"native.vector">} -> tensor<?x8xf32>
  %1 = frit.act_and_mul silu ins(%x : tensor<?x16xf32>) outs(%0 : tensor<?x8xf32>)
      {frit.kernel = #frit.kernel<"native.linalg">} -> tensor<?x8xf32>
  %2 = frit.act_and_mul gelu_erf ins(%x : tensor<?x16xf32>) outs(%1 : tensor<?x8xf32>)
      -> tensor<?x8xf32>
  %3 = frit.lora_matmul ins(%2, %ids : tensor<?x8xf32>, tensor<?xi32>)
      weights(%a, %b : tensor<2x4x8xf32>, tensor<2x8x4xf32>) outs(%1 : tensor<?x8xf32>)
      {frit.kernel = #frit.kernel<"native.linalg">} -> tensor<?x8xf32>
  return %3 : tensor<?x8xf32>
}

// Sums in f64, in order, rounded to f32 at their end; all else as ever.

// F64-LABEL: func @reference
// F64: %[[SUM:.*]] = scf.for {{.*}} -> (f64)
// F64: %[[G:.*]] = tensor.extract
// F64-NEXT: %[[G32:.*]] = arith.extf %[[G]] : bf16 to f32
// F64-NEXT: %[[G64:.*]] = arith.extf %[[G32]] : f32 to f64
// F64-NEXT: arith.addf %{{.*}}, %[[G64]] : f64
// F64: %[[SUM32:.*]] = arith.truncf %[[SUM]] : f64 to f32
// F64: %[[M:.*]] = arith.divf %[[SUM32]], %{{.*}} : f32
// F64: %[[M64:.*]] = arith.extf %[[M]] : f32 to f64
// F64: %[[SQUARES:.*]] = scf.for {{.*}} -> (f64)
// F64: %[[DEV:.*]] = arith.subf %{{.*}}, %[[M64]] : f64
// F64-NEXT: arith.mulf %[[DEV]], %[[DEV]] : f64
// F64: arith.truncf %[[SQUARES]] : f64 to f32
// F64: math.sqrt %{{.*}} : f32
func.func @reference(%x: tensor<?x16xbf16>, %y: tensor<?x8xbf16>) -> tensor<?x8xbf16> {
  %0 = frit.gelu_and_mul_sparse ins(%x : tensor<?x16xbf16>) outs(%y : tensor<?x8xbf16>)
      std_multiplier = 1.5 -> tensor<?x8xbf16>
  return %0 : tensor<?x8xbf16>
}

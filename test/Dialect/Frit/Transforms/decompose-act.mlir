// RUN: %frit_opt %s --pass-pipeline='builtin.module(frit-decompose,cse)' -split-input-file | FileCheck %s

// The activation is rounded, then the product.

// CHECK-LABEL: func @silu
// CHECK: ^bb0(%[[G:.*]]: bf16, %[[U:.*]]: bf16, %{{.*}}: bf16):
// CHECK-NEXT: %[[Z:.*]] = arith.extf %[[G]] : bf16 to f32
// CHECK-NEXT: %[[ONE:.*]] = arith.constant 1.{{0*}}e+00 : f32
// CHECK-NEXT: %[[NEG:.*]] = arith.negf %[[Z]]
// CHECK-NEXT: %[[EXP:.*]] = math.exp %[[NEG]]
// CHECK-NEXT: %[[DIV:.*]] = arith.addf %[[ONE]], %[[EXP]]
// CHECK-NEXT: %[[A:.*]] = arith.divf %[[Z]], %[[DIV]]
// CHECK-NEXT: %[[A16:.*]] = arith.truncf %[[A]] : f32 to bf16
// CHECK-NEXT: %[[AR:.*]] = arith.extf %[[A16]] : bf16 to f32
// CHECK-NEXT: %[[UX:.*]] = arith.extf %[[U]] : bf16 to f32
// CHECK-NEXT: %[[Y:.*]] = arith.mulf %[[AR]], %[[UX]]
// CHECK-NEXT: %[[Y16:.*]] = arith.truncf %[[Y]] : f32 to bf16
// CHECK-NEXT: linalg.yield %[[Y16]]
func.func @silu(%x: tensor<?x8xbf16>, %y: tensor<?x4xbf16>) -> tensor<?x4xbf16> {
  %0 = frit.act_and_mul silu ins(%x : tensor<?x8xbf16>) outs(%y : tensor<?x4xbf16>) -> tensor<?x4xbf16>
  return %0 : tensor<?x4xbf16>
}

// -----

// CHECK-LABEL: func @gelu_tanh
// CHECK: math.tanh
// CHECK: arith.truncf {{.*}} : f32 to f16
// CHECK: arith.truncf {{.*}} : f32 to f16
// CHECK-NEXT: linalg.yield
func.func @gelu_tanh(%x: tensor<?x8xf16>, %y: tensor<?x4xf16>) -> tensor<?x4xf16> {
  %0 = frit.act_and_mul gelu_tanh ins(%x : tensor<?x8xf16>) outs(%y : tensor<?x4xf16>) -> tensor<?x4xf16>
  return %0 : tensor<?x4xf16>
}

// -----

// CHECK-LABEL: func @gelu_erf
// CHECK: math.erf
// CHECK-NOT: arith.truncf
func.func @gelu_erf(%x: tensor<?x8xf32>, %y: tensor<?x4xf32>) -> tensor<?x4xf32> {
  %0 = frit.act_and_mul gelu_erf ins(%x : tensor<?x8xf32>) outs(%y : tensor<?x4xf32>) -> tensor<?x4xf32>
  return %0 : tensor<?x4xf32>
}

// RUN: %frit_opt %s --pass-pipeline='builtin.module(frit-expand-math)' | FileCheck %s

// CHECK-LABEL: func @round
// CHECK-NOT: arith.truncf
// CHECK-NOT: arith.extf
// CHECK: arith.bitcast {{.*}} : vector<8xi32> to vector<8xf32>
func.func @round(%x: vector<8xf32>) -> vector<8xf32> {
  %0 = arith.truncf %x : vector<8xf32> to vector<8xbf16>
  %1 = arith.extf %0 : vector<8xbf16> to vector<8xf32>
  return %1 : vector<8xf32>
}

// CHECK-LABEL: func @round_scalar
// CHECK-NOT: arith.truncf
// CHECK: arith.bitcast {{.*}} : i16 to bf16
func.func @round_scalar(%x: f32) -> bf16 {
  %0 = arith.truncf %x : f32 to bf16
  return %0 : bf16
}

// f16 has exact instructions.

// CHECK-LABEL: func @f16
// CHECK-NEXT: arith.truncf
func.func @f16(%x: vector<8xf32>) -> vector<8xf16> {
  %0 = arith.truncf %x : vector<8xf32> to vector<8xf16>
  return %0 : vector<8xf16>
}
